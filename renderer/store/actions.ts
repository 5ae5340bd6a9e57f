import { type Chosen, chosenText, NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import type { FileId, SampleId } from '../../shared/protocol/messages.ts';
import { flameRow, type FlameRow } from '../../shared/views/flame-columns.ts';
import type { Metric } from '../../shared/values/metric.ts';
import type { MirrorRequest } from '../profile-worker/mirror-messages.ts';
import type {
  CopiedPart,
  Expansion,
  FlameZoom,
  Move,
  Reveal,
  Row,
  RowId,
  Selection,
  SortColumn,
} from '../profile-worker/pane-messages.ts';
import {
  type Orientation,
  type PaneChoice,
  type Preferences,
  type Sorts,
  type SplitName,
  type ThemeChoice,
  THEMES,
} from './preferences.ts';
import { withZoom, withZoomBack, withZoomForward } from './zoom-history.ts';
import { findFrame, nextMatch, selectedFrame } from './flame-walk.ts';
import type { PaneId, RowsPaneId } from './panes.ts';
import { changeLog, notify, withoutLog } from './receive.ts';
import { placeAfterMove, selectionOf, withSelection } from './selection.ts';
import { activeLog, currentPane, orientationOf, unitsOf } from './selectors.ts';
import { sortedBy } from './sorted-by.ts';
import { type LogKey, type LogView, newLogView } from './window-state.ts';
import { services, useWindow } from './window-store.ts';

const { getState, setState } = useWindow;

// ---- logs

/** Shows the host's file dialog, or the browser's through `input` where the host has none. */
export function openLog(input: HTMLInputElement | null): void {
  if (getState().capabilities.openDialog) services().client.send({ type: 'openDialog' });
  else input?.click();
}

export function openSample(sample: SampleId): void {
  services().client.send({ type: 'openSample', sample });
}

export function openRecent(file: FileId): void {
  services().client.send({ type: 'openRecent', file });
}

export function forgetRecent(): void {
  services().client.send({ type: 'forgetRecent' });
}

/** Dropped files are the host's if it can reach them; all others are read by this window. */
export function openDropped(files: readonly File[]): void {
  const { host } = services();
  const takes = getState().capabilities.openDropped;
  openHere(files.filter((file) => !takes || !host.openDropped(file)));
}

/** Reads files in this window: no following, and nothing leaves the machine. */
export function openHere(files: readonly File[]): void {
  for (const file of files) {
    const number = getState().nextNumber;
    const key = `file:${number}`;
    setState((state) => ({
      nextNumber: number + 1,
      logs: [...state.logs, { ...newLogView(key, undefined, file.name, 'read by this window'), file }],
      active: key,
    }));
    services().mirrors.post(key, { type: 'readFile', file, chosen: NOTHING_CHOSEN });
  }
}

/**
 * Reads the active log anew with one of its choices set otherwise; an empty text leaves the choice open. Frames of the
 * reading before mean nothing in the next.
 */
export function choose(id: string, value: string): void {
  const log = activeLog(getState());
  if (log?.status === undefined) return;
  const entries = log.status.choices
    .map((choice) => [choice.id, choice.id === id ? value : chosenText(choice)] as const)
    .filter(([, text]) => text !== '');
  const chosen: Chosen = Object.fromEntries(entries);
  if (log.hostLog !== undefined) {
    services().client.send({ type: 'choose', log: log.hostLog, chosen });
  } else if (log.file !== undefined) {
    services().mirrors.post(log.key, { type: 'readFile', file: log.file, chosen });
  }
  zoomTo(undefined);
  select(undefined);
}

export function closeLog(key: LogKey): void {
  const log = getState().logs.find((view) => view.key === key);
  if (log?.hostLog !== undefined) services().client.send({ type: 'close', log: log.hostLog });
  setState((state) => withoutLog(state, key));
}

export function closeActive(): void {
  const { active } = getState();
  if (active !== undefined) closeLog(active);
}

export function activate(key: LogKey): void {
  setState({ active: key });
}

export function activateNeighbour(step: 1 | -1): void {
  const { logs, active } = getState();
  if (logs.length === 0) return;
  const at = logs.findIndex((log) => log.key === active);
  setState({ active: logs[(at + step + logs.length) % logs.length].key });
}

// ---- how to look

export function prefer(change: Partial<Preferences>): void {
  setState((state) => ({ preferences: { ...state.preferences, ...change } }));
}

export function choosePanes(panes: PaneChoice): void {
  prefer({ panes });
}

/** Shows this pane alone. A small window does so anyway: there it is the pane that is used, of all that are preferred. */
export function showOnly(pane: PaneId): void {
  const { isSmall, preferences } = getState();
  if (!isSmall || preferences.panes !== 'all') choosePanes(pane);
  focusPane(pane);
}

export function keepSplit(split: SplitName, share: number): void {
  prefer({ splits: { ...getState().preferences.splits, [split]: share } });
}

export function nextTheme(): void {
  const theme: ThemeChoice = THEMES[(THEMES.indexOf(getState().preferences.theme) + 1) % THEMES.length];
  prefer({ theme });
}

export function showFlameAs(orientation: Orientation): void {
  prefer({ orientation });
}

export function turnFlame(): void {
  const state = getState();
  showFlameAs(orientationOf(state, activeLog(state)) === 'flame' ? 'icicle' : 'flame');
}

/** The active log's flame graph is deeper than its pane. */
export function flameIsDeep(): void {
  changeActive((log) => (log.flameIsDeep ? log : { ...log, flameIsDeep: true }));
}

/** The first click on a column puts the biggest first, names in their order; the second turns it round. */
export function sortBy(pane: RowsPaneId, by: SortColumn): void {
  const { sorts } = getState().preferences;
  const now = sorts[pane];
  const sort = { by, descending: now.by === by ? !now.descending : by !== 'label' };
  prefer({ sorts: { ...sorts, [pane]: sort } });
}

/** Panes that were sorted by samples are sorted by time, and the other way round. */
export function chooseMetric(metric: Metric): void {
  const { sorts } = getState().preferences;
  const entries = Object.entries(sorts).map(([pane, sort]) => [pane, sortedBy(metric, sort)]);
  prefer({ metric, sorts: Object.fromEntries(entries) as Sorts });
}

export function hideErrors(hide: boolean): void {
  setState({ hideErrors: hide });
}

export function focusPane(focusedPane: PaneId): void {
  if (getState().focusedPane !== focusedPane) setState({ focusedPane });
}

export function holdPane(heldPane: PaneId | undefined): void {
  if (getState().heldPane !== heldPane) setState({ heldPane });
}

export function measureFlame(flameWidth: number): void {
  if (getState().flameWidth !== flameWidth) setState({ flameWidth });
}

// ---- the active log

function changeActive(change: (log: LogView) => LogView): void {
  const { active } = getState();
  if (active !== undefined) setState((state) => changeLog(state, active, change));
}

/** Sends a request to the active log's mirror. */
export function ask(request: MirrorRequest): void {
  const { active } = getState();
  if (active !== undefined) services().mirrors.post(active, request);
}

export function askRows(log: LogKey, pane: RowsPaneId, from: number, count: number): void {
  services().mirrors.postRows(log, pane, from, count);
}

/** Selects something on screen: painted at once, and the mirror is told. */
export function select(selection: Selection | undefined, reveal?: Reveal): void {
  const log = activeLog(getState());
  if (log === undefined || (selection === undefined && log.selection === undefined)) return;
  changeActive((view) => withSelection(view, selection, reveal));
  ask({ type: 'select', selection, turn: log.selectionTurn + 1 });
}

export function selectRow(pane: PaneId, row: Pick<Row, 'id' | 'label'>): void {
  select(selectionOf(pane, row));
}

export function selectFrame(row: FlameRow): void {
  select({ ...selectionOf('flame', row), isBlock: row.kind === 'remainder' });
}

export function selectNothing(): void {
  select(undefined);
}

/** Moves the selection as a key does; `page` rows make a page. Only beyond the rows that are here the mirror is asked. */
export function moveSelection(pane: RowsPaneId, to: Move, page: number): void {
  const log = activeLog(getState());
  if (log === undefined) return;
  const at = placeAfterMove(log, pane, to, page);
  const { shown } = log.panes[pane];
  if (at === undefined || shown === undefined) askToSelect({ type: 'move', pane, to, page });
  else select(selectionOf(pane, shown.rows[at - shown.from]), { pane, at, start: at });
}

/** Opens or closes rows; undefined for the selected one. */
export function expand(pane: RowsPaneId, row: RowId | undefined, how: Expansion): void {
  askToSelect({ type: 'expand', pane, row, how });
}

type WithoutTurn<Request> = Request extends unknown ? Omit<Request, 'turn'> : never;
type SelectionRequest = WithoutTurn<Extract<MirrorRequest, { type: 'move' | 'expand' | 'find' | 'reveal' }>>;

/** Asks the mirror for what may end with another selection. */
function askToSelect(request: SelectionRequest): void {
  const log = activeLog(getState());
  if (log === undefined) return;
  const turn = log.selectionTurn + 1;
  changeActive((view) => ({ ...view, selectionTurn: turn }));
  ask({ ...request, turn });
}

export function search(searchText: string): void {
  changeActive((log) => (log.searchText === searchText ? log : { ...log, searchText, match: undefined }));
}

export function zoomTo(zoom: FlameZoom | undefined): void {
  changeActive((log) => withZoom(log, zoom));
}

/** To what the flame graph showed before the last zoom. */
export function zoomBack(): void {
  changeActive(withZoomBack);
}

/** Undoes `zoomBack`. */
export function zoomForward(): void {
  changeActive(withZoomForward);
}

/** Towards the root by one frame; nothing when everything is shown. */
export function zoomOut(): void {
  const path = activeLog(getState())?.panes.flame.shown?.path ?? [];
  zoomTo(path.at(-2)?.zoom);
}

/** Goes to the next or previous match in the pane that is used. */
export function find(direction: 1 | -1): void {
  const state = getState();
  switch (currentPane(state)) {
    case 'tree':
      return findIn('tree', direction);
    case 'flat':
      return findIn('flat', direction);
    case 'flame': {
      const log = activeLog(state);
      const layout = log?.panes.flame.shown?.layout;
      if (log === undefined || layout === undefined) return;
      const found = nextMatch(layout, findFrame(layout, selectedFrame(log)), direction);
      if (found >= 0) selectFrame(flameRow(layout, found));
    }
  }
}

function findIn(pane: RowsPaneId, direction: 1 | -1): void {
  const log = activeLog(getState());
  const method = log?.searchedMethod?.label === log?.searchText ? log?.searchedMethod?.id : undefined;
  askToSelect({ type: 'find', pane, direction, method });
}

export function toggleFreeze(): void {
  const log = activeLog(getState());
  if (log?.hostLog === undefined) return;
  const { client } = services();
  if (log.frozen) client.thaw(log.hostLog);
  else client.freeze(log.hostLog);
  changeActive((view) => ({ ...view, frozen: !view.frozen }));
}

export function dismissRestart(): void {
  changeActive((log) => ({ ...log, dismissedRestart: log.status?.epoch }));
}

/** Opens a pane unless it is on screen. */
function show(pane: PaneId): void {
  const { panes } = getState().preferences;
  if (panes !== 'all' && panes !== pane) choosePanes(pane);
  focusPane(pane);
}

/** Selects in another pane of rows what stands there for something. */
export function showIn(pane: RowsPaneId, selection: Selection): void {
  show(pane);
  askToSelect({ type: 'reveal', pane, selection });
}

/** Both panes group threads alike, so that a row weighs the same there, a thread's too. */
export function showInFlame({ id, kind }: Pick<Row, 'id' | 'kind'>): void {
  show('flame');
  zoomTo(kind === 'all' ? undefined : { row: id, run: undefined });
}

/**
 * Goes to the heaviest call of a method in the tree. The search shows all of them; the next match is the next heaviest
 * call of this method, not of another one whose name contains its name.
 */
export function findInTree({ id, label }: Pick<Row, 'id' | 'label'>): void {
  show('tree');
  search(label);
  changeActive((log) => ({ ...log, searchedMethod: { id, label } }));
  findIn('tree', 1);
}

/** Puts a text about a row into the clipboard that only the mirror can write. */
export function copyOf(pane: RowsPaneId, row: RowId, what: CopiedPart): void {
  ask({ type: 'copy', pane, row, what, units: unitsOf(activeLog(getState())) });
}

// ---- the window

export function openHelp(helpIsOpen: boolean): void {
  setState({ helpIsOpen });
}

export function openDetails(detailsAreOpen: boolean): void {
  setState({ detailsAreOpen });
}

export function dismissNotice(id: number): void {
  setState((state) => ({ notices: state.notices.filter((notice) => notice.id !== id) }));
}

export function tell(tone: 'info' | 'problem', text: string): void {
  setState((state) => notify(state, tone, text));
}

export function hangFiles(dropping: boolean): void {
  if (getState().dropping !== dropping) setState({ dropping });
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    tell('problem', 'The clipboard is not available to this page.');
  }
}
