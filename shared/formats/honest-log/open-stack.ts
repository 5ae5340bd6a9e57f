import { FRAME_CELLS } from '../../aggregate/sample-sink.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { FRAME_BCI_ONLY_SIZE, FRAME_FULL_SIZE, RecordType } from './records.ts';

/** The frames read so far of the trace that is being read: leaf first, in the cells that a SampleSink takes. */
export class OpenStack {
  /** FRAME_CELLS for each frame. Cells from `length` on are left over from earlier stacks. */
  cells = new Int32Array(FRAME_CELLS * FIRST_ROWS);
  /** Cells in use. */
  length = 0;

  get depth(): number {
    return this.length / FRAME_CELLS;
  }

  /**
   * Reads the complete full frames from `at` up to the first other record; the last one starts before `before`. Returns
   * the offset after them. This is the hottest loop of the decoder: it only loads, swaps bytes and stores.
   */
  readFrames(input: Uint8Array, view: DataView, at: number, before: number): number {
    const last = Math.min(before - 1, input.length - FRAME_FULL_SIZE);
    let cells = this.cells;
    let cell = this.length;
    let next = at;
    while (next <= last && input[next] === RecordType.frameFull) {
      if (cell === cells.length) cells = this.#grow();
      cells[cell] = view.getInt32(next + 9);
      cells[cell + 1] = view.getInt32(next + 13);
      cells[cell + 2] = view.getInt32(next + 5);
      cells[cell + 3] = view.getInt32(next + 1);
      cell += FRAME_CELLS;
      next += FRAME_FULL_SIZE;
    }
    this.length = cell;
    return next;
  }

  readBciOnlyFrame(view: DataView, at: number): void {
    this.push(view.getInt32(at + 5), view.getInt32(at + 9), NO_LINE, view.getInt32(at + 1));
  }

  /** Reads the frames in [from, end), which are complete and of both types. */
  readAll(input: Uint8Array, view: DataView, from: number, end: number): void {
    for (let at = from; at < end;) {
      if (input[at] === RecordType.frameFull) {
        at = this.readFrames(input, view, at, end);
      } else {
        this.readBciOnlyFrame(view, at);
        at += FRAME_BCI_ONLY_SIZE;
      }
    }
  }

  /** Writes one more caller to the cells after the stack. It is not part of the stack: the next frame overwrites it. */
  putCaller(methodIdHi: number, methodIdLo: number): void {
    this.push(methodIdHi, methodIdLo, NO_LINE, NO_BCI);
    this.length -= FRAME_CELLS;
  }

  push(methodIdHi: number, methodIdLo: number, line: number, bci: number): void {
    const cell = this.length;
    const cells = cell === this.cells.length ? this.#grow() : this.cells;
    cells[cell] = methodIdHi;
    cells[cell + 1] = methodIdLo;
    cells[cell + 2] = line;
    cells[cell + 3] = bci;
    this.length = cell + FRAME_CELLS;
  }

  #grow(): Int32Array<ArrayBuffer> {
    const frames = this.cells.length / FRAME_CELLS;
    this.cells = grown(this.cells, nextCapacity(frames, frames + 1) * FRAME_CELLS);
    return this.cells;
  }
}
