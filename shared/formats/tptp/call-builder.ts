import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { FIRST_ROWS, grown, nextCapacity, NONE } from '../../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { CallFigures, type CallSum, Figure, type Guesses } from './call-figures.ts';
import { NO_TICKET, type OpenCalls, decrement } from './open-calls.ts';
import type { TraceClock } from './trace-clock.ts';
import type { TraceThread } from './trace-names.ts';

/** Bytes of a call node in all tables of figures. */
const NODE_BYTES = 120;

/** A row of figures as it was before calls were ended provisionally. */
interface SavedRow {
  readonly figures: CallFigures;
  readonly row: number;
  readonly cells: Float64Array;
}

/**
 * Builds call trees from the entries and exits of methods (specs: tptp, section 5). It sums figures per call node and
 * per method; `emit` passes the increase since the last `emit` to the sink, once per call node.
 *
 * A sink that keeps times receives every call by itself when it ends, at the time when it began. Aggregated calls have no
 * time. Calls that are ended provisionally are provisional samples.
 */
export class CallBuilder {
  readonly nodes = new CallFigures();
  readonly methods = new CallFigures();
  readonly guesses: Guesses = { inferred: 0, unfinished: 0, unknownExits: 0, negative: 0 };
  /** Some call has a CPU time. */
  hasCpu = false;
  /** Some call has ended for good whose time is known. */
  hasEndedCalls = false;

  readonly #sink: SampleSink;
  /** The value of a call node in the profile. */
  readonly #value: Figure;
  readonly #clock: Pick<TraceClock, 'origin'>;
  /** Call node -> what the sink has received. */
  #sentCalls = new Float64Array(FIRST_ROWS);
  #sentValue = new Float64Array(FIRST_ROWS);
  /** Call nodes whose figures changed since the last `emit`, each once. */
  #changed = new Int32Array(FIRST_ROWS);
  #changedCount = 0;
  #isChanged = new Uint8Array(FIRST_ROWS);
  /** State before `endProvisionally`, undefined if no calls are ended provisionally. */
  #before: readonly SavedRow[] | undefined;
  #guessesBefore: Guesses | undefined;
  #endedThreads: readonly TraceThread[] = [];
  /** Reused for each call. */
  readonly #sum: CallSum = { calls: 1, self: 0, total: 0, selfCpu: 0, cpu: 0, shortest: 0, longest: 0 };

  /** `usesCpu`: the values of the profile are CPU times, not wall-clock times. Times are relative to the clock's origin. */
  constructor(sink: SampleSink, usesCpu: boolean, clock: Pick<TraceClock, 'origin'>) {
    this.#sink = sink;
    this.#value = usesCpu ? Figure.selfCpu : Figure.self;
    this.#clock = clock;
  }

  /** `depth`: 1 for an outermost call, below 1 if unknown. `cpu`: NaN if unknown. */
  enter(thread: TraceThread, method: number, ticket: number, depth: number, time: number, cpu: number): void {
    const { calls } = thread;
    while (depth >= 1 && calls.length >= depth) this.#closeInferred(thread, time);
    const node = this.#nodeOf(thread, calls, method);
    if (node === NONE) return;
    thread.noteCpu(cpu);
    calls.push(node, method, ticket, time, cpu);
  }

