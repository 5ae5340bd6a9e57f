import type { FlameZoom } from '../../../shared/engine/query.ts';
import { type ThemeChoice, THEMES } from '../../../shared/protocol/desktop-bridge.ts';
import type { Metric } from '../../../shared/engine/values/metric.ts';
import type { MirrorRequest } from '../../profile-worker/mirror-messages.ts';
import type {
  CopiedPart,
  Expansion,
  Move,
  Reveal,
  RowId,
  Selection,
} from '../../profile-worker/pane-messages.ts';
import type { Preferences } from '../state/preferences.ts';
import { foundOnly, NO_CONDITIONS, onlyFound } from '../../../shared/engine/views/row-conditions.ts';
import { withoutZooms, withScope, withZoom } from '../state/scope-history.ts';
import type { Place } from '../panes/pane-list.ts';
import {
  definitionOf,
  type FlamePaneId,
  type PaneId,
  panesOfChoice,
  type RowsPaneId,
} from '../panes/panes.ts';
import { sampleKind } from '../../../shared/facts/sample-kind.ts';
import { changeLog, notify } from '../state/state-changes.ts';
import { placeAfterMove, selectionOf, withSelection } from '../state/selection.ts';
import { activeLog, shareReference, unitsOf, wholeOfRows } from '../state/selectors.ts';
import { currentPane, isLate, lackOf, panesOnScreen, searchedPane } from '../state/shown-panes.ts';
import type {
  ActiveDialog,
  LogView,
  Notice,
  ScopeStep,
  WindowDialog,
  WindowState,
} from '../state/window-state.ts';
import { services, useWindow } from '../state/window-store.ts';

const { getState, setState } = useWindow;

export function prefer(change: Partial<Preferences>): void {
  setState((state) => ({ preferences: { ...state.preferences, ...change } }));
}

/** Shows only this place. A small window always shows one: the one used last, of all that are preferred. */
export function showOnly(panes: Place): void {
  const { isSmall, preferences } = getState();
  if (!isSmall || preferences.panes !== 'all') prefer({ panes });
  // The sandwich is no part of all: a window that is enlarged shows the same method in trees.
  else if (panes === 'sandwich') choosePane('tree', 'detail');
  focusPane(panesOfChoice(panes)[0]);
  focusPane(currentPane(getState()));
}

/** Chooses what a place shows, for all logs. The zooms of the flame graph are those of the graph before. */
export function choosePane(place: Place, choice: string): void {
  const { preferences, logs } = getState();
  const [pane] = panesOfChoice(place, choice);
  const waits = (log: LogView): boolean => isLate(definitionOf(pane), log);
  if ((place !== 'flame' && place !== 'tree') || (preferences[place] === choice && !logs.some(waits))) return;
  prefer({ [place]: choice });
  const chosen = logs.map((log) =>
    waits(log) ? { ...log, late: log.late?.filter((id) => id !== pane) } : log,
  );
  setState({ logs: place === 'flame' ? chosen.map((log) => withoutZooms(log)) : chosen });
}

/** Shows a pane in its place, and the place if it is not on screen; or says why the active log has none. */
export function showPane(pane: PaneId): void {
  const definition = definitionOf(pane);
  const { place, choice = '', title } = definition;
  const lack = lackOf(definition, activeLog(getState()));
  if (lack !== undefined) return showNotice('info', `${title} is not shown. ${lack}`);
  choosePane(place, choice);
  if (pane === 'source') setState({ sourceLine: undefined });
  if (!panesOnScreen(getState()).includes(pane)) showOnly(place);
}

/** Shows a pane, or in place of one that is on screen the first choice of its place. */
export function togglePane(pane: PaneId): void {
  const first = panesOfChoice(definitionOf(pane).place)[0];
  showPane(panesOnScreen(getState()).includes(pane) ? first : pane);
}

export function nextTheme(): void {
  const theme: ThemeChoice = THEMES[(THEMES.indexOf(getState().preferences.theme) + 1) % THEMES.length];
  prefer({ theme });
}

export function flipFlame(): void {
  prefer({ orientation: getState().preferences.orientation === 'flame' ? 'icicle' : 'flame' });
}

/** The metric of samples of the kind that the active log has. */
export function chooseMetric(metric: Metric): void {
  const { status } = activeLog(getState()) ?? {};
  const { metrics } = getState().preferences;
  if (status !== undefined) prefer({ metrics: { ...metrics, [sampleKind(status)]: metric } });
}

export function focusPane(focusedPane: PaneId): void {
  note({ focusedPane });
}

/** Sets a field that is told often; nobody hears of it where it is the same. */
export function note<Field extends keyof WindowState>(change: Pick<WindowState, Field>): void {
  const state = getState();
  if (Object.entries(change).some(([field, value]) => state[field as Field] !== value)) setState(change);
}

// ---- the active log

export function changeActive(change: (log: LogView) => LogView): void {
  const { active } = getState();
  if (active !== undefined) setState((state) => changeLog(state, active, change));
}

/** Changes the scope of the active log, its filter, baseline, split methods or zoom: one step for undo. */
export function changeScope(change: Partial<ScopeStep> | ((log: LogView) => Partial<ScopeStep>)): void {
  changeActive((log) => withScope(log, typeof change === 'function' ? change(log) : change));
}

/** Sends a request to the active log's mirror. */
export function ask(request: MirrorRequest): void {
  const { active } = getState();
  if (active !== undefined) services().mirrors.post(active, request);
}

