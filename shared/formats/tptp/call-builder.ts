import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { CallFigures, type CallSum } from './call-figures.ts';
import { NO_TICKET, type OpenCalls, takeOne } from './open-calls.ts';
import type { TraceThread } from './trace-threads.ts';

/** What had to be guessed. */
export interface Guesses {
  /** Calls without an exit, that ended where a later event shows. */
  inferred: number;
  /** Calls that were open when their thread or the trace ended. */
  unfinished: number;
  /** Exits of calls that were not open. */
  unknownExits: number;
  /** Calls whose clock ran backwards. */
  negative: number;
}

interface Kept {
  readonly figures: CallFigures;
  readonly row: number;
  readonly before: CallSum;
}

/**
 * Entries and exits in, call trees out (specs: tptp, section 5). Figures are kept per call node and per method;
 * `handOn` emits their increase to the sink once per call node.
 */
export class CallBuilder {
  readonly nodes = new CallFigures();
  readonly methods = new CallFigures();
  /** Call node -> its method, and its caller's call node. */
  methodOf = new Int32Array(256);
  callerOf = new Int32Array(256);
  readonly guesses: Guesses = { inferred: 0, unfinished: 0, unknownExits: 0, negative: 0 };
  /** Some call has a CPU time. */
  hasCpu = false;

  readonly #sink: SampleSink;
  readonly #usesCpu: boolean;
  /** What the sink has. */
  #sentCalls = new Float64Array(256);
  #sentValue = new Float64Array(256);
  /** Call nodes that gained something, each once. */
  #changed = new Int32Array(256);
  #changedCount = 0;
  #isChanged = new Uint8Array(256);
  /** How it was before calls were ended that may go on. */
  #before: readonly Kept[] | undefined;
  #guessesBefore: Guesses | undefined;
  #endedThreads: readonly TraceThread[] = [];
  /** One call at a time. */
  readonly #sum: CallSum = { calls: 1, self: 0, total: 0, selfCpu: 0, cpu: 0, shortest: 0, longest: 0 };

  /** `usesCpu`: CPU time, not time, is the profile's value. */
  constructor(sink: SampleSink, usesCpu: boolean) {
    this.#sink = sink;
    this.#usesCpu = usesCpu;
  }

