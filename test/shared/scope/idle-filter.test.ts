import { expect, test } from 'vitest';
import { Engine } from '../../../shared/engine/engine.ts';
import { INITIAL_QUERY } from '../../../shared/engine/query.ts';
import { sumSelfValues } from '../../../shared/engine/values/self-values.ts';
import type { Transform } from '../../../shared/scope/scope.ts';
import { LEAVE_OUT_IDLE } from '../../../shared/scope/transform-list.ts';
import { formatFlat } from '../../support/format-tree.ts';
import { addSamples, profileFromText } from '../../support/profile-from-text.ts';

const QUEUE = 'java.util.concurrent.LinkedBlockingQueue.take';
const AWAIT = 'java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await';
const ACQUIRE = 'java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire';
const PARK = 'jdk.internal.misc.Unsafe.park';

/** A sample of each stack. */
function drawn(...stacks: readonly (readonly string[])[]): string {
  const depth = Math.max(...stacks.map(({ length }) => length));
  const rows = ['main', ...Array.from({ length: depth }, (_, at) => at)].map((_, row) =>
    stacks.map((stack) => (row === 0 ? 'main' : (stack[row - 1] ?? '')).padEnd(90)).join('  '),
  );
  return rows.join('\n');
}

function kept(text: string, ...before: readonly Transform[]): readonly string[] {
  const engine = new Engine();
  engine.add('log', profileFromText(text).profile);
  const scope = { threads: [], transforms: [...before, LEAVE_OUT_IDLE] };
  const view = engine.view('log', { ...INITIAL_QUERY, scope });
  return formatFlat(view.flat('fqmn'))
    .filter((line) => !line.endsWith(' 0 (self 0)'))
    .map((line) => line.slice(0, line.lastIndexOf(' (')));
}

test('idle threads are left out: parked in a queue, asleep, in accept; threads that run or wait for a lock stay', () => {
  const text = drawn(
    ['Pool.run', QUEUE, AWAIT, PARK],
    ['Timer.run', 'java.lang.Thread.sleep'],
    ['Server.run', 'sun.nio.ch.Net.accept'],
    ['Cart.add', 'java.util.concurrent.locks.ReentrantLock.lock', ACQUIRE, PARK],
    ['Cart.price'],
  );
  expect(kept(text).filter((line) => /Cart|Pool|Timer|Server/.test(line))).toEqual([
    'Cart.add 1',
    'Cart.price 1',
  ]);
  // Whoever has been woken and waits for the lock again is still awaiting.
  expect(kept(drawn(['Pool.run', QUEUE, AWAIT, ACQUIRE, PARK], ['Cart.price']))).toEqual(['Cart.price 1']);
});

test('a class below the method that waits changes nothing, and neither does a step that changes stacks', () => {
  const text = drawn(['Pool.run', 'java.lang.Object.wait', 'java.lang.Object'], ['Cart.price', 'Cart.tax']);
  expect(kept(text)).toEqual(['Cart.price 1', 'Cart.tax 1']);
  expect(kept(text, { kind: 'merge', key: 'Cart.tax' })).toEqual(['Cart.price 1']);
});

test('it grows with the profile', () => {
  const engine = new Engine();
  const aggregator = profileFromText(drawn(['Cart.price']));
  engine.add('log', aggregator.profile);
  const query = { ...INITIAL_QUERY, scope: { threads: [], transforms: [LEAVE_OUT_IDLE] } };
  const samples = (): number => sumSelfValues(engine.view('log', query).values).samples;
  expect(samples()).toBe(1);
  addSamples(aggregator, drawn(['Timer.run', 'java.lang.Thread.sleep'], ['Cart.tax']));
  engine.grew('log');
  engine.begin();
  expect(samples()).toBe(2);
});
