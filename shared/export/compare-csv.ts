import type { MethodChange } from '../compare/method-changes.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { countText } from '../text/format-value.ts';
import { textCell } from './csv.ts';
import { LineWriter, type TextSink } from './text-sink.ts';

/** The two changes of a method. */
export interface ComparedMethod {
  readonly self: MethodChange;
  readonly total: MethodChange;
}

/**
 * Both flat profiles and their differences for spreadsheets, as in RFC 4180: a row for each method. Differences of shares
 * are percentage points. `real` means that chance does not explain the difference, `chance` that it does, `exact` that
 * nothing was sampled. Shares are empty if a profile has nothing that they could refer to.
 */
export function exportComparedCsv(
  methods: readonly ComparedMethod[],
  { units, hasShares }: { readonly units: ProfileUnits; readonly hasShares: boolean },
  sink: TextSink,
): void {
  const writer = new LineWriter(sink, methods.length + 1);
  const { value } = units;
  const header = ['Method'];
  for (const part of ['Self', 'Total']) {
    header.push(`Base ${part.toLowerCase()} #`, `New ${part.toLowerCase()} #`, `${part} # difference`);
    if (value !== undefined) {
      const name = `${part.toLowerCase()} ${value.name.toLowerCase()} ${value.unit}`;
      header.push(`Base ${name}`, `New ${name}`, `${name[0].toUpperCase()}${name.slice(1)} difference`);
    }
    header.push(`Base ${part.toLowerCase()} %`, `New ${part.toLowerCase()} %`, `${part} difference points`);
    header.push(`${part} change`);
  }
  writer.line(`${header.map((title) => `"${title}"`).join(',')}\r`);
  for (const { self, total } of methods) {
    const cells = [textCell(self.label)];
    for (const { base, next, difference, certainty } of [self, total]) {
      cells.push(countText(base.samples), countText(next.samples), countText(next.samples - base.samples));
      if (value !== undefined)
        cells.push(String(base.time), String(next.time), String(next.time - base.time));
      cells.push(
        ...[base.share, next.share, difference].map((share) => (hasShares ? percent(share) : '')),
        certainty,
      );
    }
    writer.line(`${cells.join(',')}\r`);
  }
  writer.flush();
}

function percent(share: number): string {
  return (share * 100).toFixed(4);
}
