import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { JFR } from '../../shared/formats/jfr/format.ts';
import { NO_LINE } from '../../shared/profile/frame-table.ts';
import { capitalised } from '../../shared/text/format-value.ts';
import { checkProfile } from '../support/check-profile.ts';
import { differingLines, foldedLines, methodText, type ProfileStack, stacksOf } from '../support/profile-stacks.ts';
import { decodeInput, readInput } from '../support/read-input.ts';

const golden = (name: string): Buffer => gunzipSync(readFileSync(`test/golden/jfr/shop-jdk17.${name}.gz`));
const recording = golden('jfr');

/** What the JDK's own `jfr print` says of the recording. */
interface Printed {
  readonly frames: readonly (readonly [
    className: string,
    methodName: string,
    descriptor: string,
    line: number,
    bci: number,
    type: string,
  ])[];
  readonly samples: readonly {
    readonly startTime: string;
    readonly thread: string;
    readonly javaThreadId: number;
    readonly state: string;
    readonly truncated: boolean;
    /** Innermost first. */
    readonly frames: readonly number[];
  }[];
}
const printed = JSON.parse(golden('expected.json').toString()) as Printed;

/** Lines `root;…;leaf weight` without the types of frames, equal ones summed. */
function reference(name: string): string[] {
  const sums = new Map<string, bigint>();
  for (const line of golden(name).toString().trimEnd().split('\n')) {
    const blank = line.lastIndexOf(' ');
    const stack = line.slice(0, blank).replaceAll(/_\[[0-9a-z]\](?=;|$)/g, '');
    sums.set(stack, (sums.get(stack) ?? 0n) + BigInt(line.slice(blank + 1)));
  }
  return Array.from(sums, ([stack, sum]) => `${stack} ${sum}`).sort();
}

const methodsOf = ({ frames }: ProfileStack): string => frames.map(methodText).join(';');

