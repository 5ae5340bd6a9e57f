import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type {
  ExportJob,
  ExportSource,
  FlameRequest,
  MirrorEvent,
  MirrorRequest,
  TreeRow,
} from '../../../../renderer/mirror/mirror-messages.ts';
import { Mirror } from '../../../../renderer/mirror/mirror.ts';
import { packProfile } from '../../../../renderer/mirror/profile-copy.ts';
import { runExport } from '../../../../renderer/mirror/run-export.ts';
import { MAX_NEW_NODES } from '../../../../shared/delta/make-delta.ts';
import { KEEP_ALL } from '../../../../shared/views/filter.ts';
import { FollowedLog } from '../../../support/followed-log.ts';
import { frame, log as bytesOf, thread, trace } from '../../../support/log-bytes.ts';
import { logOf } from '../../../support/log-writer/write-log.ts';
import { leanText } from '../../../support/mirrored-copy.ts';
import { SAMPLES_AND_TIME } from '../../../../shared/profile/profile-units.ts';
import { readInput } from '../../../support/read-input.ts';
import { readLog } from '../../../support/read-log.ts';
import { sumSelves } from '../../../../shared/profile/lean-profile.ts';
import type { Epoch } from '../../../../shared/protocol/messages.ts';

const LOG = gunzipSync(readFileSync(new URL('../../../../assets/sample.hpl.gz', import.meta.url)));

type EventOf<Type extends MirrorEvent['type']> = Extract<MirrorEvent, { type: Type }>;
type Handled = Exclude<MirrorRequest, { type: 'readFile' | 'write' }>;

const FLAME: FlameRequest = { threads: 'all', zoom: undefined, width: 1200, minPixels: 1, maxFrames: 700 };
const TREE: Handled = {
  type: 'tree',
  active: true,
  threads: 'name',
  sort: { by: 'totalCount', descending: true },
  hold: false,
};
const FLAT: Handled = {
  type: 'flat',
  active: true,
  sort: { by: 'selfCount', descending: true },
  hold: false,
};

/** A mirror with its events, driven as the window drives it. */
class Driven {
  readonly events: MirrorEvent[] = [];
  readonly mirror = new Mirror((event) => this.events.push(event));
  #settled = 0;

  constructor(...requests: readonly Handled[]) {
    for (const request of requests) this.mirror.handle(request);
  }

