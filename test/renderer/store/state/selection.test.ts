import { describe, expect, test } from 'vitest';
import type { MirrorRequest } from '../../../../renderer/profile-worker/mirror-messages.ts';
import type { Row, Selection } from '../../../../renderer/profile-worker/pane-messages.ts';
import type { LogStatus } from '../../../../shared/protocol/messages.ts';
import { find, moveSelection, select, selectRow } from '../../../../renderer/store/actions/actions.ts';
import { Mirrors } from '../../../../renderer/store/mirrors/mirrors.ts';
import { receive } from '../../../../renderer/store/events/receive.ts';
import { DEFAULT_PREFERENCES, type Preferences } from '../../../../renderer/store/state/preferences.ts';
import {
  INITIAL_STATE,
  type LogView,
  newLogView,
  type WindowState,
} from '../../../../renderer/store/state/window-state.ts';
import { connectStore, useWindow } from '../../../../renderer/store/state/window-store.ts';
import { fromMirror } from '../../../support/window-events.ts';

function row(id: number, depth: number, expandable = false, expanded = false): Row {
  const values = { selfCount: 1, totalCount: 1, selfTime: 0, totalTime: 0 };
  const kind = depth === 0 ? 'thread' : 'frame';
  return {
    ...values,
    id,
    kind,
    label: `m${id}`,
    thread: undefined,
    depth,
    expandable,
    expanded,
    match: false,
    matchBelow: false,
  };
}

/** A window whose mirror never answers, with the rows 10 to 14 of 100 of a tree: what was posted since. */
function unanswered(): MirrorRequest[] {
  const posted: MirrorRequest[] = [];
  const mirrors = new Mirrors({
    openPort: () => ({ post: (requests) => void posted.push(...requests), close: () => undefined }),
    onEvent: () => undefined,
    onComputing: () => undefined,
    schedule: () => undefined,
  });
  connectStore({
    host: { openDropped: () => false, isMac: false, files: undefined },
    client: { send: () => undefined },
    mirrors,
  });
  useWindow.setState({ ...INITIAL_STATE, logs: [newLogView('a', undefined, 'a', '')], active: 'a' });
  mirrors.sync(useWindow.getState());
  answer({
    type: 'rows',
    largest: { selfCount: 0, totalCount: 0, selfTime: 0, totalTime: 0 },
    pane: 'tree',
    total: 100,
    from: 10,
    rows: [row(50, 0, true, true), row(51, 1), row(52, 1, true, true), row(53, 2, true), row(54, 1)],
    turn: 1,
    shift: 0,
    displaced: 0,
  });
  posted.length = 0;
  return posted;
}

function answer(event: Parameters<typeof fromMirror>[1]): void {
  useWindow.setState((state) => receive(state, fromMirror('a', event)));
}

function log(): LogView {
  return useWindow.getState().logs[0];
}

function answerSelected(turn: number, id: number): void {
  const selection: Selection = { of: 'calls', id, label: `m${id}`, kind: 'frame' };
  answer({
    type: 'selected',
    turn,
    selection,
    rows: { tree: id, flat: 7 },
    reveals: [],
    match: undefined,
  });
}

