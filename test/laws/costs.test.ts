/**
 * What reading, growing and scrolling cost, in counts: the same on any machine. Each limit is about a quarter above what
 * was counted when it was set, so that a change that costs more is seen here, and noise does not exist.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { FrameInterner } from '../../shared/aggregate/frame-interner.ts';
import { MAX_NEW_NODES } from '../../shared/delta/make-delta.ts';
import { CallTree } from '../../shared/engine/trees/call-tree.ts';
import { ChildIndex } from '../../shared/profile/child-index.ts';
import {
  Driven,
  expand,
  FLAT,
  flame,
  type Handled,
  LOG,
  rowsOf,
  TREE,
  view,
  wholeLog,
} from '../support/driven-mirror.ts';
import { FollowedLog } from '../support/followed-log.ts';
import { frame, log, trace } from '../support/log-bytes.ts';
import { MirroredCopy } from '../support/mirrored-copy.ts';
import { stacksOf } from '../support/profile-stacks.ts';
import { readInput } from '../support/read-input.ts';
import { goldenLog, readLog } from '../support/read-log.ts';

afterEach(() => void vi.restoreAllMocks());

/** Bytes of all typed arrays that can be reached from a value. */
function columnBytes(value: unknown): number {
  const buffers = new Set<ArrayBufferLike>();
  const seen = new Set<unknown>();
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    if (ArrayBuffer.isView(next)) buffers.add(next.buffer);
    else for (const each of Object.values(next) as unknown[]) pending.push(each);
  }
  return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

test('bytes per call node: parent, frame, and little else', () => {
  const { profile } = readLog(goldenLog('server-20mb'));
  const perNode = columnBytes(profile) / profile.nodes.length;
  // A node's own columns are 8 bytes; 8.7 were counted.
  expect(perNode).toBeGreaterThan(8);
  expect(perNode).toBeLessThan(11);
});

test('bytes per call node by which a call tree knows its row: a fraction of one', () => {
  const { profile } = readLog(goldenLog('server-20mb'));
  for (const threads of ['all', 'name'] as const) {
    const tree = new CallTree(profile, { threads, frames: 'fqmn' });
    tree.update();
    expect(tree.length).toBeGreaterThan(10_000);
    expect(tree.itemBytes / profile.nodes.length).toBeLessThan(0.5);
  }
});

test('look-ups per sample: what a stack shares with the one before it costs next to nothing', () => {
  const compared = vi.spyOn(FrameInterner.prototype, 'equals');
  const searched = vi.spyOn(FrameInterner.prototype, 'find');
  const children = vi.spyOn(ChildIndex.prototype, 'findLater');
  const { aggregator, decoder } = readLog(goldenLog('server-small'));
  const samples = aggregator.sampleCount;
  // 73 frames a sample, of which 3.0 are compared, 1.2 searches begun, and 2.0 looked up among their siblings.
  expect(decoder.facts().counts!.frames / samples).toBeGreaterThan(70);
  expect(compared.mock.calls.length).toBeGreaterThan(0);
  expect(compared.mock.calls.length / samples).toBeLessThan(3.7);
  expect(searched.mock.calls.length / samples).toBeLessThan(1.5);
  expect(children.mock.calls.length / samples).toBeLessThan(2.5);
});

test('look-ups per sample of a JFR recording', () => {
  const compared = vi.spyOn(FrameInterner.prototype, 'equals');
  const searched = vi.spyOn(FrameInterner.prototype, 'find');
  const children = vi.spyOn(ChildIndex.prototype, 'findLater');
  const recording = gunzipSync(readFileSync('test/golden/jfr/shop-jdk17.jfr.gz'));
  const { aggregator, profile } = readInput(recording);
  const samples = aggregator.sampleCount;
  const frames = stacksOf(profile).reduce((sum, stack) => sum + stack.count * stack.frames.length, 0);
  expect(frames / samples).toBeGreaterThan(20);
  // 22 frames a sample, of which 4.1 are compared, 1.3 searches begun, and 1.2 looked up among their siblings.
  expect(compared.mock.calls.length).toBeGreaterThan(0);
  expect(compared.mock.calls.length / samples).toBeLessThan(5.2);
  expect(searched.mock.calls.length / samples).toBeLessThan(1.7);
  expect(children.mock.calls.length / samples).toBeLessThan(1.5);
});