/** Selects something on screen: painted at once, and sent to the mirror. */
export function select(selection: Selection | undefined, reveal?: Reveal, pane?: PaneId): void {
  const log = activeLog(getState());
  if (log === undefined || (selection === undefined && log.selection === undefined)) return;
  changeActive((view) => withSelection(view, selection, reveal));
  ask({ type: 'select', selection, pane, turn: log.selectionTurn + 1 });
}

export function selectRow(pane: PaneId, row: Pick<Selection, 'id' | 'label' | 'kind'>): void {
  select(selectionOf(pane, row), undefined, pane);
}

/**
 * Moves the selection as a key does; `page` rows make a page. The mirror is asked only for a target beyond the rows in
 * the window.
 */
export function moveSelection(pane: RowsPaneId, to: Move, page: number): void {
  const log = activeLog(getState());
  if (log === undefined) return;
  const at = placeAfterMove(log, pane, to, page);
  const { shown } = log.panes[pane];
  if (at === undefined || shown === undefined)
    askToSelect((turn) => ({ type: 'move', pane, to, page, turn }));
  else select(selectionOf(pane, shown.rows[at - shown.from]), { kind: 'rows', pane, at, start: at }, pane);
}

/** Opens or closes rows; undefined for the selected one. */
export function expand(pane: RowsPaneId, row: RowId | undefined, how: Expansion): void {
  askToSelect((turn) => ({ type: 'expand', pane, row, how, turn }));
}

/** Selects a row of a pane by a part of its name, from the selected one on: see the request `seek`. */
export function seek(pane: RowsPaneId, text: string, step: 0 | 1 | -1): void {
  askToSelect((turn) => ({ type: 'seek', pane, text, step, turn }));
}

/** Sends the mirror a request that may change the selection, with the turn of its answer. */
function askToSelect(requestOf: (turn: number) => MirrorRequest): void {
  const log = activeLog(getState());
  if (log === undefined) return;
  const turn = log.selectionTurn + 1;
  changeActive((view) => ({ ...view, selectionTurn: turn }));
  ask(requestOf(turn));
}

/** Finds a text. Where only matches are shown, these are the new ones. */
export function search(searchText: string): void {
  changeActive((log) => {
    if (log.searchText === searchText && log.foundMethod === undefined) return log;
    const where = foundOnly(log.where) === undefined ? log.where : onlyFound(searchText);
    return { ...log, searchText, where, foundMethod: undefined, match: undefined };
  });
}

/** Shows only matches and what leads to them, or all rows again: one step for undo. */
export function toggleOnlyMatches(): void {
  changeScope(({ where, searchText }) => ({
    where: foundOnly(where) === undefined ? onlyFound(searchText) : NO_CONDITIONS,
  }));
}

export function zoomTo(zoom: FlameZoom | undefined, pane: FlamePaneId = 'flame'): void {
  changeActive((log) => withZoom(log, pane, zoom));
}

/** Zooms out by one frame; no effect when everything is shown. */
export function zoomOut(pane: FlamePaneId): void {
  const path = activeLog(getState())?.panes[pane].shown?.path ?? [];
  zoomTo(path.at(-2)?.zoom, pane);
}

/** Selects the next or previous match in the active pane, or in another one if that cannot be searched. */
export function find(direction: 1 | -1): void {
  const log = activeLog(getState());
  if (log === undefined) return;
  const pane = searchedPane(getState(), log);
  if (pane !== undefined) findIn(pane, direction);
  else
    showNotice(
      'info',
      'Nothing can be found here. Show the methods (2), the call tree (1) or the flame graph (3).',
    );
}

/** Selects the next or previous match in a pane. */
export function findIn(pane: PaneId, direction: 1 | -1): void {
  const log = activeLog(getState());
  askToSelect((turn) => ({ type: 'find', pane, direction, method: log?.foundMethod, turn }));
}

/** Shows a pane unless it is on screen. */
export function showPlace(pane: 'tree' | 'flat' | 'flame'): void {
  const { panes } = getState().preferences;
  choosePane(pane, definitionOf(pane).choice ?? '');
  if (panes !== 'all' && panes !== pane) prefer({ panes: pane });
  focusPane(pane);
}

/** Selects the row of another pane that stands for the same call node or method. */
export function showIn(pane: 'tree' | 'flat', selection: Selection): void {
  showPlace(pane);
  askToSelect((turn) => ({ type: 'reveal', pane, selection, turn }));
}

/** Copies a text about a row that only the mirror can write. */
export function copyOf(pane: RowsPaneId, row: RowId, what: CopiedPart): void {
  const log = activeLog(getState());
  if (log?.summary === undefined) return;
  const { samples, totalTime: time } = wholeOfRows(log.summary);
  const whole = { of: shareReference(log.summary), samples, time };
  ask({ type: 'copy', pane, row, what, units: unitsOf(log), whole });
}

// ---- the window

export function openDialog(dialog: WindowDialog): void {
  setState({ dialog });
}

/** Closes the dialog of this kind, unless another one has taken its place. */
export function closeDialog(kind: WindowDialog['kind']): void {
  setState(({ dialog }) => (dialog?.kind === kind ? { dialog: undefined } : {}));
}

/** Opens or closes a dialog; by default whichever it is not. */
export function toggleDialog(kind: ActiveDialog, isOpen = getState().dialog?.kind !== kind): void {
  if (isOpen) openDialog({ kind });
  else closeDialog(kind);
}

export function dismissNotice(id: number): void {
  setState((state) => ({ notices: state.notices.filter((notice) => notice.id !== id) }));
}

export function showNotice(tone: Notice['tone'], text: string, action?: Notice['action']): void {
  setState((state) => notify(state, tone, text, action));
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    showNotice('problem', 'The clipboard is not available to this page.');
  }
}