describe('shop-jdk17, what `jfr print` says', () => {
  test('every stack of every thread, with lines and bytecode indexes', () => {
    const { profile, decoder, format } = readInput(recording, { cut: 'off' });
    expect(format).toBe('jfr');
    expect(decoder.damage).toBeUndefined();
    expect(decoder.bytes).toEqual({ accepted: recording.length, skipped: 0, pending: 0 });
    expect(checkProfile(profile)).toEqual([]);
    const lines = foldedLines(stacksOf(profile), ({ thread, threadId, frames }) =>
      [`${thread} ${threadId}`, ...frames.map((each) => `${methodText(each)}:${each.line}@${each.bci}`)].join(
        ';',
      ),
    );
    const sums = new Map<string, number>();
    for (const { thread, javaThreadId, frames } of printed.samples) {
      const texts = frames
        .map((frame) => printed.frames[frame])
        .map(
          ([className, methodName, , line, bci, type]) =>
            `${className}.${methodName}:${line < 0 ? NO_LINE : line}@${type === 'Native' ? -3 : bci}`,
        );
      const key = [`${thread} ${javaThreadId}`, ...texts.reverse()].join(';');
      sums.set(key, (sums.get(key) ?? 0) + 1);
    }
    expect(
      differingLines(
        lines,
        Array.from(sums, ([key, sum]) => `${key} ${sum}`),
      ),
    ).toEqual([]);
    expect(lines).toHaveLength(sums.size);
  });

  test('truncated stacks are apart, and the switch puts them back', () => {
    const cut = printed.samples.filter(({ truncated }) => truncated).length;
    const { profile, decoder } = readInput(recording);
    const below = stacksOf(profile).filter(({ frames }) => methodText(frames[0]) === '(truncated)');
    expect(below.reduce((sum, { count }) => sum + count, 0)).toBe(cut);
    expect(decoder.facts().notes).toMatchObject([expect.stringContaining(`${cut} stacks truncated.`)]);
    expect(decoder.facts().losses).toMatchObject([{ kind: 'truncated', amount: `${cut} stacks` }]);
    expect(decoder.facts().choices.map(({ id }) => id)).toEqual(['sample-type', 'events', 'period', 'cut']);
  });

  // The JDK prints no fraction, or three, six or nine digits of it.
  const ns = (time: string): bigint =>
    BigInt(Date.parse(`${time.slice(0, 19)}Z`)) * 1_000_000n +
    BigInt(time.slice(20).replace('Z', '').padEnd(9, '0'));

  test('when each sample was taken, in which thread and method', () => {
    const { profile, decoder } = decodeInput(JFR, recording, { cut: 'off' }, undefined, true);
    expect(decoder.facts().hasSampleTimes).toBe(true);
    const { samples } = profile;
    const stacks = stacksOf(profile);
    const found = Array.from({ length: samples?.length ?? 0 }, (_, row) => {
      const { thread, frames } = stacks[samples!.self[row]];
      return `${samples!.timeOf(row)} ${thread} ${methodText(frames[frames.length - 1])} ${frames.length}`;
    });
    const expected = printed.samples.map(({ startTime, thread, frames }) => {
      const [className, methodName] = printed.frames[frames[0]];
      return `${ns(startTime)} ${thread} ${className}.${methodName} ${frames.length}`;
    });
    expect(found.sort()).toEqual(expected.sort());
  });

  test('first and last time', () => {
    const { decoder } = readInput(recording);
    const times = printed.samples.map(({ startTime }) => startTime).sort();
    const { firstTime, lastTime } = decoder.facts();
    expect([firstTime, lastTime]).toEqual([ns(times[0]), ns(times[times.length - 1])]);
  });

  test('a state that no sample has leaves nothing; the one that all have leaves all', () => {
    expect(readInput(recording, { state: 'STATE_RUNNABLE' }).aggregator.sampleCount).toBe(802);
    expect(readInput(recording, { state: 'STATE_SLEEPING' }).aggregator.sampleCount).toBe(0);
  });

  test('a period gives each sample its time', () => {
    const { profile, decoder } = readInput(recording, { period: '20' });
    const total = stacksOf(profile).reduce((sum, { value }) => sum + value, 0n);
    expect(total).toBe(802n * 20_000_000n);
    expect(decoder.facts().units.value).toEqual({ name: 'Time', unit: 'ns' });
  });

  test('samples of Java methods alone, and of native ones', () => {
    const events = (chosen: string): number => readInput(recording, { events: chosen }).aggregator.sampleCount;
    expect([events('jdk.ExecutionSample'), events('jdk.NativeMethodSample'), events('all')]).toEqual([750, 52, 802]);
  });

  test('groups of threads, and the states of their samples', () => {
    const threads = readInput(recording).decoder.facts().tables.find(({ title }) => title === 'Threads')!;
    expect(threads.columns.map(({ name }) => name)).toEqual(['Thread', 'Group', 'States']);
    // `jfr print` says `group = { parent = … name = "shop" }` of all threads with samples.
    const expected = new Set(
      printed.samples.map(({ thread, state }) => `${thread} shop ${capitalised(state.slice(6).toLowerCase())}`),
    );
    expect(new Set(threads.rows.map((row) => row.join(' ')))).toEqual(expected);
    expect(threads.leftOut).toBe(0);
  });

  test('how many events of each type there are', () => {
    expect(readInput(recording).decoder.facts().tables[0].rows).toEqual([
      ['jdk.ThreadSleep', 10468],
      ['jdk.ThreadPark', 3096],
      ['jdk.ObjectAllocationSample', 1770],
      ['jdk.ExecutionSample', 750],
      ['jdk.JavaMonitorEnter', 93],
      ['jdk.NativeMethodSample', 52],
      ['jdk.ThreadStart', 42],
      ['jdk.ThreadEnd', 39],
    ]);
  });
});

describe("shop-jdk17, what async-profiler's converter says", () => {
  test('execution samples', () => {
    const { profile } = readInput(recording, { cut: 'off' });
    expect(differingLines(foldedLines(stacksOf(profile), methodsOf), reference('reference.collapsed'))).toEqual([]);
  });

  test('with threads and lines', () => {
    const { profile } = readInput(recording, { cut: 'off' });
    const lines = foldedLines(stacksOf(profile), ({ thread, frames }) =>
      [
        `[${thread}]`,
        ...frames.map((each) => `${methodText(each)}:${each.line}`.replace(`:${NO_LINE}`, ':65535')),
      ].join(';'),
    );
    // Its tid is the key of the constant, which means nothing elsewhere.
    const expected = reference('reference-threads-lines.collapsed').map((line) => line.replace(/ tid=\d+]/, ']'));
    expect(differingLines(lines, expected)).toEqual([]);
  });

  test.each(['alloc', 'lock'])('%s, in bytes or ns, with classes', (type) => {
    const { profile } = readInput(recording, { 'sample-type': type, classes: 'on', cut: 'off' });
    const lines = foldedLines(stacksOf(profile), methodsOf, 'value');
    expect(differingLines(lines, reference(`${type}.reference.collapsed`))).toEqual([]);
  });

  test('classes are frames, unless they are not asked for', () => {
    const withClasses = readInput(recording, { 'sample-type': 'alloc' }).profile;
    const without = readInput(recording, { 'sample-type': 'alloc', classes: 'off' }).profile;
    const cut = ({ frames }: ProfileStack): string => frames.slice(0, -1).map(methodText).join(';');
    const expected = foldedLines(stacksOf(withClasses), cut, 'value');
    expect(differingLines(foldedLines(stacksOf(without), methodsOf, 'value'), expected)).toEqual([]);
  });
});
