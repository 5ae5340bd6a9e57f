import type { ProfileUnits } from '../profile/profile-units.ts';

/** The value that rows are weighted by. Time is what the log charges to a sample: see the README, "What time means". */
export type Metric = 'samples' | 'time';

export const METRICS: readonly Metric[] = ['samples', 'time'];

/** The name of what shares and widths are proportional to: `samples`, `time`. */
export function weightName(metric: Metric, { counted, value }: ProfileUnits): string {
  return metric === 'time' && value !== undefined ? value.name.toLowerCase() : counted.many;
}
