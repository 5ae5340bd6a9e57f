import type { FlameZoom } from '../../../../shared/engine/query.ts';
import { expect, test } from 'vitest';
import { withAwaitedBases } from '../../../../renderer/store/actions/compare-actions.ts';
import { useWindow } from '../../../../renderer/store/state/window-store.ts';
import { mirrorRequests } from '../../../../renderer/store/mirrors/mirror-requests.ts';
import type { FlameChoice } from '../../../../renderer/store/panes/panes.ts';
import { DEFAULT_PREFERENCES } from '../../../../renderer/store/state/preferences.ts';
import type { MirrorRequest } from '../../../../renderer/profile-worker/mirror-messages.ts';
import { receive } from '../../../../renderer/store/events/receive.ts';
import { withChartThreads } from '../../../../renderer/store/panes/pane-views.ts';
import {
  hostKey,
  INITIAL_STATE,
  type LogView,
  newLogView,
  type WindowState,
} from '../../../../renderer/store/state/window-state.ts';
import type { Epoch, LogId, Revision } from '../../../../shared/protocol/messages.ts';
import { EMPTY_SCOPE } from '../../../../shared/scope/scope.ts';
import { fromMirror, logStatus } from '../../../support/window-events.ts';
import { EMPTY_FLAME } from '../../../../shared/engine/views/flame-columns.ts';
import { NO_SUMMARY } from '../../../../renderer/panes/table/rows.ts';
import {
  keepScopesInAddress,
  keepTabs,
  keptText as textOf,
  readKeptTabs,
  type Session,
  sessionOf,
  settled,
} from '../../../../renderer/store/links/session.ts';

/** Ids are those of one run of the host: at the next start the same files have others. */
const opened = (id: number, path: string): LogView => {
  const cut = path.lastIndexOf('/');
  return newLogView(hostKey(id as LogId), id as LogId, path.slice(cut + 1), path.slice(0, cut));
};
const shown = (logs: readonly LogView[], active: string | undefined): string =>
  logs
    .map(({ key, folder, name, label, scope }) => {
      const text = `${folder}/${name}${label === '' ? '' : `=${label}`}${scope.transforms.map(({ kind }) => `~${kind}`).join('')}`;
      return key === active ? `[${text}]` : text;
    })
    .join(' ');

const LOOK = { frames: 'fqmn' } as const;
type Tabs = Pick<WindowState, 'logs' | 'active'>;
const keptText = (tabs: Tabs): string => textOf({ background: [], ...tabs }, LOOK);
const restored = (tabs: Tabs, session: Session): { readonly tabs: Tabs; readonly session: Session } => {
  const next = settled(session, { ...INITIAL_STATE, ...tabs });
  return { tabs: next, session };
};
const DROP = { ...EMPTY_SCOPE, transforms: [{ kind: 'drop', key: 'Shop.wait' }] } as const;
const before: readonly LogView[] = [
  { ...opened(7, '/b/x'), label: 'second' },
  opened(3, '/a/x'),
  { ...opened(5, '/a/y'), scope: DROP },
];
const kept = keptText({ logs: before, active: 'host:3' });

test('tabs that come one after the other get their names, scopes and places', () => {
  let session = sessionOf(readKeptTabs(kept));
  let tabs: { logs: readonly LogView[]; active: string | undefined } = { logs: [], active: undefined };
  const seen = ['/a/y', '/new', '/a/x', '/b/x'].map((path, at) => {
    const logs = [...tabs.logs, opened(at, path)];
    const next = restored({ logs, active: tabs.active ?? logs[0].key }, session);
    ({ tabs, session } = next);
    return shown(tabs.logs, tabs.active);
  });
  expect(seen).toEqual([
    '[/a/y~drop]',
    '[/a/y~drop] /new',
    '[/a/x] /a/y~drop /new',
    '/b/x=second [/a/x] /a/y~drop /new',
  ]);
});

test('what the user changes later stays, and a file that is opened again is a new tab', () => {
  const first = restored({ logs: [opened(1, '/b/x')], active: 'host:1' }, sessionOf(readKeptTabs(kept)));
  const renamed = first.tabs.logs.map((log) => ({ ...log, label: 'other' }));
  const second = restored({ logs: [...renamed, opened(2, '/b/x')], active: 'host:1' }, first.session);
  expect(shown(second.tabs.logs, second.tabs.active)).toBe('[/b/x=other] /b/x');
});

