import { COMPARE_MENU, compareFormat } from '../../shared/export/compare-list.ts';
import { EXPORT_MENU, type ExportFormatId, exportFormat } from '../../shared/export/export-formats.ts';
import { enterNextPane, enterPaneWhenShown } from '../panes/enter-pane.ts';
import {
  find,
  flipFlame,
  nextTheme,
  openDialog,
  prefer,
  search,
  select,
  showNotice,
  showOnly,
  showPane,
  toggleDialog,
  toggleOnlyMatches,
  togglePane,
  zoomTo,
  changeScope,
} from '../store/actions/actions.ts';
import { openLog } from '../store/actions/log-actions.ts';
import { mark } from '../store/actions/compare-actions.ts';
import { cancelExport, exportComparison, exportView } from '../store/export-view.ts';
import { saveRecording } from '../store/actions/jvm-actions.ts';
import { mergeable } from '../store/state/merged-logs.ts';
import { type FlamePaneId, isFlamePane, type PaneId } from '../store/panes/panes.ts';
import { PANE_LIST, type PaneCommand, type PaneOfLog, PLACES } from '../store/panes/pane-list.ts';
import { CHANGE_NAMES, CHANGES } from '../../shared/engine/views/row-conditions.ts';
import { clearScope, redoScope, undoScope, hideErrors } from '../store/actions/scope-actions.ts';
import {
  activeLog,
  hasSamples,
  hasSampleTimes,
  showsTimeline,
  isFollowed,
} from '../store/state/selectors.ts';
import { currentPane, wholeFlame } from '../store/state/shown-panes.ts';
import { activateNeighbour, closeActive, moveActive } from '../store/actions/tab-actions.ts';
import { toggleFreeze, zoomTimeline } from '../store/actions/time-actions.ts';
import type { LogView, WindowState } from '../store/state/window-state.ts';
import { isMac, useWindow, send } from '../store/state/window-store.ts';
import { zoomOf } from '../store/state/scope-history.ts';
import { type KeyPress, pressName, shownKey } from '../widgets/key-name.ts';
import type { MenuEntry } from '../widgets/Menu.tsx';

/** A command of the window. Keyboard, palette, sheet of shortcuts, menus and tooltips get it from the list. */
export interface Command {
  readonly id: string;
  /** Verb first, as in the palette. */
  readonly title: string;
  /**
   * As `pressName` has them; the first one is shown with the command. Browsers go to another page with Alt and the arrows.
   * Letters with Alt that open a menu or the address field of a browser are none of them: B, D, E, F, H, S, T, V. No letter
   * is a key by itself: letters find what is typed in a list.
   */
  readonly keys?: readonly string[];
  /** One of the few that the sheet shows before anything is searched. */
  readonly isCommon?: true;
  /** It depends on the focus, so it is a key only, and not in the palette. */
  readonly isKeyOnly?: true;
  /** Whether it makes sense now; always, if not given. */
  readonly when?: (state: WindowState) => boolean;
  readonly run: () => void;
}

/** Where a log is open of which this is true. */
const where = (test: (log: LogView, state: WindowState) => boolean) => (state: WindowState) => {
  const log = activeLog(state);
  return log !== undefined && test(log, state);
};
const hasLog = where(() => true);
const hasTabs = ({ logs }: WindowState): boolean => logs.length > 1;

/** A line of the list. `keys`: with blanks between; empty for none. */
function command(
  id: string,
  title: string,
  keys: string,
  when: Command['when'],
  run: () => void,
  more: Pick<Command, 'isCommon' | 'isKeyOnly'> = {},
): Command {
  return { id, title, ...(keys !== '' && { keys: keys.split(' ') }), ...(when && { when }), run, ...more };
}

const always = undefined;
const common = { isCommon: true } as const;
const opens = (kind: 'palette' | 'help' | 'attach' | 'filter' | 'range' | 'sources') => () =>
  openDialog({ kind });
const whereSampled = where(hasSamples);
const whereTimed = where(hasSampleTimes);
const whereRecording = where(
  ({ hostLog }, { jvms }) => hostLog !== undefined && jvms.recordings[hostLog] === 'running',
);
const whereCompared = where(({ baseline }) => baseline !== undefined);

