import { grown, nextCapacity } from '../../profile/columns.ts';
import { sampleSpan, type SampleTable } from '../../profile/sample-table.ts';

/** Rows of a block: counts of them fit into two bytes, and the edge of a bucket of the timeline is in few blocks. */
export const BLOCK_ROWS = 256;

/**
 * The earliest and the latest time in each block of neighbouring rows of a SampleTable. Most tables are nearly in the order
 * of time, so that nearly all blocks are completely inside a part of the time, or completely outside of it, and their rows
 * need not be looked at again.
 *
 *   at      0 9 4 4 | 12 15 11 14 | 20 18      blocks of four rows: least 0 11, most 9 15
 *
 * The rows after the last complete block, and those that may be withdrawn, are in no block. 16 bytes a block.
 */
export class SampleBlocks {
  /** Number of blocks. */
  length = 0;
  /** Block -> ns after the origin of the table. */
  least = new Float64Array(0);
  most = new Float64Array(0);

  #conversions = 0;

  /** Takes in what the table has gained. */
  update(table: SampleTable): void {
    if (table.conversions !== this.#conversions) this.length = 0;
    this.#conversions = table.conversions;
    const wanted = Math.floor(table.finalLength / BLOCK_ROWS);
    if (wanted > this.least.length) {
      const capacity = nextCapacity(this.least.length, wanted);
      this.least = grown(this.least, capacity, this.length);
      this.most = grown(this.most, capacity, this.length);
    }
    if (wanted > this.length) boundBlocks(this.length, wanted, table.at.ns, this.least, this.most);
    this.length = wanted;
  }

  /** As `sampleSpan`, of the table of the last update. O(blocks + rows in none). */
  span(table: SampleTable): ReturnType<typeof sampleSpan> {
    const { at, length, origin = 0n } = table;
    if (length === 0 || at.bigints !== undefined) return sampleSpan(table);
    let first = Infinity;
    let last = -Infinity;
    for (let block = 0; block < this.length; block++) {
      if (this.least[block] < first) first = this.least[block];
      if (this.most[block] > last) last = this.most[block];
    }
    for (let row = this.length * BLOCK_ROWS; row < length; row++) {
      if (at.ns[row] < first) first = at.ns[row];
      if (at.ns[row] > last) last = at.ns[row];
    }
    return { first: origin + BigInt(first), last: origin + BigInt(last) };
  }
}

/** A separate function with arrays only, so that V8 compiles the loop early. */
function boundBlocks(
  from: number,
  to: number,
  ns: Float64Array,
  least: Float64Array,
  most: Float64Array,
): void {
  for (let block = from; block < to; block++) {
    const end = (block + 1) * BLOCK_ROWS;
    let low = ns[end - BLOCK_ROWS];
    let high = low;
    for (let row = end - BLOCK_ROWS + 1; row < end; row++) {
      const at = ns[row];
      if (at < low) low = at;
      else if (at > high) high = at;
    }
    least[block] = low;
    most[block] = high;
  }
}
