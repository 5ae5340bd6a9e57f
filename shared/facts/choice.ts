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
      readonly options: readonly { readonly value: string; readonly text: string }[];
      /** One of the options. */
      readonly chosen: string;
    }
  | {
      readonly kind: 'number';
      readonly unit: string;
      readonly suggested: number;
      readonly chosen: number | undefined;
    }
  | { readonly kind: 'switch'; readonly chosen: boolean }
);

/** choice id -> what is asked for, as text: `alloc`, `10`, `on`. What a file does not offer is passed over. */
export type Chosen = Readonly<Record<string, string>>;

export const NOTHING_CHOSEN: Chosen = {};

/** A positive number that was asked for; undefined for none and for what is no such number. */
export function chosenNumber(chosen: Chosen, id: string): number | undefined {
  const number = Number(chosen[id]);
  return Number.isFinite(number) && number > 0 ? number : undefined;
}

export function chosenSwitch(chosen: Chosen, id: string, otherwise: boolean): boolean {
  const text = chosen[id];
  return text === 'on' ? true : text === 'off' ? false : otherwise;
}

/** The chosen option if it is one of `values`, else `otherwise`. */
export function chosenOption<Value extends string>(
  chosen: Chosen,
  id: string,
  values: readonly Value[],
  otherwise: Value,
): Value {
  return values.find((value) => value === chosen[id]) ?? otherwise;
}

/** The value of a choice as text in `Chosen`; empty for a number that was not given. */
export function chosenText(choice: Choice): string {
  switch (choice.kind) {
    case 'one':
      return choice.chosen;
    case 'number':
      return choice.chosen === undefined ? '' : String(choice.chosen);
    case 'switch':
      return choice.chosen ? 'on' : 'off';
  }
}