test('messages to the window per growth: one for each pane on screen, and few besides', () => {
  const followed = new FollowedLog();
  followed.append(LOG);
  const driven = new Driven(TREE, FLAT, flame());
  driven.ask({ type: 'delta', message: followed.delta() });
  for (const second of [5, 6]) {
    followed.append(log(trace(1, second, frame(1, 2, 3))));
    const before = driven.events.length;
    driven.ask({ type: 'delta', message: followed.delta() });
    const sent = driven.events
      .slice(before)
      .map((event) => ('pane' in event ? `${event.type} of ${event.pane}` : event.type));
    expect(sent).toEqual([
      'applied',
      'summary',
      'rows of tree',
      'rows of flat',
      'flame of flame',
      'search',
      'barrier',
    ]);
  }
});

test('messages and bytes per growth: as much as is new, whatever there is', () => {
  const followed = new FollowedLog();
  const copy = new MirroredCopy();
  followed.append(goldenLog('server-20mb'));
  let bytes = 0;
  do {
    const message = followed.delta();
    bytes += message.byteLength;
    copy.apply(message);
  } while (!copy.complete);
  const { nodes } = copy.profile;
  expect(nodes.length).toBeGreaterThan(2 * MAX_NEW_NODES);
  expect(copy.deltas).toBe(Math.ceil(nodes.length / MAX_NEW_NODES));
  // Two bytes for most frames and none for most parents, and the names; 2.4 were counted.
  expect(bytes / nodes.length).toBeLessThan(3);

  const sample = log(trace(1, 5, frame(1, 2, 3), frame(4, 5, 6)));
  for (const added of [3, 0, 0]) {
    followed.append(sample);
    const before = nodes.length;
    const message = followed.delta();
    copy.apply(message);
    expect(copy.complete).toBe(true);
    expect(nodes.length - before).toBe(added);
    // Columns of its own for the one sample's time, and what describes them, take some 190 of them.
    expect(message.byteLength).toBeLessThan(900);
  }
});

test('labels that a search compares: each once in both tables of keys, while the log grows', () => {
  const followed = new FollowedLog();
  followed.append(LOG);
  const driven = new Driven(TREE, FLAT, flame(), view('/Hash/'));
  driven.ask({ type: 'delta', message: followed.delta() });
  const { names } = driven.last('search');
  expect(names).toBeGreaterThan(0);
  const compared = vi.spyOn(RegExp.prototype, 'exec');
  const count = (): number =>
    (compared.mock.contexts as RegExp[]).filter(({ source }) => source === 'Hash').length;
  followed.append(log(trace(1, 5, frame(1, 2, 3))));
  driven.ask({ type: 'delta', message: followed.delta() });
  expect(count()).toBe(2);
  followed.append(log(trace(1, 6, frame(1, 2, 3))));
  driven.ask({ type: 'delta', message: followed.delta() });
  expect(count()).toBe(2);
  // Another metric, another search.
  driven.ask({ ...view('/Hash/'), metric: 'time' } as Handled);
  expect(count()).toBe(2);
  expect(driven.last('search').names).toBe(names);
  driven.ask(view('/Hash|x/'));
  expect(driven.last('search').names).toBeGreaterThan(names);
});

test('rows sent per scroll: those that are asked for, in one message, of however many', () => {
  const driven = wholeLog(TREE, rowsOf('tree', 0, 30));
  driven.ask(expand(undefined, 'all'));
  expect(driven.shown('tree').total).toBeGreaterThan(100);
  const before = driven.events.length;
  driven.ask(rowsOf('tree', 40, 30));
  expect(driven.events.slice(before).map(({ type }) => type)).toEqual(['rows', 'barrier']);
  expect(driven.shown('tree').rows).toHaveLength(30);
});
