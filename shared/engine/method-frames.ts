import type { LeanProfile } from '../profile/lean-profile.ts';
import type { FrameGrouping } from './trees/grouping.ts';
import { frameKey } from './trees/keys.ts';

/** The name by which frames are of one method, whatever their lines: with its id where the grouping tells ids apart. */
export function methodKey(profile: LeanProfile, frame: number, grouping: FrameGrouping): string {
  return frameKey(profile, frame, grouping === 'method-id' ? 'method-id' : 'fqmn');
}

/** Frame -> whether it is of the method with this key. */
export function isOfMethod(
  profile: LeanProfile,
  key: string,
  grouping: FrameGrouping,
): (frame: number) => boolean {
  const { method } = profile.frames;
  /** Method -> whether it has the key; undefined until one of its frames is looked at. */
  const known: (boolean | undefined)[] = [];
  return (frame) => (known[method[frame]] ??= methodKey(profile, frame, grouping) === key);
}