/** The commands, in the order of the palette and the sheet. */
export const COMMANDS: readonly Command[] = [
  command('palette', 'Find a command, a tab or a transform', 'Mod+k', always, opens('palette'), {
    ...common,
    isKeyOnly: true,
  }),
  command('help', 'Show keyboard shortcuts', '? F1', always, opens('help'), common),
  command('open', 'Open file…', 'Mod+o', always, () => openLog(fileInput()), common),
  // The dialog says how it is allowed.
  command('attach', 'Attach to a JVM…', 'Alt+a', always, opens('attach'), common),
  command('search', 'Find methods', '/ Mod+f', whereSampled, enterSearch, common),
  command('nextMatch', 'Go to the next match', 'Alt+n', whereSampled, () => find(1)),
  command('previousMatch', 'Go to the previous match', 'Alt+Shift+n', whereSampled, () => find(-1)),
  command(
    'onlyMatches',
    'Show only matches, or all rows',
    'Mod+Enter',
    where(({ searchText }) => searchText !== ''),
    toggleOnlyMatches,
  ),
  command('filter', 'Show only rows with…', 'Mod+Shift+f', hasLog, opens('filter')),
  ...CHANGE_NAMES.map((name) =>
    command(`only-${name}`, `Show only ${name} rows`, '', whereCompared, () =>
      changeScope({ where: CHANGES[name] }),
    ),
  ),
  command(
    'escape',
    'Cancel an export, reset the zoom, clear the find field, then the selection',
    'Escape',
    always,
    undoOneThing,
    { ...common, isKeyOnly: true },
  ),
  ...paneCommands(),
  command('nextPane', 'Go to the next pane', 'F6', whereSampled, () => enterNextPane(1), common),
  command('previousPane', 'Go to the previous pane', 'Shift+F6', whereSampled, () => enterNextPane(-1)),
  command('flipFlame', 'Turn the flame graph over', 'Alt+i', whereSampled, flipFlame),
  command('resetZoom', 'Reset the zoom', '0', whereSampled, resetZoom, common),
  command(
    'keepZoom',
    'Keep the zoom as a part of the scope',
    '',
    where(({ zoom, keepsZoom }) => zoom !== undefined && !keepsZoom),
    () => changeScope({ keepsZoom: true }),
  ),
  command(
    'undo',
    'Undo the last change of the scope, or the last zoom',
    'Mod+z Alt+ArrowLeft',
    where(({ scopesBack }) => scopesBack.length > 0),
    undoScope,
    common,
  ),
  command(
    'redo',
    'Redo the change of the scope',
    'Mod+Shift+z Mod+y Alt+ArrowRight',
    where(({ scopesForward }) => scopesForward.length > 0),
    redoScope,
  ),
  command('clearScope', 'Show all samples: clear the scope', '', whereSampled, clearScope),
  command('range', 'Enter a time range…', '', whereTimed, opens('range')),
  command('hideErrors', 'Leave out samples without a stack, or show them', '', whereSampled, () =>
    hideErrors(activeLog(useWindow.getState())?.hidesErrors !== true),
  ),
  command('threads', 'Choose threads…', 'Alt+j', whereSampled, () => toggleDialog('threads'), common),
  command('details', 'Show details of the file', 'Alt+Enter', hasLog, () => toggleDialog('details'), common),
  command('freeze', 'Freeze or resume the view', 'Alt+z', where(isFollowed), toggleFreeze, common),
  command('mark', 'Compare the range with the rest, or new samples with those before', 'Alt+m', hasLog, mark),
  command(
    'compare',
    'Compare with a tab, a sample type or a file…',
    'Alt+c',
    hasLog,
    () => openForActive('compare'),
    common,
  ),
  command(
    'mergeLogs',
    'Merge logs…',
    '',
    ({ logs }) => mergeable(logs).length > 1,
    () => openForActive('merge'),
  ),
  command('stop', 'Stop the recording', '', whereRecording, () =>
    withHostLog((log) => send({ type: 'stopRecording', log })),
  ),
  command(
    'save-recording',
    'Save the recording as the JVM made it…',
    '',
    where((log) => log.isRecording && log.hostLog !== undefined),
    () => withHostLog((log) => saveRecording(log)),
  ),
  ...EXPORT_MENU.flat().map((format) => {
    const { label, usesTimes } = exportFormat(format);
    const isSvg = format === 'svg';
    return command(
      `export-${format}`,
      `Export ${label}`,
      isSvg ? 'Mod+s' : '',
      (state) => isOffered(format, state) && (usesTimes === 'needed' ? whereTimed : whereSampled)(state),
      () => exportView(format),
      isSvg ? common : {},
    );
  }),
  ...COMPARE_MENU.map((format) => {
    const { label, carries } = compareFormat(format);
    return command(
      `export-compared-${format}`,
      `Export ${label}`,
      '',
      (state) => whereCompared(state) && !(state.capabilities.isPage === true && carries === 'page'),
      () => exportComparison(format),
    );
  }),
  command('nextTab', 'Go to the next tab', '] Ctrl+Tab', hasTabs, () => activateNeighbour(1), common),
  command('previousTab', 'Go to the previous tab', '[ Ctrl+Shift+Tab', hasTabs, () => activateNeighbour(-1)),
  command('moveTabLeft', 'Move the tab left', 'Mod+Shift+PageUp', hasTabs, () => moveActive(-1)),
  command('moveTabRight', 'Move the tab right', 'Mod+Shift+PageDown', hasTabs, () => moveActive(1)),
  command('renameTab', 'Rename the tab…', 'F2', hasLog, () => openForActive('rename')),
  command('closeTab', 'Close the tab', 'Mod+w', hasLog, closeActive, common),
  command(
    'sources',
    'Choose folders of sources…',
    '',
    ({ sources }) => sources !== undefined,
    opens('sources'),
  ),
  command('theme', 'Switch the theme: system, light, dark', 'Alt+y', always, nextTheme),
];

