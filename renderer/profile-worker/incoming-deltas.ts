import { deltaFits } from '../../shared/delta/apply-delta.ts';
import { decodeDelta } from '../../shared/delta/delta-codec.ts';
import { type DeltaCursor, isNothing, NOTHING, type ProfileDelta } from '../../shared/delta/profile-delta.ts';
import { DELTA_PREFIX } from '../../shared/protocol/transport.ts';
import type { ReadUpTo } from './mirror-messages.ts';

/** A delta that is to be applied. `isNewRun`: to an empty profile, because the writer of the log began anew. */
interface FittingDelta {
  readonly delta: ProfileDelta;
  readonly isNewRun: boolean;
}

/**
 * The deltas of a log: which of them fit what is here, and whether more are known to follow.
 *
 * Deltas of another run of the writer are held back while the view is frozen: the file was truncated or replaced, and the
 * samples on screen must not go. They are not acknowledged, so the host sends no more of them than it may.
 */
export class IncomingDeltas {
  /** The run whose profile is here; negative before the first delta. */
  epoch = -1;
  /** The last delta brought all that the host had. */
  isComplete = true;
  /** The host is still reading the log, as of the window's last message. */
  isReading = false;
  readUpTo: ReadUpTo | undefined;
  #cursor: DeltaCursor = NOTHING;
  #held: ArrayBuffer[] = [];

  /** More growth is known to follow: the host reads on, or has read more call nodes than are here. */
  isCatchingUp(nodes: number): boolean {
    return this.isReading || (this.readUpTo?.epoch === this.epoch && nodes < this.readUpTo.nodes);
  }

  /** `keepsRun`: the run on screen must stay there. */
  next(message: ArrayBuffer, keepsRun: boolean): FittingDelta | 'held' | 'gap' {
    const delta = decodeDelta(message, DELTA_PREFIX);
    // The first delta, a fresh start after a gap or a lost connection, which repeats what is here, or another run.
    const startsOver = isNothing(delta.base);
    const isNewRun = startsOver && this.epoch >= 0 && this.epoch !== delta.epoch;
    // It has all that was held.
    if (startsOver) this.#held = [];
    if (startsOver ? isNewRun && keepsRun : this.#held.length > 0) {
      this.#held.push(message);
      return 'held';
    }
    if (!startsOver && !deltaFits(delta, this.epoch, this.#cursor)) return 'gap';
    return { delta, isNewRun };
  }

  /** The delta was applied. */
  applied({ epoch, to, complete }: ProfileDelta): void {
    this.epoch = epoch;
    this.#cursor = to;
    this.isComplete = complete;
  }

  /** Takes out the deltas that were held, in their order. */
  release(): readonly ArrayBuffer[] {
    return this.#held.splice(0);
  }
}
