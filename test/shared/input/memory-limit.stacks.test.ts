import { gzipSync } from 'node:zlib';
import {
  Function as PprofFunction,
  Line,
  Location,
  Profile,
  Sample,
  StringTable,
  ValueType,
} from 'pprof-format';
import { describe, expect, test } from 'vitest';
import { KeptBytes } from '../../../shared/aggregate/memory-budget.ts';
import { checkProfile } from '../../support/check-profile.ts';
import { JfrChunk } from '../../support/jfr-writer/jfr-chunk.ts';
import { message } from '../../support/small-otlp.ts';
import { readStored } from '../../support/read-stored.ts';
import { runCli } from '../../support/run-cli.ts';

/** A small budget is reached as the large one is, in a sixteenth of the time. */
const MEMORY = 4 << 20;

/** One method, and a location of very many lines besides small ones; `stacks` are lists of locations, leaf first. */
function repeatedLocation(lines: number, stacks: readonly (readonly number[])[]): Uint8Array {
  const stringTable = new StringTable();
  const name = stringTable.dedup('Shop.main');
  const count = stringTable.dedup('count');
  const ids = [...new Set(stacks.flat())];
  return new Profile({
    stringTable,
    sampleType: [new ValueType({ type: name, unit: count })],
    function: ids.map((id) => new PprofFunction({ id, name })),
    location: ids.map(
      (id) =>
        new Location({
          id,
          line: Array.from({ length: id === 1 ? lines : 1 }, () => new Line({ functionId: id, line: 1 })),
        }),
    ),
    sample: stacks.map((locationId) => new Sample({ locationId: [...locationId], value: [1] })),
  }).encode();
}

/** One stack, sampled in very many threads. */
function manyThreads(threads: number, depth: number): Uint8Array {
  const chunk = new JfrChunk(['jdk.ExecutionSample']);
  const method = chunk.method('Shop', 'main');
  const stack = chunk.stack(
    Array.from({ length: depth }, (_, line) => ({ method, line, bci: 0, type: 'Interpreted' as const })),
  );
  const runnable = chunk.state('STATE_RUNNABLE');
  for (let thread = 0; thread < threads; thread++)
    chunk.event(
      'jdk.ExecutionSample',
      2_000 + thread,
      chunk.thread(`t${thread}`, 1 + thread),
      stack,
      runnable,
    );
  return chunk.finish();
}

describe('B06: few bytes that stand for very many call nodes are read in part', () => {
  test('pprof: a location of many lines, repeated in one sample', async () => {
    const stored = repeatedLocation(10_000, [[2], Array.from({ length: 10_000 }, () => 1), [3]]);
    expect(stored.length).toBeLessThan(120_000);
    const { reader, damage } = await readStored(stored);
    expect(damage).toEqual({
      isLimit: true,
      what: 'stack',
      byteOffset: 0,
      record: reader.records,
      found: 'more than 1,048,576 frames',
      expected: 'fewer',
    });
    // The sample before it, and no frame of it.
    expect([reader.aggregator.sampleCount, reader.aggregator.profile.nodes.length]).toEqual([1, 2]);
  });

  test('OTLP: a location of many lines, repeated in one stack', async () => {
    const lines = Array.from({ length: 10_000 }, (): [number, Uint8Array] => [3, message([1, 0])]);
    const dictionary = message(
      [2, message()],
      [2, message(...lines)],
      [3, message([1, 3])],
      [5, ''],
      [5, 'cpu'],
      [5, 'count'],
      [5, 'a'],
      [7, message()],
      [7, message([1, new Uint8Array(10_000).fill(1)])],
    );
    const sample = message([1, 1], [2, Uint8Array.of(1)]);
    const profile = message([1, message([1, 1], [2, 2])], [2, sample]);
    const stored = message([1, message([2, message([2, profile])])], [2, dictionary]);
    expect(stored.length).toBeLessThan(120_000);
    const { reader, damage } = await readStored(stored);
    expect(damage).toMatchObject({ isLimit: true, found: 'more than 1,048,576 frames' });
    expect(reader.aggregator.sampleCount).toBe(0);
  });

  test('pprof: the same in very many samples, in a few hundred bytes of gzip', async () => {
    const stacks = Array.from({ length: 1_000 }, (_, at) => [1, 2 + at]);
    const stored = gzipSync(repeatedLocation(3_000, stacks));
    const { reader, damage } = await readStored(stored, { memory: MEMORY });
    const { aggregator } = reader;
    const most = MEMORY / KeptBytes.node;
    expect(damage?.found).toBe('more than 4.2 MB of memory');
    const { nodes } = aggregator.profile;
    expect(Math.max(nodes.length, nodes.capacity)).toBeLessThanOrEqual(most);
    expect(nodes.length).toBeGreaterThan(most / 2);
    expect(nodes.length).toBe(1 + 3_001 * aggregator.sampleCount);
    expect(checkProfile(aggregator.profile)).toEqual([]);
  });

  test('JFR: one stack under very many threads', async () => {
    const stored = Buffer.concat([manyThreads(1_000, 250), Buffer.alloc(68)]);
    const { reader, damage } = await readStored(stored, { memory: MEMORY });
    // The damage after it is not why samples are missing.
    expect(reader.decoder?.damage?.what).toBe('chunk header');
    const most = MEMORY / KeptBytes.node;
    expect(damage?.isLimit).toBe(true);
    const { nodes } = reader.aggregator.profile;
    expect(nodes.length).toBeLessThanOrEqual(most);
    expect(nodes.length).toBeGreaterThan(most / 2);
    expect(Math.floor(nodes.length / 251)).toBe(reader.aggregator.sampleCount);
    expect(checkProfile(reader.aggregator.profile)).toEqual([]);
  });

  test('the command line says so, and ends with 3', async () => {
    const stored = repeatedLocation(1_000, [[2], Array.from({ length: 1_100 }, () => 1)]);
    const { status, stdout, stderr } = await runCli(['export', '-', '--format', 'collapsed'], {
      stdin: stored,
    });
    expect([status, stdout, stderr]).toEqual([
      3,
      'Shop.main 1\n',
      'standard input: stack after byte 0: more than 1,048,576 frames, expected fewer; read in part\n',
    ]);
  });

  test('a file whose first stack is over the limit is not read: 1', async () => {
    const stored = repeatedLocation(1_000, [Array.from({ length: 1_100 }, () => 1)]);
    const { status, stdout, stderr } = await runCli(['summary', '-'], { stdin: stored });
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      'standard input: stack after byte 0: more than 1,048,576 frames, expected fewer; nothing was read\n',
    ]);
  });
});
