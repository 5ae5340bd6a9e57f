import type { FlameZoom, MethodRef } from '../../../shared/engine/query.ts';
import { changeActive, choosePane, showOnly, showPane, select } from './actions.ts';
import { changeLog } from '../state/state-changes.ts';
import type { FlamePaneId } from '../panes/panes.ts';
import { withDetail } from '../state/selection.ts';
import { withoutZoomOf, withScope, withTransform } from '../state/scope-history.ts';
import { activeLog } from '../state/selectors.ts';
import { panesOnScreen, shownPanes } from '../state/shown-panes.ts';
import type { LogKey, LogView, SourceLine, WindowState } from '../state/window-state.ts';
import { useWindow } from '../state/window-store.ts';
import type { Selection } from '../../profile-worker/pane-messages.ts';
import type { Finding } from '../../../shared/findings/finding.ts';
import type { PathStep } from '../../../shared/summary/summary.ts';

const { getState, setState } = useWindow;

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
  if (shown === 'all' || shown === 'tree') choosePane('tree', 'detail');
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
  if (method !== undefined) addToPath(method);
  showPane('source');
  setState({ sourceLine });
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

/** Selects a call of the hot path; a small window shows the call tree. */
export function goToCall({ id, label }: Pick<PathStep, 'id' | 'label'>): void {
  select({ of: 'calls', id, label, kind: 'frame' }, undefined, 'summary');
  if (useWindow.getState().isSmall) showOnly('tree');
}

/**
 * Shows the samples of a finding alone, or the time of a burst, and selects its method: one step for undo. `target`: the
 * row of the method.
 */
export function showFinding({ show, period }: Finding, target: MethodRef | undefined): void {
  changeActive((log) => {
    let { scope } = log;
    for (const key of show.keep) scope = withTransform(scope, { kind: 'keep', key, keys: 'fqmn' });
    const range =
      period === undefined ? scope.range : ({ kind: 'between', from: period.from, to: period.to } as const);
    return withScope(log, { scope: { ...scope, range } });
  });
  if (target !== undefined) goToMethod(target);
  else if (useWindow.getState().isSmall) showOnly('flame');
}
