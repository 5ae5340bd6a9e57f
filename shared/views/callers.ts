import { grown, nextCapacity, NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { Recursion } from './flat-profile.ts';
import type { ThreadGrouping } from './grouping.ts';
import { type KeyTable, threadKey } from './keys.ts';
import { MethodTree } from './method-tree.ts';
import type { NodeRuns } from './node-runs.ts';

/**
 * What flows through one method, and nothing else: a caller's row counts the samples that reach the method through it,
 * a callee's those that come from it. So every level sums to at most the level above.
 *
 *   stacks    main;run;put;hash   main;run;put   main;load;put;hash
 *
 *   callers of put   put 3 (self 1)           callees of put   put 3 (self 1)
 *                      run 2                                     hash 2 (self 2)
 *                        main 2
 *                      load 1
 *                        main 1
 *
 * With recursion `once` the outermost occurrence on a stack is the one that counts, and the total of the root is that
 * of the flat profile; `per-level` counts every occurrence, with the callers above it and the callees below it. The
 * root has the self values of the occurrences that count. Callers have none: what they do themselves does not flow
 * through the method.
 */
export interface MethodTreeOptions {
  /** Of the profile, up to date. */
  readonly runs: NodeRuns;
  readonly keys: KeyTable;
  /** The method: a key. */
  readonly key: number;
  readonly recursion: Recursion;
  /** Keys of the threads, at which callers end. */
  readonly threads: ThreadGrouping;
}

/** One pass over the nodes, and a walk up from every occurrence that counts. */
export function callersOf(profile: LeanProfile, options: MethodTreeOptions): MethodTree {
  const { runs, keys } = options;
  const { selfValues } = profile;
  const threads = threadKeys(profile, options.threads);
  const tree = new MethodTree(keys, options.key, threads.labels);
  const occurrences = occurrencesOf(profile, options);
  const end = new Int32Array(occurrences.length);
  for (let at = 0; at < occurrences.length; at++) {
    end[at] = rowAbove(occurrences[at], profile, options, threads.labelOf, tree);
  }
  tree.complete();
  // What flows through an occurrence reaches it from the far end of its callers.
  for (let at = 0; at < occurrences.length; at++) {
    const node = occurrences[at];
    const run = runs.of(node);
    tree.totals.count[end[at]] += runs.count[run];
    tree.totals.time.addFrom(end[at], runs.time, run);
    const self = selfValues.find(node);
    if (self < 0) continue;
    tree.rows.selfCount[0] += selfValues.count[self];
    tree.rows.selfTime.addFrom(0, selfValues.time, self);
  }
  tree.sumUp();
  return tree;
}

/** The row of the thread above a node, with rows for all callers in between. In a run, the parent is the row before. */
function rowAbove(
  occurrence: number,
  { nodes: { frame } }: LeanProfile,
  { runs, keys }: MethodTreeOptions,
  labelOf: Int32Array,
  tree: MethodTree,
): number {
  const keyOf = keys.ofFrame;
  const { start, parent } = runs;
  let row = 0;
  let node = occurrence - 1;
  let run = runs.of(occurrence);
  for (; parent[run] !== NONE; run = parent[run], node = start[run + 1] - 1) {
    for (; node >= start[run]; node--) row = tree.child(row, keyOf[frame[node]]);
  }
  const root = start[run];
  for (; node > root; node--) row = tree.child(row, keyOf[frame[node]]);
  return tree.child(row, ~labelOf[~frame[root]]);
}

/**
 * One pass over the nodes below the method. Counted per level, a node is visited once for each occurrence above it: a
 * method that calls itself a thousand times costs a thousand passes over what is below.
 */
export function calleesOf(profile: LeanProfile, options: MethodTreeOptions): MethodTree {
  const { runs, keys, key } = options;
  const { nodes, selfValues } = profile;
  const { frame } = nodes;
  const keyOf = keys.ofFrame;
  const once = options.recursion === 'once';
  const tree = new MethodTree(keys, key, []);
  // The rows at the end of each run: one per occurrence above, which are none for most.
  const firstRow = new Int32Array(runs.length + 1);
  let rowsOf = new Int32Array(1024);
  let used = 0;
  const here: number[] = [];
  for (let run = 0; run < runs.length; run++) {
    const up = runs.parent[run];
    here.length = 0;
    if (up !== NONE) for (let at = firstRow[up]; at < firstRow[up + 1]; at++) here.push(rowsOf[at]);
    const begin = runs.start[run] + (up === NONE ? 1 : 0);
    const end = runs.start[run + 1];
    const first = here.length === 0 ? nextOf(key, begin, end, frame, keyOf) : begin;
    for (let node = first; node < end; node++) {
      const nodeKey = keyOf[frame[node]];
      for (let at = 0; at < here.length; at++) here[at] = tree.child(here[at], nodeKey);
      if (nodeKey === key && (here.length === 0 || !once)) here.push(0);
    }
    if (used + here.length > rowsOf.length) {
      rowsOf = grown(rowsOf, nextCapacity(rowsOf.length, used + here.length));
    }
    for (const row of here) rowsOf[used++] = row;
    firstRow[run + 1] = used;
  }
  tree.complete();
  const { selfCount, selfTime } = tree.rows;
  const { count, time } = tree.totals;
  for (let self = 0; self < selfValues.length; self++) {
    const run = runs.of(selfValues.node[self]);
    for (let at = firstRow[run]; at < firstRow[run + 1]; at++) {
      selfCount[rowsOf[at]] += selfValues.count[self];
      selfTime.addFrom(rowsOf[at], selfValues.time, self);
    }
  }
  count.set(selfCount);
  time.copyFrom(selfTime);
  tree.sumUp();
  return tree;
}

/** The nodes of a method that count and have samples: with recursion `once` those with no other above them. */
function occurrencesOf(
  { nodes: { frame } }: LeanProfile,
  { runs, keys, key, recursion }: MethodTreeOptions,
): Int32Array {
  const keyOf = keys.ofFrame;
  const once = recursion === 'once';
  /** run -> 1 when the method is in it or above it. */
  const inside = new Uint8Array(runs.length);
  let found = new Int32Array(1024);
  let length = 0;
  for (let run = 0; run < runs.length; run++) {
    if (runs.count[run] === 0) continue;
    const up = runs.parent[run];
    if (up !== NONE && inside[up] === 1) {
      inside[run] = 1;
      if (once) continue;
    }
    const end = runs.start[run + 1];
    let node = nextOf(key, runs.start[run] + (up === NONE ? 1 : 0), end, frame, keyOf);
    while (node < end) {
      if (length === found.length) found = grown(found, nextCapacity(length, length + 1));
      found[length++] = node;
      inside[run] = 1;
      node = once ? end : nextOf(key, node + 1, end, frame, keyOf);
    }
  }
  return found.subarray(0, length);
}

/** The first node from `begin` on that is of a method; `end` where there is none. */
function nextOf(key: number, begin: number, end: number, frame: Int32Array, keyOf: Int32Array): number {
  let node = begin;
  while (node < end && keyOf[frame[node]] !== key) node++;
  return node;
}

/** The labels of threads, each once, and which of them a thread has. */
function threadKeys(
  profile: LeanProfile,
  grouping: ThreadGrouping,
): { readonly labels: readonly string[]; readonly labelOf: Int32Array } {
  const numbers = new Map<string, number>();
  const labelOf = Int32Array.from({ length: profile.threads.length }, (_, thread) => {
    const label = threadKey(profile, thread, grouping);
    const number = numbers.get(label) ?? numbers.size;
    numbers.set(label, number);
    return number;
  });
  return { labels: [...numbers.keys()], labelOf };
}
