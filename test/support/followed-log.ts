import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { encodeDelta } from '../../shared/delta/delta-codec.ts';
import { canContinueFrom, makeDelta } from '../../shared/delta/make-delta.ts';
import { type DeltaCursor, NOTHING } from '../../shared/delta/profile-delta.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { DELTA_PREFIX } from '../../shared/protocol/transport.ts';

/** A log as in a worker, with one subscriber. It grows by the bytes that a test appends. */
export class FollowedLog {
  readonly aggregator = new ProfileAggregator({ journal: true, samples: true });
  readonly decoder = new HonestLogDecoder(this.aggregator);
  readonly epoch: number;
  #cursor: DeltaCursor = NOTHING;

  constructor(epoch = 0) {
    this.epoch = epoch;
  }

  append(bytes: Uint8Array, ended = false): void {
    this.decoder.append(bytes);
    this.decoder.emitOpen(ended);
  }

  /** What the subscriber lacks, as it arrives over a transport. */
  delta(maxNewNodes?: number): ArrayBuffer {
    const { profile, journal } = this.aggregator;
    const source = { profile, journal: journal!, samples: profile.samples };
    if (!canContinueFrom(source, this.#cursor)) this.#cursor = NOTHING;
    const delta = makeDelta(source, this.epoch, this.#cursor, maxNewNodes);
    this.#cursor = delta.to;
    return encodeDelta(delta, DELTA_PREFIX);
  }
}
