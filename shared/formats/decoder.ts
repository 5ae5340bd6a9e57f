import type { ProfileAggregator } from '../aggregate/profile-aggregator.ts';
import type { RangeProfile } from '../aggregate/range-profile.ts';
import type { Damage } from '../facts/damage.ts';
import type { FormatFacts } from '../facts/format-facts.ts';

/** accepted + skipped + pending = bytes appended, always. */
export interface ByteAccount {
  /** Bytes of whole records that were understood. */
  readonly accepted: number;
  /** Bytes passed over: holes of zeros, and everything from a damage on. */
  readonly skipped: number;
  /** Bytes that may become a record when more arrive: a cut record, zeros at the end ('not written yet'). */
  readonly pending: number;
}

/**
 * Bytes in, calls on a SampleSink out. Laws: any division of the input into chunks gives the same calls (but for how
 * often `settle` withdraws and repeats the last sample); neither `append` nor `settle` ever throws for what the bytes
 * say; after a damage everything is skipped.
 */
export interface ProfileDecoder {
  /** The next bytes of the input, borrowed for the call. */
  append(bytes: Uint8Array): void;
  /**
   * The input pauses here. A format that can be followed shows what it has so far, provisionally where it may turn out
   * otherwise; more may be appended afterwards. `ended`: nothing more is expected. What is still open counts with what
   * it has, and a format that is only understood as a whole is understood now.
   */
  settle(ended: boolean): void;
  readonly bytes: ByteAccount;
  readonly damage: Damage | undefined;
  /** Whole records read. */
  readonly records: number;
  facts(): FormatFacts;
  /** Only for formats whose writers preallocate their file with zeros. */
  readonly preallocation?: Preallocation;
  /**
   * Only for formats whose inputs can be read in byte ranges: continues after a range that another decoder has read, as
   * though its bytes had been appended here. `state` is what that decoder detached. False, and nothing has changed, when
   * the range does not begin where this decoder stands.
   */
  appendRange?(state: unknown, range: RangeProfile, into: ProfileAggregator): boolean;
}

/** A writer may still overwrite the zeros that the input ends with. */
export interface Preallocation {
  /** Offset of the first byte that is not final. */
  readonly resumeOffset: number;
  /** Makes the decoder expect the byte at `resumeOffset` next. */
  rewind(): void;
}
