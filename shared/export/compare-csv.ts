import type { MethodChange } from '../compare/method-changes.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { countText } from '../text/format-value.ts';
import { type TimeBounds, UNBOUNDED } from '../values/time-range.ts';
import { rangeColumns, textCell } from './csv.ts';
import { LineWriter, type TextSink } from './text-sink.ts';

/** The two changes of a method. */
export interface ComparedMethod {
  readonly self: MethodChange;
  readonly total: MethodChange;
}

/** The time ranges of both profiles; undefined: samples of any time. */
export interface ComparedRanges {
  readonly base: TimeBounds | undefined;
  readonly next: TimeBounds | undefined;
}

export interface ComparedCsvOptions {
  readonly units: ProfileUnits;
  readonly hasShares: boolean;
  readonly ranges: ComparedRanges;
}

/**
 * Both flat profiles and their differences for spreadsheets, as in RFC 4180: a row for each method. Differences of shares
 * are percentage points. `real` means that chance does not explain the difference, `chance` that it does, `unknown`
 * that it may, because what is counted is not independent of each other, and `exact` that nothing was sampled. Shares are empty if a profile has nothing that they could refer to. Where a profile is of a time
 * range, the ranges of both are in columns of their own, as those of a flat profile.
 */
export function exportComparedCsv(
  methods: readonly ComparedMethod[],
  { units, hasShares, ranges }: ComparedCsvOptions,
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
  const times = rangesColumns(ranges);
  header.push(...times.map(([title]) => title));
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
    cells.push(...times.map(([, time]) => String(time ?? '')));
    writer.line(`${cells.join(',')}\r`);
  }
  writer.flush();
}

/** None if both have samples of any time. */
function rangesColumns({ base, next }: ComparedRanges): (readonly [string, bigint | undefined])[] {
  if (base === undefined && next === undefined) return [];
  const columnsOf = (
    name: string,
    range: TimeBounds = UNBOUNDED,
  ): (readonly [string, bigint | undefined])[] =>
    rangeColumns(range).map(([title, time]) => [`${name} ${title[0].toLowerCase()}${title.slice(1)}`, time]);
  return [...columnsOf('Base', base), ...columnsOf('New', next)];
}

function percent(share: number): string {
  return (share * 100).toFixed(4);
}
