import { MemoryBudget } from '../../shared/aggregate/memory-budget.ts';
import type { MethodNames } from '../../shared/profile/method-table.ts';
import { FRAME_CELLS, type GroupedTimes, type SampleSink } from '../../shared/aggregate/sample-sink.ts';
import { Int64Index } from '../../shared/aggregate/int64-index.ts';
import { NONE } from '../../shared/profile/columns.ts';

/** A budget that allows everything, and checks what it is asked for. */
class CheckedMemory extends MemoryBudget {
  /** Bytes that the decoder holds; those that it keeps are never released. */
  #heldBytes = 0;

  override keep(bytes: number): boolean {
    amount('bytes kept', bytes);
    return true;
  }

  override hold(bytes: number): boolean {
    amount('bytes held', bytes);
    this.#heldBytes += bytes;
    return true;
  }

  override release(bytes: number): void {
    amount('bytes released', bytes);
    this.#heldBytes -= bytes;
    if (this.#heldBytes < 0) throw new Error(`${-this.#heldBytes} bytes more released than held`);
  }
}

/**
 * Checks and counts what a decoder emits, and stores nothing: for small inputs a tenth of the cost of a profile. It takes
 * the times of samples, and has a memory budget that allows everything.
 *
 * A call counts as one unit of work, a frame of a stack as another, and so does a time of many. A decoder that asks for
 * more than it may is stopped by an error, so that a hostile count of two billion ends at once, on any machine.
 */
export class CountingSink implements SampleSink {
  readonly isFull = false;
  work = 0;
  /** Most units of work. */
  readonly #limit: number;
  readonly #threads = new Int64Index();
  readonly #methods = new Int64Index();
  #threadCount = 0;
  #methodCount = 0;
  #frameCount = 0;
  /** Nodes are numbered but not stored: the same path may get several numbers. */
  #nodeCount = 0;

  /** Samples with a time. */
  #times = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  readonly memory = new CheckedMemory();

  /** Nodes are not stored, so no stack is found again. */
  readonly paths = {
    nodes: { parent: new Int32Array(0), frame: new Int32Array(0) },
    frames: { cells: new Int32Array(0) },
  };
  readonly keepsTimes = true;

