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
} from '../store/actions.ts';
import { openLog } from '../store/log-actions.ts';
import { mark } from '../store/compare-actions.ts';
import { cancelExport, exportComparison, exportView } from '../store/export-view.ts';
import { saveRecording, stopRecording } from '../store/jvm-actions.ts';
import { mergeable } from '../store/merged-logs.ts';
import { type FlamePaneId, isFlamePane, type PaneId } from '../store/panes.ts';
import { PANE_LIST, type PaneCommand, type PaneOfLog, PLACES } from '../store/pane-list.ts';
import { CHANGE_NAMES, CHANGES } from '../../shared/engine/views/row-conditions.ts';
import {
  clearScope,
  filterRows,
  hideErrors,
  keepZoom,
  redoScope,
  undoScope,
} from '../store/scope-actions.ts';
import {
  activeLog,
  currentPane,
  hasSamples,
  hasSampleTimes,
  showsTimeline,
  isFollowed,
  wholeFlame,
} from '../store/selectors.ts';
import { activateNeighbour, closeActive, moveActive } from '../store/tab-actions.ts';
import { toggleFreeze, zoomTimeline } from '../store/time-actions.ts';
import type { LogView, WindowState } from '../store/window-state.ts';
import { isMac, useWindow } from '../store/window-store.ts';
import { zoomOf } from '../store/scope-history.ts';
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

const hasLog = (state: WindowState): boolean => activeLog(state) !== undefined;
const whereSampled = (state: WindowState): boolean => ofActive(state, hasSamples);
const whereTimed = (state: WindowState): boolean => ofActive(state, hasSampleTimes);
const hasTabs = ({ logs }: WindowState): boolean => logs.length > 1;

function ofActive(state: WindowState, test: (log: LogView) => boolean): boolean {
  const log = activeLog(state);
  return log !== undefined && test(log);
}

