import { NONE } from '../../profile/columns.ts';
import { ContextTable } from '../../profile/context-table.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import type { SampleTable } from '../../profile/sample-table.ts';
import { type CallsLeftOut, type Contexts, SamplesByThread } from './contexts.ts';

/** Calls that are contexts, at most: some 50 bytes each. */
export const MOST_CALLS = 1 << 20;

/** Methods of a profile. */
export interface MethodsOfNodes {
  /** Method -> its name. */
  readonly labels: readonly string[];
  /** Call node -> its method; NONE for a thread, and for a call inside another one of its method. */
  readonly outermost: Int32Array;
}

const NO_ATTRIBUTES = { key: [], value: [] };

/**
 * Calls as contexts, made of samples that are calls: a context for each, named by its method. A call inside another one of
 * its method is a part of that.
 *
 *   samples that are calls           at   value       contexts
 *   main > parse > read              20   10          read    [20, 30)   samples 0
 *   main > parse                     10   15          parse   [10, 35)   samples 0 1
 *   main                              0   50          main    [0, 75)    samples 0 1 2
 *
 * A call ends after those that it made, so that the samples of its thread which are inside it stand before it, one after the
 * other. How long it took is the sum of their values: times of one clock tick would not tell what was inside what. Methods with
 * the fewest calls are taken first, as long as there are at most so many calls.
 */
export class Calls implements Contexts {
  table = new ContextTable();
  order = new Int32Array(0);
  /** Empty, because calls have no attributes. */
  readonly parent = new Int32Array(0);
  byThread = new SamplesByThread();
  first = new Int32Array(0);
  end = new Int32Array(0);
  leftOut: CallsLeftOut | undefined;

  /** Makes all contexts again: O(samples). `byThread`: in the order of the file. */
  update(
    { nodes, selfValues }: LeanProfile,
    { at, self, value, origin }: SampleTable,
    byThread: SamplesByThread,
    { labels, outermost }: MethodsOfNodes,
    most = MOST_CALLS,
  ): void {
    const { rows, start, threads } = byThread;
    const { mask, column } = value;
    const methodOf = (place: number): number => outermost[selfValues.node[self[rows[place]]]];
    const count = new Int32Array(labels.length);
    for (let place = 0; place < rows.length; place++) {
      const method = methodOf(place);
      if (method !== NONE) count[method]++;
    }
    const isTaken = this.#choose(labels, count, most);
    const calls = count.reduce((sum, each, method) => sum + each * isTaken[method], 0);
    const table = new ContextTable();
    table.origin = origin;
    const first = new Int32Array(calls);
    const end = new Int32Array(calls);
    // Callers of calls that have ended, the innermost last: each with the time of these, and the place of their first sample.
    const callers: number[] = [];
    const times: number[] = [];
    const firsts: number[] = [];
    for (let thread = 0; thread < threads; thread++) {
      let open = 0;
      for (let place = start[thread]; place < start[thread + 1]; place++) {
        const row = rows[place];
        const node = selfValues.node[self[row]];
        let time = column.ns[row & mask];
        let from = place;
        if (open > 0 && callers[open - 1] === node) {
          time += times[--open];
          from = firsts[open];
        }
        if (open > 0 && callers[open - 1] === nodes.parent[node]) times[open - 1] += time;
        else {
          callers[open] = nodes.parent[node];
          times[open] = time;
          firsts[open++] = from;
        }
        const method = outermost[node];
        if (method === NONE || isTaken[method] === 0) continue;
        first[table.length] = from;
        end[table.length] = place + 1;
        const began = at.ns[row];
        table.append(thread, began, began + time, table.text(labels[method]), NO_ATTRIBUTES, 0, 0);
      }
    }
    this.table = table;
    this.byThread = byThread;
    this.first = first;
    this.end = end;
    this.order = outerFirst(first, rows.length);
  }

  /** Method -> 1 if its calls are contexts. */
  #choose(labels: readonly string[], count: Int32Array, most: number): Uint8Array {
    const isTaken = new Uint8Array(labels.length);
    const methods = [...labels.keys()].filter((method) => count[method] > 0);
    methods.sort((a, b) => count[a] - count[b] || (labels[a] < labels[b] ? -1 : 1));
    let calls = 0;
    const taken = methods.findIndex((method) => (calls += count[method]) > most);
    const left = taken < 0 ? [] : methods.splice(taken);
    for (const method of methods) isTaken[method] = 1;
    this.leftOut =
      left.length === 0
        ? undefined
        : {
            calls: left.reduce((sum, method) => sum + count[method], 0),
            methods: new Set(left.map((method) => labels[method])),
          };
    return isTaken;
  }
}

/** Calls, which are in the order of their ends, by their first sample, and of these the outer ones first. O(calls + places). */
function outerFirst(first: Int32Array, places: number): Int32Array<ArrayBuffer> {
  const next = new Int32Array(places + 1);
  for (const place of first) next[place + 1]++;
  for (let place = 0; place < places; place++) next[place + 1] += next[place];
  const order = new Int32Array(first.length);
  for (let call = first.length - 1; call >= 0; call--) order[next[first[call]]++] = call;
  return order;
}
