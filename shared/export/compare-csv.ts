import type { MethodChange } from '../engine/comparison/method-changes.ts';
import { capitalised } from '../text/format-value.ts';
import { countText } from '../text/format-value.ts';
import { type TimeBounds, UNBOUNDED } from '../engine/values/time-range.ts';
import { rangeColumns, type TableColumn, textCell, writeCsvTable } from './text-sink.ts';
import type { ComparedMethod, ComparedRanges, ComparisonWriter } from './written-comparison.ts';

/**
 * Both flat profiles and their differences for spreadsheets, as in RFC 4180: a row for each method. Differences of shares
 * are percentage points. `real` means that chance does not explain the difference, `chance` that it does, `unknown`
 * that it may, because what is counted is not independent of each other, and `exact` that nothing was sampled. Shares are empty if a profile has nothing that they could refer to. Where a profile is of a time
 * range, the ranges of both are in columns of their own, as those of a flat profile.
 */
export const writeComparedCsv: ComparisonWriter = ({ input, pairs, hasShares }, sink) => {
  const { value } = input.units;
  const columns: TableColumn<ComparedMethod>[] = [
    { title: 'Method', cell: ({ self }) => textCell(self.label) },
  ];
  for (const part of ['self', 'total'] as const) {
    const column = (title: string, cell: (change: MethodChange) => string): void =>
      void columns.push({ title, cell: (method) => cell(method[part]) });
    const share = (of: number): string => (hasShares ? (of * 100).toFixed(4) : '');
    const title = capitalised(part);
    column(`Base ${part} #`, ({ base }) => countText(base.samples));
    column(`New ${part} #`, ({ next }) => countText(next.samples));
    column(`${title} # difference`, ({ base, next }) => countText(next.samples - base.samples));
    if (value !== undefined) {
      const name = `${part} ${value.name.toLowerCase()} ${value.unit}`;
      column(`Base ${name}`, ({ base }) => String(base.time));
      column(`New ${name}`, ({ next }) => String(next.time));
      column(`${capitalised(name)} difference`, ({ base, next }) => String(next.time - base.time));
    }
    column(`Base ${part} %`, ({ base }) => share(base.share));
    column(`New ${part} %`, ({ next }) => share(next.share));
    column(`${title} difference points`, ({ difference }) => share(difference));
    column(`${title} change`, ({ certainty }) => certainty);
  }
  writeCsvTable([...columns, ...rangesColumns(input.ranges)], pairs, sink);
};

/** None if both have samples of any time. */
function rangesColumns({ base, next }: ComparedRanges): readonly TableColumn<unknown>[] {
  if (base === undefined && next === undefined) return [];
  const columnsOf = (name: string, range: TimeBounds = UNBOUNDED): readonly TableColumn<unknown>[] =>
    rangeColumns(range).map(({ title, cell }) => ({
      title: `${name} ${title[0].toLowerCase()}${title.slice(1)}`,
      cell,
    }));
  return [...columnsOf('Base', base), ...columnsOf('New', next)];
}
