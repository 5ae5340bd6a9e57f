/**
 * An option of reading a file that holds several profiles or lacks information: which events count, which segment, the
 * sampling period. Changing it reads the file again.
 *
 *   id            name           kind     chosen
 *   sample-type   Sample type    one      'cpu'        of cpu, wall, alloc
 *   period        Period         number   undefined    ms, 10 suggested
 *   children      Callees too    switch   true
 */
export type Choice = {
  /** Short and stable, for the command line: `--choose period=10`. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** A sentence: what it changes. */
  readonly hint: string;
} & (
  | {
      readonly kind: 'one';
      readonly options: readonly ChoiceOption[];
      /** One of the options. */
      readonly chosen: string;
    }
  | {
      readonly kind: 'number';
      readonly unit: string;
      readonly suggested: number;
      readonly chosen: number | undefined;
    }
  | {
      readonly kind: 'switch';
      readonly chosen: boolean;
      /** The value that switches it on, where it says more than `on`: `128`. */
      readonly on?: string;
    }
);

/** A value of a choice of one of several. */
export interface ChoiceOption {
  readonly value: string;
  readonly text: string;
  /** Its text on a tab, where there is a shorter one: `CPU` for `Execution samples`. */
  readonly short?: string;
  /** Events of it in the file; undefined: they were not counted. */
  readonly count?: number;
}

/** choice id -> the requested value as text: `alloc`, `10`, `on`. Decoders ignore choices that a file does not offer. */
export type Chosen = Readonly<Record<string, string>>;

export const NOTHING_CHOSEN: Chosen = {};

/** Id of the choice of the column of a dataset whose values are the threads. */
export const PER_CHOICE = 'per';

/** One of the threads of a profile: a thread, or a host, an hour or another value of a column of a dataset. */
export function threadNoun(choices: readonly Choice[]): string {
  const per = choices.find(({ id }) => id === PER_CHOICE);
  return per?.kind === 'one' ? per.chosen : 'thread';
}

/** Id of the choice of what is counted, in all formats whose files have several profiles. */
export const SAMPLE_TYPE_CHOICE = 'sample-type';

/** That choice, where a file has several profiles. */
export function sampleTypeChoice(
  choices: readonly Choice[],
): (Choice & { readonly kind: 'one' }) | undefined {
  const choice = choices.find(({ id }) => id === SAMPLE_TYPE_CHOICE);
  return choice?.kind === 'one' ? choice : undefined;
}

/** The requested sample type; undefined if none is. */
export function chosenSampleType(chosen: Chosen): string | undefined {
  return chosen[SAMPLE_TYPE_CHOICE];
}

/** Larger numbers are refused: sums of products with them could leave the range of doubles. */
const LARGEST_NUMBER = 1e12;

/** The requested number; undefined if there is none, or it is not positive or too large. */
export function chosenNumber(chosen: Chosen, id: string): number | undefined {
  const number = Number(chosen[id]);
  return isValidNumber(number) ? number : undefined;
}

/** Whether it can be the value of a choice that is a number. */
export function isValidNumber(number: number): boolean {
  return number > 0 && number <= LARGEST_NUMBER;
}

export function chosenSwitch(chosen: Chosen, id: string, otherwise: boolean): boolean {
  const text = chosen[id];
  return text === 'on' ? true : text === 'off' ? false : otherwise;
}

/** The requested option if it is one of `values`, else `otherwise`. */
export function chosenOption<Value extends string>(
  chosen: Chosen,
  id: string,
  values: readonly Value[],
  otherwise: Value,
): Value {
  return values.find((value) => value === chosen[id]) ?? otherwise;
}

/** The value of a switch as text in `Chosen`. */
export function switchText({ on = 'on' }: Choice & { readonly kind: 'switch' }, isOn: boolean): string {
  return isOn ? on : 'off';
}

/** Whether this is the present value of a choice that there is. */
export function isChosen(choices: readonly Choice[], id: string, value: string): boolean {
  return choices.some((choice) => choice.id === id && chosenText(choice) === value);
}

/** The present values of all choices. `change`: another value of one choice. */
export function chosenOf(
  choices: readonly Choice[],
  change?: { readonly id: string; readonly value: string },
): Chosen {
  const entries = choices.map((choice) => [
    choice.id,
    choice.id === change?.id ? change.value : chosenText(choice),
  ]);
  return Object.fromEntries(entries.filter(([, text]) => text !== '')) as Chosen;
}

/** The present value of a choice as text, as in `Chosen`; empty for a number that was not chosen. */
export function chosenText(choice: Choice): string {
  switch (choice.kind) {
    case 'one':
      return choice.chosen;
    case 'number':
      return choice.chosen === undefined ? '' : String(choice.chosen);
    case 'switch':
      return switchText(choice, choice.chosen);
  }
}

/**
 * The ways to tell threads of merged logs apart. `groups`: each log is a thread group, and its name is in front of the
 * names of its threads: `node1.hpl: main`. `together`: threads of one name are one, whichever log they are in.
 */
export const MERGED_THREADS = ['groups', 'together'] as const;
export type MergedThreads = (typeof MERGED_THREADS)[number];

/** Id of this choice among those of a merged log. */
export const MERGED_THREADS_CHOICE = 'threads';
