import { type Choice, type Chosen, chosenNumber, chosenSwitch } from '../../facts/choice.ts';

/** The JDK agent's default, and what Android's framework used (specs: hprof, section 4). */
const USUAL_PERIOD_MS = 10;

export interface HprofOptions {
  /** ms; undefined while nobody gave it. */
  readonly period: number | undefined;
  readonly marksCuts: boolean;
}

export function hprofOptions(chosen: Chosen): HprofOptions {
  return { period: chosenNumber(chosen, 'period'), marksCuts: chosenSwitch(chosen, 'cut', true) };
}

/** A period is of no use to a file that has times. */
export function hprofChoices({ period, marksCuts }: HprofOptions, hasTimes: boolean): Choice[] {
  const choices: Choice[] = [
    {
      id: 'cut',
      name: 'Mark cut stacks',
      hint: 'Stacks as deep as the depth limit hang below a frame of their own, because their callers may be missing',
      kind: 'switch',
      chosen: marksCuts,
    },
  ];
  if (hasTimes) return choices;
  return [
    {
      id: 'period',
      name: 'Sampling period',
      hint: 'The file does not store it; with it a sample counts as so much time',
      kind: 'number',
      unit: 'ms',
      suggested: USUAL_PERIOD_MS,
      chosen: period,
    },
    ...choices,
  ];
}