test('scopes of an address are not replaced', () => {
  const { tabs } = restored(
    { logs: [opened(1, '/a/y')], active: 'host:1' },
    sessionOf(readKeptTabs(kept), { hasScopes: false }),
  );
  expect(shown(tabs.logs, tabs.active)).toBe('[/a/y]');
});

test('files that the window read itself are not kept, and damaged storage restores nothing', () => {
  const own = newLogView('file:1', undefined, 'x', 'read by this window');
  expect(readKeptTabs(keptText({ logs: [own], active: 'file:1' }))).toEqual([]);
  const damaged = [null, '', '{', '[]', '{"version":3,"tabs":[{}]}', '{"version":2,"tabs":[1,{"name":1}]}'];
  expect(damaged.map((text) => readKeptTabs(text))).toEqual(damaged.map(() => []));
  for (let cut = 0; cut < kept.length; cut++) expect(readKeptTabs(kept.slice(0, cut))).toEqual([]);
});

test('however long the scopes are, all tabs keep their names and places, and most their scopes', () => {
  const logs = Array.from({ length: 120 }, (_, at) => {
    const length = at === 7 ? 55_000 : at < 60 ? 45_000 : 10;
    const scope = { ...EMPTY_SCOPE, transforms: [{ kind: 'drop', key: 'x'.repeat(length) }] } as const;
    return { ...opened(at, `/logs/${at}`), label: `tab ${at}`, scope };
  });
  const text = keptText({ logs, active: 'host:99' });
  expect(text.length).toBeLessThanOrEqual(2_000_000);
  const read = readKeptTabs(text);
  expect(read.map(({ kept: tab }) => tab?.label)).toEqual(logs.slice(0, 100).map(({ label }) => label));
  expect(read[99].kept?.isActive).toBe(true);
  const without = read.flatMap(({ scope }, at) => (scope.transforms.length === 0 ? [at] : []));
  // 59 × 45,000 + 55,000 characters are 710,000 too many and a little more: the longest scope, and 15 others.
  expect(without).toHaveLength(16);
  expect(without).toContain(7);
});

test('the threads of the chart and the part of the time on screen are as they were', () => {
  const log = opened(1, '/b/x');
  const timelineZoom = { from: 2, to: 9 };
  const looked = { ...log, panes: withChartThreads(log.panes, ['main']), timelineZoom };
  const stored = readKeptTabs(keptText({ logs: [looked], active: undefined }));
  const { tabs } = restored({ logs: [opened(2, '/b/x')], active: undefined }, sessionOf(stored));
  expect([tabs.logs[0].panes.chart.only, tabs.logs[0].timelineZoom]).toEqual([['main'], timelineZoom]);
  expect(tabs.logs[0].scopesBack).toEqual([]);
});

test('hidden errors stay hidden', () => {
  const hidden = { ...opened(1, '/b/x'), hidesErrors: true };
  const stored = readKeptTabs(keptText({ logs: [hidden], active: undefined }));
  const { tabs } = restored({ logs: [opened(2, '/b/x')], active: undefined }, sessionOf(stored));
  expect(tabs.logs[0].hidesErrors).toBe(true);
});

/** A flame graph zoomed into a frame at the end of this path. */
const drawn = (
  key: string,
  { pane, zoom }: { readonly pane: string; readonly zoom: FlameZoom },
  ...labels: readonly string[]
): Parameters<typeof receive>[1] =>
  fromMirror(key, {
    type: 'flame',
    pane,
    layout: EMPTY_FLAME,
    zoom,
    numbering: 0,
    searched: '',
    path: [
      { zoom: undefined, label: 'All threads', weight: 9 },
      ...labels.map((label, at) => ({
        zoom: { row: 8 - labels.length + at, run: undefined },
        label,
        weight: 5,
      })),
    ],
    pathLeftOut: 0,
    thread: undefined,
  });
const CALLS = { pane: 'flame', flame: 'calls', zoom: { row: 7, run: undefined } } as const;
const BOTTOM_UP = {
  pane: 'bottomUpFlame',
  flame: 'bottom-up',
  zoom: { row: { end: 9, caller: 7 }, run: undefined },
} as const;
/** What the mirror is asked for while the zoom narrows the call tree. */
const lookAt = (log: LogView, flame: FlameChoice): readonly MirrorRequest[] =>
  mirrorRequests(
    { ...windowOf(log), flameWidth: 100, preferences: { ...DEFAULT_PREFERENCES, flame } },
    { ...log, keepsZoom: true },
  );
