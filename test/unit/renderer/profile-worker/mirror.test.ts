import { EMPTY_SCOPE, type Scope, type Transform } from '../../../../shared/scope/scope.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type {
  ExportJob,
  ExportSource,
  MirrorEvent,
} from '../../../../renderer/profile-worker/mirror-messages.ts';
import { packProfile } from '../../../../renderer/profile-worker/profile-copy.ts';
import { runExport } from '../../../../renderer/profile-worker/run-export.ts';
import { MAX_NEW_NODES } from '../../../../shared/delta/make-delta.ts';
import { flameCounts, flameRows } from '../../../../shared/views/flame-columns.ts';
import {
  Driven,
  expand,
  find,
  FLAT,
  flame,
  type Handled,
  LOG,
  move,
  rowTexts,
  scoped,
  select,
  tree,
  TREE,
  view,
  wholeLog,
} from '../../../support/driven-mirror.ts';
import { SampleTable } from '../../../../shared/profile/sample-table.ts';
import { FollowedLog } from '../../../support/followed-log.ts';
import { frame, log as bytesOf, thread, trace, traceStart } from '../../../support/log-bytes.ts';
import { logOf } from '../../../support/log-writer/write-log.ts';
import { leanText } from '../../../support/mirrored-copy.ts';
import { SAMPLES_AND_TIME } from '../../../../shared/profile/profile-units.ts';
import { readInput } from '../../../support/read-input.ts';
import { readLog } from '../../../support/read-log.ts';
import { sumSelfValues } from '../../../../shared/values/self-values.ts';
import type { Epoch } from '../../../../shared/protocol/messages.ts';

afterEach(() => void vi.useRealTimers());

