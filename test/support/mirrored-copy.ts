import { assert } from '../../shared/assert.ts';
import { applyDelta, deltaFits } from '../../shared/delta/apply-delta.ts';
import { decodeDelta } from '../../shared/delta/delta-codec.ts';
import { type DeltaCursor, isNothing, NOTHING } from '../../shared/delta/profile-delta.ts';
import { writeLean } from '../../shared/export/lean.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { SampleTable } from '../../shared/profile/sample-table.ts';
import { DELTA_PREFIX } from '../../shared/protocol/transport.ts';
import type { Epoch, Revision } from '../../shared/protocol/messages.ts';

/** A client's copy of a profile, grown by deltas alone. Refuses one that does not fit. */
export class MirroredCopy {
  profile = new LeanProfile(true, new SampleTable());
  epoch = -1;
  cursor: DeltaCursor = NOTHING;
  deltas = 0;
  /** How often it was built from nothing. */
  snapshots = 0;
  complete = false;

  /** What to acknowledge. */
  apply(message: ArrayBuffer): { readonly epoch: Epoch; readonly revision: Revision } {
    const delta = decodeDelta(message, DELTA_PREFIX);
    this.deltas++;
    if (isNothing(delta.base)) {
      this.profile = new LeanProfile(true, new SampleTable());
      this.epoch = delta.epoch;
      this.cursor = NOTHING;
      this.snapshots++;
    }
    assert(deltaFits(delta, this.epoch, this.cursor), 'a host sends only deltas that fit');
    applyDelta(this.profile, delta);
    this.cursor = delta.to;
    this.complete = delta.complete;
    return { epoch: delta.epoch as Epoch, revision: delta.to.revision as Revision };
  }

  get lean(): string {
    return leanText(this.profile);
  }
}

export const leanText = (profile: LeanProfile): string => collectText((sink) => writeLean({ profile }, sink));
