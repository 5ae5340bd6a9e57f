import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { extentOf } from '../../shared/engine/trees/row-tree.ts';
import type { SelfValues } from '../../shared/engine/values/self-values.ts';
import { ValuesWithoutErrors } from '../../shared/engine/values/masked-values.ts';

/** Present self values without the samples that have an error on their stack. */
export function valuesWithoutErrors(profile: LeanProfile): SelfValues {
  const without = new ValuesWithoutErrors(profile, profile.selfValues);
  without.update(extentOf(profile));
  return without.values;
}
