/** What the second number of a profile is measured in. */
export type ValueUnit = 'ns' | 'bytes';

/** What the two numbers of a profile are: how often, and how much. */
export interface ProfileUnits {
  /** What is counted: sample, call, allocation … */
  readonly counted: { readonly one: string; readonly many: string };
  /** What is summed besides the count; undefined if the file has no such value and all sums are 0. */
  readonly value:
    | {
        readonly name: string;
        readonly unit: ValueUnit;
        /** A phrase: what exactly is charged to a sample, if the name does not say it. */
        readonly meaning?: string;
      }
    | undefined;
}

export const SAMPLES = { one: 'sample', many: 'samples' } as const;
export const SAMPLES_AND_TIME: ProfileUnits = { counted: SAMPLES, value: { name: 'Time', unit: 'ns' } };
export const SAMPLES_ONLY: ProfileUnits = { counted: SAMPLES, value: undefined };
