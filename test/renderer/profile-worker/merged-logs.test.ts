import { expect, test } from 'vitest';
import type { MirrorOptions } from '../../../renderer/profile-worker/mirror.ts';
import { unpackProfile, SharedProfiles } from '../../../renderer/profile-worker/shared-profiles.ts';
import type { MergedThreads } from '../../../shared/facts/choice.ts';
import {
  Driven,
  FLAT,
  flame,
  type Handled,
  rowsOf,
  select,
  tree,
  view,
} from '../../support/driven-mirror.ts';
import { FollowedLog } from '../../support/followed-log.ts';
import { goldenLog } from '../../support/read-log.ts';

const NODES = ['node1', 'node2'] as const;
type Node = (typeof NODES)[number];
const PANES = [FLAT, tree({ threads: 'group' }), rowsOf('flat', 0, 5_000), rowsOf('tree', 0, 5_000), view()];

function unionOf(threads: MergedThreads = 'groups'): Handled {
  return { type: 'union', parts: NODES.map((log) => ({ log, tag: `${log}.hpl` })), threads };
}

const growth = (frozen: boolean): Handled => ({ type: 'growth', measured: false, frozen, shown: false });

/** Two logs as a window has them, and one that merges them. */
class MergedLogs {
  readonly profiles = new SharedProfiles();
  readonly parts: Readonly<Record<Node, Driven>>;
  readonly merged: Driven;

  constructor(options: MirrorOptions = {}) {
    const { profiles } = this;
    // The tab may be in front of those of its logs.
    this.merged = new Driven({ ...options, log: 'merged', profiles }, unionOf(), ...PANES);
    this.parts = {
      node1: new Driven({ log: 'node1', profiles }),
      node2: new Driven({ log: 'node2', profiles }),
    };
  }

  grow(node: Node, log: FollowedLog): void {
    this.parts[node].ask({ type: 'delta', message: log.delta() });
    this.merged.ask();
  }

  get samples(): number {
    return this.merged.last('summary').summary.samples;
  }
}

const hello = goldenLog('hello');
const threads = goldenLog('threads');

function logOf(bytes: Uint8Array, epoch = 0): FollowedLog {
  const log = new FollowedLog(epoch);
  log.append(bytes, true);
  return log;
}

const samplesOf = (bytes: Uint8Array): number => logOf(bytes).aggregator.sampleCount;

const rowsOfTree = (driven: Driven): readonly (readonly [string, number])[] => {
  driven.ask(rowsOf('tree', 0, 5_000));
  const roots = driven.rows().filter(({ depth }) => depth === 0);
  return roots.map(({ label, totalCount }) => [label, totalCount] as const).sort();
};

test('merged logs grow while one of them grows, and begin anew with one of them', () => {
  const logs = new MergedLogs();
  const growing = new FollowedLog();
  growing.append(hello.subarray(0, hello.length / 2));
  logs.grow('node1', growing);
  logs.grow('node2', logOf(threads));
  const before = growing.aggregator.sampleCount;
  expect(logs.samples).toBe(before + samplesOf(threads));
  growing.append(hello.subarray(hello.length / 2), true);
  logs.grow('node1', growing);
  expect(growing.aggregator.sampleCount).toBeGreaterThan(before);
  expect(rowsOfTree(logs.merged)).toEqual([
    ['node1.hpl', samplesOf(hello)],
    ['node2.hpl', samplesOf(threads)],
  ]);
  expect(logs.merged.last('applied').epoch).toBe(0);
  expect(logs.merged.last('union')).toMatchObject({ timesAgree: true, isFull: false });

  logs.grow('node2', logOf(hello, 1));
  expect(logs.samples).toBe(2 * samplesOf(hello));
  expect(logs.merged.last('applied').epoch).toBe(1);

  logs.merged.ask(unionOf('together'));
  expect(rowsOfTree(logs.merged)).toEqual([['All Threads', 2 * samplesOf(hello)]]);
  expect(logs.merged.last('applied').epoch).toBe(2);
  // What was read of a log stays when it is closed.
  logs.parts.node1.mirror.close();
  expect(logs.samples).toBe(2 * samplesOf(hello));
});

