import type { PaneId } from '../store/panes.ts';
import type { LogKey } from '../store/window-state.ts';

/** Where each pane of each log was scrolled to when it was last on screen, in pixels of rows. */
const positions = new Map<string, number>();

export function rememberedPosition(log: LogKey, pane: PaneId, about: string): number {
  return positions.get(`${pane} ${log} ${about}`) ?? 0;
}

export function rememberPosition(log: LogKey, pane: PaneId, about: string, position: number): void {
  positions.set(`${pane} ${log} ${about}`, position);
}