const narrowedBy = (log: LogView, flame: FlameChoice): FlameZoom | undefined =>
  lookAt(log, flame).flatMap((request) => (request.type === 'view' ? [request.narrowing?.zoom] : []))[0];
const zoomAskedFor = (log: LogView, flame: FlameChoice): FlameZoom | undefined =>
  lookAt(log, flame).flatMap((request) =>
    request.type === 'pane' && request.spec?.kind === 'flame' ? [request.spec.zoom] : [],
  )[0];
const windowOf = (log: LogView): WindowState => ({ ...INITIAL_STATE, logs: [log], active: log.key });

test.each([
  [CALLS, ['Shop.main', 'Shop.run'], true],
  [BOTTOM_UP, ['Shop.main', 'Shop.run'], true],
  // Another file has this name by now.
  [CALLS, ['Shop.main', 'Shop.other'], false],
  [BOTTOM_UP, ['Shop.main', 'Shop.other'], false],
  // The frame of the same name is another one.
  [CALLS, ['Shop.stop', 'Shop.run'], false],
] as const)(
  'a zoom is kept and in force, if its row is the same frame at the next start: $flame, %s',
  (of, now, isSame) => {
    const { flame, zoom } = of;
    const { logs } = receive(
      windowOf({ ...opened(1, '/b/x'), zoom }),
      drawn('host:1', of, 'Shop.main', 'Shop.run'),
    );
    const stored = readKeptTabs(keptText({ logs, active: undefined }));
    const { tabs } = restored({ logs: [opened(2, '/b/x')], active: undefined }, sessionOf(stored));
    // Not drawn yet, and the window is closed again.
    const again = readKeptTabs(keptText(tabs));
    expect(again[0].kept?.zoomedPath).toBe('0\nShop.main\nShop.run');
    const [asked] = tabs.logs;
    expect([zoomAskedFor(asked, flame), narrowedBy(asked, flame)]).toEqual([zoom, undefined]);
    const after = receive(windowOf(asked), drawn('host:2', of, ...now)).logs[0];
    const expected = isSame ? zoom : undefined;
    expect([after.zoom, narrowedBy(after, flame)]).toEqual([expected, expected]);
    if (!isSame) expect(after.scopesBack).toEqual([]);
  },
);

test('a log is read again as the user chose, before its zoom is looked for', () => {
  const zoom: FlameZoom = { row: 4, run: undefined };
  const chosen = { 'sample-type': 'alloc' };
  const log = { ...opened(1, '/b/x'), chosen, zoom, zoomedPath: '0\nShop.run' };
  const stored = readKeptTabs(keptText({ logs: [log], active: undefined }));
  useWindow.setState(INITIAL_STATE);
  const asked: unknown[] = [];
  const storage = {
    read: () => keptText({ logs: [log], active: undefined }),
    write: () => undefined,
  };
  keepTabs(storage, true, ({ hostLog }, options) => asked.push([hostLog, options]));
  useWindow.setState({ logs: [opened(2, '/b/x')], active: 'host:2' });
  useWindow.setState(({ logs }) => ({ logs: [...logs, opened(3, '/b/x')] }));
  expect(asked).toEqual([[2, chosen]]);

  const { tabs } = restored({ logs: [opened(2, '/b/x')], active: undefined }, sessionOf(stored));
  const shownIn = (epoch: number, before: WindowState): WindowState =>
    receive(
      before,
      fromMirror('host:2', {
        type: 'applied',
        nodes: 1,
        complete: true,
        revision: 1 as Revision,
        epoch: epoch as Epoch,
      }),
    );
  const drawn = (label: string, before: WindowState): WindowState =>
    receive(
      before,
      fromMirror('host:2', {
        type: 'flame',
        pane: 'flame',
        layout: EMPTY_FLAME,
        thread: undefined,
        numbering: 1,
        zoom,
        pathLeftOut: 0,
        searched: '',
        path: [{ label: '' }, { label }] as never,
      }),
    );
  // Read by default first: its call nodes have other numbers.
  const first = drawn('Other.run', shownIn(0, { ...INITIAL_STATE, logs: tabs.logs, active: 'host:2' }));
  expect([first.logs[0].zoom, first.logs[0].zoomedPath]).toEqual([zoom, '0\nShop.run']);
  const second = drawn('Shop.run', shownIn(1, first));
  expect([second.logs[0].zoom, second.logs[0].zoomedPath]).toEqual([zoom, undefined]);
});

