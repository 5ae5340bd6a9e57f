import { expect, test } from 'vitest';
import { keptText, readKeptTabs, restoringOf, withRestored } from '../../../../renderer/store/kept-tabs.ts';
import type { ChartZoom } from '../../../../renderer/profile-worker/pane-messages.ts';
import type { ShownChart } from '../../../../renderer/store/panes.ts';
import { hostKey, type LogView, newLogView } from '../../../../renderer/store/window-state.ts';
import type { LogId } from '../../../../shared/protocol/messages.ts';
import { EMPTY_SCOPE } from '../../../../shared/scope/scope.ts';
import { EMPTY_FLAME } from '../../../../shared/views/flame-columns.ts';

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

const DROP = { ...EMPTY_SCOPE, transforms: [{ kind: 'drop', key: 'Shop.wait' }] } as const;
const before: readonly LogView[] = [
  { ...opened(7, '/b/x'), label: 'second' },
  opened(3, '/a/x'),
  { ...opened(5, '/a/y'), scope: DROP },
];
const kept = keptText({ logs: before, active: 'host:3' }, 'fqmn');

test('tabs that come one after the other get their names, scopes and places', () => {
  let restoring = restoringOf(readKeptTabs(kept));
  let tabs: { logs: readonly LogView[]; active: string | undefined } = { logs: [], active: undefined };
  const seen = ['/a/y', '/new', '/a/x', '/b/x'].map((path, at) => {
    const logs = [...tabs.logs, opened(at, path)];
    const next = withRestored({ logs, active: tabs.active ?? logs[0].key }, restoring, true);
    ({ tabs, restoring } = next);
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
  const first = withRestored(
    { logs: [opened(1, '/b/x')], active: 'host:1' },
    restoringOf(readKeptTabs(kept)),
    true,
  );
  const renamed = first.tabs.logs.map((log) => ({ ...log, label: 'other' }));
  const second = withRestored(
    { logs: [...renamed, opened(2, '/b/x')], active: 'host:1' },
    first.restoring,
    true,
  );
  expect(shown(second.tabs.logs, second.tabs.active)).toBe('[/b/x=other] /b/x');
});

test('scopes of an address are not replaced', () => {
  const { tabs } = withRestored(
    { logs: [opened(1, '/a/y')], active: 'host:1' },
    restoringOf(readKeptTabs(kept)),
    false,
  );
  expect(shown(tabs.logs, tabs.active)).toBe('[/a/y]');
});

test('files that the window read itself are not kept, and damaged storage restores nothing', () => {
  const own = newLogView('file:1', undefined, 'x', 'read by this window');
  expect(readKeptTabs(keptText({ logs: [own], active: 'file:1' }, 'fqmn'))).toEqual([]);
  const damaged = [null, '', '{', '[]', '{"version":2,"tabs":[{}]}', '{"version":1,"tabs":[1,{"folder":1}]}'];
  expect(damaged.map((text) => readKeptTabs(text))).toEqual(damaged.map(() => []));
  for (let cut = 0; cut < kept.length; cut++) expect(readKeptTabs(kept.slice(0, cut))).toEqual([]);
});

test('however long the scopes are, all tabs keep their names and places, and most their scopes', () => {
  const logs = Array.from({ length: 120 }, (_, at) => {
    const length = at === 7 ? 55_000 : at < 60 ? 45_000 : 10;
    const scope = { ...EMPTY_SCOPE, transforms: [{ kind: 'drop', key: 'x'.repeat(length) }] } as const;
    return { ...opened(at, `/logs/${at}`), label: `tab ${at}`, scope };
  });
  const text = keptText({ logs, active: 'host:99' }, 'fqmn');
  expect(text.length).toBeLessThanOrEqual(2_000_000);
  const read = readKeptTabs(text);
  expect(read.map(({ label }) => label)).toEqual(logs.slice(0, 100).map(({ label }) => label));
  expect(read[99].isActive).toBe(true);
  const without = read.flatMap(({ shown }, at) => (shown === undefined ? [at] : []));
  // 59 × 45,000 + 55,000 characters are 710,000 too many and a little more: the longest scope, and 15 others.
  expect(without).toHaveLength(16);
  expect(without).toContain(7);
});

test('chart and heatmap are as they were', () => {
  const looked = {
    ...opened(1, '/b/x'),
    chart: { only: ['main'], zoom: { from: 2, to: 9 } },
    heatmap: { scale: 'middle', from: 3, columns: 9 } as const,
  };
  const stored = readKeptTabs(keptText({ logs: [looked], active: undefined }, 'fqmn'));
  const { tabs } = withRestored({ logs: [opened(2, '/b/x')], active: undefined }, restoringOf(stored), true);
  expect([tabs.logs[0].chart, tabs.logs[0].heatmap.scale]).toEqual([looked.chart, 'middle']);
  expect(tabs.logs[0].scopesBack).toEqual([]);
});

const EMPTY_CHART: ShownChart = {
  ...{ type: 'chart', pane: 'chart', layout: EMPTY_FLAME, only: [], count: 0, from: 0, to: 0 },
  ...{ zoom: undefined, asked: undefined, first: '0', searching: false },
  ...{ begins: new Float64Array(), ends: new Float64Array(), times: new Float64Array() },
};

test('with a zoom of the chart its thread is kept, also where none is chosen', () => {
  const log = opened(1, '/b/x');
  const shown = { ...EMPTY_CHART, only: ['=main'], count: 12 };
  const panes = { ...log.panes, chart: { ...log.panes.chart, shown } };
  const restored = (zoom: ChartZoom | undefined, count: number): LogView['chart'] => {
    const chart = { ...panes.chart, shown: { ...shown, count } };
    const looked = { ...log, panes: { ...panes, chart }, chart: { only: undefined, zoom } };
    const stored = readKeptTabs(keptText({ logs: [looked], active: undefined }, 'fqmn'));
    const tabs = { logs: [opened(2, '/b/x')], active: undefined };
    return withRestored(tabs, restoringOf(stored), true).tabs.logs[0].chart;
  };
  const zoom = { from: 2, to: 9 };
  expect([restored(zoom, 12), restored(undefined, 12), restored(zoom, 0)]).toEqual([
    { only: ['=main'], zoom },
    { only: undefined, zoom: undefined },
    // Of no thread.
    { only: undefined, zoom },
  ]);
});
