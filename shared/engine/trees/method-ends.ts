import { NONE } from '../../profile/columns.ts';
import type { BottomUp } from './bottom-up.ts';
import type { Callees, Callers } from './callers.ts';
import type { SummableRows } from './row-tree.ts';

/** The rows of a tree of methods, and for each call node the row deepest in it that counts a sample which ends there. */
export interface MethodEnds {
  readonly length: number;
  readonly parent: Int32Array;
  /** As `SummableRows.rowsOfNodes`, with NONE for nodes whose samples no row counts. */
  rowsOfNodes(node: Int32Array, length: number, into: Int32Array): void;
}

/** `calls`: the call tree of the bottom-up tree. */
export function endsOfBottomUp({ tree, ends, topRows }: BottomUp, calls: SummableRows): MethodEnds {
  const rowOf = new Int32Array(calls.length).fill(NONE);
  for (let at = 0; at < ends.length; at++) rowOf[ends[at]] = topRows[at];
  return endsOf(tree, calls, rowOf);
}

/** With recursion `once`. */
export function endsOfCallers({ tree, chains, occurrences, endRow }: Callers): MethodEnds {
  const rowOf = new Int32Array(chains.length).fill(NONE);
  for (let at = 0; at < occurrences.length; at++) rowOf[chains.of(occurrences[at])] = endRow[at];
  const { parent } = chains;
  for (let chain = 0; chain < rowOf.length; chain++)
    if (rowOf[chain] === NONE && parent[chain] !== NONE) rowOf[chain] = rowOf[parent[chain]];
  return endsOf(tree, chains, rowOf);
}

/** With recursion `once`. */
export function endsOfCallees({ tree, chains, firstRow, rows }: Callees): MethodEnds {
  const rowOf = Int32Array.from({ length: chains.length }, (_, chain) =>
    firstRow[chain] < firstRow[chain + 1] ? rows[firstRow[chain]] : NONE,
  );
  return endsOf(tree, chains, rowOf);
}

function endsOf(
  { length, parent }: Pick<SummableRows, 'length' | 'parent'>,
  between: Pick<SummableRows, 'rowsOfNodes'>,
  rowOf: Int32Array,
): MethodEnds {
  return {
    length,
    parent,
    rowsOfNodes(node, count, into) {
      between.rowsOfNodes(node, count, into);
      for (let at = 0; at < count; at++) into[at] = rowOf[into[at]];
    },
  };
}
