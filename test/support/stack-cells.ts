import { FRAME_CELLS } from '../../shared/aggregate/sample-sink.ts';

/** [id hi, id lo, line, BCI] */
export type FrameCells = readonly [methodIdHi: number, methodIdLo: number, line: number, bci: number];

/** A stack as a SampleSink takes it, of frames leaf first. */
export function stackCells(...frames: readonly FrameCells[]): Int32Array {
  const cells = new Int32Array(frames.length * FRAME_CELLS);
  frames.forEach((frame, at) => cells.set(frame, at * FRAME_CELLS));
  return cells;
}