  /** `method`: -1 if the exit does not name it. */
  exit(thread: TraceThread, method: number, ticket: number, time: number, cpu: number): void {
    if (this.#sink.isFull) return;
    const { calls } = thread;
    let row = ticket === NO_TICKET ? -1 : calls.rowOfTicket(ticket);
    if (row < 0 && (ticket === NO_TICKET || ticket === 0))
      row = method < 0 && ticket === NO_TICKET ? calls.length - 1 : calls.rowOfMethod(method);
    if (row < 0) {
      this.guesses.unknownExits++;
      return;
    }
    while (calls.length > row + 1) this.#closeInferred(thread, time);
    thread.noteCpu(cpu);
    this.#close(thread, time, cpu);
  }

  /** Enters an aggregated call, which stands for all calls of one path. Its base times are self times. */
  enterAggregated(thread: TraceThread, method: number, sum: CallSum): void {
    const { aggregated } = thread;
    const node = this.#nodeOf(thread, aggregated, method);
    if (node === NONE) return;
    if (sum.selfCpu !== 0) this.hasCpu = true;
    // Totals are known at the exit.
    aggregated.push(node, method, NO_TICKET, sum.self, sum.selfCpu);
    this.#add(thread, node, method, sum, false, false);
  }

  exitAggregated(thread: TraceThread, method: number): void {
    if (this.#sink.isFull) return;
    const { aggregated } = thread;
    const row = aggregated.rowOfMethod(method);
    if (row < 0) {
      this.guesses.unknownExits++;
      return;
    }
    while (aggregated.length > row) {
      if (aggregated.length > row + 1) this.guesses.inferred++;
      this.#closeAggregated(aggregated);
    }
  }

  /** Ends all open calls of a thread at `time`. */
  endCalls(thread: TraceThread, time: number): void {
    const { calls, aggregated } = thread;
    this.guesses.unfinished += calls.length + aggregated.length;
    while (calls.length > 0) this.#close(thread, time, NaN);
    while (aggregated.length > 0) this.#closeAggregated(aggregated);
  }

  /** There are calls whose time is known, also if they are ended provisionally. */
  get hasTimes(): boolean {
    return this.hasEndedCalls || this.#endedThreads.some(({ calls }) => calls.length > 0);
  }

  /** Ends all open calls provisionally, also in the sink; `resume` undoes it. */
  endProvisionally(threads: readonly TraceThread[]): void {
    this.resume();
    this.emit();
    const before: SavedRow[] = [];
    this.#guessesBefore = { ...this.guesses };
    for (const thread of threads) {
      this.#endProvisionally(thread, before);
      this.#endAggregatedProvisionally(thread.aggregated, before);
      this.guesses.unfinished += thread.calls.length + thread.aggregated.length;
      thread.callCount += thread.calls.length;
    }
    this.#endedThreads = [...threads];
    this.#before = before;
  }

  /** Undoes `endProvisionally`, because more events follow. */
  resume(): void {
    const before = this.#before;
    if (before === undefined) return;
    this.#sink.withdrawProvisional();
    // Backwards, because the first of several states of a row is the oldest.
    for (let at = before.length - 1; at >= 0; at--) {
      const { figures, row, cells } = before[at];
      figures.restore(row, cells);
    }
    for (const thread of this.#endedThreads) thread.callCount -= thread.calls.length;
    this.#endedThreads = [];
    Object.assign(this.guesses, this.#guessesBefore);
    this.#before = undefined;
  }

  /** Converts all times; the next `emit` corrects what the sink has received. No calls are ended provisionally. */
  convertTimes(convert: (ns: number) => number): void {
    this.nodes.convertTimes(convert);
    this.methods.convertTimes(convert);
    for (let node = 0; node < this.nodes.length; node++) this.#note(node);
  }

  /** Passes the changes of call nodes to the sink. */
  emit(): void {
    this.#sink.takenAt(undefined, 0);
    for (let at = 0; at < this.#changedCount; at++) {
      const node = this.#changed[at];
      this.#isChanged[node] = 0;
      this.#emit(node);
    }
    this.#changedCount = 0;
  }

  #emit(node: number): void {
    const calls = this.nodes.get(node, Figure.calls);
    const value = this.nodes.get(node, this.#value);
    if (calls === this.#sentCalls[node] && value === this.#sentValue[node]) return;
    this.#sink.samplesAt(node, calls - this.#sentCalls[node], exactDifference(value, this.#sentValue[node]));
    this.#sentCalls[node] = calls;
    this.#sentValue[node] = value;
  }

  /** NONE if the sink is full: the call and all later ones are ignored. */
  #nodeOf(thread: TraceThread, open: OpenCalls, method: number): number {
    const { length } = open;
    const caller = length === 0 ? this.#sink.root(thread.index) : open.node[length - 1];
    const node = this.#sink.callee(caller, length + 1, 0, method, NO_LINE, NO_BCI);
    if (node === NONE) return NONE;
    if (node >= this.nodes.length) {
      if (!this.#sink.memory.hold((node + 1 - this.nodes.length) * NODE_BYTES)) return NONE;
      this.#ensureNode(node);
    }
    this.methods.ensureRow(method);
    return node;
  }

  #ensureNode(node: number): void {
    this.nodes.ensureRow(node);
    if (node < this.#changed.length) return;
    const capacity = nextCapacity(this.#changed.length, node + 1);
    this.#sentCalls = grown(this.#sentCalls, capacity);
    this.#sentValue = grown(this.#sentValue, capacity);
    this.#changed = grown(this.#changed, capacity);
    this.#isChanged = grown(this.#isChanged, capacity);
  }

  #closeInferred(thread: TraceThread, time: number): void {
    this.guesses.inferred++;
    this.#close(thread, time, NaN);
  }

  /** Ends the innermost call. */
  #close(thread: TraceThread, time: number, exitCpu: number): void {
    const { calls } = thread;
    const row = calls.length - 1;
    const node = calls.node[row];
    const method = calls.method[row];
    const entry = calls.entry[row];
    const sum = this.#measure(thread, row, time, exitCpu, calls.inCallees[row], calls.cpuInCallees[row]);
    calls.pop();
    if (row > 0) {
      calls.inCallees[row - 1] += sum.total;
      calls.cpuInCallees[row - 1] += sum.cpu;
    }
    this.hasEndedCalls = true;
    if (!this.#sink.keepsTimes) {
      this.#add(thread, node, method, sum, true, !calls.hasMethod(method));
      return;
    }
    // What the node is owed from before has no time.
    if (this.#isChanged[node] === 1) {
      this.#sink.takenAt(undefined, 0);
      this.#emit(node);
    }
    this.#add(thread, node, method, sum, true, !calls.hasMethod(method));
    this.#sink.takenAt(this.#clock.origin, entry);
    this.#emit(node);
  }

  /** The figures of a call that ends at `time`. */
  #measure(
    { calls, cpuIsPerCall }: TraceThread,
    row: number,
    time: number,
    exitCpu: number,
    inCallees: number,
    cpuInCallees: number,
  ): CallSum {
    const sum = this.#sum;
    const total = time - calls.entry[row];
    const self = total - inCallees;
    if (total < 0 || self < 0) this.guesses.negative++;
    sum.calls = 1;
    sum.total = Math.max(0, total);
    sum.self = Math.max(0, self);
    sum.shortest = sum.longest = sum.self;
    const entryCpu = calls.entryCpu[row];
    // If the exit has no CPU time, the CPU time of the callees is all that is known.
    const used = entryCpu === entryCpu && !cpuIsPerCall ? exitCpu - entryCpu : exitCpu;
    sum.cpu = used === used ? Math.max(0, used) : cpuInCallees;
    sum.selfCpu = Math.max(0, sum.cpu - cpuInCallees);
    if (sum.cpu !== 0) this.hasCpu = true;
    return sum;
  }

  #closeAggregated(aggregated: OpenCalls): void {
    const row = aggregated.length - 1;
    const total = aggregated.entry[row];
    const cpu = aggregated.entryCpu[row];
    const node = aggregated.node[row];
    const method = aggregated.method[row];
    aggregated.pop();
    if (row > 0) {
      aggregated.entry[row - 1] += total;
      aggregated.entryCpu[row - 1] += cpu;
    }
    this.#addTotals(node, method, total, cpu, !aggregated.hasMethod(method));
  }

  #addTotals(node: number, method: number, total: number, cpu: number, isOutermost: boolean): void {
    this.nodes.addTotal(node, total, cpu);
    if (isOutermost) this.methods.addTotal(method, total, cpu);
  }

  #add(
    thread: TraceThread,
    node: number,
    method: number,
    sum: CallSum,
    hasTotal: boolean,
    isOutermost: boolean,
  ): void {
    this.nodes.add(node, sum, hasTotal);
    this.methods.add(method, sum, isOutermost);
    thread.callCount += sum.calls;
    this.#note(node);
  }

