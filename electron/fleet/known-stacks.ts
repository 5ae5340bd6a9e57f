/** The stacks and frames that samples of a dataset name. */
import { Int64Index } from '../../shared/aggregate/int64-index.ts';
import type { SampleSink } from '../../shared/aggregate/sample-sink.ts';
import { NamedMethods } from '../../shared/formats/named-frames.ts';
import { NONE } from '../../shared/profile/columns.ts';
import { type FrameIndex, NATIVE_BCI, NO_BCI, NO_LINE } from '../../shared/profile/frame-table.ts';
import type { MethodNames } from '../../shared/profile/method-table.ts';
import { type Cell, type FleetEngine, FleetError } from './fleet-engine.ts';
import type { TableName } from './tables.ts';

/** A file of Parquet that lacks a column has nothing in it. */
export function foreign(table: TableName): FleetError {
  return new FleetError(
    `a file of ${table} has other columns: it is foreign, and is to be taken out of the folder`,
  );
}

/** A 64-bit number of an answer. */
export function wholeOf(cell: Cell): bigint {
  if (typeof cell === 'bigint' || Number.isInteger(cell)) return BigInt(cell as bigint | number);
  return notOfDataset(cell);
}

function notOfDataset(cell: Cell): never {
  throw new FleetError(
    `answers with ${String(cell)} where a whole number is expected: the tables are not those of a dataset`,
  );
}

/** A row of the frames. */
interface KnownFrame extends MethodNames {
  readonly line: number;
  readonly bci: number;
  /** NONE until it is on a stack. */
  index: FrameIndex;
}

function isSame(frame: KnownFrame, other: Omit<KnownFrame, 'index'>): boolean {
  const { className, methodName, file, line, bci } = other;
  return (
    frame.methodName === methodName &&
    frame.className === className &&
    frame.file === file &&
    frame.line === line &&
    frame.bci === bci
  );
}

/** The stacks that sums name, as frames of the sink. */
export class KnownStacks {
  readonly #sink: SampleSink;
  readonly #methods: NamedMethods;
  /** Ids of frames, in the order of `#frames`. */
  readonly #frameIds = new Int64Index();
  readonly #frames: KnownFrame[] = [];
  /** Id of a stack -> its frames, root first. */
  readonly #stacks = new Map<bigint, Int32Array>();
  /** Thread -> id of a stack -> the call node where it ends. */
  readonly #leaves: Map<bigint, number>[] = [];
  #path = new Int32Array(0);

  constructor(sink: SampleSink) {
    this.#sink = sink;
    this.#methods = new NamedMethods(sink);
  }

  async read(engine: FleetEngine, sums: string): Promise<void> {
    const { tables, inWord } = engine;
    await this.#readFrames(engine);
    const { batches } = await engine.query(
      `SELECT stack, frames FROM ${tables.stacks} WHERE stack ${inWord} (SELECT stack FROM ${sums})`,
    );
    for await (const [ids, lists] of batches)
      for (let row = 0; row < ids.length; row++) {
        if (lists[row] === null) throw foreign('stacks');
        this.#addStack(wholeOf(ids[row]), idsOf(lists[row]));
      }
  }

  async #readFrames(engine: FleetEngine): Promise<void> {
    const { batches } = await engine.query(
      `SELECT frame, class, method, file, line, bci, kind FROM ${engine.tables.frames}`,
    );
    const text = (cell: Cell): string => (cell === null ? '' : String(cell));
    for await (const [ids, classes, methods, files, lines, bcis, kinds] of batches) {
      for (let row = 0; row < ids.length; row++) {
        const [className, methodName, file] = [classes[row], methods[row], files[row]].map(text);
        const line = lines[row] === null ? NO_LINE : Number(lines[row]);
        const bci = bcis[row] === null ? (kinds[row] === 'native' ? NATIVE_BCI : NO_BCI) : Number(bcis[row]);
        if (ids[row] === null) throw foreign('frames');
        const id = wholeOf(ids[row]);
        const [lo, hi] = halvesOf(BigInt64Array.of(id));
        const known = this.#frameIds.find(hi, lo);
        if (known < 0) {
          this.#frameIds.add(hi, lo);
          this.#frames.push({ className, methodName, file, line, bci, index: NONE });
        } else if (!isSame(this.#frames[known], { className, methodName, file, line, bci }))
          throw collision('frames', id);
      }
    }
  }

  /** The frame in the sink, which knows only those that are on a stack. */
  #indexOf(frame: KnownFrame): FrameIndex {
    if (frame.index !== NONE) return frame.index;
    const { className, methodName, file, line, bci } = frame;
    const key = `${file}\n${className}\n${methodName}`;
    const method = this.#methods.numberOf(key, { file, className, methodName });
    return (frame.index = this.#sink.frame(0, method, line, bci));
  }

  #addStack(id: bigint, ids: BigInt64Array): void {
    const depth = ids.length;
    const path = new Int32Array(depth);
    const halves = halvesOf(ids);
    for (let at = 0; at < depth; at++) {
      const frame = this.#frameIds.find(halves[2 * at + 1], halves[2 * at]);
      if (frame < 0)
        throw new FleetError(
          `the stack ${id} names the frame ${ids[at]}, which no file of frames has: the dataset is not complete, copy it again`,
        );
      path[depth - 1 - at] = this.#indexOf(this.#frames[frame]);
    }
    const before = this.#stacks.get(id);
    if (before === undefined) this.#stacks.set(id, path);
    else if (before.length !== depth || before.some((frame, at) => frame !== path[at]))
      throw collision('stacks', id);
  }

  /** The call node where a stack ends in a thread. */
  leafIn(thread: number, id: Cell): number {
    const leaves = (this.#leaves[thread] ??= new Map<bigint, number>());
    const stack = wholeOf(id);
    const known = leaves.get(stack);
    if (known !== undefined) return known;
    const frames = this.#stacks.get(stack);
    if (frames === undefined)
      throw new FleetError(
        `samples name the stack ${stack}, which no file of stacks has: the dataset is not complete, copy it again`,
      );
    if (this.#path.length < frames.length) this.#path = new Int32Array(frames.length * 2);
    this.#path.set(frames);
    const root = this.#sink.root(thread);
    this.#sink.callees(root, 1, this.#path, 0, frames.length);
    const leaf = frames.length === 0 ? NONE : this.#path[frames.length - 1];
    leaves.set(stack, leaf);
    return leaf;
  }
}

/** The frames of a stack. Throws FleetError for what is no list of ids. */
function idsOf(cell: Cell): BigInt64Array {
  if (cell instanceof BigInt64Array) return cell;
  if (Array.isArray(cell)) return BigInt64Array.from(cell as readonly Cell[], wholeOf);
  return notOfDataset(cell);
}

/** Low and high half of each number. */
function halvesOf(ids: BigInt64Array): Int32Array {
  return new Int32Array(ids.buffer, ids.byteOffset, ids.length * 2);
}

function collision(what: 'stacks' | 'frames', id: bigint): FleetError {
  return new FleetError(
    `two different ${what} have the id ${id}: their hashes collide, or one file is foreign`,
  );
}
