import { afterEach, describe, expect, test, vi } from 'vitest';
import { flameCounts, flameRows } from '../../../shared/engine/views/flame-columns.ts';
import {
  Driven,
  expand,
  find,
  FLAT,
  flame,
  LOG,
  move,
  rowTexts,
  select,
  tree,
  TREE,
  view,
  wholeLog,
} from '../../support/driven-mirror.ts';
import { EMPTY_SCOPE, type Scope } from '../../../shared/scope/scope.ts';
import { SampleTable } from '../../../shared/profile/sample-table.ts';
import { FollowedLog } from '../../support/followed-log.ts';
import { frame, log as bytesOf, trace } from '../../support/log-bytes.ts';
import { Chains } from '../../../shared/engine/trees/chains.ts';
import { MarkedNodes } from '../../../shared/engine/values/marked-stacks.ts';
import { readLog } from '../../support/read-log.ts';
import type { Epoch } from '../../../shared/protocol/messages.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('while its log is read, a copy that keeps up is drawn now and then; once it is read, at once', () => {
  vi.useFakeTimers();
  const log = new FollowedLog();
  const driven = new Driven({ type: 'timeline', view: { buckets: 10, zoom: undefined } }, TREE, FLAT, {
    type: 'reading',
    reading: true,
  });
  const shownCount = (): number =>
    driven.events.filter((event) => event.type === 'rows' && event.pane === 'tree').length;
  const marked = vi.spyOn(Chains.prototype, 'prefetch');
  const foundErrors = vi.spyOn(MarkedNodes.prototype, 'update');
  const grow = (share: number): void => {
    log.append(LOG.subarray((LOG.length * (share - 1)) / 10, (LOG.length * share) / 10), share === 10);
    driven.mirror.handle({ type: 'delta', message: log.delta() });
    vi.advanceTimersByTime(40);
  };
  grow(1);
  const first = shownCount();
  for (let share = 2; share < 10; share++) grow(share);
  const nodesBeforeLast = log.aggregator.profile.nodes.length;
  grow(10);
  expect(shownCount()).toBe(first);
  // Meanwhile chains are marked and errors are found, as trees are built.
  expect(marked.mock.calls.length).toBe(9);
  const visited = foundErrors.mock.calls.map(([, end]) => end);
  expect(visited.at(-1)).toBe(nodesBeforeLast);
  driven.mirror.handle({ type: 'reading', reading: false });
  vi.advanceTimersByTime(40);
  expect(shownCount()).toBe(first + 1);
  expect(rowTexts(driven.rows(), 1)).toEqual(rowTexts(wholeLog(TREE).rows(), 1));
});

test('what looks at all rows for a hint comes when the rows on screen are posted, or with a barrier', () => {
  vi.useFakeTimers();
  const log = new FollowedLog();
  log.append(LOG, true);
  const [driven, flushed] = [new Driven(TREE), new Driven(TREE)];
  const types = ({ events }: Driven): readonly string[] => events.map(({ type }) => type);
  const message = log.delta();
  for (const { mirror } of [driven, flushed]) mirror.handle({ type: 'delta', message });
  expect([types(driven).includes('summary'), types(driven).includes('hiding')]).toEqual([true, false]);
  expect(types(flushed)).not.toContain('hiding');
  flushed.mirror.handle({ type: 'barrier', id: 1, flush: true });
  expect(types(flushed)).toContain('hiding');
  vi.runAllTimers();
  expect(types(driven)).toContain('hiding');
});

test('the package that hides the rest is looked for again in another scope, and not where nothing has changed', () => {
  vi.useFakeTimers();
  const driven = wholeLog(TREE);
  const look = (transforms: Scope['transforms']): unknown => {
    const before = driven.events.length;
    driven.mirror.handle(view('', 'fqmn', false, { ...EMPTY_SCOPE, transforms }));
    vi.runAllTimers();
    const said = driven.events.slice(before).find((event) => event.type === 'hiding');
    return said === undefined ? 'not said' : said.hiding?.name;
  };
  const collapsed: Scope['transforms'] = [{ kind: 'collapse', prefix: 'java.util.regex.' }];
  expect(driven.last('hiding').hiding?.name).toBe('java.util.regex.');
  expect([look([]), look(collapsed), look(collapsed), look([])]).toEqual([
    'not said',
    undefined,
    'not said',
    'java.util.regex.',
  ]);
});

