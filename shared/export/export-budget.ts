import { formatBytes, formatShare } from '../text/format-value.ts';
import type { OutputSink } from './export-input.ts';

/**
 * Nothing, or nothing that is of use, was written: the format cannot store this profile, or the profile does not contain
 * the requested method.
 */
export class ExportRefusal extends Error {
  override readonly name = 'ExportRefusal';
  readonly reason: 'too many samples' | 'too large' | 'unknown method' | 'no times' | 'too early';

  constructor(reason: ExportRefusal['reason'], text: string) {
    super(text);
    this.reason = reason;
  }
}

/**
 * A larger file is of no use to most programs, and is probably made of names or stacks that stand for a multiple of
 * their size: a few megabytes of nested elements have some 5 GB of collapsed stacks.
 */
export const MOST_EXPORTED_BYTES = 1_000_000_000;

/** The budget of one export. Characters count as bytes. */
export class ExportBudget {
  readonly #most: number;
  #written = 0;
  #share = 0;
  #isSpent = false;

  constructor(most: number = MOST_EXPORTED_BYTES) {
    this.#most = most;
  }

  /** Where the export stopped, as a phrase; undefined if all was written. */
  get stopped(): string | undefined {
    if (!this.#isSpent) return undefined;
    return `stopped at the limit of ${formatBytes(this.#most)}, at ${formatShare(this.#share, 1, 1)} of it; leanscope with --no-limit writes all`;
  }

  /**
   * Calls `write` with a sink that passes pieces on, and ends it before the one that exceeds the budget. Throws
   * ExportRefusal then, unless every line that was written stands for itself.
   */
  spend(
    { hasLines }: { readonly hasLines?: true },
    sink: OutputSink,
    write: (sink: OutputSink) => void,
  ): void {
    const end = new Error('the budget of the export is spent');
    try {
      write((piece, share) => {
        if (this.#written + piece.length > this.#most) {
          this.#isSpent = true;
          throw end;
        }
        this.#written += piece.length;
        this.#share = share;
        sink(piece, share);
      });
    } catch (error) {
      if (error !== end) throw error;
      if (hasLines !== true)
        throw new ExportRefusal('too large', `${this.stopped}, and a part of this format is of no use`);
    }
  }
}
