import { grown, nextCapacity } from '../../profile/columns.ts';

/** The ticket of a call that has none. */
export const NO_TICKET = -Infinity;

/**
 * The calls of one thread that have no end yet, outermost first.
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
  /** ns; of an aggregated call its total so far. */
  entry = new Float64Array(0);
  /** ns in callees that have ended. */
  inCallees = new Float64Array(0);
  cpuInCallees = new Float64Array(0);
  /** The thread's CPU time at the entry, NaN where unknown; of an aggregated call its CPU so far. */
  entryCpu = new Float64Array(0);
  /** Number of open calls per method: a recursive total counts once, and an unmatched exit needs no search. */
  readonly #ofMethod = new Map<number, number>();
  readonly #ofTicket = new Map<number, number>();

  push(node: number, method: number, ticket: number, entry: number, entryCpu: number): void {
    const row = this.length;
    if (row === this.node.length) {
      // There are many threads, and most never have deep stacks.
      const capacity = row === 0 ? 8 : nextCapacity(row, row + 1);
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

  /** Releases the memory. Call when no call is open and none will follow. */
  release(): void {
    this.node = this.method = new Int32Array(0);
    this.ticket = this.entry = this.inCallees = this.cpuInCallees = this.entryCpu = new Float64Array(0);
  }

  pop(): void {
    const row = --this.length;
    takeOne(this.#ofMethod, this.method[row]);
    takeOne(this.#ofTicket, this.ticket[row]);
  }

  hasMethod(method: number): boolean {
    return this.#ofMethod.has(method);
  }

  /** The innermost call with a ticket, or -1. The caller then closes the calls that were searched. */
  rowOfTicket(ticket: number): number {
    return this.#ofTicket.has(ticket) ? this.ticket.subarray(0, this.length).lastIndexOf(ticket) : -1;
  }

  rowOfMethod(method: number): number {
    return this.#ofMethod.has(method) ? this.method.subarray(0, this.length).lastIndexOf(method) : -1;
  }

  /** The number of open calls of each method, to iterate over them without closing any. */
  methodCounts(): Map<number, number> {
    return new Map(this.#ofMethod);
  }
}

/** Returns how many are left. */
export function takeOne(counts: Map<number, number>, key: number): number {
  const left = (counts.get(key) ?? 0) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
  return left;
}
