import { expect, test } from 'vitest';
import {
  readSamplingLine,
  type SampledDump,
  samplingEndLine,
  samplingLine,
} from '../../../../shared/formats/thread-dump/dump-sampling.ts';
import type { FactTable } from '../../../../shared/facts/format-facts.ts';
import { readInput } from '../../../support/read-input.ts';
import { stackCounts } from '../../../support/stack-counts.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const sampled: SampledDump = {
  run: 1,
  at: 0,
  took: 2,
  stopped: 1,
  interval: 20,
  share: 0.01,
};

function thread(name: string, number: number, state: string, ...frames: string[]): string {
  const at = frames.map((frame) => (frame === '...' ? '\t...\n' : `\tat a.A.${frame}(A.java:1)\n`)).join('');
  return `"${name}" #${number} prio=5 tid=0x01 nid=1 runnable\n   java.lang.Thread.State: ${state}\n${at}\n`;
}

function dump(what: SampledDump, time: string, ...threads: string[]): string {
  return `${samplingLine(what)}\n${time}\nFull thread dump OpenJDK (17):\n\n${threads.join('')}JNI global refs: 1\n\n`;
}

const read = (text: string, chosen = {}): ReturnType<typeof readInput> => readInput(bytesOf(text), chosen);

function tableOf(text: string, title: string): FactTable | undefined {
  return read(text)
    .decoder.facts()
    .tables.find((table) => table.title === title);
}

test('a line about a dump says what it was given, and no other line is one', () => {
  for (const stopped of [undefined, 0.801]) {
    const given = { run: 12, at: 1204.118, took: 1.312, stopped, interval: 20, share: 0.015 };
    expect(readSamplingLine(samplingLine(given))).toEqual(given);
  }
  const line = samplingLine(sampled);
  for (const other of ['', `${line} `, line.replace('run=1', 'run=x'), line.replace('took=2', 'took=-2')])
    expect(readSamplingLine(other), other).toBeUndefined();
});

test('rate and cost of each run, and that it has ended', () => {
  const text = [
    ...[0, 100, 200].map((at) =>
      dump({ ...sampled, at }, '2026-11-20T10:00:00.000Z', thread('w', 1, 'RUNNABLE', 'a')),
    ),
    `${samplingEndLine('it was stopped')}\n`,
  ].join('');
  const { decoder } = read(text);
  expect(decoder.bytes).toEqual({ accepted: text.length, skipped: 0, pending: 0 });
  expect(decoder.facts().notes.slice(0, 3)).toEqual([
    'Sampling has ended: it was stopped.',
    '3 thread dumps sampled, 10 /s instead of 50 /s. Each stops the JVM for 1.00 ms (longest 1.00 ms), 1.49 % of its time; 1.00 % is allowed.',
    'All threads stop at a safepoint for a dump. A stack shows where its thread could stop, often the end of a loop or of a method, and not where it was.',
  ]);
  const more = { ...sampled, run: 2, at: 0, took: 3, stopped: undefined };
  const again =
    text +
    dump(more, '2026-11-20T10:01:00.000Z', thread('w', 1, 'RUNNABLE', 'a')) +
    dump({ ...more, at: 20 }, '2026-11-20T10:01:00.020Z', thread('w', 1, 'RUNNABLE', 'a'));
  expect(read(again).decoder.facts().notes[0]).toBe(
    '2 thread dumps sampled, 50 /s as wanted. Each stops the JVM for up to 3.00 ms (longest 3.00 ms), 26.09 % of its time; 1.00 % is allowed, and the next dump waits until that is kept.',
  );
  expect(tableOf(again, 'Sampling')?.rows).toEqual([
    [1, 3, 20e6, 100e6, 1e6, 1e6, 2e6, '1.49 %', '1.00 %'],
    [2, 2, 20e6, 20e6, 3e6, 3e6, 3e6, 'at most 26.09 %', '1.00 %'],
  ]);
  expect(tableOf(dump(sampled, '2026-11-20T10:00:00.000Z').replace(/^.*\n/, ''), 'Sampling')).toBeUndefined();
});

test('times to the millisecond', () => {
  const text = [0, 15, 40]
    .map((at) =>
      dump(
        { ...sampled, at },
        `2026-11-20T10:00:00.${String(100 + at)}Z`,
        thread('w', 1, 'RUNNABLE', 'b', 'a'),
      ),
    )
    .join('');
  const { profile, decoder } = read(text);
  expect(stackCounts(profile)).toEqual({ 'w;a.A.a:1;a.A.b:1': '3 40000000' });
  const { firstTime, lastTime, notes } = decoder.facts();
  expect(Number((lastTime ?? 0n) - (firstTime ?? 0n))).toBe(40e6);
  expect(notes.join()).not.toContain('whole seconds');
});

test('a stack that was cut is counted below a frame that says so', () => {
  const text = dump(
    sampled,
    '2026-11-20T10:00:00.000Z',
    thread('w', 1, 'RUNNABLE', 'c', 'b', '...'),
    thread('x', 2, 'RUNNABLE', 'b', 'a'),
  );
  const { profile, decoder } = read(text);
  expect(stackCounts(profile)).toEqual({
    'w;.(truncated at depth 2);a.A.b:1;a.A.c:1': '1 0',
    'x;a.A.a:1;a.A.b:1': '1 0',
  });
  expect(decoder.facts().deepestStack).toBe(2);
  expect(decoder.facts().notes.join(' ')).toContain(
    '1 stack truncated. The writer of the dump cuts deep stacks.',
  );
});

test('several states at once', () => {
  const text = dump(
    sampled,
    '2026-11-20T10:00:00.000Z',
    thread('w', 1, 'RUNNABLE', 'a'),
    thread('x', 2, 'BLOCKED', 'b'),
    thread('y', 3, 'WAITING', 'c'),
  );
  const counted = (state: string): string[] => Object.keys(stackCounts(read(text, { state }).profile));
  expect(counted('BLOCKED,RUNNABLE')).toEqual(['w;a.A.a:1', 'x;a.A.b:1']);
  expect(counted('BLOCKED')).toEqual(['x;a.A.b:1']);
  expect(counted('BLOCKED,nothing')).toHaveLength(3);
  const [choice] = read(text, { state: 'BLOCKED,RUNNABLE' }).decoder.facts().choices;
  expect(choice.chosen).toBe('RUNNABLE,BLOCKED');
  expect(choice.kind === 'one' && choice.options.at(-1)).toEqual({
    value: 'RUNNABLE,BLOCKED',
    text: 'RUNNABLE or BLOCKED',
  });
});

test('when threads of a series started and ended', () => {
  const w = thread('w', 1, 'RUNNABLE', 'a');
  const text = [
    dump(sampled, '2026-11-20T10:00:00.000Z', w, thread('x', 2, 'RUNNABLE', 'b')),
    dump({ ...sampled, at: 20 }, '2026-11-20T10:00:00.020Z', w, thread('x', 2, 'RUNNABLE', 'b')),
    dump({ ...sampled, at: 40 }, '2026-11-20T10:00:00.040Z', w, thread('y', 3, 'RUNNABLE', 'c')),
  ].join('');
  expect(tableOf(text, 'Threads')?.rows.map((row) => [row[0], ...row.slice(6)])).toEqual([
    ['w', 3, 1, 3, 'no'],
    ['x', 2, 1, 2, 'yes'],
    ['y', 1, 3, 3, 'no'],
  ]);
});
