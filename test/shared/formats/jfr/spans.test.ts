import { viewOperations } from '../../../../shared/engine/view-operations.ts';
import { expect, test } from 'vitest';
import { Engine } from '../../../../shared/engine/engine.ts';
import { INITIAL_QUERY } from '../../../../shared/engine/query.ts';
import { JFR } from '../../../../shared/formats/jfr/format.ts';
import { JfrChunk } from '../../../support/jfr-writer/jfr-chunk.ts';
import { contextRows } from '../../../support/profile-tables.ts';
import { decodeInput } from '../../../support/read-input.ts';

test('virtual threads that were too short for a sample are not taken for those that samples name otherwise', () => {
  const chunk = new JfrChunk(['jdk.ExecutionSample', 'profiler.Span']);
  const carrier = chunk.thread('ForkJoinPool-1-worker-1', 30);
  const [sampled, short] = [chunk.thread('virtual-6', 31), chunk.thread('virtual-7', 32)];
  const stack = chunk.stack([
    { method: chunk.method('java/lang/VirtualThread', 'run'), line: 9, bci: 0, type: 'Inlined' },
  ]);
  const state = chunk.state('STATE_RUNNABLE');
  for (const thread of [carrier, sampled]) chunk.event('jdk.ExecutionSample', 2_300, thread, stack, state);
  for (const thread of [sampled, short]) chunk.span(2_250, 400, thread, 'checkout');
  const { profile } = decodeInput(JFR, chunk.finish(), {}, 1 << 17, true);
  const engine = new Engine();
  engine.add('log', profile);
  const found = viewOperations(engine.view('log', INITIAL_QUERY), 'operation')!;
  expect([found.unsampled.count, found.namesCarriers]).toEqual([1, false]);
});

test('spans of async-profiler are contexts; those of virtual threads are named as work without samples', () => {
  const chunk = new JfrChunk(['jdk.ExecutionSample', 'profiler.Span']);
  const carrier = chunk.thread('ForkJoinPool-1-worker-1', 30);
  const platform = chunk.thread('http-1', 31);
  const virtual = chunk.thread('virtual-7', 32);
  const frames = [
    { method: chunk.method('Shop', 'serve'), line: 3, bci: 0, type: 'Inlined' as const },
    { method: chunk.method('java/lang/VirtualThread', 'run'), line: 9, bci: 0, type: 'Inlined' as const },
  ];
  const [plain, mounted] = [chunk.stack(frames.slice(0, 1)), chunk.stack(frames)];
  const state = chunk.state('STATE_RUNNABLE');
  for (const at of [2_000, 2_100, 2_200]) chunk.event('jdk.ExecutionSample', at, platform, plain, state);
  chunk.event('jdk.ExecutionSample', 2_300, carrier, mounted, state);
  chunk.span(2_050, 100, platform, 'checkout');
  chunk.span(2_200, 0, platform, '');
  chunk.span(2_250, 400, virtual, 'checkout');
  const { profile } = decodeInput(JFR, chunk.finish(), {}, 1 << 17, true);
  const { contexts } = profile.samples!;
  expect(
    contextRows(contexts).map(([thread, , , name]) => [profile.threads.name[thread as number], name]),
  ).toEqual([
    ['http-1', 'checkout'],
    ['http-1', '(no name)'],
    ['virtual-7', 'checkout'],
  ]);
  const engine = new Engine();
  engine.add('log', profile);
  const found = viewOperations(engine.view('log', INITIAL_QUERY), 'operation')!;
  expect(found.rows.map(({ name, count, samples }) => [name, count, samples])).toEqual([
    ['checkout', 2, 1],
    ['(no name)', 1, 0],
  ]);
  expect(found.unsampled).toMatchObject({ count: 1, threads: 1 });
  expect(found.namesCarriers).toBe(true);
  // Threads of spans alone are in no tree.
  expect(profile.threads.name.filter((_, thread) => profile.threads.root[thread] < 0)).toEqual(['virtual-7']);
});