  /** A depth below 1 is none; `cpu` is NaN where it is not known. */
  enter(thread: TraceThread, method: number, ticket: number, depth: number, time: number, cpu: number): void {
    const { calls } = thread;
    while (depth >= 1 && calls.length >= depth) this.#closeInferred(thread, time);
    thread.noteCpu(cpu);
    calls.push(this.#nodeOf(thread, calls, method), method, ticket, time, cpu);
  }

  /** `method` is -1 where the exit does not name it. */
  exit(thread: TraceThread, method: number, ticket: number, time: number, cpu: number): void {
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

  /** All calls of one path together: base times are self times. */
  enterAggregated(thread: TraceThread, method: number, sum: CallSum): void {
    const { aggregated } = thread;
    const node = this.#nodeOf(thread, aggregated, method);
    if (sum.selfCpu !== 0) this.hasCpu = true;
    // Totals are known at the exit.
    aggregated.push(node, method, NO_TICKET, sum.self, sum.selfCpu);
    this.#add(thread, node, method, sum, false, false);
  }

  exitAggregated(thread: TraceThread, method: number): void {
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

  /** Ends what is open at a moment. */
  endCalls(thread: TraceThread, time: number): void {
    const { calls, aggregated } = thread;
    this.guesses.unfinished += calls.length + aggregated.length;
    while (calls.length > 0) this.#close(thread, time, NaN);
    while (aggregated.length > 0) this.#closeAggregated(aggregated);
  }

  /** Ends what is open as if nothing more came, until `goOn` takes it back. */
  endForNow(threads: readonly TraceThread[]): void {
    if (this.#before !== undefined) return;
    const before: Kept[] = [];
    this.#guessesBefore = { ...this.guesses };
    for (const thread of threads) {
      this.#endForNow(thread, before);
      this.#endAggregatedForNow(thread.aggregated, before);
      this.guesses.unfinished += thread.calls.length + thread.aggregated.length;
      thread.callCount += thread.calls.length;
    }
    this.#endedThreads = [...threads];
    this.#before = before;
  }

  goOn(): void {
    const before = this.#before;
    if (before === undefined) return;
    // The oldest state of a row that was kept twice comes last.
    for (let at = before.length - 1; at >= 0; at--) {
      const { figures, row, before: sum } = before[at];
      figures.restore(row, sum);
      if (figures === this.nodes) this.#note(row);
    }
    for (const thread of this.#endedThreads) thread.callCount -= thread.calls.length;
    Object.assign(this.guesses, this.#guessesBefore);
    this.#before = undefined;
  }

  /** Tells the sink what call nodes gained, or lost because they go on after all. */
  handOn(): void {
    const values = this.#usesCpu ? this.nodes.selfCpu : this.nodes.self;
    const { calls } = this.nodes;
    for (let at = 0; at < this.#changedCount; at++) {
      const node = this.#changed[at];
      this.#isChanged[node] = 0;
      const count = calls[node] - this.#sentCalls[node];
      const value = values[node] - this.#sentValue[node];
      if (count === 0 && value === 0) continue;
      this.#sink.samplesAt(node, count, value);
      this.#sentCalls[node] = calls[node];
      this.#sentValue[node] = values[node];
    }
    this.#changedCount = 0;
  }

  #nodeOf(thread: TraceThread, open: OpenCalls, method: number): number {
    const { length } = open;
    const caller = length === 0 ? this.#sink.root(thread.index) : open.node[length - 1];
    const node = this.#sink.callee(caller, length + 1, 0, method, NO_LINE, NO_BCI);
    if (node >= this.nodes.length) this.#reach(node);
    this.methodOf[node] = method;
    this.callerOf[node] = length === 0 ? -1 : caller;
    this.methods.reach(method);
    return node;
  }

  #reach(node: number): void {
    this.nodes.reach(node);
    if (node < this.methodOf.length) return;
    const capacity = nextCapacity(this.methodOf.length, node + 1);
    this.methodOf = grown(this.methodOf, capacity);
    this.callerOf = grown(this.callerOf, capacity);
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
    const sum = this.#measure(thread, row, time, exitCpu, calls.inCallees[row], calls.cpuInCallees[row]);
    calls.pop();
    if (row > 0) {
      calls.inCallees[row - 1] += sum.total;
      calls.cpuInCallees[row - 1] += sum.cpu;
    }
    this.#add(thread, node, method, sum, true, !calls.hasMethod(method));
  }

  /** What a call counts that ends now. */
  #measure(
    { calls, cpuFell }: TraceThread,
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
    // An exit that tells no CPU time leaves what its callees used.
    const used = entryCpu === entryCpu && !cpuFell ? exitCpu - entryCpu : exitCpu;
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
    this.nodes.total[node] += total;
    this.nodes.cpu[node] += cpu;
    if (!isOutermost) return;
    this.methods.total[method] += total;
    this.methods.cpu[method] += cpu;
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

  #endForNow(thread: TraceThread, before: Kept[]): void {
    const { calls } = thread;
    const open = calls.methodCounts();
    let inCallee = 0;
    let cpuInCallee = 0;
    for (let row = calls.length - 1; row >= 0; row--) {
      const node = calls.node[row];
      const method = calls.method[row];
      this.#keep(this.nodes, node, before);
      this.#keep(this.methods, method, before);
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
      this.nodes.add(node, sum, true);
      this.methods.add(method, sum, takeOne(open, method) <= 0);
      this.#note(node);
    }
  }

  #endAggregatedForNow(aggregated: OpenCalls, before: Kept[]): void {
    const open = aggregated.methodCounts();
    let total = 0;
    let cpu = 0;
    for (let row = aggregated.length - 1; row >= 0; row--) {
      const node = aggregated.node[row];
      const method = aggregated.method[row];
      this.#keep(this.nodes, node, before);
      this.#keep(this.methods, method, before);
      total += aggregated.entry[row];
      cpu += aggregated.entryCpu[row];
      this.#addTotals(node, method, total, cpu, takeOne(open, method) <= 0);
    }
  }

  #keep(figures: CallFigures, row: number, before: Kept[]): void {
    before.push({ figures, row, before: figures.row(row) });
  }
}