/** The commands, in the order of the palette and the sheet. */
export const COMMANDS: readonly Command[] = [
  {
    ...{ id: 'palette', title: 'Find a command, a tab or a transform', keys: ['Mod+k'], isCommon: true },
    ...{ isKeyOnly: true, run: () => openDialog({ kind: 'palette' }) },
  },
  {
    ...{ id: 'help', title: 'Show keyboard shortcuts', keys: ['?', 'F1'], isCommon: true },
    run: () => openDialog({ kind: 'help' }),
  },
  { id: 'open', title: 'Open file…', keys: ['Mod+o'], isCommon: true, run: () => openLog(fileInput()) },
  {
    ...{ id: 'attach', title: 'Attach to a JVM…', keys: ['Alt+a'], isCommon: true },
    // The dialog says how it is allowed.
    run: () => openDialog({ kind: 'attach' }),
  },
  {
    ...{ id: 'search', title: 'Find methods', keys: ['/', 'Mod+f'], isCommon: true },
    ...{ when: whereSampled, run: enterSearch },
  },
  { id: 'nextMatch', title: 'Go to the next match', keys: ['Alt+n'], when: whereSampled, run: () => find(1) },
  {
    ...{ id: 'previousMatch', title: 'Go to the previous match', keys: ['Alt+Shift+n'] },
    ...{ when: whereSampled, run: () => find(-1) },
  },
  {
    ...{ id: 'onlyMatches', title: 'Show only matches, or all rows', keys: ['Mod+Enter'] },
    when: (state) => ofActive(state, ({ searchText }) => searchText !== ''),
    run: toggleOnlyMatches,
  },
  {
    ...{ id: 'filter', title: 'Show only rows with…', keys: ['Mod+Shift+f'] },
    ...{ when: hasLog, run: () => openDialog({ kind: 'filter' }) },
  },
  ...CHANGE_NAMES.map((name): Command => ({
    ...{ id: `only-${name}`, title: `Show only ${name} rows` },
    when: (state) => ofActive(state, (log) => log.baseline !== undefined),
    run: () => filterRows(CHANGES[name]),
  })),
  {
    ...{ id: 'escape', title: 'Cancel an export, reset the zoom, clear the find field, then the selection' },
    ...{ keys: ['Escape'], isKeyOnly: true, isCommon: true, run: undoOneThing },
  },
  ...paneCommands(),
  {
    ...{ id: 'nextPane', title: 'Go to the next pane', keys: ['F6'], isCommon: true },
    ...{ when: whereSampled, run: () => enterNextPane(1) },
  },
  {
    ...{ id: 'previousPane', title: 'Go to the previous pane', keys: ['Shift+F6'] },
    ...{ when: whereSampled, run: () => enterNextPane(-1) },
  },
  {
    ...{ id: 'flipFlame', title: 'Turn the flame graph over', keys: ['Alt+i'] },
    ...{ when: whereSampled, run: flipFlame },
  },
  {
    ...{ id: 'resetZoom', title: 'Reset the zoom', keys: ['0'], isCommon: true },
    ...{ when: whereSampled, run: resetZoom },
  },
  {
    ...{ id: 'keepZoom', title: 'Keep the zoom as a part of the scope' },
    when: (state) => ofActive(state, (log) => log.zoom !== undefined && !log.keepsZoom),
    run: keepZoom,
  },
  {
    ...{
      id: 'undo',
      title: 'Undo the last change of the scope, or the last zoom',
      keys: ['Mod+z', 'Alt+ArrowLeft'],
    },
    ...{ isCommon: true, when: (state) => ofActive(state, (log) => log.scopesBack.length > 0) },
    run: undoScope,
  },
  {
    ...{
      id: 'redo',
      title: 'Redo the change of the scope',
      keys: ['Mod+Shift+z', 'Mod+y', 'Alt+ArrowRight'],
    },
    ...{ when: (state) => ofActive(state, (log) => log.scopesForward.length > 0), run: redoScope },
  },
  { id: 'clearScope', title: 'Show all samples: clear the scope', when: whereSampled, run: clearScope },
  {
    ...{ id: 'range', title: 'Enter a time range…', when: whereTimed },
    run: () => openDialog({ kind: 'range' }),
  },
  {
    ...{ id: 'hideErrors', title: 'Leave out samples without a stack, or show them', when: whereSampled },
    run: () => hideErrors(!ofActive(useWindow.getState(), (log) => log.hidesErrors)),
  },
  {
    ...{ id: 'threads', title: 'Choose threads…', keys: ['Alt+j'], isCommon: true },
    ...{ when: whereSampled, run: () => toggleDialog('threads') },
  },
  {
    ...{ id: 'details', title: 'Show details of the file', keys: ['Alt+Enter'], isCommon: true },
    ...{ when: hasLog, run: () => toggleDialog('details') },
  },
  {
    ...{ id: 'freeze', title: 'Freeze or resume the view', keys: ['Alt+z'], isCommon: true },
    ...{ when: (state) => ofActive(state, isFollowed), run: toggleFreeze },
  },
  {
    ...{
      id: 'mark',
      title: 'Compare the range with the rest, or new samples with those before',
      keys: ['Alt+m'],
    },
    ...{ when: hasLog, run: mark },
  },
  {
    ...{ id: 'compare', title: 'Compare with a tab, a sample type or a file…', keys: ['Alt+c'] },
    ...{ isCommon: true, when: hasLog, run: () => openForActive('compare') },
  },
  {
    ...{ id: 'mergeLogs', title: 'Merge logs…', when: ({ logs }) => mergeable(logs).length > 1 },
    run: () => openForActive('merge'),
  },
  {
    ...{ id: 'stop', title: 'Stop the recording', when: isRecording },
    run: () => withHostLog(stopRecording),
  },
  {
    ...{ id: 'save-recording', title: 'Save the recording as the JVM made it…' },
    when: (state) => ofActive(state, (log) => log.isRecording && log.hostLog !== undefined),
    run: () => withHostLog((log) => saveRecording(log)),
  },
  ...EXPORT_MENU.flat().map((format): Command => {
    const { label, usesTimes } = exportFormat(format);
    return {
      ...{
        id: exportId(format),
        title: `Export ${label}`,
        when: (state) =>
          isOffered(format, state) && (usesTimes === 'needed' ? whereTimed : whereSampled)(state),
      },
      ...(format === 'svg' ? { keys: ['Mod+s'], isCommon: true } : {}),
      run: () => exportView(format),
    };
  }),
  ...COMPARE_MENU.map((format): Command => ({
    ...{ id: `export-compared-${format}`, title: `Export ${compareFormat(format).label}` },
    when: (state) =>
      ofActive(state, (log) => log.baseline !== undefined) &&
      !(state.capabilities.isPage === true && compareFormat(format).carries === 'page'),
    run: () => exportComparison(format),
  })),
  {
    ...{ id: 'nextTab', title: 'Go to the next tab', keys: [']', 'Ctrl+Tab'], isCommon: true },
    ...{ when: hasTabs, run: () => activateNeighbour(1) },
  },
  {
    ...{ id: 'previousTab', title: 'Go to the previous tab', keys: ['[', 'Ctrl+Shift+Tab'] },
    ...{ when: hasTabs, run: () => activateNeighbour(-1) },
  },
  {
    ...{ id: 'moveTabLeft', title: 'Move the tab left', keys: ['Mod+Shift+PageUp'] },
    ...{ when: hasTabs, run: () => moveActive(-1) },
  },
  {
    ...{ id: 'moveTabRight', title: 'Move the tab right', keys: ['Mod+Shift+PageDown'] },
    ...{ when: hasTabs, run: () => moveActive(1) },
  },
  {
    ...{ id: 'renameTab', title: 'Rename the tab…', keys: ['F2'] },
    ...{ when: hasLog, run: () => openForActive('rename') },
  },
  {
    ...{ id: 'closeTab', title: 'Close the tab', keys: ['Mod+w'], isCommon: true },
    ...{ when: hasLog, run: closeActive },
  },
  {
    id: 'sources',
    title: 'Choose folders of sources…',
    when: hasHost,
    run: () => openDialog({ kind: 'sources' }),
  },
  { id: 'theme', title: 'Switch the theme: system, light, dark', keys: ['Alt+y'], run: nextTheme },
];

