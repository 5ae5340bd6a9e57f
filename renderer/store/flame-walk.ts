import type { FlamePaneId } from './panes.ts';
import type { LogView } from './window-state.ts';
import { type FlameLayout, isBlock, kindAt, levelOf } from '../../shared/engine/views/flame-columns.ts';

/** Identity of a row while the graph grows: that of its call node, and for a block that of its first frame. */
export function frameId(layout: FlameLayout, row: number): string {
  return isBlock(layout, row) ? `block:${layout.id[row]}` : `${layout.id[row]}`;
}

/** `frameId` of the frame that is selected. */
export function selectedFrame(
  { selection, panes }: Pick<LogView, 'selection' | 'panes'>,
  pane: FlamePaneId,
): string | undefined {
  const { selected } = panes[pane];
  if (selected === undefined) return undefined;
  return selection?.kind === 'block' ? `block:${selected}` : `${selected}`;
}

/** The row with an id; -1 for none. A block is found before the root, if the root is a block made of it and others. */
export function findFrame(layout: FlameLayout, id: string | undefined): number {
  if (id === undefined) return -1;
  const number = Number(id.replace('block:', ''));
  for (let row = layout.id.indexOf(number, 1); row >= 0; row = layout.id.indexOf(number, row + 1))
    if (frameId(layout, row) === id) return row;
  return layout.length > 0 && frameId(layout, 0) === id ? 0 : -1;
}

export type FlameStep = 'caller' | 'callee' | 'left' | 'right' | 'root';

/** The row that a step leads to; the same one where there is none. `at` may be -1: then the root. */
export function stepFrame(layout: FlameLayout, at: number, step: FlameStep): number {
  if (layout.length === 0) return -1;
  if (at < 0 || step === 'root') return 0;
  switch (step) {
    case 'caller':
      return Math.max(layout.parent[at], 0);
    case 'callee': {
      const { from, to } = childrenOf(layout, at);
      let heaviest = at;
      for (let child = from; child < to; child++) {
        // Nothing is above samples without a stack: a step to the right leads there.
        if (kindAt(layout, child) === 'error') continue;
        if (heaviest === at || layout.weight[child] > layout.weight[heaviest]) heaviest = child;
      }
      return heaviest === at && from < to ? from : heaviest;
    }
    case 'left':
    case 'right': {
      const other = step === 'left' ? at - 1 : at + 1;
      const level = levelOf(layout, at);
      return other >= layout.levelStart[level] && other < layout.levelStart[level + 1] ? other : at;
    }
  }
}

/** Children of a row, [from, to): they are contiguous in the next level. */
export function childrenOf(layout: FlameLayout, at: number): { readonly from: number; readonly to: number } {
  const { levelStart, parent } = layout;
  const level = levelOf(layout, at);
  if (level + 2 >= levelStart.length) return { from: 0, to: 0 };
  const first = (wanted: number): number => {
    let low = levelStart[level + 1];
    let high = levelStart[level + 2];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (parent[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { from: first(at), to: first(at + 1) };
}
