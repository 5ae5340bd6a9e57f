import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sumTotals } from '../../shared/profile/lean-profile.ts';
import { stacksInText } from '../support/dump-stacks.ts';
import { foldedLines, methodText, stacksOf } from '../support/profile-stacks.ts';
import { readInput } from '../support/read-input.ts';
import { stackCounts } from '../support/stack-counts.ts';

// No reference reads dumps: what is expected is cut out of the text in another way than the decoder reads it.

const FILES = ['jstack-1.txt', 'jstack-2.txt', 'jcmd-thread-print.txt'] as const;
const texts = FILES.map((name) => readFileSync(`test/golden/thread-dump/${name}`, 'utf8'));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Block {
  readonly thread: string;
  readonly state: string;
  /** Root first. */
  readonly frames: readonly string[];
}

/** Paragraphs that begin with a quote, and their lines with `at`. */
function blocksOf(text: string): Block[] {
  return text
    .split('\n\n')
    .filter((paragraph) => paragraph.startsWith('"') && paragraph.includes('\tat '))
    .map((paragraph) => ({
      thread: /^"([^"]*)"/.exec(paragraph)?.[1] ?? '',
      state: /State: (\w+)/.exec(paragraph)?.[1] ?? '',
      frames: [...paragraph.matchAll(/\tat ([^(\n]*)\((?:[^/)\n]*\/)?([^)\n]*)\)/g)]
        .map(([, method, place]) => `${method}${/:\d+$/.exec(place)?.[0] ?? ''}`)
        .reverse(),
    }));
}

function countsOf(blocks: readonly Block[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { thread, frames } of blocks) {
    const key = [thread, ...frames].join(';');
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Without the times, and without the stacks that have only a time. */
function countsOnly(counts: Record<string, string>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts)
      .map(([stack, text]) => [stack, Number(text.split(' ')[0])] as const)
      .filter(([, count]) => count > 0),
  );
}

test('each recorded dump: every thread with a stack is one sample', () => {
  for (const [at, text] of texts.entries()) {
    const { profile, decoder, format, aggregator } = readInput(bytesOf(text));
    const blocks = blocksOf(text);
    expect(format).toBe('thread-dump');
    expect(blocks.length).toBeGreaterThan(10);
    expect(countsOnly(stackCounts(profile))).toEqual(countsOf(blocks));
    expect(aggregator.sampleCount).toBe(blocks.length);
    expect(aggregator.deepestStack).toBe(Math.max(...blocks.map(({ frames }) => frames.length)));
    // One line of a thread of the VM has lost its name, in all three.
    const headers = text.match(/tid=0x/g)?.length ?? 0;
    expect(decoder.records).toBe(headers);
    const { units, notes, tables } = decoder.facts();
    expect(units.value).toBeUndefined();
    expect(notes).toEqual([
      'One thread dump.',
      `${headers - blocks.length} threads without a stack in the dump, such as the VM’s own: not counted.`,
    ]);
    expect(tables[0].rows).toHaveLength(headers);
    // The number of the process, which jcmd writes first, belongs to no dump.
    expect(decoder.bytes.skipped).toBe(FILES[at].startsWith('jcmd') ? '2968:\n'.length : 0);
  }
});

test('all recorded dumps as one series, with the time between them', () => {
  const { profile, decoder, aggregator } = readInput(bytesOf(texts.join('')));
  const blocks = texts.flatMap(blocksOf);
  const counts = stackCounts(profile);
  expect(countsOnly(counts)).toEqual(countsOf(blocks));
  expect(aggregator.sampleCount).toBe(blocks.length);
  const { units, firstTime, lastTime } = decoder.facts();
  expect(units.value).toEqual({ name: 'Time', unit: 'ns' });
  // 11:42:18, 11:42:19, 11:42:22.
  expect(Number((lastTime ?? 0n) - (firstTime ?? 0n))).toBe(4e9);

  // main slept, and then waited twice in the same place: its first second has only the root in common.
  const main = Object.entries(counts).filter(([stack]) => stack.startsWith('main;'));
  expect(Object.fromEntries(main)).toEqual({
    'main;RunShop.main:2': '0 1000000000',
    'main;RunShop.main:2;demo.shop.Shop.run:25;demo.shop.Shop.pause:47;java.lang.Thread.sleep': '1 0',
    'main;RunShop.main:2;demo.shop.Shop.run:24;java.lang.Thread.join:1381;java.lang.Thread.join:1313;java.lang.Object.wait':
      '2 3000000000',
  });
  // A thread that all dumps have, with one root, has all the time.
  const totals = sumTotals(profile);
  const seconds = (name: string): number =>
    Number(totals.time.exact(profile.threads.root[profile.threads.name.indexOf(name)])) / 1e9;
  for (const name of ['main', 'http-0', 'http-1', 'Finalizer', 'idle']) expect(seconds(name)).toBe(4);
});

test('one state only', () => {
  const text = texts.join('');
  const blocks = texts.flatMap(blocksOf);
  for (const state of ['RUNNABLE', 'BLOCKED', 'WAITING', 'TIMED_WAITING', 'NEW', 'TERMINATED', 'none']) {
    const wanted = blocks.filter((block) => block.state === state);
    const { profile, decoder } = readInput(bytesOf(text), { state });
    expect(countsOnly(stackCounts(profile))).toEqual(countsOf(wanted));
    expect(decoder.facts().choices[0]).toMatchObject({ id: 'state', chosen: state });
  }
  expect(blocks.some(({ state }) => state === 'RUNNABLE')).toBe(true);
});

test('JDK 25 dumps the same waiting threads as text and as JSON: both have the same stacks', () => {
  const text = readFileSync('test/golden/thread-dump/jdk25-waiting.txt', 'utf8');
  // The thread that writes the dump does something else in each of them.
  const others = (stacks: readonly string[]): string[] => stacks.filter((each) => !each.startsWith('Attach Listener;'));
  const expected = others(stacksInText(text));
  expect(expected.length).toBeGreaterThan(15);
  for (const [name, format] of [
    ['jdk25-waiting.txt', 'thread-dump'],
    ['jdk25-waiting.json', 'thread-dump-json'],
  ] as const) {
    const read = readInput(readFileSync(`test/golden/thread-dump/${name}`));
    expect([read.format, read.decoder.damage]).toEqual([format, undefined]);
    const stack = (thread: string | undefined): string => (thread ?? '').replace(/^virtual thread #\d+$/, '');
    const found = foldedLines(stacksOf(read.profile), ({ thread, frames }) =>
      [stack(thread), ...frames.map(methodText)].join(';'),
    );
    expect(others(found), name).toEqual(expected);
    expect(read.decoder.records, name).toBe(text.match(/^#\d+ "/gm)?.length);
  }
});
