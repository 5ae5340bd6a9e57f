import { rowKeys } from '../../shared/engine/trees/grouping.ts';
import { expect, test } from 'vitest';
import { readFragment } from '../../renderer/store/links/scope-address.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { Driven, FLAT, flame, type Handled, TREE, view } from '../support/driven-mirror.ts';
import { FollowedLog } from '../support/followed-log.ts';
import { goldenLog } from '../support/read-log.ts';
import { testSeed } from '../support/test-seed.ts';

const { seed, randomFor } = testSeed('hostile links');
const LINKS = 300;

const KEYS = [
  '',
  'HelloWorld.',
  'java.',
  'java.lang.Thread.run',
  '__proto__',
  '\0',
  '\ufffd',
  '$',
  'a'.repeat(999),
];
const NUMBERS = ['0', '-1', '1', '17', '359', '360', '2147483647', '2147483648', '4294967295', '9999999999'];
const TIMES = ['0', '-1', '1', '187898848', '9223372036854775808', '-9223372036854775809', '9'.repeat(25)];
const NAMES = [
  'keep',
  'drop',
  'focus',
  'merge',
  'only',
  'or',
  'collapse',
  'lines',
  'bcis',
  'thread',
  'base-thread',
  'thread-base',
];

function fieldOf(random: SeededRandom): string {
  const stackEnd = (): string => `${random.pick(NUMBERS)}:${random.pick(NUMBERS)}`;
  const key = (): string => encodeURIComponent(random.pick(KEYS));
  return random.pick<() => string>([
    () => `${random.pick(NAMES)}=${key()}`,
    () => `${random.pick(NAMES)}=${key()}`,
    () => `${random.pick(['from', 'to', 'latest', 'base-from', 'latest-base'])}=${random.pick(TIMES)}ns`,
    () => `zoom=${random.pick(NUMBERS)}`,
    () => `zoom=${random.pick(NUMBERS)},${random.pick(NUMBERS)},${random.pick(NUMBERS)}`,
    () => `zoom=${stackEnd()}`,
    () => `zoom=${random.pick(['-1', stackEnd()])},${stackEnd()},${stackEnd()}`,
    () => `thread=${random.pick(['/./', '/(a*)*b/', '/', '//', 'main'])}`,
    () => `rows=selfTime ${random.pick(['<', '>=', '='])} ${random.pick([...NUMBERS, '1e999', 'NaN', '-0'])}`,
    () => `fold=${random.pick(['lambda', 'proxy', 'lambda,proxy,x'])}`,
    () => `collapse-recursion=${random.pick(['all', 'direct'])}`,
  ])();
}

test(`${LINKS} hostile links: what they ask for is shown, and the whole log after it is as before`, () => {
  const log = new FollowedLog();
  log.append(goldenLog('hello'), true);
  const driven = new Driven(TREE, FLAT, flame(), view());
  driven.ask({ type: 'delta', message: log.delta() });
  const shown = (): string => JSON.stringify([driven.shown('tree').rows, driven.shown('flat').rows]);
  const whole = shown();
  for (let scenario = 0; scenario < LINKS; scenario++) {
    const random = randomFor(scenario);
    const fragment = `#log=a&${Array.from({ length: 1 + random.below(6) }, () => fieldOf(random)).join('&')}`;
    const [{ scope, where, split, zoom }] = readFragment(fragment).logs;
    const whatever = view('', random.pick(['fqmn', 'line']), false, scope, where);
    const narrowing = zoom && { threads: 'all' as const, zoom };
    const asked = {
      ...(whatever as Extract<Handled, { type: 'view' }>),
      keys: rowKeys('fqmn', split),
      narrowing,
    };
    const of = random.pick(['calls', 'bottom-up'] as const);
    expect(
      () => driven.ask(asked, flame({ of, zoom })),
      `SEED=${seed} scenario ${scenario}: ${fragment}`,
    ).not.toThrow();
  }
  driven.ask(view(), flame());
  expect(shown()).toBe(whole);
});
