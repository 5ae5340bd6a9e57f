/**
 * The short form of the bench fails on gross regressions only, and on any machine: what it holds a figure against is
 * three times the larger of its goal and what was recorded when it was last known to be good.
 *
 * A ratio needs no more. Milliseconds and shares of a core grow with the machine, so their limit grows by as much as
 * the yardstick's loop is slower than it was for the recorded value. Ratios to sha256sum grow where the processor has
 * instructions for SHA-256, so theirs grows by as much as hashing gained on the loop. Limits only ever grow: a machine
 * that is faster at the yardstick need not be faster at what was measured. A row that was never recorded has its goals
 * alone, as they are: record it.
 */
import type { MeasuredRow } from './measured-row.ts';
import type { Figure } from './row.ts';
import { type TableLine, withUnit } from './table.ts';
import type { Yardstick } from './yardstick.ts';

export const GROSS = 3;

/** Row -> what it gave, and how fast the machine was then. */
export type Recorded = Readonly<Record<string, RecordedRow | undefined>>;

export interface RecordedRow {
  readonly yardstick: Yardstick;
  readonly figures: Readonly<Record<string, number | undefined>>;
}

/** How much more than on the recording machine a figure of this unit may be here, 1 or more. */
export function allowance(unit: Figure['unit'], then: Yardstick, now: Yardstick): number {
  const loop = now.loopMs / then.loopMs;
  const hash = now.sha256Ms / then.sha256Ms;
  switch (unit) {
    case 'ms':
    case 's':
    case '%':
      return Math.max(1, loop);
    case '× sha256sum':
      return Math.max(1, loop / hash);
    default:
      return 1;
  }
}

/** Undefined for a figure with neither goal nor recorded value: it is only told. */
export function limitOf(
  { id, unit, goal }: Figure,
  now: Yardstick,
  recorded: RecordedRow | undefined,
): number | undefined {
  const then = recorded?.figures[id];
  if (goal === undefined && then === undefined) return undefined;
  const slack = recorded === undefined ? 1 : allowance(unit, recorded.yardstick, now);
  return GROSS * Math.max(goal ?? 0, then ?? 0) * slack;
}

/** True where a figure is beyond its limit, or is no number. */
export function hasRegressed(figure: Figure, now: Yardstick, recorded: RecordedRow | undefined): boolean {
  const limit = limitOf(figure, now, recorded);
  return limit !== undefined && !(figure.value <= limit);
}

export function regressionsOf({ id, outcome }: MeasuredRow, recorded: Recorded): Figure[] {
  if ('problem' in outcome) return [];
  return outcome.figures.filter((figure) => hasRegressed(figure, outcome.yardstick, recorded[id]));
}

/** Of two measurements of a row the better value of each figure: noise only ever adds. */
export function betterOf(first: MeasuredRow, second: MeasuredRow): MeasuredRow {
  if ('problem' in first.outcome) return second;
  if ('problem' in second.outcome) return first;
  const again = new Map(second.outcome.figures.map((figure) => [figure.id, figure]));
  const figures = first.outcome.figures.map((figure) => {
    const other = again.get(figure.id);
    return other !== undefined && other.value < figure.value ? other : figure;
  });
  return {
    ...second,
    seconds: first.seconds + second.seconds,
    outcome: { ...second.outcome, figures },
  };
}

/** `recorded` with the rows that were measured now in place of what they had. */
export function recordedWith(recorded: Recorded, rows: readonly MeasuredRow[]): Recorded {
  const next: Record<string, RecordedRow | undefined> = { ...recorded };
  for (const { id, outcome } of rows) {
    if ('problem' in outcome) continue;
    next[id] = {
      yardstick: { loopMs: rounded(outcome.yardstick.loopMs), sha256Ms: rounded(outcome.yardstick.sha256Ms) },
      figures: Object.fromEntries(outcome.figures.map((figure) => [figure.id, rounded(figure.value)])),
    };
  }
  return next;
}

export const LIMIT_HEADING: TableLine = ['what', 'figure', 'value', 'limit', ''];

export function limitLines(rows: readonly MeasuredRow[], recorded: Recorded): TableLine[] {
  return rows.flatMap(({ id, what, outcome }): TableLine[] =>
    'problem' in outcome
      ? [[what, '', '', '', `not measured: ${outcome.problem.split('\n')[0]}`]]
      : outcome.figures.map((figure, at) => {
          const limit = limitOf(figure, outcome.yardstick, recorded[id]);
          const isBad = hasRegressed(figure, outcome.yardstick, recorded[id]);
          return [
            at === 0 ? what : '',
            figure.id,
            withUnit(figure.value, figure.unit),
            limit === undefined ? '' : `≤ ${withUnit(limit, figure.unit)}`,
            limit === undefined
              ? 'told'
              : isBad
                ? 'REGRESSED'
                : recorded[id] === undefined
                  ? 'ok, unrecorded'
                  : 'ok',
          ];
        }),
  );
}

const rounded = (value: number): number => Number(value.toPrecision(3));
