import { HeldMemory, type MemoryBudget } from '../../aggregate/memory-budget.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';

/** Ticket of calls without one. */
export const NO_TICKET = -Infinity;

/** Bytes of the tables, and of a call in them, with its counts and with what is saved while it is ended provisionally. */
const TABLE_BYTES = 2_000;
const CALL_BYTES = 700;

/**
 * The open calls of one thread, outermost first.
 *
 *   row   node   method   ticket   entry   inCallees
 *   0     1      main     1        0       2331
 *   1     3      price    3        8802    0
 */
export class OpenCalls {
  length = 0;
  node = new Int32Array(0);
  method = new Int32Array(0);
  ticket = new Float64Array(0);
  /** Time of the entry, ns. For an aggregated call: its total so far. */
  entry = new Float64Array(0);
  /** ns in callees that have ended. */
  inCallees = new Float64Array(0);
  cpuInCallees = new Float64Array(0);
  /** CPU time of the thread at the entry, NaN if unknown. For an aggregated call: its CPU time so far. */
  entryCpu = new Float64Array(0);
  /** Number of open calls per method. Shows which calls are recursive, and saves the search for unmatched exits. */
  readonly #ofMethod = new Map<number, number>();
  /** Number of open calls per ticket. */
  readonly #ofTicket = new Map<number, number>();
  readonly #held: HeldMemory;

  constructor(memory: MemoryBudget) {
    this.#held = new HeldMemory(memory);
  }

  /** Nothing is pushed if the memory budget does not allow it: the sink is full then. */
  push(node: number, method: number, ticket: number, entry: number, entryCpu: number): void {
    const row = this.length;
    if (row === this.node.length) {
      // Begins small because there may be many threads, most of them with few open calls.
      const capacity = row === 0 ? 8 : nextCapacity(row, row + 1);
      const bytes = (row === 0 ? TABLE_BYTES : 0) + (capacity - row) * CALL_BYTES;
      if (!this.#held.hold(bytes)) return;
      this.node = grown(this.node, capacity);
      this.method = grown(this.method, capacity);
      this.ticket = grown(this.ticket, capacity);
      this.entry = grown(this.entry, capacity);
      this.inCallees = grown(this.inCallees, capacity);
      this.cpuInCallees = grown(this.cpuInCallees, capacity);
      this.entryCpu = grown(this.entryCpu, capacity);
    }
    this.node[row] = node;
    this.method[row] = method;
    this.ticket[row] = ticket;
    this.entry[row] = entry;
    this.entryCpu[row] = entryCpu;
    this.inCallees[row] = 0;
    this.cpuInCallees[row] = 0;
    this.length = row + 1;
    this.#ofMethod.set(method, (this.#ofMethod.get(method) ?? 0) + 1);
    this.#ofTicket.set(ticket, (this.#ofTicket.get(ticket) ?? 0) + 1);
  }

  /** Releases the memory. To be called only if no call is open and none will follow. */
  release(): void {
    this.#held.release();
    this.node = this.method = new Int32Array(0);
    this.ticket = this.entry = this.inCallees = this.cpuInCallees = this.entryCpu = new Float64Array(0);
  }

  /** Converts all times. */
  convertTimes(convert: (ns: number) => number): void {
    for (const column of [this.entry, this.inCallees, this.cpuInCallees, this.entryCpu])
      for (let row = 0; row < this.length; row++) column[row] = convert(column[row]);
  }

  pop(): void {
    const row = --this.length;
    decrement(this.#ofMethod, this.method[row]);
    decrement(this.#ofTicket, this.ticket[row]);
  }

  hasMethod(method: number): boolean {
    return this.#ofMethod.has(method);
  }

  /** The innermost call with this ticket, or -1. The search is cheap, because the calls above it are then ended. */
  rowOfTicket(ticket: number): number {
    return this.#ofTicket.has(ticket) ? this.ticket.subarray(0, this.length).lastIndexOf(ticket) : -1;
  }

  /** The innermost call of this method, or -1. */
  rowOfMethod(method: number): number {
    return this.#ofMethod.has(method) ? this.method.subarray(0, this.length).lastIndexOf(method) : -1;
  }

  /** A copy of the number of open calls per method. */
  methodCounts(): Map<number, number> {
    return new Map(this.#ofMethod);
  }
}

/** Subtracts one; returns the new count. */
export function decrement(counts: Map<number, number>, key: number): number {
  const left = (counts.get(key) ?? 0) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
  return left;
}
