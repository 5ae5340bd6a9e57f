import type { MethodRef } from '../../../shared/engine/query.ts';
import { changeActive, showOnly, showPane, select } from './actions.ts';
import { changeLog } from '../state/state-changes.ts';
import { withDetail } from '../state/selection.ts';
import { activeLog } from '../state/selectors.ts';
import type { LogKey, SourceLine, WindowState } from '../state/window-state.ts';
import { useWindow } from '../state/window-store.ts';
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
 * down only the last one is, because a key must not wait for trees that nobody will read.
 */
export class SelectionFollower {
  readonly #change: (change: (state: WindowState) => WindowState) => void;
  readonly #schedule: (task: () => void, ms: number) => void;
  /** Log -> its selection when it was last seen. */
  readonly #seen = new Map<LogKey, Selection | undefined>();
  #waiting: { readonly log: LogKey; readonly method: MethodRef } | undefined;
  /** A pause is running. */
  #isPaused = false;

  constructor(
    change: (change: (state: WindowState) => WindowState) => void,
    schedule: (task: () => void, ms: number) => void,
  ) {
    this.#change = change;
    this.#schedule = schedule;
  }

  /** Call it after every change of the state. */
  sync(state: WindowState): void {
    const log = activeLog(state);
    if (log === undefined) return;
    const before = this.#seen.get(log.key);
    const { key, selection } = log;
    if (before === selection) return;
    this.#seen.set(key, selection);
    if (selection === undefined || !isFollowed(selection)) return;
    // The row is unchanged: only its label is that of another grouping of frames.
    if (before?.of === selection.of && before.id === selection.id) return;
    const { of, id, label } = selection;
    this.#waiting = { log: key, method: { of, id, label } };
    if (!this.#isPaused) this.#follow();
  }

  /** Follows a selection that waits. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) return;
    this.#change((state) => changeLog(state, waiting.log, (log) => withDetail(log, [waiting.method])));
  }

  #follow(): void {
    this.flush();
    this.#isPaused = true;
    this.#schedule(() => {
      this.#isPaused = false;
      if (this.#waiting !== undefined) this.#follow();
    }, PAUSE_MS);
  }
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