test('while its log is read, a copy that keeps up is drawn now and then; once it is read, at once', () => {
  vi.useFakeTimers();
  const log = new FollowedLog();
  const driven = new Driven(TREE, { type: 'reading', reading: true });
  const shownCount = (): number => driven.events.filter(({ type }) => type === 'rows').length;
  const grow = (share: number): void => {
    log.append(LOG.subarray((LOG.length * (share - 1)) / 10, (LOG.length * share) / 10), share === 10);
    driven.mirror.handle({ type: 'delta', message: log.delta() });
    vi.advanceTimersByTime(40);
  };
  grow(1);
  const first = shownCount();
  for (let share = 2; share <= 10; share++) grow(share);
  expect(shownCount()).toBe(first);
  driven.mirror.handle({ type: 'reading', reading: false });
  vi.advanceTimersByTime(40);
  expect(shownCount()).toBe(first + 1);
  expect(rowTexts(driven.rows(), 1)).toEqual(rowTexts(wholeLog(TREE).rows(), 1));
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

describe('exports', () => {
  const JOB: ExportJob = {
    id: 7,
    format: 'svg',
    compared: undefined,
    names: { base: '', next: '' },
    fileName: 'server-small.svg',
    threads: 'all',
    zoom: undefined,
    narrows: false,
    isBottomUp: false,
    pixels: 1200,
    theme: 'dark',
    colourBy: 'package',
    orientation: 'icicle',
    order: { by: 'selfCount', descending: true },
    title: 'sample',
    units: SAMPLES_AND_TIME,
    facts: undefined,
  };
  function written(source: ExportSource): readonly MirrorEvent[] {
    const events: MirrorEvent[] = [];
    // As it reaches another worker.
    runExport(structuredClone(source, { transfer: source.profile }), (event) => events.push(event));
    return events;
  }
  async function textOf(events: readonly MirrorEvent[]): Promise<string> {
    const last = events.at(-1)!;
    return last.type === 'exported' ? last.content.text() : '';
  }

  function positiveTime(): number {
    const { selfValues } = readLog(LOG).profile;
    return selfValues.time.ns.subarray(0, selfValues.length).reduce((sum, ns) => sum + Math.max(0, ns), 0);
  }

  test.each(['hpl', 'pprof', 'speedscope', 'hprof', 'trcbin'] as const)(
    'what other viewers read holds every sample: %s',
    async (format) => {
      const driven = wholeLog(TREE);
      driven.ask({ type: 'export', job: { ...JOB, format } });
      const last = written(driven.last('exportSource').source).at(-1)!;
      if (last.type !== 'exported') throw new Error(`ended with ${last.type}`);
      const read = readInput(new Uint8Array(await last.content.arrayBuffer()));
      expect(read.format).toBe({ trcbin: 'tptp', hpl: 'honest-log' }[format as string] ?? format);
      expect(read.decoder.damage).toBeUndefined();
      const { samples } = driven.last('summary').summary;
      // Widths cannot be negative: what has no positive time is left out.
      if (format === 'speedscope') expect(sumSelfValues(read.profile.selfValues).time).toBe(positiveTime());
      else expect(read.aggregator.sampleCount).toBe(samples);
    },
  );

  test('what is shown is written, by the name of what it is', async () => {
    const driven = wholeLog(TREE, view('regex'));
    driven.ask({ type: 'export', job: JOB });
    const events = written(driven.last('exportSource').source);
    const last = events.at(-1)!;
    expect(last.type === 'exported' && [last.id, last.name, last.content.type]).toEqual([
      7,
      'server-small.svg',
      'image/svg+xml;charset=utf-8',
    ]);
    expect(await textOf(events)).toMatch(/^<\?xml[^]*Matched [\d.]+ %: regex/);
  });

  test.each(['flat', 'tree', 'collapsed', 'svg'] as const)(
    'errors that the window hides are not in the file either: %s',
    async (format) => {
      const driven = wholeLog(TREE);
      const errorsIn = async (hidden: boolean): Promise<boolean> => {
        driven.ask(view('', 'fqmn', hidden), { type: 'export', job: { ...JOB, format } });
        return (await textOf(written(driven.last('exportSource').source))).includes('AGCT.');
      };
      expect(await errorsIn(false)).toBe(true);
      expect(await errorsIn(true)).toBe(false);
    },
  );

  test.each<Transform>([
    { kind: 'merge', key: 'ServerSim$Chain.next' },
    { kind: 'focus', key: 'java.lang.Thread.run' },
    { kind: 'drop', key: 'ServerSim$Chain.next' },
  ])('a picture begins with the zoomed frame under %j', async (transform) => {
    const driven = wholeLog(flame(), scoped({ transforms: [transform] }));
    const rows = flameRows(driven.last('flame').layout).filter(({ kind }) => kind === 'frame');
    for (const row of [rows[5], rows[12], rows[20]]) {
      const zoom = { row: row.id, run: undefined };
      driven.ask(flame({ zoom }), { type: 'export', job: { ...JOB, zoom } });
      const text = await textOf(written(driven.last('exportSource').source));
      // The first title is that of the picture.
      const [, title] = [...text.matchAll(/<title>([^<]*)/g)].map(([, each]) => each);
      expect(title).toContain(row.label);
      expect(title).toMatch(new RegExp(`\\b${row.weight.toLocaleString('en')} samples?\\b`));
    }
  });

  test('what grows after it was asked for is not in it', async () => {
    const log = new FollowedLog();
    const driven = new Driven(TREE);
    const half = LOG.length >> 1;
    log.append(LOG.subarray(0, half));
    driven.ask({ type: 'delta', message: log.delta() });
    const before = leanText(log.aggregator.profile);
    driven.ask({ type: 'export', job: { ...JOB, format: 'lean' } });
    log.append(LOG.subarray(half), true);
    driven.ask({ type: 'delta', message: log.delta() });
    driven.ask({ type: 'export', job: { ...JOB, format: 'lean' } });
    const sources = driven.events.flatMap((event) => (event.type === 'exportSource' ? [event.source] : []));
    const texts = await Promise.all(sources.map((source) => textOf(written(source))));
    expect(texts).toEqual([before, leanText(log.aggregator.profile)]);
    expect(texts[0]).not.toBe(texts[1]);
  });

  test.each([
    'lean',
    'json',
    'speedscope',
    'hpl',
    'pprof',
    'hprof',
    'hprof-text',
    'trcbin',
    'timeline',
  ] as const)('hidden errors are hidden without a scope, too: %s', async (format) => {
    // The second of three samples is an error.
    const traces = [trace(9, 1, frame(1, 1, 1)), traceStart(-5, 9, 2), trace(9, 4, frame(1, 1, 2))];
    const { profile } = readLog(bytesOf(thread(9, 'main'), ...traces), undefined, { samples: true });
    const source = (scope: Scope, hidesErrors: boolean): ExportSource => ({
      job: { ...JOB, format },
      ...{ frames: 'line', metric: 'samples', search: '', hidesErrors, scope, where: [] },
      ...{ comparison: undefined, base: undefined },
      profile: packProfile(profile, true),
    });
    const inScope = async (scope: Scope, hidesErrors: boolean): Promise<string> =>
      // Only JSON says that there was a scope.
      (await textOf(written(source(scope, hidesErrors)))).replace(/^"scope":.*$/m, '');
    const everything = {
      ...EMPTY_SCOPE,
      range: { kind: 'between', from: undefined, to: undefined },
    } as const;
    const without = await inScope(EMPTY_SCOPE, true);
    expect(without).toBe(await inScope(everything, true));
    expect(without).not.toBe(await inScope(EMPTY_SCOPE, false));
  });

  test.each(['collapsed', 'json', 'svg'] as const)(
    'a zoom that is not in scope is said to be left out, whether or not it narrows: %s',
    (format) => {
      const driven = wholeLog(flame({ threads: 'all' }), TREE);
      const { layout } = driven.last('flame');
      const { id } = flameRows(layout).find(({ label }) => label === 'java.lang.Thread.run')!;
      driven.ask(scoped({ transforms: [{ kind: 'drop', key: 'java.lang.Thread.run' }] }));
      for (const narrows of [true, false]) {
        const zoom = { row: id, run: undefined };
        driven.ask({ type: 'export', job: { ...JOB, format, zoom, narrows } });
        const last = written(driven.last('exportSource').source).at(-1)!;
        expect(last.type === 'exported' && last.notes).toEqual([
          'everything in scope is in it, not only the zoom',
        ]);
      }
    },
  );

  test('with a zoom that narrows, every format has what is below it, and otherwise it says that it has more', async () => {
    const driven = wholeLog(flame({ threads: 'all' }), TREE);
    const { layout } = driven.last('flame');
    // A frame with some of the samples, of several threads.
    const zoomed = flameRows(layout).find(({ label }) => label === 'java.lang.Thread.run')!;
    const zoom = { row: zoomed.id, run: undefined };
    const textsOf = async (format: ExportJob['format'], narrows: boolean, look: Handled = view()) => {
      driven.ask(look);
      driven.ask({ type: 'export', job: { ...JOB, format, zoom, narrows } });
      const events = written(driven.last('exportSource').source);
      const last = events.at(-1)!;
      if (last.type !== 'exported') throw new Error(`ended with ${last.type}`);
      const content = new Uint8Array(await last.content.arrayBuffer());
      const read = format === 'hpl' ? readInput(content) : undefined;
      return { text: await textOf(events), notes: last.notes, read };
    };
    const sum = (text: string): number =>
      text
        .trim()
        .split('\n')
        .reduce((all, line) => all + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    const stacks = await textsOf('collapsed', true);
    expect(sum(stacks.text)).toBe(zoomed.weight);
    expect(
      stacks.text
        .trim()
        .split('\n')
        .every((line) => line.startsWith('java.lang.Thread.run')),
    ).toBe(true);
    expect(stacks.notes).toEqual([]);
    const { samples } = driven.last('summary').summary;
    const json = JSON.parse((await textsOf('json', true)).text) as { scope: unknown };
    expect(json.scope).toEqual({ samples: zoomed.weight, outside: samples - zoomed.weight });
    expect((await textsOf('hpl', true)).read?.aggregator.sampleCount).toBe(zoomed.weight);
    const whole = await textsOf('collapsed', false);
    expect([sum(whole.text), whole.notes]).toEqual([
      samples,
      ['everything in scope is in it, not only the zoom'],
    ]);
    expect((await textsOf('svg', false)).notes).toEqual([]);
    // Together with a scope that changes stacks: the same frame is zoomed into.
    const merged = { transforms: [{ kind: 'merge', key: 'java.lang.Thread.run' }] } as const;
    const gone = await textsOf('collapsed', true, scoped(merged));
    expect(sum(gone.text)).toBe(samples);
    const collapsed = { transforms: [{ kind: 'collapse', prefix: 'java.util.' }] } as const;
    expect(sum((await textsOf('collapsed', true, scoped(collapsed))).text)).toBe(zoomed.weight);
  });

  test('more than one delta of nodes arrives whole, and progress ends with all of it', async () => {
    const log = new FollowedLog();
    log.append(logOf('hostile', 3_000_000), true);
    expect(log.aggregator.profile.nodes.length).toBeGreaterThan(MAX_NEW_NODES);
    for (const format of ['lean', 'tree', 'collapsed', 'csv', 'methods'] as const) {
      const source: ExportSource = {
        job: { ...JOB, format },
        frames: 'line',
        metric: 'samples',
        search: '',
        hidesErrors: false,
        scope: EMPTY_SCOPE,
        where: [],
        comparison: undefined,
        base: undefined,
        profile: packProfile(log.aggregator.profile, false),
      };
      const events = written(source);
      const shares = events.flatMap((event) => (event.type === 'exporting' ? [event.share] : []));
      expect(shares).toEqual(shares.toSorted((a, b) => a - b));
      expect(shares.at(-1), format).toBeGreaterThan(0.9);
      expect(shares.at(-1), format).toBeLessThanOrEqual(1);
      if (format === 'lean') expect(await textOf(events)).toBe(leanText(log.aggregator.profile));
    }
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