  ask(...requests: readonly Handled[]): void {
    for (const request of requests) this.mirror.handle(request);
    this.mirror.handle({ type: 'settle', id: ++this.#settled });
  }

  last<Type extends MirrorEvent['type']>(type: Type): EventOf<Type> {
    const found = this.events.findLast((event) => event.type === type);
    if (found === undefined) throw new Error(`no ${type} yet`);
    return found as EventOf<Type>;
  }

  rows(): readonly TreeRow[] {
    return this.last('treeRows').rows;
  }
}

const view = (search = '', frames: 'fqmn' | 'line' = 'fqmn'): Handled => ({
  type: 'view',
  frames,
  metric: 'samples',
  search,
  hideErrors: false,
});

function wholeLog(...requests: readonly Handled[]): Driven {
  const log = new FollowedLog();
  log.append(LOG, true);
  const driven = new Driven(...requests);
  driven.ask({ type: 'delta', message: log.delta() });
  return driven;
}

function picture(rows: readonly TreeRow[], count: number): string[] {
  return rows.slice(0, count).map((row) => {
    const twisty = row.expandable ? (row.expanded ? '-' : '+') : ' ';
    return `${'  '.repeat(row.depth)}${twisty} ${row.label} ${row.totalCount}`;
  });
}

afterEach(() => void vi.useRealTimers());

test('while its log is read, a copy that keeps up is drawn now and then; once it is read, at once', () => {
  vi.useFakeTimers();
  const log = new FollowedLog();
  const driven = new Driven(TREE, { type: 'reading', reading: true });
  const pictures = (): number => driven.events.filter(({ type }) => type === 'treeRows').length;
  const grow = (share: number): void => {
    log.append(LOG.subarray((LOG.length * (share - 1)) / 10, (LOG.length * share) / 10), share === 10);
    driven.mirror.handle({ type: 'delta', message: log.delta() });
    vi.advanceTimersByTime(40);
  };
  grow(1);
  const first = pictures();
  for (let share = 2; share <= 10; share++) grow(share);
  expect(pictures()).toBe(first);
  driven.mirror.handle({ type: 'reading', reading: false });
  vi.advanceTimersByTime(40);
  expect(pictures()).toBe(first + 1);
  expect(picture(driven.rows(), 1)).toEqual(picture(wholeLog(TREE).rows(), 1));
});

test('that its log is read may be told before the last of it comes: that is drawn, and nothing before', () => {
  vi.useFakeTimers();
  const log = new FollowedLog();
  const driven = new Driven(TREE, { type: 'reading', reading: true });
  const pictures = (): number => driven.events.filter(({ type }) => type === 'treeRows').length;
  log.append(LOG.subarray(0, LOG.length / 4));
  driven.mirror.handle({ type: 'delta', message: log.delta() });
  log.append(LOG.subarray(LOG.length / 4, LOG.length / 2));
  driven.mirror.handle({ type: 'delta', message: log.delta() });
  const before = pictures();
  log.append(LOG.subarray(LOG.length / 2), true);
  const last = log.delta();
  const { nodes } = log.aggregator.profile;
  driven.mirror.handle({ type: 'reading', reading: false, upTo: { epoch: 0 as Epoch, nodes: nodes.length } });
  vi.advanceTimersByTime(40);
  expect(pictures()).toBe(before);
  driven.mirror.handle({ type: 'delta', message: last });
  vi.advanceTimersByTime(40);
  expect(pictures()).toBe(before + 1);
  expect(picture(driven.rows(), 1)).toEqual(picture(wholeLog(TREE).rows(), 1));
});

describe('the tree', () => {
  test('opens with its threads open, heaviest first', () => {
    expect(picture(wholeLog(TREE).rows(), 6)).toEqual([
      '- main 420',
      '    AGCT.UnknownJavaErr5 136',
      '  + java.util.regex.Pattern$BranchConn.match 113',
      '  + java.util.regex.Pattern$GroupHead.match 47',
      '  + ServerSim.main 28',
      '  + java.util.regex.Pattern$Branch.match 26',
    ]);
  });

  test('and flame graph show what there is, also when one is opened after the log has grown and before it is shown', () => {
    const log = new FollowedLog();
    const driven = new Driven(TREE);
    const third = Math.floor(LOG.length / 3);
    const grow = (to: number, isEnd: boolean): void => {
      log.append(LOG.subarray(0, to).subarray(-third), isEnd);
      driven.mirror.handle({ type: 'delta', message: log.delta() });
    };
    grow(third, false);
    driven.ask();
    const { samples } = driven.last('summary').summary;
    for (const [to, isEnd] of [
      [2 * third, false],
      [3 * third, true],
    ] as const) {
      grow(to, isEnd);
      driven.mirror.handle({ type: 'flame', active: true, request: FLAME });
      expect(driven.last('flameRows').rows[0].totalCount).toBeGreaterThanOrEqual(samples);
      driven.mirror.handle({ type: 'flame', active: false, request: FLAME });
      driven.ask();
    }
    driven.ask({ type: 'flame', active: true, request: FLAME });
    expect(driven.last('flameRows').rows[0].totalCount).toBe(driven.last('summary').summary.samples);
  });

  test('says so when not everything below a row is opened', () => {
    const log = new FollowedLog();
    // A caller with as many callees, each with one of its own, as make more rows than are opened.
    const calls = Array.from({ length: 100_001 }, (_, at) =>
      trace(1, 5, frame(1, 0, 1), frame(10 + at, 0, 1), frame(2, 0, 1)),
    );
    log.append(bytesOf(...calls), true);
    const driven = new Driven({ ...TREE, threads: 'all' });
    driven.ask({ type: 'delta', message: log.delta(Infinity) });
    const [root] = driven.rows();
    driven.ask({ type: 'treeExpand', row: root.id, how: 'all' });
    expect(driven.last('notice').text).toMatch(/^Only 100,000 rows were opened/);
  });

  test('opens the hot path from the heaviest thread on when no row is selected', () => {
    const log = new FollowedLog();
    const cold = trace(1, 5, frame(1, 0, 1), frame(10, 0, 1));
    const hot = trace(2, 5, frame(3, 0, 1), frame(20, 0, 1));
    log.append(bytesOf(thread(1, 'cold'), thread(2, 'hot'), cold, hot, hot), true);
    const driven = new Driven(TREE);
    driven.ask({ type: 'delta', message: log.delta(Infinity) });
    driven.ask({ type: 'treeReset', to: 'closed' }, { type: 'treeExpand', row: undefined, how: 'hot' });
    const { selected } = driven.last('treeRows');
    expect(picture(driven.rows(), 4)).toEqual([
      '- hot 2',
      '  - <UNIDENTIFIED : Method Id = 20> 2',
      '      <UNIDENTIFIED : Method Id = 3> 2',
      '+ cold 1',
    ]);
    expect(driven.rows().findIndex(({ id }) => id === selected)).toBe(2);
  });

  test('keeps what is open, selected and on screen while the log grows piece by piece', () => {
    const log = new FollowedLog();
    const driven = new Driven(TREE);
    const half = LOG.length >> 1;
    log.append(LOG.subarray(0, half));
    driven.ask({ type: 'delta', message: log.delta() });
    const opened = driven.rows().findLast((row) => row.expandable && row.depth === 1)!;
    driven.ask({ type: 'treeExpand', row: opened.id, how: 'expand' }, { type: 'treeSelect', row: opened.id });
    const { selectedAt } = driven.last('treeRows');
    driven.ask({ type: 'treeWindow', from: selectedAt - 3, count: 20, turn: 1 });
    const placeOf = ({ selectedAt, from }: EventOf<'treeRows'>): number => selectedAt - from;
    const place = placeOf(driven.last('treeRows'));
    let from = driven.last('treeRows').from;

    for (let at = half; at < LOG.length; at += 50_000) {
      log.append(LOG.subarray(at, at + 50_000), at + 50_000 >= LOG.length);
      driven.ask({ type: 'delta', message: log.delta() });
      const message = driven.last('treeRows');
      expect(placeOf(message)).toBe(place);
      expect(message.from).toBe(from + message.shift);
      expect(message.selected).toBe(opened.id);
      from = message.from;
    }
    driven.ask({ type: 'sortNow', pane: 'tree' }, { type: 'treeWindow', from: 0, count: 10_000, turn: 2 });
    const grown = driven.rows();
    expect(grown.find((row) => row.id === opened.id)?.expanded).toBe(true);

    const whole = wholeLog(TREE);
    whole.ask(
      { type: 'treeExpand', row: opened.id, how: 'expand' },
      { type: 'treeWindow', from: 0, count: 10_000, turn: 1 },
    );
    expect(picture(grown, 10_000)).toEqual(picture(whole.rows(), 10_000));
  });

  test('holds the order of rows while asked to, and sorts when let go', () => {
    const log = new FollowedLog();
    const driven = new Driven(TREE);
    log.append(LOG.subarray(0, 300_000));
    driven.ask({ type: 'delta', message: log.delta() }, { ...TREE, hold: true });
    const before = driven.rows().map((row) => row.id);
    log.append(LOG.subarray(300_000), true);
    driven.ask(
      { type: 'delta', message: log.delta() },
      { type: 'treeWindow', from: 0, count: 10_000, turn: 1 },
    );
    const held = driven.rows().map((row) => row.id);
    expect(held.filter((id) => before.includes(id))).toEqual(before);

    expect(driven.last('treeRows').inOrder).toBe(false);
    driven.ask({ ...TREE, hold: false }, view());
    expect(driven.last('treeRows').inOrder).toBe(true);
    const counts = driven
      .rows()
      .filter((row) => row.depth === 0)
      .map((row) => row.totalCount);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
  });

  test('keeps the selection when frames are grouped otherwise', () => {
    const driven = wholeLog(TREE);
    const match = driven.rows().find((row) => row.label.endsWith('BranchConn.match'))!;
    driven.ask({ type: 'treeSelect', row: match.id }, view('', 'line'));
    const message = driven.last('treeRows');
    expect(message.rows[message.selectedAt].label).toMatch(/BranchConn\.match:\d+$/);
    driven.ask(view('', 'fqmn'));
    expect(driven.last('treeRows').selected).toBe(match.id);
  });

  test('finds matches in closed rows, forwards and back, and opens what hides them', () => {
    const driven = wholeLog(TREE, view('IntHashSet.contains'));
    driven.ask({ type: 'treeWindow', from: 0, count: 100_000, turn: 1 });
    const found: string[] = [];
    for (let step = 0; step < 5; step++) {
      driven.ask({ type: 'treeFind', direction: 1 });
      const { rows, selectedAt, reveal } = driven.last('treeRows');
      expect(reveal).toBe(true);
      expect(rows[selectedAt].match).toBe(true);
      found.push(`${selectedAt}`);
    }
    expect(new Set(found).size).toBe(5);
    const forward = driven.last('treeRows').selected;
    driven.ask({ type: 'treeFind', direction: 1 }, { type: 'treeFind', direction: -1 });
    expect(driven.last('treeRows').selected).toBe(forward);
  });

  test('moves by keys as a tree does', () => {
    const driven = wholeLog(TREE);
    const move = (to: Extract<Handled, { type: 'treeMove' }>['to']): string => {
      driven.ask({ type: 'treeMove', to, page: 10 });
      const { rows, selectedAt } = driven.last('treeRows');
      return rows[selectedAt].label;
    };
    expect(move('down')).toBe('main');
    expect(move('down')).toBe('AGCT.UnknownJavaErr5');
    expect(move('down')).toBe('java.util.regex.Pattern$BranchConn.match');
    expect(move('childOrExpand')).toBe('java.util.regex.Pattern$BranchConn.match');
    const child = move('childOrExpand');
    expect(child).not.toBe('java.util.regex.Pattern$BranchConn.match');
    expect(move('parentOrCollapse')).toBe('java.util.regex.Pattern$BranchConn.match');
    expect(move('first')).toBe('main');
    // A key may come before the window has heard of the one before it: the mirror knows what is selected.
    driven.ask({ type: 'treeMove', to: 'down', page: 1 }, { type: 'treeMove', to: 'down', page: 1 });
    driven.ask({ type: 'treeExpand', row: undefined, how: 'collapse' });
    expect(driven.rows()[2]).toMatchObject({
      label: 'java.util.regex.Pattern$BranchConn.match',
      expanded: false,
    });
    expect(move('first')).toBe('main');
    expect(move('parentOrCollapse')).toBe('main');
    expect(driven.rows()[0].expanded).toBe(false);
  });
});

describe('the flat list', () => {
  test('is sorted, and narrowed by a search', () => {
    const driven = wholeLog(FLAT);
    const { rows, total, unfiltered } = driven.last('flatRows');
    expect(rows.slice(0, 2).map((row) => `${row.label} ${row.selfCount} ${row.totalCount}`)).toEqual([
      'AGCT.UnknownJavaErr5 421 421',
      'java.util.regex.IntHashSet.contains 334 334',
    ]);
    expect(total).toBe(unfiltered);
    driven.ask(view('inthashset'));
    expect(driven.last('flatRows')).toMatchObject({ total: 1, unfiltered: total });
    expect(driven.last('search')).toMatchObject({ names: 1, samples: 334 });
    driven.ask(view('/[/'));
    expect(driven.last('search').problem).toMatch(/expression/i);
    expect(driven.last('flatRows').total).toBe(total);
  });

  test('a selection is found again after sorting', () => {
    const driven = wholeLog(FLAT);
    driven.ask({ type: 'flatSelect', label: 'java.util.regex.IntHashSet.contains' });
    expect(driven.last('flatRows').selectedAt).toBe(1);
    driven.ask({ type: 'flat', active: true, sort: { by: 'selfCount', descending: false }, hold: false });
    const { selectedAt, total } = driven.last('flatRows');
    expect(selectedAt).toBe(total - 2);
  });
});

describe('the flame graph', () => {
  const flame = (request: Partial<FlameRequest> = {}): Handled => ({
    type: 'flame',
    active: true,
    request: { ...FLAME, ...request },
  });

  test('shows everything down to a pixel, and the rest in exact blocks', () => {
    const { rows, smaller, path } = wholeLog(flame()).last('flameRows');
    expect(rows[0]).toMatchObject({ kind: 'all', weight: 1553, parent: -1 });
    expect(path).toEqual([{ id: undefined, label: 'All Threads' }]);
    expect(smaller).toBeGreaterThan(0);
    rows.forEach((parent, at) => {
      if (parent.kind === 'remainder') return;
      const below = rows.filter((row) => row.parent === at).reduce((sum, row) => sum + row.weight, 0);
      expect(below + parent.selfCount).toBe(parent.weight);
    });
  });

  test('keeps its zoom while the log grows, and forgets it when the log starts over', () => {
    const log = new FollowedLog();
    const driven = new Driven(flame());
    log.append(LOG.subarray(0, LOG.length >> 1));
    driven.ask({ type: 'delta', message: log.delta() });
    const zoom = driven.last('flameRows').rows.find((row) => row.label === 'ServerSim$Chain.next')!;
    driven.ask(flame({ zoom: zoom.id }));
    log.append(LOG.subarray(LOG.length >> 1), true);
    driven.ask({ type: 'delta', message: log.delta() });
    expect(driven.last('flameRows')).toMatchObject({ zoom: zoom.id });
    expect(driven.last('flameRows').rows[0].label).toBe('ServerSim$Chain.next');

    const restarted = new FollowedLog(1);
    restarted.append(LOG.subarray(0, 300_000));
    driven.ask({ type: 'delta', message: restarted.delta() });
    expect(driven.last('flameRows').zoom).toBe(undefined);
  });
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
    expect(picture(driven.rows(), 60)).toEqual(picture(wholeLog(TREE).rows(), 60));
  });
});

