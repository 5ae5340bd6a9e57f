import { describe, expect, test } from 'vitest';
import type { MirrorEvent } from '../../../../renderer/profile-worker/mirror-messages.ts';
import { withChartThreads } from '../../../../renderer/store/panes/pane-views.ts';
import { receive, withoutLog, type WindowEvent } from '../../../../renderer/store/events/receive.ts';
import { changeLog, notify } from '../../../../renderer/store/state/state-changes.ts';
import { newerSamples } from '../../../../renderer/store/state/selectors.ts';
import {
  hostKey,
  INITIAL_STATE,
  newLogView,
  type WindowState,
} from '../../../../renderer/store/state/window-state.ts';
import { EMPTY_FLAME } from '../../../../shared/engine/views/flame-columns.ts';
import type { Epoch, HostMessage, LogId, Revision } from '../../../../shared/protocol/messages.ts';
import {
  fromHost,
  fromMirror,
  hello,
  logDescription,
  logStatus,
  profileSummary,
} from '../../../support/window-events.ts';

function after(...events: readonly WindowEvent[]): WindowState {
  return events.reduce(receive, INITIAL_STATE);
}

/** Tabs left to right, the one in front in brackets. */
function tabs({ logs, active }: WindowState): string {
  return logs.map((log) => (log.key === active ? `[${log.key}]` : log.key)).join(' ');
}

const opened = (id: number, show: boolean) => fromHost({ type: 'opened', log: logDescription(id), show });
const status = (id: number, change: Parameters<typeof logStatus>[0], now = 0) =>
  fromHost({ type: 'status', log: id as LogId, status: logStatus(change) }, now);
const applied = (epoch: number, nodes = 1, complete = true): MirrorEvent => ({
  type: 'applied',
  epoch: epoch as Epoch,
  revision: 1 as Revision,
  nodes,
  complete,
});

test('what a new status repeats keeps its objects, so that measured lanes are not computed again', () => {
  const measured = (value: number, samples: number): ReturnType<typeof status> => {
    const series = [{ id: 'heap-used', kind: 'bytes', first: '0', at: [0, 5], values: [1, value] } as const];
    return status(1, { samples, series, errorSamples: { '-3': 2 } });
  };
  const first = after(fromHost(hello(1)), measured(7, 10));
  const again = receive(first, measured(7, 11));
  const [before, now, changed] = [first, again, receive(again, measured(8, 12))].map(
    ({ logs }) => logs[0].status!,
  );
  expect([now.samples, now.series === before.series, now.errorSamples === before.errorSamples]).toEqual([
    11,
    true,
    true,
  ]);
  expect([changed.series[0].values, changed.errorSamples === now.errorSamples]).toEqual([[1, 8], true]);
});

