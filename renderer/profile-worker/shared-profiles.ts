import { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { applyDelta } from '../../shared/delta/apply-delta.ts';
import { decodeDelta, encodeDelta } from '../../shared/delta/delta-codec.ts';
import { deltasOfWhole, type DeltaSource } from '../../shared/delta/make-delta.ts';
import { SampleTable } from '../../shared/profile/sample-table.ts';
import { DELTA_PREFIX } from '../../shared/protocol/transport.ts';

/** Hears what happens to the profiles of other logs. */
interface ProfileListener {
  /** The profile of a log is about to gain something. */
  willGrow(log: string): void;
  /** A log has gained something, or has another profile. */
  changed(log: string, growth: Growth): void;
}

export interface Growth {
  /** More is known to follow at once. */
  readonly catchingUp: boolean;
  /** The log has had all that there was at some time before. */
  readonly wasComplete: boolean;
}

interface Shared {
  profile: LeanProfile;
  readonly listener: ProfileListener;
  wasComplete: boolean;
}

/**
 * The profiles of all logs of a window, each of them in memory once: a log that is compared with another one reads that
 * one's profile.
 */
export class SharedProfiles {
  readonly #logs = new Map<string, Shared>();

  /** undefined: no log of this key is open. */
  get(log: string): LeanProfile | undefined {
    return this.#logs.get(log)?.profile;
  }

  /** Whether a log has had all that there was, so that what comes now is growth. */
  wasComplete(log: string): boolean {
    return this.#logs.get(log)?.wasComplete === true;
  }

  /** Opens a log, or replaces its profile. */
  set(log: string, profile: LeanProfile, listener: ProfileListener): void {
    const known = this.#logs.get(log);
    if (known === undefined) this.#logs.set(log, { profile, listener, wasComplete: false });
    else known.profile = profile;
    this.grew(log, true);
  }

  willGrow(log: string): void {
    for (const [of, { listener }] of this.#logs) if (of !== log) listener.willGrow(log);
  }

  grew(log: string, catchingUp: boolean): void {
    const shared = this.#logs.get(log);
    if (shared === undefined) return;
    const { wasComplete } = shared;
    shared.wasComplete ||= !catchingUp;
    for (const [of, { listener }] of this.#logs)
      if (of !== log) listener.changed(log, { catchingUp, wasComplete });
  }

  /** Closes a log. Whoever is compared with it keeps its profile. */
  delete(log: string): void {
    this.#logs.delete(log);
  }
}

/** An empty profile for what another worker or the host sends. */
export function newCopy(): LeanProfile {
  return new LeanProfile(true, new SampleTable());
}

/**
 * All of a profile as it is now, for another worker: deltas from nothing, in order. Some 10 bytes per call node, and 20
 * per sample if these are wanted.
 */
export function packProfile(profile: DeltaSource, withSamples: boolean): ArrayBuffer[] {
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
