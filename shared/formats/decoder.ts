import type { Damage } from '../facts/damage.ts';
import type { FormatFacts } from '../facts/format-facts.ts';

/** accepted + skipped + pending = bytes appended, after every call. */
export interface ByteAccount {
  /** Bytes of complete, valid records. */
  readonly accepted: number;
  /** Bytes ignored: holes of zeros, and everything after damage. */
  readonly skipped: number;
  /** Bytes that may become a record when more arrive: an incomplete record, or zeros at the end ('not written yet'). */
  readonly pending: number;
}

/** The share of the bytes that is decoded: those of an incomplete chunk of a flight recording are not. */
export function decodedShare({ accepted, skipped, pending }: ByteAccount): number {
  const decoded = accepted + skipped;
  return decoded === 0 ? 0 : decoded / (decoded + pending);
}

/**
 * Decodes bytes into calls on a SampleSink. Every decoder guarantees:
 *
 * - The calls do not depend on how the input is divided into chunks, except for how often `emitOpen` withdraws and
 *   repeats the last sample.
 * - `append` and `emitOpen` never throw because of invalid bytes; they set `damage`.
 * - All bytes after damage are skipped.
 */
export interface ProfileDecoder {
  /** The next bytes of the input. They are valid only during the call. */
  append(bytes: Uint8Array): void;
  /**
   * No more bytes are available for now. A format that can be followed emits its open sample, the last one, which later
   * bytes may still change; then it is withdrawn. `ended`: no more bytes are expected. The open sample is emitted for
   * good, and a format that can only be decoded from the complete input is decoded. `isFollowed`: the writer goes on, so
   * that an open end is no loss.
   */
  emitOpen(ended: boolean, isFollowed?: boolean): void;
  readonly bytes: ByteAccount;
  readonly damage: Damage | undefined;
  /** Complete records read. */
  readonly records: number;
  facts(): FormatFacts;
  /**
   * After the end of an input of which nothing can be shown: what it is, with an article ('a thread dump without
   * threads'). Undefined if something can.
   */
  readonly refusal?: string | undefined;
  /** The advice for the refused input, a clause in the imperative; undefined if nothing special is known. */
  readonly instead?: string | undefined;
  /** Another file follows and belongs to the same profile: for formats whose files are read together, see `joinsEntries`. */
  beginFile?(): void;
  /** Only for formats whose writers preallocate the file with zeros. */
  readonly preallocation?: Preallocation;
}

/** The end of an input with zeros that its writer may still overwrite. */
export interface Preallocation {
  /** Offset of the pending zeros at the end of the input; its length if there are none. */
  readonly zerosOffset: number;
  /** The pending zeros follow a part of a record, which the writer may go on with. */
  readonly isWithinRecord: boolean;
  /** Replaces pending zeros from `zerosOffset` on. The pending bytes after them are zeros as before. */
  overwriteZeros(bytes: Uint8Array): void;
}
