import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cutDump } from '../../../electron/recording/dump-recording.ts';
import { exactly } from '../../../shared/scope/thread-pattern.ts';
import { readInput } from '../../support/read-input.ts';
import { stackCounts } from '../../support/stack-counts.ts';

const TEXTS = ['jstack-1.txt', 'jstack-2.txt', 'jcmd-thread-print.txt'].map((name) =>
  readFileSync(`test/golden/thread-dump/${name}`, 'utf8'),
);

const HARD = `2026-11-20 11:42:18
Full thread dump OpenJDK 64-Bit Server VM (21+35 mixed mode, sharing):

"main" #1 [29] prio=5 tid=0x01 nid=29 runnable  [0x02]
   java.lang.Thread.State: BLOCKED (on object monitor)
\tat a.A.c(A.java:3)
\t- waiting to lock <0x00000000d5f0> (a a.L)
\tat a.A.b(A.java:2)
\t- locked <0x00000000d5f1> (a a.L)
\tat a.A.a(A.java:1)

"two
lines" #2 [30] prio=5 tid=0x03 nid=30 runnable  [0x04]
   java.lang.Thread.State: RUNNABLE
\tat a.A.a(A.java:1)

"carrier" #3 daemon prio=5 tid=0x05 nid=31  [0x06]
   Carrying virtual thread #21
\tat a.A.run(A.java:9)
   Mounted virtual thread #21
\tat a.A.serve(A.java:8)

"VM Thread" os_prio=0 tid=0x07 nid=32 runnable

JNI global refs: 18, weak refs: 0

Found one Java-level deadlock:
=============================
"main":
  waiting to lock monitor 0x01 (object 0x00000000d5f0, a a.L),
  which is held by "two
lines"

Java stack information for the threads listed above:
===================================================
"main":
\tat a.A.c(A.java:3)

Found 1 deadlock.
`;

type Counts = Readonly<Record<string, string>>;

function countsOf(text: string): Counts {
  return stackCounts(readInput(new TextEncoder().encode(text)).profile);
}

test('without wishes, the text itself', () => {
  expect(cutDump(HARD, {})).toBe(HARD);
  expect(countsOf(cutDump(HARD, { threads: ['/^/'] }))).toEqual(countsOf(HARD));
  for (const text of [...TEXTS, HARD]) expect(cutDump(text, { threads: ['/^/'] })).toBe(text);
});

test('each thread alone has the samples that it has in the whole dump', () => {
  for (const text of [...TEXTS, HARD]) {
    const whole = countsOf(text);
    const names = new Set(Object.keys(whole).map((stack) => stack.split(';')[0]));
    for (const name of names) {
      const alone = countsOf(cutDump(text, { threads: [exactly(name)] }));
      const expected = Object.entries(whole).filter(([stack]) => stack.split(';')[0] === name);
      expect(alone, name).toEqual(Object.fromEntries(expected));
    }
  }
});

test('the innermost frames, below a frame for those that were left out', () => {
  for (const text of [...TEXTS, HARD])
    for (const depth of [1, 2, 5, 1000]) {
      const expected: Record<string, number> = {};
      for (const [stack, count] of Object.entries(countsOf(text))) {
        const [thread, ...frames] = stack.split(';');
        const cut = [`.(truncated at depth ${depth})`, ...frames.slice(-depth)];
        const key = [thread, ...(frames.length > depth ? cut : frames)].join(';');
        expected[key] = (expected[key] ?? 0) + Number(count.split(' ')[0]);
      }
      const found = countsOf(cutDump(text, { depth }));
      const counts = Object.entries(found).map(([stack, count]) => [stack, Number(count.split(' ')[0])]);
      expect(Object.fromEntries(counts)).toEqual(expected);
    }
});

test('locks of frames that are left out are left out', () => {
  const cut = cutDump(HARD, { depth: 1, threads: ['main'] });
  expect(cut).toContain('- waiting to lock');
  expect(cut).not.toContain('- locked');
  expect(cut).not.toContain('"VM Thread"');
  expect(readInput(new TextEncoder().encode(cut)).decoder.facts().notes).toContain(
    'The VM found 1 deadlock.',
  );
});

test('X09: an expression that takes too long is not waited for', () => {
  const text = HARD.replace('"main"', `"${'a'.repeat(60)}!"`);
  expect(() => cutDump(text, { threads: ['/(a+)+$/'] })).toThrow('the expression /(a+)+$/ takes too long');
});