test('the package that hides the rest is that of all samples in the end, also where few rows came last', () => {
  vi.useFakeTimers();
  const log = new FollowedLog();
  const driven = new Driven(TREE);
  const said = (): number => driven.events.filter(({ type }) => type === 'hiding').length;
  log.append(LOG);
  driven.mirror.handle({ type: 'delta', message: log.delta() });
  vi.advanceTimersByTime(100);
  const { share } = driven.last('hiding').hiding!;
  const before = said();
  const ofAnother = Array.from({ length: 3_000 }, () => trace(1, 5, frame(1, 2, 3)));
  log.append(bytesOf(...ofAnother), true);
  driven.mirror.handle({ type: 'delta', message: log.delta() });
  // Growth waits; it is looked for in all rows.
  vi.advanceTimersByTime(100);
  expect(said()).toBe(before);
  vi.advanceTimersByTime(2_000);
  expect(said()).toBe(before + 1);
  expect(driven.last('hiding').hiding!.share).toBeLessThan(share - 0.01);
  // The window says whole percents.
  log.append(trace(1, 6, frame(1, 2, 3)), true);
  driven.mirror.handle({ type: 'delta', message: log.delta() });
  vi.advanceTimersByTime(2_000);
  expect(said()).toBe(before + 1);
});

test('that its log is read may be told before the last of it comes: that is drawn, and nothing before', () => {
  vi.useFakeTimers();
  const log = new FollowedLog();
  const driven = new Driven(TREE, { type: 'reading', reading: true });
  const shownCount = (): number => driven.events.filter(({ type }) => type === 'rows').length;
  log.append(LOG.subarray(0, LOG.length / 4));
  driven.mirror.handle({ type: 'delta', message: log.delta() });
  log.append(LOG.subarray(LOG.length / 4, LOG.length / 2));
  driven.mirror.handle({ type: 'delta', message: log.delta() });
  const before = shownCount();
  log.append(LOG.subarray(LOG.length / 2), true);
  const last = log.delta();
  const { nodes } = log.aggregator.profile;
  driven.mirror.handle({ type: 'reading', reading: false, upTo: { epoch: 0 as Epoch, nodes: nodes.length } });
  vi.advanceTimersByTime(40);
  expect(shownCount()).toBe(before);
  driven.mirror.handle({ type: 'delta', message: last });
  vi.advanceTimersByTime(40);
  expect(shownCount()).toBe(before + 1);
  expect(rowTexts(driven.rows(), 1)).toEqual(rowTexts(wholeLog(TREE).rows(), 1));
});

test('what is reserved for samples to come is freed once when a log is read, not while it grows', () => {
  const trim = vi.spyOn(SampleTable.prototype, 'trim');
  const log = new FollowedLog();
  const driven = new Driven(TREE, { type: 'reading', reading: true });
  const grow = (from: number, to: number): void => {
    log.append(LOG.subarray(LOG.length * from, LOG.length * to), to === 1);
    driven.ask({ type: 'delta', message: log.delta() });
  };
  for (let part = 0; part < 8; part++) grow(part / 10, (part + 1) / 10);
  expect(trim).not.toHaveBeenCalled();
  log.append(LOG.subarray(LOG.length * 0.8, LOG.length * 0.9));
  driven.mirror.handle({ type: 'delta', message: log.delta() });
  driven.ask({ type: 'reading', reading: false });
  expect(trim).toHaveBeenCalledOnce();
  grow(0.9, 1);
  expect(trim).toHaveBeenCalledOnce();
  expect(rowTexts(driven.rows(), 9)).toEqual(rowTexts(wholeLog(TREE).rows(), 9));
});

