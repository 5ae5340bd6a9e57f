import { FIRST_ROWS, grown, nextCapacity } from '../profile/columns.ts';

/**
 * Records which rows of a table changed in which revision, so that a delta costs O(changes), not O(rows). A row is
 * recorded once per revision; `since` returns each row once, for the revision of its latest change.
 *
 *   entries   3 7 | 7 9 | 3          starts   [0, 2, 4]         revision 0: rows 3, 7 …
 */
export class ChangeJournal {
  /** The revision under which changes are recorded until `seal`. */
  #open = 0;
  #entries = new Int32Array(FIRST_ROWS);
  #length = 0;
  /** revision - #oldest -> offset of its first entry. */
  #starts: number[] = [0];
  /** The oldest revision that is kept. */
  #oldest = 0;
  /** row -> its latest revision + 1; 0 when it never changed. */
  #latest = new Uint32Array(FIRST_ROWS);

  get revision(): number {
    return this.#open;
  }

  /** Number of changes that are kept; 4 bytes each. */
  get size(): number {
    return this.#length;
  }

  /** Records that a row has changed. */
  note(row: number): void {
    if (row >= this.#latest.length)
      this.#latest = grown(this.#latest, nextCapacity(this.#latest.length, row + 1));
    if (this.#latest[row] === this.#open + 1) return;
    this.#latest[row] = this.#open + 1;
    if (this.#length === this.#entries.length) {
      this.#entries = grown(this.#entries, nextCapacity(this.#length, this.#length + 1));
    }
    this.#entries[this.#length++] = row;
  }

  /** Ends the open revision: later changes are recorded under the next one. */
  seal(): void {
    this.#open++;
    this.#starts.push(this.#length);
  }

  /** False if changes since `revision` are no longer kept: a copy that is that old needs a snapshot. */
  reachesBackTo(revision: number): boolean {
    return revision >= this.#oldest;
  }

  changedSince(revision: number): boolean {
    return this.#length > this.#starts[Math.max(revision - this.#oldest, 0)];
  }

  /** The rows below `limit` that changed in `revision` or later, each once, in no particular order. */
  since(revision: number, limit: number): Int32Array<ArrayBuffer> {
    const rows = new Int32Array(this.#length - this.#starts[revision - this.#oldest]);
    let count = 0;
    for (let at = revision; at <= this.#open; at++) {
      const end = at === this.#open ? this.#length : this.#starts[at + 1 - this.#oldest];
      for (let entry = this.#starts[at - this.#oldest]; entry < end; entry++) {
        const row = this.#entries[entry];
        if (row < limit && this.#latest[row] === at + 1) rows[count++] = row;
      }
    }
    return rows.slice(0, count);
  }

  /** Forgets the revisions before `revision`. */
  forgetBefore(revision: number): void {
    const drop = Math.min(revision, this.#open) - this.#oldest;
    if (drop <= 0) return;
    const offset = this.#starts[drop];
    this.#entries.copyWithin(0, offset, this.#length);
    this.#length -= offset;
    this.#starts = this.#starts.slice(drop).map((start) => start - offset);
    this.#oldest += drop;
  }
}