/** A page has no writers for other tools: these open it in Leanscope. It is not sent on from itself. */
function isOffered(format: ExportFormatId, { capabilities }: WindowState): boolean {
  const { purpose, carries } = exportFormat(format);
  return capabilities.isPage !== true || (purpose[0] !== 'for another tool' && carries !== 'page');
}

export function commandWithId(id: string): Command | undefined {
  return COMMANDS.find((each) => each.id === id);
}

/** Runs a command, if it makes sense now. */
export function runCommand({ when, run }: Command): void {
  if (when?.(useWindow.getState()) !== false) run();
}

/**
 * The command of a key press that no pane has handled. `inText`: the focus is in a text field, which keeps most keys. Alt
 * makes characters, and moves by words, in a Mac's text fields.
 */
export function commandOf(press: KeyPress, onMac: boolean, inText: boolean): Command | undefined {
  const name = pressName(press, onMac);
  if (name === undefined || (inText && !isCommandInText(name, onMac))) return undefined;
  return COMMANDS.find(({ keys }) => keys?.includes(name) === true);
}

function isCommandInText(name: string, onMac: boolean): boolean {
  if (name.startsWith('Alt+')) return !onMac;
  // In a text field these undo what was typed.
  if (/^Mod\+(Shift\+)?[yz]$/.test(name)) return false;
  return /^(Mod|Ctrl)\+/.test(name) || ['Escape', 'F6', 'Shift+F6'].includes(name);
}

/** The first key of a command, as the window shows it. */
export function keyOf(id: string): string | undefined {
  const key = commandWithId(id)?.keys?.[0];
  return key === undefined ? undefined : shownKey(key, isMac());
}

/** The tooltip of a command's button: its title, or other words, and its key. */
export function tipOf(id: string, text = commandWithId(id)?.title): string {
  const key = keyOf(id);
  return key === undefined ? `${text}` : `${text} (${key})`;
}

/** The effect of a command, for `onClick`. */
export const runnerOf = (id: string) => (): void => {
  const command = commandWithId(id);
  if (command !== undefined) runCommand(command);
};

/** A command as an entry of a menu. Exports are in one called so. */
export function entryOf(id: string): MenuEntry {
  const text = commandWithId(id)?.title.replace(/^Export /, '') ?? '';
  return { text, hint: keyOf(id), testId: id, run: runnerOf(id) };
}