test('two tabs of one file come back, each with its scope and as it was read, compared with each other', () => {
  const read = (id: number, type: string): LogView => ({
    ...opened(id, '/b/x.jfr'),
    status: logStatus({
      choices: [{ id: 'sample-type', name: 'Samples', hint: '', kind: 'one', chosen: type, options: [] }],
    }),
  });
  const [cpu, lock] = [read(3, 'cpu'), { ...read(4, 'lock'), label: 'x.jfr: locks' }];
  const logs = [{ ...cpu, scope: DROP, baseline: { log: lock.key } }, lock];
  const stored = readKeptTabs(keptText({ logs, active: cpu.key }));
  const reopened = { logs: [opened(1, '/b/x.jfr'), opened(2, '/b/x.jfr')], active: 'host:1' };
  const { tabs } = restored(reopened, sessionOf(stored));
  expect(shown(tabs.logs, tabs.active)).toBe('[/b/x.jfr~drop] /b/x.jfr=x.jfr: locks');
  expect(tabs.logs.map(({ chosen }) => chosen)).toEqual([
    { 'sample-type': 'cpu' },
    { 'sample-type': 'lock' },
  ]);
  const status = logStatus({});
  const found = withAwaitedBases({ ...tabs, logs: tabs.logs.map((log) => ({ ...log, status })) });
  expect(found.logs.map(({ baseline }) => baseline?.log)).toEqual(['host:2', undefined]);
  // Of a file with one tab, only what the user has chosen is kept.
  expect(readKeptTabs(keptText({ logs: [cpu], active: cpu.key }))[0].kept?.chosen).toBe(undefined);
});

test('a log is compared again with the file of another tab, which may come later', () => {
  const status = logStatus({});
  const base = { ...opened(1, '/a/x'), status };
  const baseline = { log: base.key, threads: ['main'] };
  const compared = { ...opened(2, '/b/x'), status, baseline };
  const read = readKeptTabs(keptText({ logs: [base, compared], active: compared.key }));
  const reopened = [opened(7, '/b/x'), opened(8, '/c/x'), opened(9, '/a/x')];
  const { tabs } = restored({ logs: reopened, active: 'host:7' }, sessionOf(read));
  const find = (logs: readonly LogView[]) => logs.find(({ key }) => key === 'host:7');
  expect(find(tabs.logs)?.baseline).toBeUndefined();
  expect(find(tabs.logs)).toMatchObject({ awaitedBase: { name: '/a/x' } });
  // Until it has come, it is kept for the start after.
  expect(readKeptTabs(keptText(tabs)).find(({ name }) => name === '/b/x')).toMatchObject({
    base: '/a/x',
    baseline: { threads: ['main'] },
  });
  const ready = tabs.logs.map((log) => ({ ...log, status }));
  const found = withAwaitedBases({ logs: ready, active: 'host:8' });
  // The tab that was on screen stays there.
  expect([find(found.logs)?.baseline, found.compared]).toEqual([
    { log: 'host:9', threads: ['main'] },
    undefined,
  ]);
});

test('the address says by which attribute threads are grouped, also alone, and not for logs without it', () => {
  let text = '';
  const grouped = { ...DEFAULT_PREFERENCES, threads: 'context:operation', frames: 'line' } as const;
  const log = (...contextKeys: readonly string[]): LogView => ({
    ...opened(1, '/a/x'),
    summary: { ...NO_SUMMARY, contextKeys },
  });
  const keep = (): void =>
    keepScopesInAddress({
      read: () => text,
      write: (fragment) => void (text = fragment),
      isOwn: () => true,
      flush: () => undefined,
      onChange: () => undefined,
    });
  useWindow.setState({ ...INITIAL_STATE, preferences: grouped });
  keep();
  useWindow.setState({ logs: [log('operation')] });
  expect(text).toBe('#frames=line&threads=context:operation');
  useWindow.setState({ logs: [log('customer')] });
  expect(text).toBe('');
  text = '#frames=bci&threads=context:customer';
  useWindow.setState({ logs: [], preferences: DEFAULT_PREFERENCES });
  keep();
  expect(useWindow.getState().preferences).toMatchObject({ frames: 'bci', threads: 'context:customer' });
});
