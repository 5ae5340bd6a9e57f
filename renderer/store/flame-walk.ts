import type { FlameRow } from '../profile-worker/pane-messages.ts';
import type { LogView } from './window-state.ts';

/** Identity of a drawn frame while the graph grows; a remainder block has its parent's row id, and is told apart. */
export function frameId(row: FlameRow): string {
  return row.kind === 'remainder' ? `rest-${row.id}` : `${row.id}`;
}

/** `frameId` of the frame that is selected. */
export function selectedFrame({
  selection,
  panes,
}: Pick<LogView, 'selection' | 'panes'>): string | undefined {
  const { selected } = panes.flame;
  if (selected === undefined) return undefined;
  return selection?.isBlock === true ? `rest-${selected}` : `${selected}`;
}

export function findFrame(rows: readonly FlameRow[], id: string | undefined): number {
  return id === undefined ? -1 : rows.findIndex((row) => frameId(row) === id);
}

export type FlameStep = 'caller' | 'callee' | 'left' | 'right' | 'root';

/** The frame that a step leads to; the same one where there is none. `at` may be -1: then the root. */
export function stepFrame(rows: readonly FlameRow[], at: number, step: FlameStep): number {
  if (rows.length === 0) return -1;
  if (at < 0 || step === 'root') return 0;
  const here = rows[at];
  switch (step) {
    case 'caller':
      return Math.max(here.parent, 0);
    case 'callee': {
      let heaviest = at;
      for (let child = at + 1; child < rows.length; child++) {
        if (rows[child].parent !== at) continue;
        if (heaviest === at || rows[child].weight > rows[heaviest].weight) heaviest = child;
      }
      return heaviest;
    }
    case 'left':
    case 'right':
      return besides(rows, at, step === 'left' ? -1 : 1);
  }
}

/** The nearest frame of the same level on one side. */
function besides(rows: readonly FlameRow[], at: number, side: 1 | -1): number {
  let nearest = at;
  for (let other = 0; other < rows.length; other++) {
    const { depth, start } = rows[other];
    if (depth !== rows[at].depth || (start - rows[at].start) * side <= 0) continue;
    if (nearest === at || (rows[nearest].start - start) * side > 0) nearest = other;
  }
  return nearest;
}

/** The next match left to right, callers before callees; after the last the first again. -1 when nothing matches. */
export function nextMatch(rows: readonly FlameRow[], at: number, direction: 1 | -1): number {
  const inOrder = [...rows.keys()].sort(
    (a, b) => rows[a].start - rows[b].start || rows[a].depth - rows[b].depth,
  );
  const matches = inOrder.filter((row) => rows[row].match);
  if (matches.length === 0) return -1;
  const here = inOrder.indexOf(at);
  const following =
    direction === 1
      ? matches.find((row) => inOrder.indexOf(row) > here)
      : matches.findLast((row) => here < 0 || inOrder.indexOf(row) < here);
  return following ?? (direction === 1 ? matches[0] : matches[matches.length - 1]);
}
