/** The bytes of one trace, in what all of them may have. */
export interface SpaceOfTrace {
  /** More bytes are about to be kept; false if there is no space for them. */
  take(bytes: number): boolean;
  /** No more bytes will come. Those that came stay. */
  end(): void;
  /** What was kept is removed. */
  giveBack(): void;
}

/**
 * Divides the space for traces. A trace that is received has a share that no other one can take; beyond it, each may have
 * what is left when all that may be received at the same time had theirs. So the trace that is too large is cut off, and
 * not the others.
 */
export class TraceSpace {
  readonly #bytes: number;
  readonly #mostTraces: number;
  readonly #share: number;
  #ofEnded = 0;
  /** -> its bytes. */
  readonly #running = new Map<SpaceOfTrace, number>();

  constructor(bytes: number, mostTraces: number) {
    this.#bytes = bytes;
    this.#mostTraces = mostTraces;
    // One half for shares, one for what is larger.
    this.#share = Math.floor(bytes / (2 * mostTraces));
  }

  /** The space of another trace; undefined if there is no share for it. */
  begin(): SpaceOfTrace | undefined {
    if (this.#used() + this.#share > this.#bytes) return undefined;
    let ofEnded = 0;
    const space: SpaceOfTrace = {
      take: (bytes) => this.#take(space, bytes),
      end: () => {
        ofEnded += this.#running.get(space) ?? 0;
        this.#ofEnded += this.#running.get(space) ?? 0;
        this.#running.delete(space);
      },
      giveBack: () => {
        space.end();
        this.#ofEnded -= ofEnded;
        ofEnded = 0;
      },
    };
    this.#running.set(space, 0);
    return space;
  }

  #take(space: SpaceOfTrace, bytes: number): boolean {
    const before = this.#running.get(space) ?? 0;
    const after = before + bytes;
    if (after > this.#share) {
      const forOthers = (this.#mostTraces - this.#running.size) * this.#share;
      const more = after - Math.max(before, this.#share);
      if (this.#used() + more + forOthers > this.#bytes) return false;
    }
    this.#running.set(space, after);
    return true;
  }

  #used(): number {
    let used = this.#ofEnded;
    for (const bytes of this.#running.values()) used += Math.max(bytes, this.#share);
    return used;
  }
}
