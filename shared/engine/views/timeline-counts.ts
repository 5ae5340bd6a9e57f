import { grown, nextCapacity } from '../../profile/columns.ts';
import { type SampleTable, sampleSpan } from '../../profile/sample-table.ts';

/** Combinations of the marks of a sample: see `timelineColumns`. */
export const COMBINATIONS = 8;
/** Instead of one of them: the sample is not counted. */
export const IS_OUTSIDE = 255;

/** Equal parts of the time. */
export interface Buckets {
  /** ns after the origin of the table. */
  readonly start: number;
  readonly bucketNs: number;
  readonly buckets: number;
}

/**
 * The timeline's counts of the samples of one table: when each block of them was taken, and how many of the block have
 * which marks. Another zoom, width or growth is counted from these, with a look at the samples of new blocks and of
 * blocks at the edge of a bucket only. Other marks are counted anew, without times. 32 bytes for 256 samples.
 */
export class TimelineCounts {
  readonly blocks = new SampleBlocks();
  /** Row of the SelfTable -> the marks that were counted; rows after the end have none. */
  #marks = new Uint8Array(0);
  /** Rows of the SelfTable among which the counted samples are. */
  #selfRows = 0;
  /** block * COMBINATIONS + marks -> samples with exactly these marks. */
  #inBlock = new Uint16Array(0);
  /** Blocks that were counted. */
  #counted = 0;

  /**
   * bucket * COMBINATIONS + marks -> samples with exactly these marks. `marks`: row of the SelfTable -> its marks, or
   * IS_OUTSIDE; none after the end. They must not change afterwards. `blocks` are those of the table.
   */
  count(table: SampleTable, marks: Uint8Array<ArrayBuffer>, buckets: Buckets): Uint32Array {
    this.#countBlocks(table, marks);
    const counts = new Uint32Array(buckets.buckets * COMBINATIONS);
    const { least, most, length } = this.blocks;
    const { start, bucketNs } = buckets;
    const { ns } = table.at;
    addBlocks(length, least, most, this.#inBlock, start, bucketNs, table.self, ns, marks, counts);
    addRows(length * BLOCK_ROWS, table.length, start, bucketNs, table.self, ns, marks, counts);
    return counts;
  }

  #countBlocks({ self }: SampleTable, marks: Uint8Array<ArrayBuffer>): void {
    const { length } = this.blocks;
    if (!areSame(this.#marks, marks, this.#selfRows)) {
      this.#counted = 0;
      this.#selfRows = 0;
    }
    this.#marks = marks;
    const cells = length * COMBINATIONS;
    if (cells > this.#inBlock.length) {
      const capacity = nextCapacity(this.#inBlock.length, cells);
      this.#inBlock = grown(this.#inBlock, capacity, this.#counted * COMBINATIONS);
    }
    this.#inBlock.fill(0, this.#counted * COMBINATIONS, cells);
    const last = countBlocks(this.#counted, length, self, marks, this.#inBlock);
    this.#selfRows = Math.max(this.#selfRows, last + 1);
    this.#counted = length;
  }
}

/** Whether two columns have the same marks in the first rows; after the end of a column there are none. */
function areSame(a: Uint8Array, b: Uint8Array, rows: number): boolean {
  const both = Math.min(rows, a.length, b.length);
  for (let row = 0; row < both; row++) if (a[row] !== b[row]) return false;
  for (let row = both; row < rows; row++) if ((a[row] ?? 0) !== (b[row] ?? 0)) return false;
  return true;
}

// Functions of their own, with arrays only, so that V8 compiles their loops early.

/** The highest row of the SelfTable in these blocks. */
function countBlocks(
  from: number,
  to: number,
  self: Int32Array,
  marks: Uint8Array,
  inBlock: Uint16Array,
): number {
  let last = -1;
  for (let block = from; block < to; block++) {
    const cell = block * COMBINATIONS;
    const end = (block + 1) * BLOCK_ROWS;
    for (let row = end - BLOCK_ROWS; row < end; row++) {
      const of = self[row];
      if (of > last) last = of;
      const found = of < marks.length ? marks[of] : 0;
      if (found !== IS_OUTSIDE) inBlock[cell + found]++;
    }
  }
  return last;
}

function addBlocks(
  length: number,
  least: Float64Array,
  most: Float64Array,
  inBlock: Uint16Array,
  start: number,
  bucketNs: number,
  self: Int32Array,
  ns: Float64Array,
  marks: Uint8Array,
  counts: Uint32Array,
): void {
  const buckets = counts.length / COMBINATIONS;
  for (let block = 0; block < length; block++) {
    const bucket = Math.floor((least[block] - start) / bucketNs);
    const lastBucket = Math.floor((most[block] - start) / bucketNs);
    if (lastBucket < 0 || bucket >= buckets) continue;
    if (bucket !== lastBucket) {
      const from = block * BLOCK_ROWS;
      addRows(from, from + BLOCK_ROWS, start, bucketNs, self, ns, marks, counts);
      continue;
    }
    const from = block * COMBINATIONS;
    const to = bucket * COMBINATIONS;
    for (let each = 0; each < COMBINATIONS; each++) counts[to + each] += inBlock[from + each];
  }
}

/** Most samples are in the bucket of the one before, which saves the division. */
function addRows(
  from: number,
  to: number,
  start: number,
  bucketNs: number,
  self: Int32Array,
  ns: Float64Array,
  marks: Uint8Array,
  counts: Uint32Array,
): void {
  let bucketStart = 0;
  let bucketEnd = 0;
  let cell = 0;
  for (let row = from; row < to; row++) {
    const offset = ns[row] - start;
    if (offset < bucketStart || offset >= bucketEnd) {
      const bucket = Math.floor(offset / bucketNs);
      if (bucket < 0 || bucket * COMBINATIONS >= counts.length) continue;
      bucketStart = bucket * bucketNs;
      bucketEnd = bucketStart + bucketNs;
      cell = bucket * COMBINATIONS;
    }
    const of = self[row];
    const found = of < marks.length ? marks[of] : 0;
    if (found !== IS_OUTSIDE) counts[cell + found]++;
  }
}

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
