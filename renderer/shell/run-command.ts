import { assertNever } from '../../shared/assert.ts';
import {
  choosePanes,
  find,
  flipFlame,
  nextTheme,
  openDialog,
  openLog,
  prefer,
  search,
  selectNothing,
  showNotice,
  showOnly,
  toggleChart,
  toggleDialog,
  zoomBack,
  zoomForward,
  zoomTo,
} from '../store/actions.ts';
import { activateNeighbour, closeActive, moveActive } from '../store/tab-actions.ts';
import { mergeable } from '../store/merged-logs.ts';
import { openSource } from '../store/detail-actions.ts';
import { mark } from '../store/compare-actions.ts';
import { cancelExport, exportView } from '../store/export-view.ts';
import { toggleFreeze, zoomChart } from '../store/time-actions.ts';
import { redoScope, undoScope } from '../store/scope-actions.ts';
import type { Place } from '../store/preferences.ts';
import { type FlamePaneId, isFlamePane } from '../store/panes.ts';
import type { WindowState } from '../store/window-state.ts';
import { zoomsOf } from '../store/zoom-history.ts';
import { activeLog, currentPane, flamePlace, hasSamples, wholeFlame } from '../store/selectors.ts';
import { useWindow } from '../store/window-store.ts';
import { enterNextPane, enterPaneWhenShown } from '../panes/enter-pane.ts';
import type { Command } from './keys.ts';

export interface CommandTargets {
  readonly fileInput: HTMLInputElement | null;
  readonly searchInput: HTMLInputElement | null;
}

/** Runs a command of the window. */
export function runCommand(command: Command, { fileInput, searchInput }: CommandTargets): void {
  switch (command) {
    case 'open':
      return openLog(fileInput);
    case 'attach':
      return openDialog({ kind: 'attach' });
    case 'search':
      searchInput?.focus();
      searchInput?.select();
      return;
    case 'nextMatch':
      return find(1);
    case 'previousMatch':
      return find(-1);
    case 'escape':
      return undoOneThing();
    case 'showTree':
      return enterPlace('tree');
    case 'showFlat':
      return enterPlace('flat');
    case 'showFlame':
      return enterPlace('flame');
    case 'showSandwich':
      return enterPlace('sandwich');
    case 'showSource':
      openSource();
      return enterPaneWhenShown('source');
    case 'chart':
      toggleChart();
      return enterPaneWhenShown(flamePlace(useWindow.getState()));
    case 'heatmap':
      return toggleHeatmap();
    case 'showAll':
      choosePanes('all');
      return enterPaneWhenShown(currentPane(useWindow.getState()));
    case 'nextPane':
      return enterNextPane(1);
    case 'previousPane':
      return enterNextPane(-1);
    case 'flipFlame':
      return flipFlame();
    case 'resetZoom':
      return resetZoom();
    case 'zoomBack':
      return zoomBack(zoomedPane(useWindow.getState()));
    case 'zoomForward':
      return zoomForward(zoomedPane(useWindow.getState()));
    case 'freeze':
      return toggleFreeze();
    case 'mark':
      return mark();
    case 'theme':
      return nextTheme();
    case 'help':
      return openDialog({ kind: 'help' });
    case 'details':
      return toggleDetails();
    case 'threads':
      return toggleThreads();
    case 'recent':
      return toggleRecent();
    case 'filter':
      if (activeLog(useWindow.getState()) !== undefined) openDialog({ kind: 'filter' });
      return;
    case 'exportSvg':
      return exportView('svg');
    case 'compare':
      return openForActive('compare');
    case 'mergeLogs':
      return mergeable(useWindow.getState().logs).length > 1 ? openForActive('merge') : undefined;
    case 'closeTab':
      return closeActive();
    case 'nextTab':
      return activateNeighbour(1);
    case 'previousTab':
      return activateNeighbour(-1);
    case 'moveTabLeft':
      return moveActive(-1);
    case 'moveTabRight':
      return moveActive(1);
    case 'renameTab':
      return openForActive('rename');
    case 'undo':
      return undoScope();
    case 'redo':
      return redoScope();
    default:
      assertNever(command, 'command');
  }
}

function enterPlace(place: Place): void {
  showOnly(place);
  enterPaneWhenShown(currentPane(useWindow.getState()));
}

function openForActive(kind: 'rename' | 'merge' | 'compare'): void {
  const { active } = useWindow.getState();
  if (active !== undefined) openDialog({ kind, log: active });
}

function toggleDetails(): void {
  const state = useWindow.getState();
  if (activeLog(state) !== undefined) toggleDialog('details');
}

function toggleHeatmap(): void {
  const { heatmap } = useWindow.getState().preferences;
  const hasFocus = document.querySelector('[data-testid=pane-heatmap]')?.contains(document.activeElement);
  prefer({ heatmap: !heatmap });
  if (hasFocus === true) enterPaneWhenShown(currentPane(useWindow.getState()));
}

function toggleRecent(): void {
  const state = useWindow.getState();
  const log = activeLog(state);
  if (log === undefined) return;
  if (log.hasGrown) toggleDialog('recent');
  else showNotice('info', 'Hot now: this log has not grown while it was open.');
}

function toggleThreads(): void {
  const state = useWindow.getState();
  const log = activeLog(state);
  if (log !== undefined && hasSamples(log)) toggleDialog('threads');
}

function resetZoom(): void {
  if (currentPane(useWindow.getState()) === 'chart') return zoomChart(undefined);
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
  else if (log?.panes.chart.wanted.zoom !== undefined && currentPane(state) === 'chart') resetZoom();
  else if (log !== undefined && zoomsOf(log, zoomedPane(state)).zoom !== undefined) resetZoom();
  else if (log !== undefined && log.searchText !== '') search('');
  else selectNothing();
}
