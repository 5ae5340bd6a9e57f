import type { MethodRef } from '../../shared/engine/query.ts';
import type { Selection } from '../profile-worker/pane-messages.ts';
import { withDetail } from './detail.ts';
import { changeLog } from './receive.ts';
import { activeLog } from './selectors.ts';
import type { LogKey, WindowState } from './window-state.ts';

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
    // The same row with another label, as frames are grouped now.
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
