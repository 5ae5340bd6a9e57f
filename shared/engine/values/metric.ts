import { type ProfileUnits, valueNoun } from '../../profile/profile-units.ts';

/** The value by which rows are weighted. "What time means" in docs/user/numbers.md explains the time of a sample. */
export type Metric = 'samples' | 'time';

export const METRICS: readonly Metric[] = ['samples', 'time'];

/** The name of the metric in a profile with these units: `samples`, `time`, `bytes`. */
export function weightName(metric: Metric, units: ProfileUnits): string {
  return metric === 'time' && units.value !== undefined ? valueNoun(units) : units.counted.many;
}
