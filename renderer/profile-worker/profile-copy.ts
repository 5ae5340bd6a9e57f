import { applyDelta } from '../../shared/delta/apply-delta.ts';
import { decodeDelta, encodeDelta } from '../../shared/delta/delta-codec.ts';
import { deltasOfWhole } from '../../shared/delta/make-delta.ts';
import { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { SampleTable } from '../../shared/profile/sample-table.ts';
import { DELTA_PREFIX } from '../../shared/protocol/delta-message.ts';

/** An empty profile for what another worker or the host sends. */
export function newCopy(): LeanProfile {
  return new LeanProfile(true, new SampleTable());
}

/**
 * All of a profile as it is now, for another worker: deltas from nothing, in order. Some 10 bytes per call node, and 20
 * per sample if these are wanted.
 */
export function packProfile(profile: LeanProfile, withSamples: boolean): ArrayBuffer[] {
  const messages: ArrayBuffer[] = [];
  for (const delta of deltasOfWhole(profile, withSamples ? profile.samples : undefined))
    messages.push(encodeDelta(delta, DELTA_PREFIX));
  return messages;
}

/** Unpacks a profile. Removes each message from the list, so that it is freed once read. */
export function unpackProfile(messages: ArrayBuffer[]): LeanProfile {
  const profile = newCopy();
  for (let message = messages.shift(); message !== undefined; message = messages.shift())
    applyDelta(profile, decodeDelta(message, DELTA_PREFIX));
  return profile;
}
