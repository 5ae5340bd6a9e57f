import type { MeasuredRow } from './measured-row.ts';
import type { Figure } from './row.ts';

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

export function measured(id: string, figures: readonly string[]): MeasuredRow {
  return { id, what: `what ${id} does`, seconds: 1, outcome: { figures: figures.map(figure) } };
}

export const unmeasured = (id: string, problem: string): MeasuredRow => ({
  id,
  what: `what ${id} does`,
  seconds: 1,
  outcome: { problem },
});