/** Shows something, and goes there: to a pane, or to the one of the place that has the keys. */
function paneCommand(
  { id, title, key = '' }: PaneCommand,
  show: () => void,
  more: Pick<Command, 'isCommon'> = {},
  pane?: PaneId,
): Command {
  return command(
    id,
    title,
    key,
    hasLog,
    () => {
      show();
      enterPaneWhenShown(pane ?? currentPane(useWindow.getState()));
    },
    more,
  );
}

/** The commands that show places and panes, those with digits first. */
function paneCommands(): readonly Command[] {
  const places = PLACES.map(({ id, command: of }) => ({
    ...paneCommand(of, () => showOnly(id), common),
    ...(id === 'summary' && { run: toggleSummary }),
  }));
  const panes = PANE_LIST.flatMap(({ id, ...pane }: PaneOfLog & { readonly id: PaneId }) => {
    if (pane.command === undefined) return [];
    return pane.command.toggles === true
      ? paneCommand(pane.command, () => togglePane(id))
      : paneCommand(pane.command, () => showPane(id), {}, id);
  });
  const all = { id: 'showAll', title: 'Show all panes', key: '4' };
  const commands = [
    ...places,
    ...panes,
    paneCommand(all, () => prefer({ panes: 'all' }), common),
    command('heatmap', 'Show or hide the heatmap', '7', hasLog, toggleHeatmap),
  ];
  const keyOrder = ({ keys: [key] = ['9'] }: Command): string => key;
  return commands.toSorted((a, b) => keyOrder(a).localeCompare(keyOrder(b)));
}

const fileInput = (): HTMLInputElement | null => document.querySelector('#file-input');

function enterSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#search-field');
  field?.focus();
  field?.select();
}

function withHostLog(act: (log: NonNullable<LogView['hostLog']>) => void): void {
  const hostLog = activeLog(useWindow.getState())?.hostLog;
  if (hostLog !== undefined) act(hostLog);
}

function openForActive(kind: 'rename' | 'merge' | 'compare'): void {
  const { active } = useWindow.getState();
  if (active !== undefined) openDialog({ kind, log: active });
}

/** A small window shows it as its only pane. */
function toggleSummary(): void {
  const { preferences, isSmall } = useWindow.getState();
  if (isSmall) {
    showOnly('summary');
    return enterPaneWhenShown('summary');
  }
  const hadFocus = document.querySelector('[data-testid=pane-summary]')?.contains(document.activeElement);
  prefer({ summary: !preferences.summary });
  if (!preferences.summary) enterPaneWhenShown('summary');
  else if (hadFocus === true) enterPaneWhenShown(currentPane(useWindow.getState()));
}

function toggleHeatmap(): void {
  const state = useWindow.getState();
  const log = activeLog(state);
  if (log !== undefined && !hasSampleTimes(log))
    return showNotice('info', 'No heatmap: this file does not record when samples were taken.');
  const isShown = state.preferences.heatmap && log !== undefined && showsTimeline(state, log);
  const hasFocus = document.querySelector('[data-testid=heatmap-squares]') === document.activeElement;
  prefer(isShown ? { heatmap: false } : { heatmap: true, timeline: true });
  if (hasFocus) enterPaneWhenShown(currentPane(state));
}

function resetZoom(): void {
  if (currentPane(useWindow.getState()) === 'chart') return zoomTimeline(undefined);
  zoomTo(undefined, zoomedPane(useWindow.getState()));
}

/** The flame graph whose zoom keys of the window reset. */
function zoomedPane(state: WindowState): FlamePaneId {
  const pane = currentPane(state);
  return isFlamePane(pane) ? pane : wholeFlame(state);
}

/** Esc undoes one thing at a time: the running export, the zoom, then the search, then the selection. */
function undoOneThing(): void {
  const state = useWindow.getState();
  const running = state.exporting.at(-1);
  const log = activeLog(state);
  if (running !== undefined) cancelExport(running.id);
  else if (currentPane(state) === 'chart' && log?.timelineZoom !== undefined) resetZoom();
  else if (log !== undefined && zoomOf(log, zoomedPane(state)) !== undefined) resetZoom();
  else if (log !== undefined && log.searchText !== '') search('');
  else select(undefined);
}
