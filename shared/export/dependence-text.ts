import type { ProfileUnits } from '../profile/profile-units.ts';
import { capitalised } from '../text/format-value.ts';

/** Why differences of what is counted may be chance although they look real: see `Counted.isDependent`. */
export function dependenceText({ counted: { many } }: ProfileUnits): string {
  return `${capitalised(many)} are not independent of each other: two runs of one program differ by more than a 95 % interval says. No interval is known, and each change may be chance.`;
}