describe('the flame graph', () => {
  test('shows everything down to a pixel, and the rest in exact blocks', () => {
    const { layout, path } = wholeLog(flame()).last('flame');
    const rows = flameRows(layout);
    expect(rows[0]).toMatchObject({ kind: 'all', weight: 1553, parent: -1 });
    expect(path).toEqual([{ zoom: undefined, label: 'All threads', weight: 1553 }]);
    expect(flameCounts(layout).grouped).toBeGreaterThan(0);
    rows.forEach((parent, at) => {
      if (parent.kind === 'block') return;
      const below = rows.filter((row) => row.parent === at).reduce((sum, row) => sum + row.weight, 0);
      expect(below + parent.selfCount).toBe(parent.weight);
    });
  });

  test('keeps its zoom while the log grows, and forgets it when the log starts over', () => {
    const log = new FollowedLog();
    const driven = new Driven(flame());
    log.append(LOG.subarray(0, LOG.length >> 1));
    driven.ask({ type: 'delta', message: log.delta() });
    const { id } = flameRows(driven.last('flame').layout).find(
      (row) => row.label === 'ServerSim$Chain.next',
    )!;
    const zoom = { row: id, run: undefined };
    driven.ask(flame({ zoom }));
    log.append(LOG.subarray(LOG.length >> 1), true);
    driven.ask({ type: 'delta', message: log.delta() });
    expect(driven.last('flame')).toMatchObject({ zoom });
    expect(flameRows(driven.last('flame').layout)[0].label).toBe('ServerSim$Chain.next');

    const restarted = new FollowedLog(1);
    restarted.append(LOG.subarray(0, 300_000));
    driven.ask({ type: 'delta', message: restarted.delta() });
    expect(driven.last('flame').zoom).toBe(undefined);
  });

  test('has the zoom of a link when the first samples come, and keeps it with the selection after a lost connection', () => {
    const whole = (): ArrayBuffer => {
      const log = new FollowedLog();
      log.append(LOG, true);
      return log.delta();
    };
    const { id } = flameRows(wholeLog(flame()).last('flame').layout).find(
      ({ label }) => label === 'ServerSim$Chain.next',
    )!;
    const zoom = { row: id, run: undefined };
    const driven = new Driven(flame({ zoom }), TREE);
    driven.ask({ type: 'delta', message: whole() });
    expect(driven.last('flame').zoom).toEqual(zoom);
    driven.ask(select('calls', driven.rows()[1]));
    const { selection, rows } = driven.last('selected');
    driven.ask({ type: 'delta', message: whole() });
    expect(driven.last('flame').zoom).toEqual(zoom);
    expect(driven.last('selected')).toMatchObject({ selection, rows });
  });
});

test('what is selected is called as frames are grouped, among calls and among methods', () => {
  const driven = wholeLog(TREE, FLAT);
  const inTree = driven.rows().find(({ kind }) => kind === 'frame')!;
  const told = (): unknown => driven.last('selected').selection;
  for (const [of, row] of [
    ['calls', inTree],
    ['methods', driven.shown('flat').rows.find(({ label }) => label === inTree.label)!],
  ] as const) {
    driven.ask(select(of, row));
    expect(told()).toMatchObject({ of, kind: 'frame', label: inTree.label });
    driven.ask(view('', 'line'));
    expect(told()).toMatchObject({ id: row.id, label: expect.stringMatching(/\w:\d+$/) as string });
    driven.ask(view());
    expect(told()).toMatchObject({ label: inTree.label });
  }
  const thread = driven.rows()[0];
  driven.ask(select('calls', thread), view('', 'line'));
  expect(told()).toMatchObject({ kind: 'thread', label: thread.label });
});