  #note(node: number): void {
    if (this.#isChanged[node] === 1) return;
    this.#isChanged[node] = 1;
    this.#changed[this.#changedCount++] = node;
  }

  #endProvisionally(thread: TraceThread, before: SavedRow[]): void {
    const { calls } = thread;
    const open = calls.methodCounts();
    let inCallee = 0;
    let cpuInCallee = 0;
    for (let row = calls.length - 1; row >= 0; row--) {
      const node = calls.node[row];
      const method = calls.method[row];
      this.#save(this.nodes, node, before);
      this.#save(this.methods, method, before);
      const sum = this.#measure(
        thread,
        row,
        thread.lastMoment,
        NaN,
        calls.inCallees[row] + inCallee,
        calls.cpuInCallees[row] + cpuInCallee,
      );
      inCallee = sum.total;
      cpuInCallee = sum.cpu;
      const sent = this.nodes.get(node, this.#value);
      this.nodes.add(node, sum, true);
      this.methods.add(method, sum, decrement(open, method) <= 0);
      this.#sink.takenAt(this.#clock.origin, calls.entry[row]);
      this.#sink.provisionalSampleAt(node, exactDifference(this.nodes.get(node, this.#value), sent));
    }
  }

  #endAggregatedProvisionally(aggregated: OpenCalls, before: SavedRow[]): void {
    const open = aggregated.methodCounts();
    let total = 0;
    let cpu = 0;
    for (let row = aggregated.length - 1; row >= 0; row--) {
      const node = aggregated.node[row];
      const method = aggregated.method[row];
      this.#save(this.nodes, node, before);
      this.#save(this.methods, method, before);
      total += aggregated.entry[row];
      cpu += aggregated.entryCpu[row];
      this.#addTotals(node, method, total, cpu, decrement(open, method) <= 0);
    }
  }

  #save(figures: CallFigures, row: number, before: SavedRow[]): void {
    before.push({ figures, row, cells: figures.row(row) });
  }
}

/** Exact also beyond 2^53, where a rounded difference would depend on how often the sum was emitted. */
function exactDifference(value: number, before: number): number | bigint {
  const difference = value - before;
  const isExact =
    Number.isSafeInteger(value) && Number.isSafeInteger(before) && Number.isSafeInteger(difference);
  return isExact ? difference : BigInt(value) - BigInt(before);
}
