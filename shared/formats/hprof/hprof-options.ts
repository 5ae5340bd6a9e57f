import { type Choice, type Chosen, chosenNumber, chosenSwitch } from '../../facts/choice.ts';

/** The JDK agent's default, and what Android's framework used (specs: hprof, section 4). */
const USUAL_PERIOD_MS = 10;

export interface HprofOptions {
  /** ms; undefined if not given. */
  readonly period: number | undefined;
  readonly groupsTruncated: boolean;
}

export function hprofOptions(chosen: Chosen): HprofOptions {
  return { period: chosenNumber(chosen, 'period'), groupsTruncated: chosenSwitch(chosen, 'cut', true) };
}

/** A file that has times needs no period. */
export function hprofChoices({ period, groupsTruncated }: HprofOptions, hasTimes: boolean): Choice[] {
  const choices: Choice[] = [
    {
      id: 'cut',
      name: 'Group truncated stacks',
      hint: 'Stacks as deep as the depth limit may lack callers. They are grouped below a frame "(truncated)".',
      kind: 'switch',
      chosen: groupsTruncated,
    },
  ];
  if (hasTimes) return choices;
  return [
    {
      id: 'period',
      name: 'Sampling period',
      hint: 'Not recorded in this format. If it is given, each sample stands for this time.',
      kind: 'number',
      unit: 'ms',
      suggested: USUAL_PERIOD_MS,
      chosen: period,
    },
    ...choices,
  ];
}