test('hidden errors are out of all sums, and come back as they were', () => {
  const driven = wholeLog(TREE, FLAT, flame());
  const isError = ({ label }: { readonly label: string }): boolean => label.startsWith('AGCT.');
  const { samples, hidden } = driven.last('summary').summary;
  expect(hidden).toEqual({ samples: 0, time: 0 });
  const before = [
    driven.shown('tree').rows,
    driven.shown('flat').rows,
    flameRows(driven.last('flame').layout),
  ];
  expect(before.map((rows) => rows.some(isError))).toEqual([true, true, true]);
  const errors = readLog(LOG).profile;
  const isErrorMethod = errors.methods.names.map((names) => names?.className === 'AGCT');
  let errorSamples = 0;
  for (let row = 0; row < errors.selfValues.length; row++) {
    const frame = errors.nodes.frame[errors.selfValues.node[row]];
    if (frame >= 0 && isErrorMethod[errors.frames.method[frame]])
      errorSamples += errors.selfValues.count[row];
  }
  expect(errorSamples).toBeGreaterThan(0);

  driven.ask(view('', 'fqmn', true));
  const { summary } = driven.last('summary');
  expect([summary.samples, summary.hidden.samples]).toEqual([samples, errorSamples]);
  expect(flameRows(driven.last('flame').layout)[0].totalCount).toBe(samples - errorSamples);
  const after = [
    driven.shown('tree').rows,
    driven.shown('flat').rows,
    flameRows(driven.last('flame').layout),
  ];
  expect(after.map((rows) => rows.some(isError))).toEqual([false, false, false]);
  driven.ask(tree({ threads: 'all' }));
  expect(driven.rows()[0].totalCount).toBe(samples - errorSamples);
  driven.ask(view('/./', 'fqmn', true));
  expect(driven.last('search').samples).toBe(samples - errorSamples);

  driven.ask(TREE, view());
  expect(driven.last('summary').summary.hidden).toEqual({ samples: 0, time: 0 });
  expect([
    driven.shown('tree').rows,
    driven.shown('flat').rows,
    flameRows(driven.last('flame').layout),
  ]).toEqual(before);
});

describe('deltas', () => {
  test('are acknowledged one by one, and a gap is reported instead of guessed over', () => {
    const log = new FollowedLog();
    const driven = new Driven(TREE);
    log.append(LOG.subarray(0, 200_000));
    driven.ask({ type: 'delta', message: log.delta() });
    const { revision } = driven.last('applied');
    log.append(LOG.subarray(200_000, 400_000));
    log.delta();
    log.append(LOG.subarray(400_000, 600_000));
    driven.ask({ type: 'delta', message: log.delta() });
    expect(driven.events.at(-2)?.type).toBe('gap');
    expect(driven.last('applied').revision).toBe(revision);
  });

  test('cut to a few nodes each add up to the same', () => {
    const log = new FollowedLog();
    log.append(LOG, true);
    const driven = new Driven(TREE);
    let steps = 0;
    do {
      driven.ask({ type: 'delta', message: log.delta(5_000) });
      steps++;
    } while (!driven.last('applied').complete);
    expect(steps).toBe(17);
    expect(rowTexts(driven.rows(), 60)).toEqual(rowTexts(wholeLog(TREE).rows(), 60));
  });
});

test('a stack fifty thousand frames deep opens, closes, zooms and is searched', () => {
  const log = new FollowedLog();
  const frames = Array.from({ length: 50_000 }, (_, at) => frame(1 + (at % 7), 1, at % 5));
  log.append(bytesOf(trace(9, 1, ...frames), trace(9, 2, frame(1, 1, 1))), true);
  const driven = new Driven(TREE, flame());
  driven.ask({ type: 'delta', message: log.delta() });
  const [root] = driven.rows();
  driven.ask(expand(root.id, 'all'));
  expect(driven.last('rows').total).toBeGreaterThan(49_000);
  driven.ask(move('tree', 'last'));
  const deepest = driven.last('selected').rows.tree!;
  driven.ask(flame({ zoom: { row: deepest, run: undefined } }));
  const { path, pathLeftOut } = driven.last('flame');
  expect(path.length).toBeLessThan(100);
  expect(pathLeftOut).toBeGreaterThan(49_000);
  driven.ask(view('Method Id = 3'), find(1));
  driven.ask(expand(root.id, 'collapseAll'));
  expect(driven.last('rows').total).toBe(1);
});
