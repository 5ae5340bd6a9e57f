/** What the second number of a profile is measured in. */
export type ValueUnit = 'ns' | 'bytes';

/** The meaning of the two numbers of a profile: a count and a value. */
export interface ProfileUnits {
  /** The name of what is counted: sample, call, allocation … */
  readonly counted: { readonly one: string; readonly many: string };
  /** The value that is summed besides the count; undefined if the file has none, and all sums are 0. */
  readonly value:
    | {
        readonly name: string;
        readonly unit: ValueUnit;
        /** A phrase: what exactly is charged to a sample, if the name does not make it clear. */
        readonly meaning?: string;
      }
    | undefined;
}

export const SAMPLES = { one: 'sample', many: 'samples' } as const;
export const SAMPLES_AND_TIME: ProfileUnits = { counted: SAMPLES, value: { name: 'Time', unit: 'ns' } };
export const SAMPLES_ONLY: ProfileUnits = { counted: SAMPLES, value: undefined };

/** Whether what is counted are moments at which a profiler looked: only for those chance has a part in the counts. */
export function isSampled({ counted }: ProfileUnits): boolean {
  return counted.one === SAMPLES.one || counted.one === 'snapshot';
}
