import { ChildIndex } from '../../profile/child-index.ts';
import { grown, nextCapacity, NONE } from '../../profile/columns.ts';
import { LeanProfile } from '../../profile/lean-profile.ts';
import { SampleTable } from '../../profile/sample-table.ts';
import { valuesOfKey } from './context-test.ts';
import type { Contexts } from './contexts.ts';

/** Added to a value, of which the least is NONE: 0 is none. */
const KNOWN = 2;
/** More than a profile has rows of one kind: two numbers are one key of a map. */
const MOST_ROWS = 2 ** 31;

/**
 * Sample -> the text that an attribute has in the context of its thread that it was taken in; NONE without one. Of several
 * contexts with the attribute it is that of the one which began last. O(contexts + samples).
 *
 *   contexts    checkout [0, 9)   sql [4, 6)
 *   samples     at 2 5 7 12       checkout   sql   checkout   NONE
 */
export function valuesOfSamples({ length }: SampleTable, contexts: Contexts, key: string): Int32Array {
  const { order, first, end, byThread } = contexts;
  const value = valuesOfKey(contexts, key);
  const { rows } = byThread;
  const found = new Int32Array(length).fill(NONE);
  // Place -> itself, or a later place, before which all have their value.
  const next = Int32Array.from({ length: rows.length + 1 }, (_, place) => place);
  const open = (place: number): number => {
    let at = place;
    while (next[at] !== at) at = next[at] = next[next[at]];
    return at;
  };
  // The one that began last comes first.
  for (let at = order.length - 1; at >= 0; at--) {
    const row = order[at];
    if (value[row] === NONE) continue;
    for (let place = open(first[row]); place < end[row]; place = open(place)) {
      found[rows[place]] = value[row];
      next[place] = place + 1;
    }
  }
  return found;
}

/**
 * A profile in which each thread is one thread for every value that an attribute of its contexts has, and one for samples in
 * no such context. The value is the group of a thread: trees, lists and files group by it as by any other property of
 * threads. Methods, frames and the times of samples are those of the profile that was read.
 *
 *   read   main                     here   main              group undefined
 *                                          main              group checkout
 *
 * Nodes are only appended, so that rows stay where they are while the profile grows, although a context is known only after
 * its samples. Values are made again: O(samples), and steps up to a call node that the sample before had, too.
 */
export class ProfileByContext {
  readonly profile: LeanProfile;
  /** Thread -> thread of the profile that was read. */
  readonly threadRead: number[] = [];
  readonly #read: LeanProfile;
  readonly #samples: SampleTable;
  readonly #children: ChildIndex;
  /** Value and thread that was read -> thread. */
  readonly #threads = new Map<number, number>();
  /** Call node that was read -> the node that was found for it last, and the value, from KNOWN on, for which it was. */
  #node = new Int32Array(0);
  #valueOfNode = new Int32Array(0);
  /** Scratch memory: call nodes up to one that is known. */
  readonly #path: number[] = [];

  constructor(read: LeanProfile, all: SampleTable) {
    this.#read = read;
    this.#samples = new SampleTable(all);
    // Rows whose samples were found in a context are empty.
    this.profile = new LeanProfile(false, this.#samples, read);
    this.#children = new ChildIndex(this.profile.nodes);
  }

  /** Takes in all samples; `value`: see `valuesOfSamples`. */
  update(all: SampleTable, value: Int32Array): void {
    const { selfValues: into, threads } = this.profile;
    const { selfValues: from, nodes } = this.#read;
    if (nodes.length > this.#node.length) {
      const capacity = nextCapacity(this.#node.length, nodes.length);
      this.#node = grown(this.#node, capacity);
      this.#valueOfNode = grown(this.#valueOfNode, capacity);
    }
    for (let row = 0; row < into.length; row++) into.set(row, 0, 0);
    // All values begin as those of samples in no context, and the loop below moves samples to their values.
    const without = Int32Array.from({ length: from.length }, (_, row) => this.#selfRow(NONE, row));
    for (let row = 0; row < from.length; row++)
      into.add(without[row], from.count[row], from.time.bigints?.get(row) ?? from.time.ns[row]);
    const move = (self: number, to: number, count: number, ns: number | bigint): void => {
      into.add(to, count, ns);
      into.add(without[self], -count, -ns);
    };
    const { value: values, self: selfOf, valueSelf: valueSelfOf } = all;
    const self = new Int32Array(all.length);
    const valueSelf = valueSelfOf && new Int32Array(all.length);
    for (let row = 0; row < all.length; row++) {
      const read = selfOf[row];
      const valueRead = valueSelfOf?.[row] ?? read;
      if (value[row] === NONE) {
        self[row] = without[read];
        if (valueSelf !== undefined) valueSelf[row] = without[valueRead];
        continue;
      }
      const at = row & values.mask;
      const ns = values.column.bigints?.get(at) ?? values.column.ns[at];
      self[row] = this.#selfRow(value[row], read);
      if (valueSelf !== undefined) valueSelf[row] = this.#selfRow(value[row], valueRead);
      if (valueRead === read) move(read, self[row], 1, ns);
      else {
        move(read, self[row], 1, 0);
        move(valueRead, valueSelf?.[row] ?? self[row], 0, ns);
      }
    }
    this.#samples.takeRows(all, self, valueSelf);
    for (const [thread, read] of this.threadRead.entries())
      threads.name[thread] = this.#read.threads.name[read];
  }

  #selfRow(value: number, self: number): number {
    return this.profile.selfValues.rowOf(this.#nodeOf(value, this.#read.selfValues.node[self]));
  }

  /** The call node for one that was read, with its callers. Runs of samples have one value: it is found at once. */
  #nodeOf(value: number, read: number): number {
    const { nodes: from } = this.#read;
    const { nodes } = this.profile;
    const isKnown = (node: number): boolean => this.#valueOfNode[node] === value + KNOWN;
    if (isKnown(read)) return this.#node[read];
    const path = this.#path;
    path.length = 0;
    let known = read;
    for (; from.parent[known] !== NONE && !isKnown(known); known = from.parent[known]) path.push(known);
    let node = isKnown(known) ? this.#node[known] : this.#root(value, ~from.frame[known]);
    this.#keep(known, value, node);
    for (let at = path.length - 1; at >= 0; at--) {
      const frame = from.frame[path[at]];
      let child = this.#children.find(node, frame);
      if (child === NONE) {
        child = nodes.append(node, frame);
        this.#children.add(node, child);
      }
      node = child;
      this.#keep(path[at], value, node);
    }
    return node;
  }

  #keep(read: number, value: number, node: number): void {
    this.#node[read] = node;
    this.#valueOfNode[read] = value + KNOWN;
  }

  #root(value: number, thread: number): number {
    const { threads } = this.profile;
    const key = (value + 1) * MOST_ROWS + thread;
    const known = this.#threads.get(key);
    if (known !== undefined) return threads.root[known];
    const { idHi, idLo, name } = this.#read.threads;
    const row = threads.append(idHi[thread], idLo[thread]);
    threads.group[row] = value === NONE ? undefined : this.#samples.contexts.texts[value];
    threads.name[row] = name[thread];
    this.threadRead.push(thread);
    this.#threads.set(key, row);
    return this.profile.appendRoot(row);
  }
}
