import { expect, test } from 'vitest';
import {
  allBut,
  chosenThreads,
  exactly,
  isTyped,
  onlyThreads,
  selectsThread,
  threadProblem,
  threadsOfRow,
  threadsText,
  wholePool,
  withoutThreads,
} from '../../../shared/scope/thread-pattern.ts';
import { stopExpressions } from '../../../shared/text/expression.ts';
import { threadsAmong } from '../../../shared/scope/filters.ts';
import { poolOf } from '../../../shared/text/thread-pools.ts';
import { testSeed } from '../../support/test-seed.ts';

const { seed, randomFor } = testSeed('thread-pattern');

test.each(
  `
  main                                main
  http-worker-6                       http-worker-*
  pool-2-thread-17                    pool-2-thread-*
  ForkJoinPool.commonPool-worker-3    ForkJoinPool.commonPool-worker-*
  http-nio-8080-exec-10               http-nio-8080-exec-*
  C2 CompilerThread0                  C2 CompilerThread*
  GC Thread#3                         GC Thread#*
  qtp1027007693-42                    qtp1027007693-*
  kafka-producer | producer-1         kafka-producer | producer-*
  RMI TCP Connection(3)-10.0.0.5      RMI TCP Connection(*)-10.0.0.5
  RMI TCP Connection(idle)            RMI TCP Connection(idle)
  worker [12] of 16                   worker [*] of 16
  client of 10.0.0.5                  client of 10.0.0.5
  G1 Refine v1.2                      G1 Refine v1.2
  2026-11-28 10:00                    2026-11-28 10:00
  to 10.0.0.5:8080                    to 10.0.0.5:8080
  42                                  42
  Signal Dispatcher                   Signal Dispatcher
`
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s{2,}/)),
)('%s is in the pool %s', (name, pool) => {
  expect(poolOf(name)).toBe(pool);
});

test('entries of a scope, and in words', () => {
  const entries = [
    exactly('main'),
    exactly('/etc/'),
    wholePool('http-worker-3'),
    wholePool('main'),
    allBut(['main']),
    allBut(['GC Thread#0', 'a|b (x)'], ['http-worker-3']),
    '/^http.*$/',
    '/^(?!(?:ma.n)$)/',
  ];
  expect(entries.map((entry) => `${entry}   ${threadsText(entry)}`)).toEqual([
    'main   thread main',
    '/^\\/etc\\/$/   threads /etc/',
    '/^http-worker-[0-9]+$/   threads http-worker-*',
    'main   thread main',
    '/^(?!(?:main)$)/   all but main',
    '/^(?!(?:GC Thread#0|a\\|b \\(x\\)|http-worker-[0-9]+)$)/   all but GC Thread#0, a|b (x), http-worker-*',
    '/^http.*$/   threads /^http.*$/',
    '/^(?!(?:ma.n)$)/   threads /^(?!(?:ma.n)$)/',
  ]);
});

test('on 3000 random pairs of names an entry selects what it says', () => {
  const characters = [
    'a',
    'b',
    '1',
    '22',
    '-',
    '.',
    '(',
    ')',
    '[',
    ']',
    '|',
    '\\',
    '/',
    '$',
    '*',
    '+',
    '\n',
    '😀',
  ];
  for (let scenario = 0; scenario < 3_000; scenario++) {
    const random = randomFor(scenario);
    const name = (): string =>
      Array.from({ length: 1 + random.below(6) }, () => random.pick(characters)).join('');
    const one = name();
    const numbers = one.replace(/[0-9]+/g, () => String(random.below(30)));
    const other = random.pick([name(), numbers, one]);
    const where = `SEED=${seed} scenario ${scenario}: ${JSON.stringify([one, other])}`;
    const selects = (entry: string): boolean => threadsAmong([other], [entry]).has(other);
    expect(selects(exactly(one)), where).toBe(one === other);
    // A name with a literal asterisk looks like a pool.
    const isSamePool = poolOf(one) === poolOf(other) && (one === poolOf(one)) === (other === poolOf(other));
    expect(selects(wholePool(one)), where).toBe(isSamePool);
    expect(selects(allBut([one])), where).toBe(one !== other);
    expect(selects(allBut([], [one])), where).toBe(!isSamePool);
    expect(threadsText(allBut([one])), where).toBe(`all but ${one}`);
  }
});

