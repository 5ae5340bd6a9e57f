/**
 * The callers or callees of one method. The row of a caller counts the samples that reach the method through this caller.
 * The row of a callee counts the samples that reach it through the method. So the rows of a level sum to at most the
 * level above.
 *
 *   stacks    main;run;put;hash   main;run;put   main;load;put;hash
 *
 *   callers of put   put 3 (self 1)           callees of put   put 3 (self 1)
 *                      run 2                                     hash 2 (self 2)
 *                        main 2
 *                      load 1
 *                        main 1
 *
 * With recursion `once` only the outermost occurrence on a stack counts, so the root's total equals the method's total
 * in the flat profile. With `per-level` every occurrence counts, with the callers above it and the callees below it. The
 * root has the self values of the occurrences that count. Callers have no self values: samples that end in them do not
 * reach the method.
 *
 * This file builds the structure. `sumCallers` and `sumCallees` sum values over it.
 */
import { grown, nextCapacity, NONE } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import type { Chains } from './chains.ts';
import type { Recursion, TreeThreads } from './grouping.ts';
import { type KeyTable, threadKey } from './keys.ts';
import { MethodTree } from './method-tree.ts';
import type { BottomUp } from './bottom-up.ts';
import type { SummableRows } from './row-tree.ts';

/** The input of a tree of callers or callees. */
export interface MethodTreeOptions {
  /**
   * Chains of the profile's call nodes, or of the rows of a call tree with these keys, which are fewer; up to date. Then
   * 'node' means a row, and `threads`, if given, is the tree's grouping.
   */
  readonly chains: Chains;
  readonly keys: KeyTable;
  /** The method: a key. */
  readonly key: number;
  readonly recursion: Recursion;
  /** Paths of callers end with a thread; undefined: with the outermost method. */
  readonly threads: TreeThreads | undefined;
}

export interface Callers {
  readonly tree: MethodTree;
  readonly chains: Chains;
  /** The call nodes of the method that count. */
  readonly occurrences: Int32Array;
  /** occurrence -> the last row of its callers: that of its thread, or of the outermost method. */
  readonly endRow: Int32Array;
}

export interface Callees {
  readonly tree: MethodTree;
  readonly chains: Chains;
  /**
   * chain -> offset in `rows` of the rows of its last node: one row for each occurrence that counts, so none for most
   * chains. One extra entry at the end.
   */
  readonly firstRow: Int32Array;
  readonly rows: Int32Array;
}

/** One pass over the nodes, and a walk up from every occurrence that counts. */
export function callersOf(profile: LeanProfile, options: MethodTreeOptions): Callers {
  const { chains, keys, key } = options;
  const { labels, labelOf } = threadLabels(profile, options);
  const tree = new MethodTree({ keys, method: key, isInverted: true, threads: options.threads });
  tree.threadLabels.push(...labels);
  const occurrences = occurrencesOf(options);
  const endRow = new Int32Array(occurrences.length);
  const keyOf = chains.keyOf(keys);
  for (let at = 0; at < occurrences.length; at++)
    endRow[at] = addCallers(occurrences[at], chains, keyOf, labelOf, tree);
  tree.complete();
  return { tree, chains, occurrences, endRow };
}

/**
 * Adds the rows of a node's callers, and returns the last one, which is its thread's if `labelOf` is given. Within a
 * chain, a node's parent is the node before it.
 */
function addCallers(
  occurrence: number,
  chains: Chains,
  keyOf: Int32Array,
  labelOf: Int32Array | undefined,
  tree: MethodTree,
): number {
  const { start, parent, frame } = chains;
  let row = 0;
  let node = occurrence - 1;
  let chain = chains.of(occurrence);
  for (; parent[chain] !== NONE; chain = parent[chain], node = start[chain + 1] - 1) {
    for (; node >= start[chain]; node--) row = tree.child(row, keyOf[frame[node]]);
  }
  const root = start[chain];
  for (; node > root; node--) row = tree.child(row, keyOf[frame[node]]);
  return labelOf === undefined ? row : tree.child(row, ~labelOf[~frame[root]]);
}

/**
 * One pass over the nodes. With recursion `per-level`, a node below the method costs one step for each occurrence above
 * it, so below a thousand levels of recursion a node costs a thousand steps.
 */
export function calleesOf(options: MethodTreeOptions): Callees {
  const { chains, keys, key } = options;
  const { frame } = chains;
  const keyOf = chains.keyOf(keys);
  const methodKeyOf = matchedKeys(keyOf, keys, key);
  const once = options.recursion === 'once';
  const tree = new MethodTree({ keys, method: key, isInverted: false, threads: undefined });
  const firstRow = new Int32Array(chains.length + 1);
  let rows = new Int32Array(1024);
  let used = 0;
  const here: number[] = [];
  for (let chain = 0; chain < chains.length; chain++) {
    const up = chains.parent[chain];
    here.length = 0;
    if (up !== NONE) for (let at = firstRow[up]; at < firstRow[up + 1]; at++) here.push(rows[at]);
    const begin = chains.start[chain] + (up === NONE ? 1 : 0);
    const end = chains.start[chain + 1];
    const first = here.length === 0 ? nextOf(key, begin, end, frame, methodKeyOf) : begin;
    for (let node = first; node < end; node++) {
      const nodeKey = keyOf[frame[node]];
      for (let at = 0; at < here.length; at++) here[at] = tree.child(here[at], nodeKey);
      if (methodKeyOf[frame[node]] === key && (here.length === 0 || !once)) here.push(0);
    }
    if (used + here.length > rows.length) rows = grown(rows, nextCapacity(rows.length, used + here.length));
    for (const row of here) rows[used++] = row;
    firstRow[chain + 1] = used;
  }
  tree.complete();
  return { tree, chains, firstRow, rows };
}