describe('the selection', () => {
  test('is painted when a row is clicked, and the mirror is told and not asked', () => {
    const posted = unanswered();
    selectRow('tree', row(52, 1));
    expect(log().panes.tree.selected).toBe(52);
    expect(log().panes.flame.selected).toBe(52);
    expect(log().panes.flat.selected).toBeUndefined();
    expect(posted.map(({ type }) => type)).toEqual(['select']);
    select(undefined);
    expect(log().panes.tree.selected).toBeUndefined();
  });

  test('moves by key among the rows that are on screen without an answer, and scrolls to the new row', () => {
    const posted = unanswered();
    selectRow('tree', row(51, 1));
    const seen: unknown[] = [];
    for (const to of [
      'down',
      'down',
      'parentOrCollapse',
      'up',
      'parentOrCollapse',
      'childOrExpand',
    ] as const) {
      const before = log().panes.tree.selected;
      moveSelection('tree', to, 10);
      seen.push([before, to, log().panes.tree.selected, log().panes.tree.reveal?.at]);
      if (to === 'parentOrCollapse' && log().panes.tree.selected === before) break;
    }
    expect(seen).toEqual([
      [51, 'down', 52, 12],
      [52, 'down', 53, 13],
      [53, 'parentOrCollapse', 52, 12],
      [52, 'up', 51, 11],
      [51, 'parentOrCollapse', 50, 10],
      [50, 'childOrExpand', 51, 11],
    ]);
    expect(posted.every(({ type }) => type === 'select')).toBe(true);
  });

  test('that moves beyond the rows that are here, or opens one, is asked for', () => {
    const posted = unanswered();
    selectRow('tree', row(54, 1));
    for (const to of ['down', 'first', 'pageUp'] as const) {
      selectRow('tree', row(54, 1));
      moveSelection('tree', to, 10);
      expect(posted.at(-1)).toMatchObject({ type: 'move', to });
      expect(log().panes.tree.selected).toBe(54);
    }
    selectRow('tree', row(53, 2));
    moveSelection('tree', 'childOrExpand', 10);
    expect(posted.at(-1)).toMatchObject({ type: 'move', to: 'childOrExpand' });
  });

  test('while an answer is awaited keys are answered in their order; a click is not overtaken by it', () => {
    const posted = unanswered();
    selectRow('tree', row(54, 1));
    moveSelection('tree', 'down', 10);
    // It would be row 53 of what is here, but the move before it leads elsewhere.
    moveSelection('tree', 'up', 10);
    const turns = posted.flatMap((request) => ('turn' in request ? [request.turn] : []));
    expect(posted.map(({ type }) => type)).toEqual(['select', 'move', 'move']);
    expect(turns).toEqual([1, 2, 3]);
    answerSelected(2, 90);
    expect(log().panes.tree.selected).toBe(90);
    selectRow('tree', row(51, 1));
    answerSelected(3, 91);
    expect(log().panes.tree.selected).toBe(51);
    answerSelected(4, 51);
    expect([log().panes.tree.selected, log().panes.flat.selected]).toEqual([51, 7]);
  });

  test('of another log is not touched', () => {
    unanswered();
    const other = newLogView('b', undefined, 'b', '');
    useWindow.setState(({ logs }) => ({ logs: [...logs, other] }));
    selectRow('tree', row(51, 1));
    expect(useWindow.getState().logs[1]).toBe(other);
  });
});

test('a match is found in another pane where the one with the keys cannot be searched, or that is told', () => {
  const posted = unanswered();
  const detail = [{ of: 'methods', id: 1, label: 'Shop.main' }] as const;
  const status = { hasSampleTimes: true, choices: [] } as unknown as LogStatus;
  /** The panes that are asked for a match, and notices. */
  const found = (
    change: Partial<WindowState>,
    preferences: Partial<Preferences> = {},
    ofMethod = false,
  ): string => {
    posted.length = 0;
    useWindow.setState((state) => ({
      ...change,
      notices: [],
      preferences: { ...DEFAULT_PREFERENCES, ...preferences },
      logs: state.logs.map((log) => ({ ...log, status, detail: ofMethod ? detail : [] })),
    }));
    find(1);
    const asked = posted.flatMap((request) => (request.type === 'find' ? [request.pane] : []));
    return [...asked, ...useWindow.getState().notices.map(({ text }) => text)].join();
  };
  expect(found({ focusedPane: 'tree' })).toBe('tree');
  expect(found({ focusedPane: 'source' }, { tree: 'source' }, true)).toBe('flat');
  expect(found({ focusedPane: 'chart' }, { flame: 'chart' })).toBe('flat');
  expect(found({ focusedPane: 'callers' }, { tree: 'detail' })).toBe('flat');
  expect(found({ focusedPane: 'callees' }, { tree: 'detail' }, true)).toBe('callees');
  expect(found({ focusedPane: 'calleesFlame' }, { panes: 'sandwich' }, true)).toBe('calleesFlame');
  const nothing = /^Nothing can be found here\./;
  for (const alone of [{ panes: 'sandwich' }, { panes: 'flame', flame: 'chart' }] as const)
    expect(found({}, alone)).toMatch(nothing);
  expect(found({ focusedPane: 'source', isSmall: true }, { tree: 'source' }, true)).toMatch(nothing);
});
