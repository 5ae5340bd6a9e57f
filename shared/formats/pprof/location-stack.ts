import { MOST_FRAMES } from '../../aggregate/memory-budget.ts';
import { FRAME_CELLS } from '../../aggregate/sample-sink.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';
import { NO_BCI } from '../../profile/frame-table.ts';

/** Locations and frames that samples of any input may have together: so many are visited in a fraction of a second. */
const BASE_VISITS = 1 << 22;
/** Further ones per byte. A location of a sample takes a byte at least, and stands for a few frames. */
const VISITS_PER_BYTE = 64;

/** The frames of a sample's locations, leaf first, as cells of a SampleSink. Its memory is used again for each sample. */
export class LocationStack {
  cells = new Int32Array(FIRST_ROWS * FRAME_CELLS);
  /** Frames of the sample. */
  depth = 0;
  /** Locations and frames of all samples so far. */
  #visited = 0;

  /**
   * No sink takes more frames. A location of many lines may be repeated in a sample, so ask before each location: the
   * memory then is at most that of the limit and of one location.
   */
  get isFull(): boolean {
    return this.depth > MOST_FRAMES;
  }

  /**
   * Whether more locations and frames were visited than in any recording: a location of a million lines can be repeated
   * in each of a million samples of a few bytes, which would take hours. `inputBytes`: length of the input.
   */
  isOverspent(inputBytes: number): boolean {
    return this.#visited > BASE_VISITS + VISITS_PER_BYTE * inputBytes;
  }

  /** To be called for each location of a sample. */
  visit(): void {
    this.#visited++;
  }

  /** Begins another sample. */
  clear(): void {
    this.depth = 0;
  }

  push(method: number, line: number): void {
    const at = this.depth * FRAME_CELLS;
    const end = at + FRAME_CELLS;
    if (end > this.cells.length) this.cells = grown(this.cells, nextCapacity(this.cells.length, end));
    this.cells[at] = 0;
    this.cells[at + 1] = method;
    this.cells[at + 2] = line;
    this.cells[at + 3] = NO_BCI;
    this.depth++;
    this.#visited++;
  }
}
