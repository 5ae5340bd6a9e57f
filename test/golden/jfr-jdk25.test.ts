import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { MethodData } from '../../shared/answers/schemas.ts';
import { sumSelfValues } from '../../shared/engine/values/self-values.ts';
import { comparability } from '../../shared/facts/comparability.ts';
import { NO_LOG_FACTS } from '../../shared/facts/log-facts.ts';
import { threadFacts } from '../../renderer/shell/thread-facts.ts';
import { stacksOf } from '../support/profile-stacks.ts';
import { readInput } from '../support/read-input.ts';
import { cliOutput } from '../support/run-cli.ts';

const read = readInput(gunzipSync(readFileSync('test/golden/jfr/timed-jdk25.jfr.gz')));
const facts = read.decoder.facts();
/** What the JDK's own `jfr print` says of the recording. */
const printed = JSON.parse(readFileSync('test/golden/jfr/timed-jdk25.expected.json', 'utf8')) as {
  readonly samples: number;
  readonly cpuNs: number;
  readonly lost: number;
  readonly biased: number;
  readonly threads: Readonly<Record<string, number>>;
  readonly timed: readonly (string | number)[];
};

const table = (title: string): unknown => facts.tables.find((each) => each.title === title)?.rows;

test('CPU time is the sum of the periods, and not of samples; what was lost and what is biased is said', () => {
  const { samples, time } = sumSelfValues(read.profile.selfValues);
  expect([samples, time]).toEqual([printed.samples, printed.cpuNs]);
  expect(time).not.toBe(samples * 10_000_000);
  expect(facts.losses.map(({ kind, amount }) => [kind, amount])).toContainEqual([
    'uncounted',
    `${printed.lost} samples`,
  ]);
  expect(facts.notes).toContain(
    `${printed.biased} samples are biased: the stack is that of the next safepoint, not that of the moment.`,
  );
});

test('virtual threads have a name, and samples that are theirs and not those of their carriers', () => {
  const threads: Record<string, number> = {};
  for (const { thread = '', count } of stacksOf(read.profile))
    threads[thread] = (threads[thread] ?? 0) + count;
  expect(threads).toEqual(printed.threads);
});

test('a timed method has its exact calls, and the JVM its settings', () => {
  expect(table('Timed methods')).toEqual([printed.timed]);
  expect(table('JVM')).toEqual([
    ['Java version', '25.0.3+9-LTS'],
    ['Virtual machine', 'OpenJDK 64-Bit Server VM'],
    ['Garbage collector', 'Serial'],
    ['Cores', '2'],
    ['Compact headers', 'on'],
    ['AOT cache', 'none'],
    ['Execution samples', 'cooperative: a thread writes its stack at its next safepoint'],
    ['Stack depth', '32'],
  ]);
});

test('virtual threads of one pool are one row, and one clause of a comparison', () => {
  const requests = readInput(gunzipSync(readFileSync('test/golden/jfr/requests-jdk25.jfr.gz')));
  const threads = requests.decoder.facts().tables.find(({ title }) => title === 'Threads');
  expect(threads?.rows).toContainEqual(['virtual-*', 'VirtualThreads', 'Runnable', 128]);
  expect(threadFacts([threads!])(['virtual-7'])).toEqual(['Runnable', 'group VirtualThreads']);
  const recordingOf = (...threads: string[]) => ({
    facts: { ...NO_LOG_FACTS, formatName: 'JFR', spanNs: 1e9, damage: undefined },
    threads: new Set(threads),
  });
  expect(comparability([recordingOf('main', 'req-1', 'req-2')], [recordingOf('main', 'gc')]).notes).toEqual([
    'threads only in the base: req-* (2)',
    'threads only in the new: gc',
  ]);
});

test('another collector, and headers of another size, are warnings of a comparison', () => {
  const recordingWith = (name: string, value: string) => ({
    facts: {
      ...NO_LOG_FACTS,
      ...facts,
      formatName: 'JFR',
      spanNs: 1e9,
      damage: undefined,
      tables: facts.tables.map((each) => ({
        ...each,
        rows: each.rows.map((row) => (row[0] === name ? [name, value] : row)),
      })),
    },
    threads: new Set<string>(),
  });
  const [base, next] = [recordingWith('', ''), recordingWith('Garbage collector', 'G1')];
  expect(comparability([base], [base]).warnings).toEqual([]);
  expect(comparability([base], [next]).warnings).toEqual([
    'garbage collector is Serial before and G1 now',
  ]);
  expect(comparability([base], [recordingWith('Compact headers', 'off')]).warnings).toEqual([
    'compact headers are on before and off now',
  ]);
});

test('the command about a method has its exact calls beside its samples', async () => {
  const argv = ['method', 'Timed25.pay', 'test/golden/jfr/timed-jdk25.jfr.gz'] as const;
  expect(await cliOutput(...argv)).toContain(
    'Timed by the JVM, every call\n  Timed25.pay(): 6,481 calls, mean 436 µs, shortest 155 µs, longest 118 ms\n',
  );
  const { timed } = JSON.parse(await cliOutput(...argv, '--json')) as MethodData;
  expect(timed?.map(({ calls, averageNs }) => [calls, averageNs])).toEqual([[printed.timed[1], printed.timed[3]]]);
});
