import type { MeasuredRow } from '../../bench/measured-row.ts';
import type { Figure } from '../../bench/row.ts';
import type { Yardstick } from '../../bench/yardstick.ts';

export const QUIET: Yardstick = { loopMs: 20, sha256Ms: 40 };

/** 'time 0.85 × sha256sum goal 0.8', or without a goal. */
export function figure(text: string): Figure {
  const [, id, value, unit] = /^(\S+) (\S+) (.+?)(?: goal .+)?$/.exec(text)!;
  const goal = text.split(' goal ').at(1);
  return {
    id,
    value: Number(value),
    unit: unit as Figure['unit'],
    goal: goal === undefined ? undefined : Number(goal),
  };
}

export function measured(id: string, figures: readonly string[], yardstick = QUIET): MeasuredRow {
  return { id, what: `what ${id} does`, seconds: 1, outcome: { figures: figures.map(figure), yardstick } };
}

export const unmeasured = (id: string, problem: string): MeasuredRow => ({
  id,
  what: `what ${id} does`,
  seconds: 1,
  outcome: { problem },
});
