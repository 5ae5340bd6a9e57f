import { FIRST_ROWS } from '../../profile/columns.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { NO_LINE } from '../../profile/frame-table.ts';
import { NamedMethods } from '../named-methods.ts';
import { SNAPSHOT_CELLS } from '../snapshot-merge.ts';
import type { Snapshots } from './snapshots.ts';

const utf8 = new TextDecoder();
/** `java.lang.Thread.run:840`. Lines with leading zeros do not match, so that different signatures stay different. */
const SIGNATURE = /^(.*):(0|-?[1-9]\d{0,9})$/s;
/** The line of a native method in StackTraceElement. */
const NATIVE_LINE = -2;

/** Converts code signatures to frames of method and line. */
export class SignatureFrames {
  /** The latest stack of `stackOf`: SNAPSHOT_CELLS cells per frame, root first. */
  stack = new Int32Array(FIRST_ROWS * SNAPSHOT_CELLS);
  readonly #snapshots: Snapshots;
  readonly #methods: NamedMethods;
  /** Signature -> cells of its frame; the method id is -1 before the signature is first used. */
  readonly #cells: Int32Array;

  constructor(snapshots: Snapshots, sink: SampleSink) {
    this.#snapshots = snapshots;
    this.#methods = new NamedMethods(sink);
    this.#cells = new Int32Array(snapshots.signatures.length * SNAPSHOT_CELLS).fill(-1);
  }

  /** Fills `stack` with the path to a node; returns its depth. */
  stackOf(leaf: number): number {
    const { parent, frame } = this.#snapshots.stacks;
    let depth = 0;
    for (let node = leaf; node > 0; node = parent[node]) depth++;
    if (depth * SNAPSHOT_CELLS > this.stack.length) this.stack = new Int32Array(depth * SNAPSHOT_CELLS * 2);
    let at = depth * SNAPSHOT_CELLS;
    for (let node = leaf; node > 0; node = parent[node]) {
      at -= SNAPSHOT_CELLS;
      const cell = frame[node] * SNAPSHOT_CELLS;
      if (this.#cells[cell] < 0) this.#define(frame[node]);
      this.stack[at] = this.#cells[cell];
      this.stack[at + 1] = this.#cells[cell + 1];
      this.stack[at + 2] = this.#cells[cell + 2];
    }
    return depth;
  }

  #define(signature: number): void {
    const text = utf8.decode(this.#snapshots.signatures.bytesOf(signature));
    const found = SIGNATURE.exec(text);
    const number = Number(found?.[2]);
    const isLine = number === (number | 0) && number !== NO_LINE;
    const method = found !== null && isLine ? found[1] : text;
    const line = isLine ? number : NO_LINE;
    const dot = method.lastIndexOf('.');
    const id = this.#methods.numberOf(method, {
      file: '',
      className: method.slice(0, Math.max(0, dot)),
      methodName: method.slice(dot + 1),
    });
    const cell = signature * SNAPSHOT_CELLS;
    this.#cells[cell] = id;
    this.#cells[cell + 1] = line;
    this.#cells[cell + 2] = line === NATIVE_LINE ? -3 : -1;
  }
}