describe('tabs', () => {
  test('a greeting brings the host’s logs, the last one in front', () => {
    const state = after(fromHost(hello(1, 2)));
    expect(tabs(state)).toBe('host:1 [host:2]');
    expect([state.version, state.samples]).toEqual(['1.2.3', ['honest-profiler', 'jfr']]);
  });

  test('a log that was asked for comes to the front, another one does not', () => {
    expect(tabs(after(fromHost(hello()), opened(1, false), opened(2, false)))).toBe('[host:1] host:2');
    expect(tabs(after(fromHost(hello(1)), opened(2, true)))).toBe('host:1 [host:2]');
    expect(tabs(after(fromHost(hello(1, 2)), opened(1, true)))).toBe('[host:1] host:2');
  });

  test('the neighbour of a closed tab comes to the front', () => {
    const three = after(fromHost(hello(1, 2, 3)), opened(2, true));
    expect(tabs(receive(three, fromHost({ type: 'closed', log: 2 as LogId })))).toBe('host:1 [host:3]');
    expect(tabs(withoutLog(withoutLog(three, 'host:2'), 'host:3'))).toBe('[host:1]');
    expect(tabs(withoutLog(three, 'host:9'))).toBe('host:1 [host:2] host:3');
    expect(tabs(['host:1', 'host:2', 'host:3'].reduce(withoutLog, three))).toBe('');
  });

  test('after a new start of the host an id may mean another file: nothing is kept but own files', () => {
    let state = after(fromHost(hello(1)), status(1, { samples: 7 }));
    state = { ...state, logs: [...state.logs, newLogView('file:1', undefined, 'own.hpl', '')] };
    state = receive(state, fromHost({ ...hello(1), run: 'second' } as HostMessage));
    expect(tabs(state)).toBe('file:1 [host:1]');
    expect(state.logs.map((log) => log.status)).toEqual([undefined, undefined]);
  });

  test('the dialog that compares a log is closed with it, whoever closes it, and stays for another one', () => {
    const comparing = (...events: readonly WindowEvent[]): string | undefined => {
      const dialog = { kind: 'compare', log: 'host:1' } as const;
      const { dialog: left } = events.reduce(receive, { ...after(fromHost(hello(1, 2))), dialog });
      return left?.kind === 'compare' ? left.log : undefined;
    };
    const closed = (id: number) => fromHost({ type: 'closed', log: id as LogId });
    expect([comparing(closed(1)), comparing(closed(2))]).toEqual([undefined, 'host:1']);
    // After a lost connection.
    expect([comparing(fromHost(hello(2))), comparing(fromHost(hello(1)))]).toEqual([undefined, 'host:1']);
    // The host has started anew: its first log is another file.
    const restarted = fromHost({ ...hello(1), run: 'another' } as HostMessage);
    expect(comparing(restarted)).toBeUndefined();
  });

  test('an attempt to connect again changes nothing until it succeeds', () => {
    const to = (connection: WindowState['connection']): WindowEvent => ({ type: 'connection', connection });
    const lost = { state: 'lost', reason: 'none' } as const;
    const state = receive(after(fromHost(hello(1))), to(lost));
    expect(receive(state, to({ state: 'connecting' }))).toBe(state);
    expect(receive(state, to({ state: 'open' })).connection).toEqual({ state: 'open' });
  });

  test('after a lost connection logs that the host kept stay as they are, others go, own files stay', () => {
    let state = after(fromHost(hello(1, 2)), status(1, { samples: 7 }));
    state = { ...state, logs: [...state.logs, newLogView('file:1', undefined, 'own.hpl', '')] };
    state = receive(state, fromHost(hello(1, 3)));
    expect(tabs(state)).toBe('host:1 file:1 [host:3]');
    expect(state.logs[0].status?.samples).toBe(7);
  });
});

