import type { MirrorRequest } from '../mirror/mirror-messages.ts';
import type { LogView, PaneKind, WindowState } from './window-state.ts';

/**
 * Frames that the chart draws in well under a tenth of a second; the rest is summed in remainder blocks. Fewer while
 * the log grows, because then it draws several times a second.
 */
const MOST_FRAMES = 2_000;
const MOST_FRAMES_LIVE = 1_000;
const LEAST_FRAME_PIXELS = 1;

export function isPaneShown({ preferences }: WindowState, pane: PaneKind): boolean {
  return preferences.panes === 'all' || preferences.panes === pane;
}

/** What the window looks at in one log: one request of each type, sent to its mirror whenever it differs. */
export function look(state: WindowState, log: LogView): readonly MirrorRequest[] {
  const { preferences } = state;
  const isFront = log.key === state.active;
  const isActive = (pane: PaneKind): boolean => isFront && isPaneShown(state, pane);
  return [
    {
      type: 'view',
      frames: preferences.frames,
      metric: preferences.metric,
      search: log.searchText,
      hideErrors: state.hideErrors,
    },
    {
      type: 'tree',
      active: isActive('tree'),
      threads: preferences.treeThreads,
      sort: preferences.treeSort,
      hold: isFront && state.heldPane === 'tree',
    },
    {
      type: 'flat',
      active: isActive('flat'),
      sort: preferences.flatSort,
      hold: isFront && state.heldPane === 'flat',
    },
    {
      type: 'flame',
      active: isActive('flame') && state.flameWidth > 0,
      request: {
        threads: preferences.flameThreads,
        zoom: log.zoom,
        width: state.flameWidth,
        minPixels: LEAST_FRAME_PIXELS,
        maxFrames: log.status?.state === 'live' ? MOST_FRAMES_LIVE : MOST_FRAMES,
      },
    },
  ];
}
