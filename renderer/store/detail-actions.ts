import type { FlameZoom, MethodRef } from '../../shared/engine/query.ts';
import { chooseTree, showOnly } from './actions.ts';
import { withDetail } from './detail.ts';
import { changeLog } from './receive.ts';
import type { FlamePaneId } from './panes.ts';
import { withoutZoomOf } from './scope-history.ts';
import { panesOnScreen, shownPanes } from './selectors.ts';
import type { LogView, SourceLine } from './window-state.ts';
import { useWindow } from './window-store.ts';

const { getState, setState } = useWindow;

function changeActive(change: (log: LogView) => LogView): void {
  const { active } = getState();
  if (active !== undefined) setState((state) => changeLog(state, active, change));
}

/**
 * Shows the callers and callees of a method. One that is opened from the callers or callees of another is behind it on
 * the path.
 */
export function openDetail(method: MethodRef): void {
  addToPath(method);
  const state = getState();
  const onScreen = panesOnScreen(state);
  if (onScreen.includes('callers') || onScreen.includes('callersFlame')) return;
  const shown = shownPanes(state);
  if (shown === 'all' || shown === 'tree') chooseTree('detail');
  else showOnly('sandwich');
}

/** Takes back the zoom of a click that was the first of a double click. `before`: the log as it was then. */
export function takeBackZoom(pane: FlamePaneId, before: LogView, clicked: FlameZoom | undefined): void {
  changeActive((log) => withoutZoomOf(log, pane, before, clicked));
}

/** Shows the hottest lines of methods, whatever they cost, until the scope changes stacks in another way. */
export function askForLines(): void {
  changeActive((log) => ({
    ...log,
    linesAsked: { transforms: log.scope.transforms, base: log.baseline?.log },
  }));
}

/** Shows the source of a method, or of the one whose callers and callees are shown; at a line of it, or at its hottest. */
export function openSource(method?: MethodRef, sourceLine?: SourceLine): void {
  setState({ sourceLine });
  if (method !== undefined) addToPath(method);
  const shown = shownPanes(getState());
  chooseTree('source');
  if (shown !== 'all' && shown !== 'tree' && !panesOnScreen(getState()).includes('source')) showOnly('tree');
}

function addToPath(method: MethodRef): void {
  const isFromDetail = method.of === 'callers' || method.of === 'callees';
  changeActive((log) => withDetail(log, isFromDetail ? [...log.detail, method] : [method]));
}

/** Returns to the method at this place of the path, by default to the one before. */
export function backToDetail(at?: number): void {
  changeActive((log) => {
    const end = at ?? log.detail.length - 2;
    return end < 0 ? log : withDetail(log, log.detail.slice(0, end + 1));
  });
}