describe('exports', () => {
  const JOB: ExportJob = {
    id: 7,
    format: 'svg',
    threads: 'all',
    zoom: undefined,
    theme: 'dark',
    orientation: 'icicle',
    title: 'sample',
    units: SAMPLES_AND_TIME,
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
    const { selves } = readLog(LOG).profile;
    return selves.time.ns.subarray(0, selves.length).reduce((sum, ns) => sum + Math.max(0, ns), 0);
  }

  test.each(['pprof', 'speedscope', 'hprof', 'trcbin'] as const)(
    'what other viewers read holds every sample: %s',
    async (format) => {
      const driven = wholeLog(TREE);
      driven.ask({ type: 'export', job: { ...JOB, format } });
      const last = written(driven.last('exportSource').source).at(-1)!;
      if (last.type !== 'exported') throw new Error(`ended with ${last.type}`);
      const read = readInput(new Uint8Array(await last.content.arrayBuffer()));
      expect(read.format).toBe(format === 'trcbin' ? 'tptp' : format);
      expect(read.decoder.damage).toBeUndefined();
      const { samples } = driven.last('summary').summary;
      // Widths cannot be negative: what has no positive time is left out.
      if (format === 'speedscope') expect(sumSelves(read.profile).time).toBe(positiveTime());
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
      'flame.svg',
      'image/svg+xml;charset=utf-8',
    ]);
    expect(await textOf(events)).toMatch(/^<\?xml[^]*Matched [\d.]+ %: regex/);
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

  test('more than one delta of nodes arrives whole, and progress ends with all of it', async () => {
    const log = new FollowedLog();
    log.append(logOf('hostile', 3_000_000), true);
    expect(log.aggregator.profile.nodes.length).toBeGreaterThan(MAX_NEW_NODES);
    for (const format of ['lean', 'tree', 'collapsed', 'csv', 'flat'] as const) {
      const source: ExportSource = {
        job: { ...JOB, format },
        frames: 'line',
        metric: 'samples',
        search: '',
        filter: KEEP_ALL,
        profile: packProfile(log.aggregator.profile),
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
  const driven = new Driven(TREE, {
    type: 'flame',
    active: true,
    request: { ...FLAME, maxFrames: 200 },
  });
  driven.ask({ type: 'delta', message: log.delta() });
  const [root] = driven.rows();
  driven.ask({ type: 'treeExpand', row: root.id, how: 'all' });
  expect(driven.last('treeRows').total).toBeGreaterThan(49_000);
  driven.ask({ type: 'treeMove', to: 'last', page: 1 });
  const deepest = driven.last('treeRows').selected!;
  driven.ask({ type: 'flame', active: true, request: { ...FLAME, zoom: deepest } });
  const { path, pathLeftOut } = driven.last('flameRows');
  expect(path.length).toBeLessThan(100);
  expect(pathLeftOut).toBeGreaterThan(49_000);
  driven.ask(view('Method Id = 3'), { type: 'treeFind', direction: 1 });
  driven.ask({ type: 'treeExpand', row: root.id, how: 'collapseAll' });
  expect(driven.last('treeRows').total).toBe(1);
});
