import { expect, test } from 'vitest';
import type { Chosen } from '../../../../shared/facts/choice.ts';
import { factText, type FormatFacts } from '../../../../shared/facts/format-facts.ts';
import { JFR } from '../../../../shared/formats/jfr/format.ts';
import { JfrChunk, type WrittenFrame } from '../../../support/jfr-writer/jfr-chunk.ts';
import { foldedLines, methodText, stacksOf } from '../../../support/profile-stacks.ts';
import { decodeInput, type ReadInput } from '../../../support/read-input.ts';

const read = (input: Uint8Array, chosen: Chosen = {}): ReadInput => decodeInput(JFR, input, chosen);

const linesOf = ({ profile }: ReadInput, weight: 'count' | 'value' = 'count'): readonly string[] =>
  foldedLines(
    stacksOf(profile),
    ({ thread, frames }) => [thread, ...frames.map(methodText)].join(';'),
    weight,
  );

const tableOf = ({ tables }: FormatFacts, title: string): readonly string[] | undefined => {
  const table = tables.find((each) => each.title === title);
  return table?.rows.map((row) => row.map((cell, at) => factText(cell, table.columns[at].kind)).join(' | '));
};

const frame = (method: number): WrittenFrame => ({ method, line: 9, bci: 0, type: 'Interpreted' });

test('the method that is traced is the leaf of its stack, with or without callers', () => {
  const chunk = new JfrChunk(['jdk.MethodTrace']);
  const thread = chunk.thread('main', 1);
  const [main, add, pay] = [
    chunk.method('Shop', 'main'),
    chunk.method('shop/Cart', 'add', '(I)V'),
    chunk.method('shop/Cart', 'pay'),
  ];
  const callers = chunk.stack([frame(main)]);
  const deep = chunk.stack([frame(main)], true);
  chunk.event('jdk.MethodTrace', 2_000, 50, thread, callers, add);
  chunk.event('jdk.MethodTrace', 2_100, 70, thread, callers, add);
  chunk.event('jdk.MethodTrace', 2_200, 30, thread, callers, pay);
  chunk.event('jdk.MethodTrace', 2_300, 5, thread, deep, pay);
  // Recorded without stack traces; of a method that begins a thread.
  chunk.event('jdk.MethodTrace', 2_400, 7, thread, 0, pay);
  chunk.event('jdk.MethodTrace', 2_500, 9, thread, chunk.stack([]), main);
  const found = read(chunk.finish());
  expect(linesOf(found)).toEqual([
    'main;(truncated);Shop.main;shop.Cart.pay 1',
    'main;Shop.main 1',
    'main;Shop.main;shop.Cart.add 2',
    'main;Shop.main;shop.Cart.pay 1',
    'main;shop.Cart.pay 1',
  ]);
  expect(linesOf(found, 'value')[2]).toBe('main;Shop.main;shop.Cart.add 120');
  const { units, notes, losses } = found.decoder.facts();
  expect([units.counted.many, units.value?.name]).toEqual(['calls', 'Duration']);
  expect(notes[0]).toMatch(/^A traced call has the time of the traced calls in it, too/);
  expect(losses.map(({ kind }) => kind)).toEqual(['truncated']);
});

test('methods that are timed are a table of their latest numbers', () => {
  const chunk = new JfrChunk(['jdk.ExecutionSample', 'jdk.MethodTiming']);
  const [add, pay] = [
    chunk.method('shop/Cart', 'add', '(I[Ljava/lang/String;[[J)V'),
    chunk.method('Shop', 'pay'),
  ];
  chunk.event('jdk.MethodTiming', 2_000, add, 1, 10, 10, 10);
  chunk.event('jdk.MethodTiming', 2_000, pay, 300, 1, 2_000, 4_000);
  chunk.event('jdk.MethodTiming', 3_000, add, 12, 5, 40, 1_500);
  expect(tableOf(read(chunk.finish()).decoder.facts(), 'Timed methods')).toEqual([
    'Shop.pay() | 300 | 1 ns | 2.00 µs | 4.00 µs',
    'shop.Cart.add(int, String[], long[][]) | 12 | 5 ns | 40 ns | 1.50 µs',
  ]);
});

test('samples that the JVM has lost are said with the samples that they belong to', () => {
  const chunk = new JfrChunk([
    'jdk.ExecutionSample',
    'jdk.CPUTimeSample',
    'jdk.CPUTimeSamplesLost',
    'jdk.DataLoss',
  ]);
  const thread = chunk.thread('main', 1);
  const stack = chunk.stack([frame(chunk.method('Shop', 'main'))]);
  for (const at of [2_000, 2_100, 2_200]) chunk.event('jdk.CPUTimeSample', at, stack, thread, 0, 10_000, 0);
  chunk.event('jdk.CPUTimeSamplesLost', 2_300, 30, thread);
  chunk.event('jdk.CPUTimeSamplesLost', 2_400, 12, thread);
  const lost = chunk.finish();
  const { notes, losses } = read(lost, { 'sample-type': 'cpu-time' }).decoder.facts();
  expect(notes).toEqual([
    '42 samples not counted. The JVM has lost them: they came faster than it could write them.',
  ]);
  expect(losses).toMatchObject([{ kind: 'uncounted', amount: '42 samples' }]);
  expect(read(lost, { 'sample-type': 'cpu' }).decoder.facts().losses).toEqual([]);
  const other = new JfrChunk(['jdk.CPUTimeSample', 'jdk.DataLoss']);
  other.event('jdk.DataLoss', 2_000, 4_096, 4_096);
  other.event('jdk.DataLoss', 2_100, 4_096, 8_192);
  const facts = read(other.finish()).decoder.facts();
  expect(facts.notes).toEqual([
    '8.2 kB of events not counted. The JVM has lost them: they came faster than it could write them. Samples may be among them.',
  ]);
  expect(facts.losses).toMatchObject([{ amount: '8.2 kB of events' }]);
});
