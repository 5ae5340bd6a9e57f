/** The unit of the second number of a profile. */
type ValueUnit = 'ns' | 'bytes';

/** The counted things. */
export interface Counted {
  /** Its name: sample, call, allocation … */
  readonly one: string;
  readonly many: string;
  /**
   * It is a part, chosen by chance, of what happened: moments at which a profiler looked, or allocations of which only some
   * were recorded. False or absent: everything was counted, such as all calls.
   */
  readonly isSampled?: boolean;
  /**
   * One occurrence says something about others, or stands for several: allocations come in bursts, of waits only long ones
   * are recorded, and weights are estimates. Then shares have no known interval, and runs of one program differ by more
   * than independent samples do. Such counts are not exact either, although they are not samples.
   */
  readonly isDependent?: boolean;
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

/** The name of the value within a sentence: `blocked`, `CPU time`; empty without a value. */
export function valueNoun({ value }: Pick<ProfileUnits, 'value'>): string {
  const name = value?.name ?? '';
  return /^[A-Z]{2}/.test(name) ? name : name.toLowerCase();
}

export const SAMPLES = { one: 'sample', many: 'samples', isSampled: true } as const;
export const SAMPLES_AND_TIME: ProfileUnits = { counted: SAMPLES, value: { name: 'Time', unit: 'ns' } };
export const SAMPLES_ONLY: ProfileUnits = { counted: SAMPLES, value: undefined };

/** The part that chance has in the counts of a profile, or of two that are compared: see `Counted`. */
export type ChanceInCounts = Pick<Counted, 'isSampled' | 'isDependent'>;

/** Whether chance has a part in the counts. */
export function isSampled({ counted }: ProfileUnits): boolean {
  return counted.isSampled === true;
}

/** Whether shares have an interval: the counts are those of independent samples. */
export function hasIntervals({ counted }: ProfileUnits): boolean {
  return counted.isSampled === true && counted.isDependent !== true;
}

/** The statistics of two profiles that are compared: only samples on both sides are samples, and one side makes both dependent. */
export function chanceInBoth(base: ProfileUnits, next: ProfileUnits): Required<ChanceInCounts> {
  return {
    isSampled: isSampled(base) && isSampled(next),
    isDependent: base.counted.isDependent === true || next.counted.isDependent === true,
  };
}