describe('a log', () => {
  test('its sample rate is measured over more than a moment, and ends with its growth', () => {
    const rates: (number | undefined)[] = [];
    let state = after(fromHost(hello(1)));
    for (const [samples, now] of [
      [100, 0],
      [150, 500],
      [400, 2_000],
      [401, 2_100],
      [700, 4_000],
    ]) {
      state = receive(state, status(1, { samples }, now));
      rates.push(state.logs[0].rate);
    }
    expect(rates).toEqual([undefined, undefined, 150, 150, 150]);
    state = receive(state, status(1, { samples: 800, state: 'reading' }, 4_100));
    expect(state.logs[0].rate).toBe(150);
    state = receive(state, status(1, { samples: 800, state: 'idle' }, 6_000));
    expect(state.logs[0].rate).toBeUndefined();
  });

  test('how much there was when it had been read stays, until it is read again or nobody reads it', () => {
    let state = after(fromHost(hello(1)));
    const told = [
      { state: 'reading', nodes: 10 },
      { state: 'live', nodes: 20 },
      { state: 'live', nodes: 30 },
      { state: 'reading', nodes: 40 },
      { state: 'idle', nodes: 50 },
      { state: 'reading', nodes: 60 },
      { state: 'failed', nodes: 70 },
    ] as const;
    const readUpTo = told.map((news) => {
      state = receive(state, status(1, news));
      return state.logs[0].readUpTo?.nodes;
    });
    expect(readUpTo).toEqual([undefined, 20, 20, 20, 50, 50, undefined]);
  });

  test('what the mirror has is noted some times a second, and when it has all', () => {
    const state = after(
      opened(0, true),
      fromMirror('host:0', applied(0, 100, false), 0),
      fromMirror('host:0', applied(0, 200, false), 120),
      fromMirror('host:0', applied(0, 300, false), 240),
      fromMirror('host:0', applied(0, 400, false), 250),
    );
    expect(state.logs[0].mirrored).toEqual({ at: 240, nodes: 300, complete: false });
    const complete = receive(state, fromMirror('host:0', applied(0, 500), 251));
    expect(complete.logs[0].mirrored).toEqual({ at: 251, nodes: 500, complete: true });
    expect(receive(complete, fromMirror('host:0', applied(0, 600), 900))).toBe(complete);
  });

  test('while a log is read, deltas that have all and deltas that have not are no news every time', () => {
    let state = after(opened(0, true), status(0, { state: 'reading' }));
    const noted = new Set<unknown>();
    for (let delta = 0; delta < 100; delta++) {
      state = receive(state, fromMirror('host:0', applied(0, delta, delta % 2 === 0), delta * 20));
      noted.add(state.logs[0].mirrored);
    }
    // Two seconds: at most twice in 200 ms.
    expect(noted.size).toBeLessThanOrEqual(20);
    state = receive(state, fromMirror('host:0', applied(0, 100), 2_000));
    expect(state.logs[0].mirrored).toMatchObject({ complete: true });
  });

  test('while a log is read that deltas keep up with, what the mirror has is noted as well', () => {
    const state = after(
      opened(0, true),
      status(0, { state: 'reading' }),
      fromMirror('host:0', applied(0, 100), 0),
      fromMirror('host:0', applied(0, 200), 150),
      fromMirror('host:0', applied(0, 300), 300),
    );
    expect(state.logs[0].mirrored).toEqual({ at: 300, nodes: 300, complete: true });
  });

  test('what is read again in another epoch does not count as growth', () => {
    const state = after(
      fromHost(hello(1)),
      status(1, { samples: 900 }, 0),
      status(1, { samples: 10, state: 'reading', epoch: 1 }, 2_000),
      status(1, { samples: 4_832, epoch: 1 }, 4_000),
    );
    expect(state.logs[0].rate).toBeUndefined();
  });

  test('a restart does not count as a negative rate', () => {
    const state = after(
      fromHost(hello(1)),
      status(1, { samples: 900 }, 0),
      status(1, { samples: 5, epoch: 1 }, 5_000),
    );
    expect(state.logs[0].rate).toBeUndefined();
  });

  test('zoom and frame belong to an epoch', () => {
    let state = after(fromHost(hello(1)), fromMirror('host:1', applied(0)));
    const selection = { of: 'calls', id: 42, label: 'Shop.main', kind: 'frame' } as const;
    const foundMethod = 7;
    const timelineZoom = { from: 3, to: 9 };
    const named = { zoom: { row: 42, run: undefined }, selection, foundMethod };
    state = changeLog(state, 'host:1', (log) => ({
      ...log,
      ...named,
      panes: withChartThreads(log.panes, ['main']),
      timelineZoom,
      beforeDrag: { scope: log.scope, baseline: undefined },
    }));
    state = receive(state, fromMirror('host:1', applied(0)));
    expect(state.logs[0]).toMatchObject({ ...named, timelineZoom });
    state = receive(state, fromMirror('host:1', applied(1)));
    const { zoom, selection: selected, foundMethod: searched, beforeDrag } = state.logs[0];
    expect([zoom, selected, searched, beforeDrag]).toEqual(Array(4).fill(undefined));
    expect([state.logs[0].panes.chart.only, state.logs[0].timelineZoom]).toEqual([['main'], undefined]);
  });

  test('shifts add up, so that a pane that was not drawn in between misses none', () => {
    const rows = (shift: number): WindowEvent =>
      fromMirror('host:1', {
        type: 'rows',
        largest: { selfCount: 0, totalCount: 0, selfTime: 0, totalTime: 0 },
        pane: 'tree',
        total: 9,
        from: 0,
        rows: [],
        turn: 1,
        shift,
        displaced: 0,
      });
    const state = after(fromHost(hello(1)), rows(3), rows(2), rows(0));
    expect([state.logs[0].panes.tree.shift, state.logs[0].panes.flat.shift]).toEqual([5, 0]);
  });

  test('a frozen view knows how many samples wait, also those of a new run', () => {
    const summary = profileSummary({ samples: 30, methods: 11, nodes: 9 });
    const state = after(
      fromHost(hello(1)),
      fromMirror('host:1', applied(0)),
      fromMirror('host:1', { type: 'summary', summary }),
      status(1, { samples: 42 }),
    );
    const newer = (of: WindowState): number | undefined => newerSamples({ ...of.logs[0], isHeld: true });
    expect(newer(state)).toBe(12);
    expect(newer(receive(state, status(1, { samples: 8, epoch: 1 })))).toBe(8);
  });
});