  /** A quarter of the work may be samples with a time: those that one event stands for end there, as memory would. */
  get timesAllowed(): number {
    return Math.max(0, (this.#limit >> 2) - this.#times);
  }

  /** No work of its own: a sample or a stack follows. */
  takenAt(base: bigint | undefined, offset: number | bigint): void {
    this.#times++;
    moment(base ?? 0n, offset);
  }

  samplesAreCalls(): void {
    this.#spend(1);
  }

  addTimes(base: bigint, { length, ticks, clock, group, value }: GroupedTimes, nodes: Int32Array): void {
    this.#spend(1 + length + nodes.length);
    this.#times += length;
    moment(base, 0);
    if (!Object.values(clock).every(Number.isFinite)) throw new Error(`a clock of ${JSON.stringify(clock)}`);
    for (const node of nodes) if (node !== NONE) below('node', node, this.#nodeCount);
    for (let at = 0; at < length; at++) {
      below('group', group[at], nodes.length);
      counts(ticks[at], typeof value === 'number' ? value : value[at]);
    }
  }

  convertTimes(convert: (ns: number) => number, from: bigint, to: bigint): boolean {
    this.#spend(1);
    moment(from, 0);
    moment(to, 0);
    if (convert(0) !== 0) throw new Error(`0 ns are converted to ${convert(0)}`);
    return true;
  }

  addContext(
    thread: number,
    base: bigint,
    from: number,
    to: number,
    name: string,
    attributes: readonly string[],
  ): void {
    this.#spend(1 + attributes.length);
    below('thread', thread, this.#threadCount);
    moment(base, 0);
    if (![from, to].every(Number.isFinite)) throw new Error(`a context from ${from} to ${to}`);
    if (![name, ...attributes].every((text) => typeof text === 'string') || attributes.length % 2 !== 0)
      throw new Error(`a context ${name} with ${String(attributes)}`);
  }

  thread(idHi: number, idLo: number): number {
    this.#spend(1);
    const known = this.#threads.find(idHi, idLo);
    if (known >= 0) return known;
    this.#threads.add(idHi, idLo);
    return this.#threadCount++;
  }

  nameThread(thread: number, name: string): void {
    this.#spend(1);
    below('thread', thread, this.#threadCount);
    if (typeof name !== 'string') throw new Error(`name of a thread: ${String(name)}`);
  }

  openThread(thread: number): void {
    this.#spend(1);
    below('thread', thread, this.#threadCount);
  }

  method(idHi: number, idLo: number): number {
    this.#spend(1);
    const known = this.#methods.find(idHi, idLo);
    if (known >= 0) return known;
    this.#methods.add(idHi, idLo);
    return this.#methodCount++;
  }

  defineMethod(method: number, { file, className, methodName }: MethodNames): void {
    this.#spend(1);
    below('method', method, this.#methodCount);
    if (`${typeof file}${typeof className}${typeof methodName}` !== 'stringstringstring')
      throw new Error(`names of method ${method}: ${file}, ${className}, ${methodName}`);
  }

  sample(thread: number, stack: Int32Array, depth: number, ns: number | bigint): number {
    return this.samples(thread, stack, depth, 1, ns);
  }

  sampleAt(node: number, ns: number | bigint, valueNode = node): void {
    below('node', valueNode, this.#nodeCount);
    this.samplesAt(node, 1, ns);
  }

  samples(thread: number, stack: Int32Array, depth: number, count: number, value: number | bigint): number {
    this.#spend(1 + depth);
    below('thread', thread, this.#threadCount);
    below('cell of a stack', depth * FRAME_CELLS, stack.length + 1);
    counts(count, value);
    return depth === 0 ? NONE : this.#nodeCount++;
  }

  samplesAt(node: number, count: number, value: number | bigint): void {
    this.#spend(1);
    below('node', node, this.#nodeCount);
    counts(count, value);
  }

  root(thread: number): number {
    this.openThread(thread);
    return this.#nodeCount++;
  }

  callee(caller: number, depth: number, idHi: number, idLo: number, line: number, bci: number): number {
    below('node', caller, this.#nodeCount);
    if (!(depth >= 1)) throw new Error(`depth ${depth}`);
    this.frame(idHi, idLo, line, bci);
    return this.#nodeCount++;
  }

  frame(idHi: number, idLo: number, line: number, bci: number): number {
    this.#spend(1);
    for (const cell of [idHi, idLo, line, bci])
      if (cell !== (cell | 0)) throw new Error(`cell ${cell} of a frame`);
    return this.#frameCount++;
  }

  callees(caller: number, depth: number, path: Int32Array, from: number, to: number): void {
    this.#spend(1 + to - from);
    below('node', caller, this.#nodeCount);
    if (!(depth >= 1)) throw new Error(`depth ${depth}`);
    below('path', to, path.length + 1);
    for (let at = from; at < to; at++) {
      below('frame', path[at], this.#frameCount);
      path[at] = this.#nodeCount++;
    }
  }

  /** Tables get the announced size, so announcing nodes counts as work. */
  expectNodes(nodes: number, paths: number): void {
    this.#spend(nodes + paths);
  }

  provisionalSample(thread: number, stack: Int32Array, depth: number, ns: number | bigint): void {
    this.samples(thread, stack, depth, 1, ns);
  }

  provisionalSampleAt(node: number, ns: number | bigint): void {
    this.samplesAt(node, 1, ns);
  }

  withdrawProvisional(): void {
    this.#spend(1);
  }

  #spend(units: number): void {
    if (!(units >= 0)) throw new Error(`${units} units of work`);
    this.work += units;
    if (this.work > this.#limit) throw new Error(`more than ${this.#limit} units of work`);
  }
}

function below(what: string, index: number, length: number): void {
  if (!(index >= 0 && index < length && Number.isInteger(index)))
    throw new Error(`${what} ${index} of ${length}`);
}

function counts(count: number, value: number | bigint): void {
  if (!Number.isFinite(count)) throw new Error(`${count} samples`);
  if (typeof value === 'number' && !Number.isInteger(value)) throw new Error(`a value of ${value}`);
}

function amount(what: string, bytes: number): void {
  if (!(bytes >= 0 && Number.isFinite(bytes))) throw new Error(`${bytes} ${what}`);
}

function moment(base: bigint, offset: number | bigint): void {
  if (typeof base !== 'bigint') throw new Error(`times since ${String(base)}`);
  if (typeof offset === 'number' && !Number.isInteger(offset)) throw new Error(`${offset} ns after the base`);
}
