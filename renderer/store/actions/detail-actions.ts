import type { MethodRef } from '../../../shared/engine/query.ts';
import { changeActive, showOnly, showPane, select } from './actions.ts';
import { changeLog } from '../state/state-changes.ts';
import { withDetail } from '../state/selection.ts';
import { activeLog } from '../state/selectors.ts';
import type { LogKey, SourceLine } from '../state/window-state.ts';
import { subscribe, useWindow } from '../state/window-store.ts';
import type { Selection } from '../../profile-worker/pane-messages.ts';

/** Shows the source of a method, or of the one whose callers and callees are shown; at a line of it, or at its hottest. */
export function openSource(method?: MethodRef, sourceLine?: SourceLine): void {
  if (method !== undefined) addToPath(method);
  showPane('source');
  useWindow.setState({ sourceLine });
}

/** Callers and callees are those of a method; one that is among those of another is behind it on the path. */
export function addToPath(method: MethodRef): void {
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

/** Milliseconds after a selection in which further ones wait. */
const PAUSE_MS = 120;

/**
 * Opens the callers and callees of what is selected. The first selection is followed at once; while an arrow key is held
 * down only the last one is, because a key must not wait for trees that nobody will read. The returned function follows a
 * selection that waits.
 */
export function followSelection(schedule: (task: () => void, ms: number) => void): () => void {
  const seen = new Map<LogKey, Selection | undefined>();
  let waiting: { readonly log: LogKey; readonly method: MethodRef } | undefined;
  let isPaused = false;

  function flush(): void {
    if (waiting === undefined) return;
    const { log: key, method } = waiting;
    waiting = undefined;
    useWindow.setState((state) => changeLog(state, key, (log) => withDetail(log, [method])));
  }

  function follow(): void {
    flush();
    isPaused = true;
    schedule(() => {
      isPaused = false;
      if (waiting !== undefined) follow();
    }, PAUSE_MS);
  }

  subscribe((state) => {
    const { key, selection } = activeLog(state) ?? {};
    if (key === undefined || seen.get(key) === selection) return;
    const before = seen.get(key);
    seen.set(key, selection);
    if (selection === undefined || !isFollowed(selection)) return;
    const { of, id, label } = selection;
    // The row is unchanged: only its label is that of another grouping of frames.
    if (before?.of === of && before.id === id) return;
    waiting = { log: key, method: { of, id, label } };
    if (!isPaused) follow();
  });
  return flush;
}

/** Rows of the callers and callees themselves are only read. */
function isFollowed({ of, kind }: Selection): boolean {
  return (kind === 'frame' || kind === 'error') && of !== 'callers' && of !== 'callees';
}

/** Selects a method, which all panes reveal; a small window shows the methods. */
export function goToMethod(method: MethodRef): void {
  select({ ...method, kind: 'frame' }, undefined, 'summary');
  if (useWindow.getState().isSmall) showOnly('flat');
}