describe('notices', () => {
  test('a problem is told once, the oldest of too many gives way', () => {
    let state = after(fromHost({ type: 'problem', text: 'no' }), fromHost({ type: 'problem', text: 'no' }));
    expect(state.notices.map((notice) => `${notice.tone} ${notice.text}`)).toEqual(['problem no']);
    for (const text of ['a', 'b', 'c', 'd']) state = notify(state, 'info', text);
    expect(state.notices.map((notice) => notice.text).join(' ')).toBe('a b c d');
    expect(new Set(state.notices.map((notice) => notice.id)).size).toBe(4);
  });

  test('a mirror’s failure is told, and no export of its log is waited for any more', () => {
    const exporting = ['x', 'y'].map((log, id) => ({ id, log, fileName: 'a.lean.txt', share: 0 }));
    const state = receive(
      { ...INITIAL_STATE, exporting },
      fromMirror('x', { type: 'failed', text: 'broken' }),
    );
    expect([state.notices[0].text, state.exporting.map(({ log }) => log)]).toEqual(['broken', ['y']]);
  });

  test('what a later host says and this window does not know changes nothing', () => {
    const unknown = { type: 'weather', sunny: true } as unknown as Parameters<typeof fromHost>[0];
    expect(receive(INITIAL_STATE, fromHost(unknown))).toBe(INITIAL_STATE);
  });
});

test('what a mirror sends for a pane is kept by the pane of its kind; a zoom keeps its object while it is the same', () => {
  const flame = (pane: string, row: number): MirrorEvent => ({
    type: 'flame',
    pane,
    layout: EMPTY_FLAME,
    path: [],
    pathLeftOut: 0,
    zoom: { row, run: undefined },
    numbering: 0,
    thread: undefined,
    searched: '',
  });
  const panes = (...events: readonly MirrorEvent[]) =>
    after(fromHost(hello(1)), ...events.map((event) => fromMirror('host:1', event))).logs[0].panes;
  const none = panes();
  for (const pane of ['tree', 'chart', 'nothing', 'constructor']) expect(panes(flame(pane, 3))).toEqual(none);
  const first = flame('flame', 3);
  const zoomOfRow = (...events: readonly MirrorEvent[]): unknown => panes(...events).flame.shown?.zoom;
  expect(zoomOfRow(first, flame('flame', 3))).toBe(zoomOfRow(first));
  expect(zoomOfRow(first, flame('flame', 4))).toEqual({ row: 4, run: undefined });
});

test('when the worker was ended, nothing of it is waited for', () => {
  const key = hostKey(1 as LogId);
  const state = after(fromHost(hello(1)), { type: 'computing', log: key, computing: true });
  const exporting = [0, 0.5].map((share, id) => ({ id, log: key, fileName: 'a.csv', share }));
  const frozen = changeLog({ ...state, exporting }, key, (log) => ({ ...log, isHeld: true }));
  const { logs, notices, ...rest } = receive(frozen, { type: 'stopped', expression: '(a+)+$' });
  expect(logs.map(({ computing, isHeld }) => [computing, isHeld])).toEqual([[false, false]]);
  expect(rest.exporting).toEqual([exporting[1]]);
  expect(notices.map(({ text }) => text)).toEqual([
    'The regular expression /(a+)+$/ took too long. It was stopped.',
  ]);
});
