import { MemoryBudget } from '../../../shared/aggregate/memory-budget.ts';
import { expect, test } from 'vitest';
import { samplingEndLine, samplingLine } from '../../../shared/formats/thread-dump/dump-sampling.ts';
import { THREAD_DUMP } from '../../../shared/formats/thread-dump/format.ts';
import { readInput } from '../../support/read-input.ts';
import { stackCounts } from '../../support/stack-counts.ts';

// Dumps that end before their end, because the JVM that wrote them was killed.

const dump = (
  second: number,
  last = '\nJNI global refs: 1, weak refs: 2\n\n',
): string => `2024-02-03 10:00:0${second}
Full thread dump OpenJDK (17):

"main" #1 prio=5 os_prio=0 tid=0x01 nid=0x02 runnable
   java.lang.Thread.State: RUNNABLE
\tat java.lang.Thread.sleep(java.base@17/Native Method)
\tat shop.Shop.main(Shop.java:7)

"worker" #2 prio=5 os_prio=0 tid=0x03 nid=0x04 runnable
   java.lang.Thread.State: RUNNABLE
\tat java.lang.Object.wait(java.base@17/Native Method)
\tat shop.Worker.run(Worker.java:9)
${last}`;
const ONE = {
  'main;shop.Shop.main:7;java.lang.Thread.sleep': '1 0',
  'worker;shop.Worker.run:9;java.lang.Object.wait': '1 0',
};

const read = (text: string) => readInput(new TextEncoder().encode(text));
const picture = (text: string) => {
  const { profile, decoder } = read(text);
  const { accepted, skipped, pending } = decoder.bytes;
  expect([accepted + skipped, pending]).toEqual([text.length, 0]);
  const { notes, losses, tables } = decoder.facts();
  return {
    stacks: stackCounts(profile),
    notes: notes.filter((note) => /incomplete|middle|dumps?\.$/.test(note)),
    losses: losses.map(({ kind, amount }) => `${kind}: ${amount}`),
    threads: tables.find(({ title }) => title === 'Threads')?.rows.map(([name]) => name),
  };
};

const DROPPED =
  '1 thread dump not counted. It is incomplete: its writer ended before it was written, as a JVM does that is killed.';

test('wherever the last dump of a series is cut, none of its stacks is counted, and this is said', () => {
  const series = dump(0) + dump(5);
  const from = dump(0).length + '2024-02-03 10:00:05\nFull thread dump'.length;
  const to = series.indexOf('JNI', from) + 'JNI global re'.length;
  for (let length = from; length <= to; length += 3)
    expect([length, picture(series.slice(0, length))]).toEqual([
      length,
      {
        stacks: ONE,
        notes: ['One thread dump.', DROPPED],
        losses: ['uncounted: 1 thread dump'],
        threads: ['main', 'worker'],
      },
    ]);
  expect(picture(series)).toMatchObject({ notes: ['2 thread dumps.'], losses: [] });
});

test('a dump that a JVM was killed in while it was sampled', () => {
  const line = (at: number) =>
    `${samplingLine({ run: 1, at, took: 2, stopped: 1, interval: 20, share: 0.01 })}\n`;
  const cut = dump(1, '').slice(0, -40);
  const text = `${line(0)}${dump(0)}${line(20)}${cut}\n${samplingEndLine('the JVM has ended')}\n`;
  expect(picture(text)).toMatchObject({ stacks: ONE, losses: ['uncounted: 1 thread dump'] });
  expect(read(text).decoder.facts().notes[0]).toBe('Sampling has ended: the JVM has ended.');
  // Another run follows.
  const more = `${line(0)}${dump(0)}${line(20)}${cut}\n${line(40)}${dump(2)}`;
  expect(picture(more)).toMatchObject({
    losses: ['uncounted: 1 thread dump'],
    notes: ['2 thread dumps.', DROPPED],
  });
});

test('a dump of another tool, without such a last line, is counted where another follows', () => {
  expect(picture(dump(0) + dump(1, '\n') + dump(2))).toMatchObject({
    losses: [],
    notes: ['3 thread dumps.'],
  });
  expect(picture(dump(0, '\n') + dump(1, '\n'))).toMatchObject({ losses: [], notes: ['2 thread dumps.'] });
});

test('a single dump that ends in the middle of a frame: its last stack is not counted, and this is said', () => {
  const text = dump(0);
  const frame = text.indexOf('Object.wait');
  for (const length of [frame - 10, frame - 5, frame, frame + 8, text.indexOf(')', frame)])
    expect([length, picture(text.slice(0, length))]).toEqual([
      length,
      {
        stacks: { 'main;shop.Shop.main:7;java.lang.Thread.sleep': '1 0' },
        notes: ['One thread dump.', '1 stack not counted. The file ends in the middle of it.'],
        losses: ['uncounted: 1 stack'],
        threads: ['main', 'worker'],
      },
    ]);
  // Whole to its last character, whatever ends the file.
  expect(picture(text.slice(0, text.indexOf('\nJNI') - 1))).toMatchObject({ stacks: ONE, losses: [] });
  const javacore = `1XMTHDINFO     Thread Details
3XMTHREADINFO      "main" J9VMThread:0x1, omrthread_t:0x2, java/lang/Thread:0x3, state:R, prio=5
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at a/A.b(A.java:5)
4XESTACKTRACE                at a/A.ma`;
  expect(picture(javacore)).toMatchObject({ stacks: {}, losses: ['uncounted: 1 stack'] });
});

test('a series that grows shows a dump when it is complete', () => {
  const sampled: number[] = [];
  const memory = new MemoryBudget();
  const decoder = THREAD_DUMP.createDecoder(
    // Only the number of samples is of interest.
    new Proxy({} as never, {
      get: (_, key) =>
        key === 'isFull'
          ? false
          : key === 'memory'
            ? memory
            : key === 'sample'
              ? () => sampled.push(1)
              : () => 0,
    }),
    {},
  );
  const append = (text: string): number => {
    decoder.append(new TextEncoder().encode(text));
    decoder.emitOpen(false);
    return sampled.length;
  };
  void append(dump(0));
  const complete = sampled.length;
  const second = dump(5);
  expect(append(second.slice(0, -40))).toBe(complete);
  expect(append(second.slice(-40))).toBe(2 * complete);
});