/** A page has no writers for other tools: these open it in Leanscope. It is not sent on from itself. */
function isOffered(format: ExportFormatId, { capabilities }: WindowState): boolean {
  const { purpose, carries } = exportFormat(format);
  return capabilities.isPage !== true || (purpose[0] !== 'for another tool' && carries !== 'page');
}

/** The command of a format of the export menu. */
export function exportId(format: string): string {
  return format === 'svg' ? 'exportSvg' : `export-${format}`;
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

/** For `onClick`. */
export const runnerOf = (id: string) => (): void => {
  const command = commandWithId(id);
  if (command !== undefined) runCommand(command);
};

/** A command as an entry of a menu. Exports are in one called so. */
export function entryOf(id: string): MenuEntry {
  const text = commandWithId(id)?.title.replace(/^Export /, '') ?? '';
  return { text, hint: keyOf(id), testId: id === 'exportSvg' ? 'export-svg' : id, run: runnerOf(id) };
}

/** Shows something, and goes there: to a pane, or to the one of the place that has the keys. */
function paneCommand({ id, title, key }: PaneCommand, show: () => void, pane?: PaneId): Command {
  const run = (): void => {
    show();
    enterPaneWhenShown(pane ?? currentPane(useWindow.getState()));
  };
  return { id, title, ...(key === undefined ? {} : { keys: [key] }), when: hasLog, run };
}

/** The commands that show places and panes, those with digits first. */
function paneCommands(): readonly Command[] {
  const places = PLACES.map(({ id, command }): Command => ({
    ...paneCommand(command, () => showOnly(id)),
    ...(id === 'summary' && { run: toggleSummary }),
    isCommon: true,
  }));
  const panes = PANE_LIST.flatMap(({ id, ...pane }: PaneOfLog & { readonly id: PaneId }) => {
    const { command } = pane;
    if (command === undefined) return [];
    const isToggled = command.toggles === true;
    return [
      paneCommand(command, () => (isToggled ? togglePane(id) : showPane(id)), isToggled ? undefined : id),
    ];
  });
  const others: readonly Command[] = [
    {
      ...{ id: 'showAll', title: 'Show all panes', keys: ['4'], isCommon: true, when: hasLog },
      run: () => {
        prefer({ panes: 'all' });
        enterPaneWhenShown(currentPane(useWindow.getState()));
      },
    },
    {
      ...{ id: 'heatmap', title: 'Show or hide the heatmap', keys: ['7'] },
      ...{ when: hasLog, run: toggleHeatmap },
    },
  ];
  const keyOrder = ({ keys: [key] = ['9'] }: Command): string => key;
  return [...places, ...panes, ...others].toSorted((a, b) => keyOrder(a).localeCompare(keyOrder(b)));
}

const fileInput = (): HTMLInputElement | null => document.querySelector('#file-input');

function enterSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#search-field');
  field?.focus();
  field?.select();
}

function hasHost({ sources }: WindowState): boolean {
  return sources !== undefined;
}

function isRecording(state: WindowState): boolean {
  return ofActive(
    state,
    ({ hostLog }) => hostLog !== undefined && state.jvms.recordings[hostLog] === 'running',
  );
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
  const hasFocus = document.querySelector('.heatmap-squares') === document.activeElement;
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