/** The nodes of a method that count: with recursion `once` only those without another node of the method above them. */
function occurrencesOf({ chains, keys, key, recursion }: MethodTreeOptions): Int32Array {
  const { frame } = chains;
  const keyOf = matchedKeys(chains.keyOf(keys), keys, key);
  const once = recursion === 'once';
  /** chain -> 1 when the method is in it or above it. */
  const inside = new Uint8Array(chains.length);
  let found = new Int32Array(1024);
  let length = 0;
  for (let chain = 0; chain < chains.length; chain++) {
    const up = chains.parent[chain];
    if (up !== NONE && inside[up] === 1) {
      inside[chain] = 1;
      if (once) continue;
    }
    const end = chains.start[chain + 1];
    let node = nextOf(key, chains.start[chain] + (up === NONE ? 1 : 0), end, frame, keyOf);
    while (node < end) {
      if (length === found.length) found = grown(found, nextCapacity(length, length + 1));
      found[length++] = node;
      inside[chain] = 1;
      node = once ? end : nextOf(key, node + 1, end, frame, keyOf);
    }
  }
  return found.subarray(0, length);
}

/** `frame` of a node -> `key` where it belongs to the method with this key, of which it may be a line. */
function matchedKeys(keyOf: Int32Array, { hasLines, methodOf }: KeyTable, key: number): Int32Array {
  const isSplit = hasLines && methodOf.some((method, line) => method === key && line !== key);
  return isSplit ? keyOf.map((each) => methodOf[each]) : keyOf;
}

/** The first of the nodes [begin … end) with this key; `end` if there is none. */
function nextOf(key: number, begin: number, end: number, frame: Int32Array, keyOf: Int32Array): number {
  let node = begin;
  while (node < end && keyOf[frame[node]] !== key) node++;
  return node;
}

/**
 * `labels`: the distinct labels of threads. `labelOf`: thread, or number of a root's label in the tree of the chains ->
 * the number of its label; undefined if paths end without threads.
 */
function threadLabels(
  profile: LeanProfile,
  { chains, threads }: MethodTreeOptions,
): { readonly labels: readonly string[]; readonly labelOf: Int32Array | undefined } {
  if (threads === undefined) return { labels: [], labelOf: undefined };
  const { tree } = chains;
  if (tree !== undefined) {
    const labels = tree.roots().map((row) => tree.label(row));
    return { labels, labelOf: Int32Array.from(labels.keys()) };
  }
  const numbers = new Map<string, number>();
  const labelOf = Int32Array.from({ length: profile.threads.length }, (_, thread) => {
    const label = threadKey(profile, thread, threads);
    const number = numbers.get(label) ?? numbers.size;
    numbers.set(label, number);
    return number;
  });
  return { labels: [...numbers.keys()], labelOf };
}

/** Where samples end in a tree of methods: at each call node, in the deepest row that counts a sample of this node. */
export interface MethodEnds {
  readonly length: number;
  readonly parent: Int32Array;
  /** As `SummableRows.rowsOfNodes`, with NONE for nodes whose samples no row counts. */
  rowsOfNodes(node: Int32Array, length: number, into: Int32Array): void;
}

/** Where samples end in a bottom-up tree. `calls`: the call tree that it was made of. */
export function endsOfBottomUp({ tree, ends, topRows }: BottomUp, calls: SummableRows): MethodEnds {
  const rowOf = new Int32Array(calls.length).fill(NONE);
  for (let at = 0; at < ends.length; at++) rowOf[ends[at]] = topRows[at];
  return endsOf(tree, calls, rowOf);
}

/** Where samples end in a tree of callers, made with recursion `once`. */
export function endsOfCallers({ tree, chains, occurrences, endRow }: Callers): MethodEnds {
  const rowOf = new Int32Array(chains.length).fill(NONE);
  for (let at = 0; at < occurrences.length; at++) rowOf[chains.of(occurrences[at])] = endRow[at];
  const { parent } = chains;
  for (let chain = 0; chain < rowOf.length; chain++)
    if (rowOf[chain] === NONE && parent[chain] !== NONE) rowOf[chain] = rowOf[parent[chain]];
  return endsOf(tree, chains, rowOf);
}

/** Where samples end in a tree of callees, made with recursion `once`. */
export function endsOfCallees({ tree, chains, firstRow, rows }: Callees): MethodEnds {
  const rowOf = Int32Array.from({ length: chains.length }, (_, chain) =>
    firstRow[chain] < firstRow[chain + 1] ? rows[firstRow[chain]] : NONE,
  );
  return endsOf(tree, chains, rowOf);
}

/** `grouped`: what groups call nodes. `rowOf`: a row of it -> the row of the tree. */
function endsOf(
  { length, parent }: Pick<SummableRows, 'length' | 'parent'>,
  grouped: Pick<SummableRows, 'rowsOfNodes'>,
  rowOf: Int32Array,
): MethodEnds {
  return {
    length,
    parent,
    rowsOfNodes(node, count, into) {
      grouped.rowsOfNodes(node, count, into);
      for (let at = 0; at < count; at++) into[at] = rowOf[into[at]];
    },
  };
}
