/** What the second number of a profile is measured in. */
export type ValueUnit = 'ns' | 'bytes';

/** What is counted. */
export interface Counted {
  /** Its name: sample, call, allocation … */
  readonly one: string;
  readonly many: string;
  /**
   * It is a part, chosen by chance, of what happened: moments at which a profiler looked, or allocations of which only some
   * were recorded. False or absent: everything was counted, such as all calls.
   */
  readonly isSampled?: boolean;
}

/** The meaning of the two numbers of a profile: a count and a value. */
export interface ProfileUnits {
  readonly counted: Counted;
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

export const SAMPLES = { one: 'sample', many: 'samples', isSampled: true } as const;
export const SAMPLES_AND_TIME: ProfileUnits = { counted: SAMPLES, value: { name: 'Time', unit: 'ns' } };
export const SAMPLES_ONLY: ProfileUnits = { counted: SAMPLES, value: undefined };

/** Whether chance has a part in the counts: only then do shares and their changes have intervals. */
export function isSampled({ counted }: ProfileUnits): boolean {
  return counted.isSampled === true;
}
