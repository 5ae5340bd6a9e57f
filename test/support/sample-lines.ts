import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { methodText, stacksOf } from './profile-stacks.ts';

/**
 * The SampleTable as text, a line a sample, sorted: time, thread and frames, value, and where the value belongs if not to
 * the same frames. Rows of tables have other numbers after a provisional sample, so stacks are written out.
 */
export function sampleLines(profile: LeanProfile): readonly string[] {
  const { samples } = profile;
  if (samples === undefined) return [];
  const stacks = stacksOf(profile).map(({ threadId, frames }) =>
    [threadId, ...frames.map((frame) => `${methodText(frame)}:${frame.line}:${frame.bci}`)].join(';'),
  );
  const { self, valueSelf = self } = samples;
  return Array.from({ length: samples.length }, (_, row) => {
    const valueAt = valueSelf[row] === self[row] ? '' : ` at ${stacks[valueSelf[row]]}`;
    return `${samples.timeOf(row)} ${stacks[self[row]]} ${samples.value.exact(row)}${valueAt}`;
  }).sort();
}
