import { NONE } from '../../profile/columns.ts';
import { FRAME_BCI_ONLY_SIZE, FRAME_FULL_SIZE, RecordType } from './records.ts';

/** What a frame without a line is given in its place: none that a class file can have. */
const WITHOUT_LINE = 0x5bd1e995;
/** Steps without a frame, after which the last frames are in every bit of each word, as the first ones are. */
const LAST_ROUNDS = 4;

/**
 * 96 bits of everything in a stack's records. Every step can be undone, so what differs once stays different: stacks
 * that differ in one field of one frame never have the same fingerprint. Others may by chance, of one in 2^64 or less
 * for two stacks, which is rarer than memory that goes wrong. Stacks that are kept whole and compared cost twice as
 * much: they are too many to stay near the processor.
 */
export class StackFingerprint {
  a = 0;
  b = 0;
  c = 0;

  /**
   * Takes the `depth` frames that follow each other at input[at]; returns where they end. NONE when they do not follow
   * each other, or are not all there.
   */
  take(input: Uint8Array, view: DataView, at: number, depth: number): number {
    const last = input.length - FRAME_FULL_SIZE;
    if (at + (depth - 1) * FRAME_BCI_ONLY_SIZE > last) return NONE;
    let a = 0x243f6a88;
    let b = 0x85a308d3 | 0;
    let c = 0x13198a2e;
    let next = at;
    for (let frame = 0; frame < depth; frame++) {
      if (next > last) return NONE;
      const type = input[next];
      const bci = view.getInt32(next + 1, true);
      let line = WITHOUT_LINE;
      let size = FRAME_BCI_ONLY_SIZE;
      if (type === RecordType.frameFull) {
        line = view.getInt32(next + 5, true);
        size = FRAME_FULL_SIZE;
      } else if (type !== RecordType.frameBciOnly) {
        return NONE;
      }
      next += size;
      const idHi = view.getInt32(next - 8, true);
      const idLo = view.getInt32(next - 4, true);
      // Cut to 32 bits at every step: a sum that may be larger is a double to the compiler.
      a = (Math.imul(((a << 13) | (a >>> 19)) ^ idLo, 0x85ebca6b) + bci) ^ b;
      b = (Math.imul(((b << 17) | (b >>> 15)) ^ line, 0xc2b2ae35) + idLo + c) | 0;
      c = (Math.imul(((c << 15) | (c >>> 17)) ^ bci, 0x9e3779b1) + idHi) ^ a;
    }
    for (let round = 0; round < LAST_ROUNDS; round++) {
      a = Math.imul((a << 13) | (a >>> 19), 0x85ebca6b) ^ b;
      b = (Math.imul((b << 17) | (b >>> 15), 0xc2b2ae35) + c) | 0;
      c = Math.imul((c << 15) | (c >>> 17), 0x9e3779b1) ^ a;
    }
    this.a = a;
    this.b = b;
    this.c = c;
    return next;
  }
}