test('after a reconnect, which sends parts once more, rows and what is selected and zoomed stay', () => {
  const logs = new MergedLogs();
  const growing = new FollowedLog();
  growing.append(hello.subarray(0, hello.length / 2));
  logs.grow('node1', growing);
  logs.grow('node2', logOf(threads));
  growing.append(hello.subarray(hello.length / 2), true);
  logs.grow('node1', growing);
  const row = logs.merged.rows().find(({ depth, kind }) => depth > 0 && kind === 'frame')!;
  const zoom = { row: row.id, run: undefined };
  logs.merged.ask(select('calls', row), flame({ threads: 'group', zoom }));
  const shown = (): unknown => [
    logs.merged.last('applied').epoch,
    rowsOfTree(logs.merged),
    logs.merged.selected('tree').row.label,
    logs.merged.last('flame').path.map(({ label }) => label),
  ];
  const before = shown();
  expect(logs.merged.last('flame').path.length).toBeGreaterThan(1);
  for (const [node, bytes] of [
    ['node2', threads],
    ['node1', hello],
  ] as const)
    logs.grow(node, logOf(bytes));
  expect(shown()).toEqual(before);
});

test('while merged logs are frozen, nothing of them is taken in', () => {
  const logs = new MergedLogs();
  logs.grow('node1', logOf(hello));
  const growing = new FollowedLog();
  growing.append(threads.subarray(0, threads.length / 2));
  logs.grow('node2', growing);
  const before = logs.samples;
  logs.merged.ask(growth(true));
  growing.append(threads.subarray(threads.length / 2), true);
  logs.grow('node2', growing);
  logs.grow('node1', logOf(threads, 1));
  logs.merged.ask(view('main'));
  expect(logs.samples).toBe(before);
  logs.merged.ask(growth(false));
  expect(logs.samples).toBe(2 * samplesOf(threads));
});

test('a log that is held stands still in its own tab only, also in an export, until it is resumed', () => {
  const logs = new MergedLogs();
  logs.grow('node1', logOf(hello));
  const growing = new FollowedLog();
  growing.append(threads.subarray(0, threads.length / 2));
  logs.grow('node2', growing);
  const part = logs.parts.node2;
  part.ask(FLAT, rowsOf('flat', 0, 5_000), view());
  const half = growing.aggregator.sampleCount;
  part.ask({ ...growth(true), held: true } as Handled);
  growing.append(threads.subarray(threads.length / 2), true);
  logs.grow('node2', growing);
  // Another question, too, is answered from what is held.
  part.ask(view('', 'line'));
  expect(part.last('summary').summary.samples).toBe(half);
  expect(part.shown('flat').rows.reduce((sum, { selfCount }) => sum + selfCount, 0)).toBe(half);
  expect(logs.samples).toBe(samplesOf(hello) + samplesOf(threads));
  part.ask({ type: 'export', job: { format: 'collapsed' } as never });
  const { profile } = part.last('exportSource').source;
  expect(unpackProfile([...profile]).selfValues.count.reduce((sum, count) => sum + count)).toBe(half);
  part.ask(growth(false));
  expect(part.last('summary').summary.samples).toBe(samplesOf(threads));
});

test('merged logs that are full begin anew when one of them does', () => {
  const [small, large] = [hello, threads].map((bytes) => logOf(bytes).aggregator.profile.nodes.length);
  const logs = new MergedLogs({ mostNodes: 3 * small });
  expect(large).toBeGreaterThan(2 * small);
  logs.grow('node1', logOf(hello));
  logs.grow('node2', logOf(threads));
  expect(logs.merged.last('union').isFull).toBe(true);
  expect(logs.samples).toBe(samplesOf(hello));
  logs.grow('node2', logOf(hello, 1));
  expect(logs.merged.last('union').isFull).toBe(false);
  expect(logs.samples).toBe(2 * samplesOf(hello));
});

test('a merged log is compared with one of its parts, and with another log', () => {
  const logs = new MergedLogs();
  logs.grow('node1', logOf(hello));
  logs.grow('node2', logOf(threads));
  const comparedWith = (log: string): Handled => ({
    ...(view() as Extract<Handled, { type: 'view' }>),
    comparison: { by: 'share', isSampled: true, baseline: { log } },
  });
  logs.merged.ask(comparedWith('node1'));
  const { compared } = logs.merged.last('summary').summary;
  expect(compared?.base.samples).toBe(samplesOf(hello));
  expect(compared?.next.samples).toBe(samplesOf(hello) + samplesOf(threads));
  logs.merged.ask(view());
  logs.parts.node1.ask(comparedWith('merged'));
  expect(logs.parts.node1.last('summary').summary.compared?.base.samples).toBe(logs.samples);
  // The comparison does not keep the union from growing.
  const growing = logOf(hello, 1);
  logs.grow('node1', growing);
  expect(logs.samples).toBe(samplesOf(hello) + samplesOf(threads));
});
