import { grown, nextCapacity } from '../../profile/columns.ts';
import type { SampleTable } from '../../profile/sample-table.ts';
import { BLOCK_ROWS, SampleBlocks } from '../values/sample-blocks.ts';

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
 * What the timeline remembers of the samples of one table: when each block of them was taken, and how many of the block have
 * which marks. Another zoom, width or growth is counted from these, with a look at the samples of new blocks and of blocks
 * at the edge of a bucket only. Other marks are counted anew, without times. 32 bytes for 256 samples.
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