test('the threads of a row, in each grouping', () => {
  const rows = [
    ['name', 'http-worker-3'],
    ['pool', 'http-worker-*'],
    ['pool', 'main'],
    ['pool', '*'],
    ['id', 'http-worker-3 <20458>'],
    ['group', 'node1.hpl'],
    ['id', 'node1.hpl: Unknown <7>'],
    ['id', 'Unknown <-7>'],
    ['id', 'Unknown Thread <Unknown ID>'],
  ] as const;
  expect(rows.map(([grouping, label]) => onlyThreads(threadsOfRow(label, grouping)).join())).toEqual([
    'http-worker-3',
    '/^http-worker-[0-9]+$/',
    'main',
    '*',
    'http-worker-3',
    String.raw`/^node1\.hpl: .*$/`,
    'node1.hpl: Unknown Thread(s)',
    'Unknown Thread(s)',
    'Unknown Thread(s)',
  ]);
});

test('the threads of a log that was merged, by their names, which begin with it', () => {
  const node = threadsOfRow('node1.hpl', 'group');
  const only = onlyThreads(node);
  const others = withoutThreads([], node);
  expect([...only, ...others].map(threadsText)).toEqual(['threads node1.hpl: *', 'all but node1.hpl: *']);
  for (const name of [
    'node1.hpl: main',
    'node1.hpl: a: b',
    'node1.hpl: Unknown Thread(s)',
    'node2.hpl: main',
    'main',
  ])
    expect([selectsThread(only)(name), selectsThread(others)(name)]).toEqual(
      name.startsWith('node1') ? [true, false] : [false, true],
    );
});

test('what is chosen of a list, said by those that are chosen or by the others', () => {
  const names = ['main', 'worker-1', 'worker-2', 'gc-1'];
  const all = (before: readonly string[] | 'list' | 'allBut', ...chosen: string[]): string =>
    chosenThreads(names, (name) => chosen.includes(name), before)
      .map(threadsText)
      .join('; ');
  expect([
    all([], 'worker-1', 'worker-2', 'gc-1'),
    all([allBut(['main'])], 'gc-1'),
    all(['main'], 'main', 'worker-1'),
    all(['main'], 'main', 'worker-1', 'worker-2'),
    all(['main'], ...names),
    all(['main']),
    all('list', 'worker-2', 'worker-1'),
    all('allBut', 'main', 'gc-1'),
  ]).toEqual([
    'all but main',
    'all but main, worker-*',
    'thread main; thread worker-1',
    'thread main; threads worker-*',
    '',
    '',
    'threads worker-*',
    'all but worker-*',
  ]);
});

test('leaving out one after the other makes one entry', () => {
  const main = threadsOfRow('main', 'name');
  const workers = threadsOfRow('http-worker-*', 'pool');
  const once = withoutThreads([], main);
  expect(once.map(threadsText)).toEqual(['all but main']);
  expect(withoutThreads(once, workers).map(threadsText)).toEqual(['all but main, http-worker-*']);
  expect(withoutThreads(withoutThreads(once, workers), main)).toEqual(withoutThreads(once, workers));
});

