import { applyDelta } from '../../shared/delta/apply-delta.ts';
import { decodeDelta } from '../../shared/delta/delta-codec.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { DELTA_PREFIX } from '../../shared/protocol/delta-message.ts';
import type { LentProfile } from './mirror-messages.ts';
import { newCopy } from './profile-copy.ts';

interface OtherLog {
  readonly profile: LeanProfile;
  /** It has had all that there was at some time: what comes then is growth. */
  readonly isComplete: boolean;
  /** What it has lent while growth is held. */
  readonly waiting: readonly LentProfile[];
}

/**
 * Copies of the logs that a log is compared with, or was: while a user changes from one to another, both are here. One
 * that was closed stays.
 */
export class OtherLogs {
  readonly #logs = new Map<string, OtherLog>();
  #holds = false;

  get names(): readonly string[] {
    return [...this.#logs.keys()];
  }

  /** undefined until it is here. */
  get(log: string): LeanProfile | undefined {
    return this.#logs.get(log)?.profile;
  }

  /** Takes what a log has gained; undefined: it is not needed any more. False: what is shown stays as it was. */
  take(log: string, lent: LentProfile | undefined): boolean {
    if (lent === undefined) return this.#logs.delete(log);
    const known = this.#logs.get(log);
    if (this.#holds && known?.isComplete === true) {
      this.#logs.set(log, { ...known, waiting: lent.restart ? [lent] : [...known.waiting, lent] });
      return false;
    }
    const profile = lent.restart ? newCopy() : known?.profile;
    if (profile === undefined) return false;
    for (const message of lent.messages) applyDelta(profile, decodeDelta(message, DELTA_PREFIX));
    this.#logs.set(log, { profile, isComplete: known?.isComplete === true || !lent.catchingUp, waiting: [] });
    return true;
  }

  /** While the log itself is frozen, those that it is compared with do not grow either. True: some have grown now. */
  hold(holds: boolean): boolean {
    this.#holds = holds;
    if (holds) return false;
    let hasGrown = false;
    for (const [log, { waiting }] of [...this.#logs])
      for (const lent of waiting) hasGrown = this.take(log, lent) || hasGrown;
    return hasGrown;
  }
}
