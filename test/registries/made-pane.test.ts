import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { PlaceOfPanes } from '../../renderer/panes/Places.tsx';
import { commandOf, COMMANDS, runCommand } from '../../renderer/shell/commands.ts';
import { keyHelp } from '../../renderer/shell/HelpDialog.tsx';
import { foundIn, paletteEntries } from '../../renderer/shell/Palette.tsx';
import { mirrorRequests } from '../../renderer/store/mirrors/mirror-requests.ts';
import type { PaneOfLog } from '../../renderer/store/panes/pane-list.ts';
import { NEW_PANES } from '../../renderer/store/panes/pane-views.ts';
import { type PaneId, type RowsPaneId, type TreeChoice } from '../../renderer/store/panes/panes.ts';
import { DEFAULT_PREFERENCES, readPreferences } from '../../renderer/store/state/preferences.ts';
import { receive } from '../../renderer/store/events/receive.ts';
import { panesOnScreen } from '../../renderer/store/state/shown-panes.ts';
import { INITIAL_STATE, newLogView, type WindowState } from '../../renderer/store/state/window-state.ts';
import { useWindow } from '../../renderer/store/state/window-store.ts';
import { type Handled, wholeLog } from '../support/driven-mirror.ts';

/** A pane that nobody but this test knows: the methods once more, at the place of the tree. */
vi.mock('../../renderer/store/panes/pane-list.ts', async (original) => {
  const list = await original<typeof import('../../renderer/store/panes/pane-list.ts')>();
  const made: PaneOfLog = {
    id: 'made',
    kind: 'rows',
    of: 'methods',
    place: 'tree',
    choice: 'madeChoice',
    title: 'Made list',
    tab: { text: 'Made', hint: 'By a test' },
    command: { id: 'showMade', title: 'Show the made list', key: 'F9' },
  };
  return { ...list, PANE_LIST: [...list.PANE_LIST, made] };
});

const MADE = 'made' as RowsPaneId;
const LOG = newLogView('a', undefined, 'a.hpl', '/');

const state = (): WindowState => ({
  ...INITIAL_STATE,
  logs: [{ ...LOG, summary: SUMMARY }],
  active: 'a',
});

const driven = wholeLog(...specs(INITIAL_STATE));
const SUMMARY = driven.events.flatMap((event) => (event.type === 'summary' ? [event.summary] : [])).at(-1)!;

function specs(shown: WindowState): readonly Handled[] {
  const madeIsShown = { ...shown, preferences: { ...shown.preferences, tree: 'madeChoice' as TreeChoice } };
  return mirrorRequests({ ...madeIsShown, logs: [LOG], active: 'a' }, LOG).filter(
    (request) => request.type === 'view' || (request.type === 'pane' && request.pane === MADE),
  ) as Handled[];
}

test('a pane that is added to the list is shown by its command, its key and the palette', () => {
  useWindow.setState(state());
  const command = COMMANDS.find(({ id }) => id === 'showMade')!;
  const press = { key: 'F9', code: 'F9', altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
  expect(commandOf(press, false, false)).toBe(command);
  expect(foundIn(paletteEntries(useWindow.getState()), 'made list')).toMatchObject([{ hint: 'F9' }]);
  expect(keyHelp(false)[0].keys).toContainEqual([['F9'], 'Show the made list']);
  vi.stubGlobal('document', { querySelector: () => null });
  expect(panesOnScreen(useWindow.getState())).not.toContain(MADE);
  runCommand(command);
  vi.unstubAllGlobals();
  expect(panesOnScreen(useWindow.getState())).toContain(MADE);
});

test('its choice is drawn with the others, and it in its place', () => {
  useWindow.setState({
    ...state(),
    preferences: { ...DEFAULT_PREFERENCES, tree: 'madeChoice' as TreeChoice },
  });
  // A server renders the first state.
  Object.assign(useWindow.getInitialState(), useWindow.getState());
  const [log] = useWindow.getState().logs;
  const drawn = renderToStaticMarkup(createElement(PlaceOfPanes, { place: 'tree', log }));
  expect(drawn).toMatch(/Bottom-up.*Callers, callees.*Source.*Made</);
  expect(drawn).toContain('data-testid="pane-made"');
});

test('the worker is asked for it and answers, and its answer and its selected row are kept', () => {
  const shown = driven.shown(MADE);
  expect(shown.rows.length).toBeGreaterThan(5);
  const { selfCount } = shown.rows[0];
  expect(selfCount).toBe(Math.max(...shown.rows.map((row) => row.selfCount)));
  const after = receive(state(), { type: 'mirror', log: 'a', event: shown, now: 0 });
  expect(after.logs[0].panes[MADE].shown).toBe(shown);
  expect(NEW_PANES[MADE]).toEqual({ shift: 0 });
});

test('it is restored with its order, its columns and its choice', () => {
  const stored = {
    tree: 'madeChoice',
    sorts: { made: { by: 'totalTime', descending: false } },
    columns: { made: { shown: ['selfCount'], widths: {} } },
  };
  expect(DEFAULT_PREFERENCES.sorts[MADE]).toEqual({ by: 'selfCount', descending: true });
  expect(readPreferences(JSON.stringify(stored))).toEqual({
    ...DEFAULT_PREFERENCES,
    ...stored,
    sorts: { ...DEFAULT_PREFERENCES.sorts, ...stored.sorts },
  });
});

test('no two panes have one name', () => {
  const ids: readonly PaneId[] = Object.keys(NEW_PANES) as PaneId[];
  expect(new Set(ids).size).toBe(ids.length);
});