// What is chosen; what is left out of it; what is left, in words.
test.each([
  ['main; http-worker-1', 'http-worker-1', 'thread main'],
  ['main; http-worker-*', 'http-worker-1', 'thread main; threads http-worker-* but http-worker-1'],
  [
    'main; http-worker-*',
    'http-worker-1; http-worker-12',
    'thread main; threads http-worker-* but http-worker-1, http-worker-12',
  ],
  ['main; http-worker-*', 'http-worker-1; http-worker-*', 'thread main'],
  ['main; http-worker-3', 'http-worker-*', 'thread main'],
  ['main; http-worker-*; gc-1', 'gc-*; main', 'threads http-worker-*'],
  ['/w.rk/', 'http-worker-1', 'threads /w.rk/ but http-worker-1'],
  ['/w.rk|^m/', 'http-worker-1; main', 'threads /w.rk|^m/ but http-worker-1, main'],
  ['n1: *', 'n1: main; n1: http-worker-*', 'threads n1: * but n1: main, n1: http-worker-*'],
  ['n1: *; n2: *', 'n1: *', 'threads n2: *'],
  ['n1: http-worker-*; main; n2: *', 'n1: *', 'thread main; threads n2: *'],
  ['/^(?!x)(?:main|gc-1)$/', 'gc-1', 'threads /^(?!x)(?:main|gc-1)$/ but gc-1'],
  // Nothing else was chosen, or none of these was: all others.
  ['main', 'main', 'all but main'],
  ['/^main$/', 'main', 'all but main'],
  ['http-worker-*', 'http-worker-*', 'all but http-worker-*'],
  ['main; gc-1', 'http-worker-1', 'all but http-worker-1'],
])('chosen %s, without %s: %s', (chosen, without, left) => {
  const rowOf = (text: string) =>
    threadsOfRow(
      text.replace(/: \*$/, ''),
      text.endsWith(': *') ? 'group' : text.endsWith('*') ? 'pool' : 'name',
    );
  const rows = without.split('; ').map(rowOf);
  const before = chosen
    .split('; ')
    .flatMap((text) => (text.startsWith('/') ? [text] : onlyThreads(rowOf(text))));
  const after = rows.reduce(withoutThreads, before);
  expect(after.map(threadsText).join('; ')).toBe(left);
  // And in names.
  const isAll = left.startsWith('all but');
  for (const name of [
    'main',
    'gc-1',
    'n1: main',
    'n1: x',
    'n2: main',
    'n1: http-worker-4',
    ...numbered('http-worker-', 13),
  ])
    expect(selects(after, name), name).toBe(
      (isAll || selects(before, name)) && !rows.some((row) => selects(onlyThreads(row), name)),
    );
});

function numbered(name: string, end: number): readonly string[] {
  return Array.from({ length: end }, (_, number) => `${name}${number}`);
}

test('an expression that is invalid, or was stopped, selects no thread and says why', () => {
  expect(threadsAmong(['main', '('], ['/(/', 'main'])).toEqual(new Set(['main']));
  expect(threadProblem('/(/')).toContain('Unterminated group');
  stopExpressions(['(ma)+in']);
  expect(threadsAmong(['main'], ['/(ma)+in/'])).toEqual(new Set());
  expect(threadProblem('/(ma)+in/')).toBe('This expression took too long. It was stopped.');
  expect(threadProblem('main')).toBeUndefined();
});

const selects = (threads: readonly string[], name: string): boolean =>
  threadsAmong([name], threads).has(name);

test('the window matches what it has made, and is told what matches an expression that was typed', () => {
  const names = ['main', 'gc-1', 'n1: main', ...numbered('http-worker-', 3)];
  const pool = wholePool('http-worker-1');
  for (const entry of ['main', pool, exactly('/x/'), allBut(['main'], ['gc-1']), '/^n1: .*$/']) {
    expect(isTyped(entry), entry).toBe(false);
    expect(names.filter(selectsThread([entry])), entry).toEqual([...threadsAmong(names, [entry])]);
  }
  expect(isTyped(withoutThreads([pool], threadsOfRow('http-worker-1', 'name'))[0])).toBe(false);
  const typed = '/^(m+)+$/';
  const told = new Map([[typed, new Set(['main'])]]);
  expect(names.filter(selectsThread([typed, 'gc-1'], told))).toEqual(['main', 'gc-1']);
  const without = withoutThreads([typed], threadsOfRow('main', 'name'));
  // A link may have anything that looks as if it were made.
  const many = `/^${'[0-9]+'.repeat(30)}$/`;
  for (const entry of [typed, ...without, many, `/^(?!(?:x|${'1[0-9]+'.repeat(30)})$)/`, '/^a: .*: .*$/'])
    expect(isTyped(entry), entry).toBe(true);
});
