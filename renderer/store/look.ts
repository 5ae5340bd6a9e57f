import type { MirrorRequest } from '../profile-worker/mirror-messages.ts';
import { shownMetric, shownPanes, shownSort } from './selectors.ts';
import type { PaneSpec } from '../profile-worker/pane-messages.ts';
import { PANE_IDS, type PaneId } from './panes.ts';
import type { LogView, WindowState } from './window-state.ts';

export function isPaneShown(state: WindowState, pane: PaneId): boolean {
  const shown = shownPanes(state);
  return shown === 'all' || shown === pane;
}

/** The view of one log: requests that are sent to its mirror whenever they differ. */
export function look(state: WindowState, log: LogView): readonly MirrorRequest[] {
  const { preferences } = state;
  const isFront = log.key === state.active;
  return [
    // Assumed until the first status: the first delta rarely has all.
    { type: 'reading', reading: (log.status?.state ?? 'reading') === 'reading', upTo: log.readUpTo },
    {
      type: 'view',
      frames: preferences.frames,
      metric: shownMetric(log, preferences.metric),
      search: log.searchText,
      hideErrors: state.hideErrors,
      scope: log.scope,
      narrowing:
        preferences.zoomNarrows && log.zoom !== undefined
          ? { threads: preferences.threads, zoom: log.zoom }
          : undefined,
    },
    { type: 'threads', shown: isFront && state.threadsAreOpen },
    { type: 'hold', pane: isFront ? state.heldPane : undefined },
    ...PANE_IDS.map((pane): MirrorRequest => {
      const isActive = isFront && isPaneShown(state, pane);
      return { type: 'pane', pane, spec: isActive ? specOf(pane, state, log) : undefined };
    }),
  ];
}

/** undefined for a pane that cannot be shown yet. */
function specOf(pane: PaneId, state: WindowState, log: LogView): PaneSpec | undefined {
  const { preferences } = state;
  switch (pane) {
    case 'tree':
      return {
        kind: 'rows',
        of: 'calls',
        threads: preferences.threads,
        sort: shownSort(log, preferences.sorts.tree),
      };
    case 'flat':
      return { kind: 'rows', of: 'methods', sort: shownSort(log, preferences.sorts.flat) };
    case 'flame':
      if (state.flameWidth === 0) return undefined;
      return {
        kind: 'flame',
        of: 'calls',
        threads: preferences.threads,
        zoom: log.zoom,
        pixels: state.flameWidth,
      };
  }
}
