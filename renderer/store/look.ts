import type { MirrorRequest } from '../profile-worker/mirror-messages.ts';
import { shownMetric, shownPanes, shownSort, shownState } from './selectors.ts';
import type { PaneSpec } from '../profile-worker/pane-messages.ts';
import { PANE_IDS, type PaneId } from './panes.ts';
import type { LogView, WindowState } from './window-state.ts';

/**
 * Frames that the chart draws in well under a tenth of a second; the rest is summed in remainder blocks. Fewer while
 * the log grows, because then it draws several times a second, and fewest while it is read: what comes next waits.
 */
const MOST_FRAMES = { still: 2_000, live: 1_000, reading: 300 };
const LEAST_FRAME_PIXELS = 1;

export function isPaneShown(state: WindowState, pane: PaneId): boolean {
  const shown = shownPanes(state);
  return shown === 'all' || shown === pane;
}

/** What the window looks at in one log: requests that are sent to its mirror whenever they differ. */
export function look(state: WindowState, log: LogView): readonly MirrorRequest[] {
  const { preferences } = state;
  const isFront = log.key === state.active;
  return [
    // Until the first status tells otherwise: what comes first is rarely all.
    { type: 'reading', reading: (log.status?.state ?? 'reading') === 'reading', upTo: log.readUpTo },
    {
      type: 'view',
      frames: preferences.frames,
      metric: shownMetric(log, preferences.metric),
      search: log.searchText,
      hideErrors: state.hideErrors,
    },
    { type: 'hold', pane: isFront ? state.heldPane : undefined },
    ...PANE_IDS.map((pane): MirrorRequest => {
      const isActive = isFront && isPaneShown(state, pane);
      return { type: 'pane', pane, spec: isActive ? specOf(pane, state, log) : undefined };
    }),
  ];
}

/** undefined for a pane that cannot show anything yet. */
function specOf(pane: PaneId, state: WindowState, log: LogView): PaneSpec | undefined {
  const { preferences } = state;
  switch (pane) {
    case 'tree':
      return {
        kind: 'rows',
        of: 'calls',
        threads: preferences.threads,
        sort: shownSort(log, preferences.treeSort),
      };
    case 'flat':
      return { kind: 'rows', of: 'methods', sort: shownSort(log, preferences.flatSort) };
    case 'flame':
      if (state.flameWidth === 0) return undefined;
      return {
        kind: 'flame',
        of: 'calls',
        threads: preferences.threads,
        zoom: log.zoom,
        width: state.flameWidth,
        minPixels: LEAST_FRAME_PIXELS,
        maxFrames: mostFrames(log),
      };
  }
}

function mostFrames(log: LogView): number {
  const state = shownState(log);
  // Before the first status nothing is known but that the first picture is waited for.
  if (state === undefined || state === 'reading') return MOST_FRAMES.reading;
  return state === 'live' ? MOST_FRAMES.live : MOST_FRAMES.still;
}
