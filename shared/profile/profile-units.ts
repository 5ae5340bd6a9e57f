/** What the second number of a profile is measured in. */
export type ValueUnit = 'ns' | 'bytes';

/** What the two numbers of a profile are: how often, and how much. */
export interface ProfileUnits {
  /** What is counted: sample, call, allocation … */
  readonly counted: { readonly one: string; readonly many: string };
  /** What is summed beside the count; undefined where the file tells nothing of the kind and all sums are 0. */
  readonly value:
    | {
        readonly name: string;
        readonly unit: ValueUnit;
        /** What exactly is charged to a sample, where that is not plain from the name: a phrase. */
        readonly meaning?: string;
      }
    | undefined;
}

export const SAMPLES = { one: 'sample', many: 'samples' } as const;
export const SAMPLES_AND_TIME: ProfileUnits = { counted: SAMPLES, value: { name: 'Time', unit: 'ns' } };
export const SAMPLES_ONLY: ProfileUnits = { counted: SAMPLES, value: undefined };
