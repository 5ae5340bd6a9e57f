import { gzipSync } from 'node:zlib';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { KeptBytes, memoryAllowed, MemoryBudget } from '../../../shared/aggregate/memory-budget.ts';
import { openGunzip } from '../../../electron/source/read-bytes.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { countError, noCounts } from '../../../shared/formats/honest-log/log-counts.ts';
import { StackDepths } from '../../../shared/formats/honest-log/truncation.ts';
import { TraceTable } from '../../../shared/formats/hprof/traces.ts';
import { Snapshots } from '../../../shared/formats/skywalking/thread-snapshot.ts';
import { NOTHING_CHOSEN } from '../../../shared/facts/choice.ts';
import { ProfileReader } from '../../../shared/input/profile-reader.ts';
import { NONE } from '../../../shared/profile/columns.ts';
import { checkProfile } from '../../support/check-profile.ts';
import { JfrBytes } from '../../support/jfr-writer/jfr-bytes.ts';
import { JfrChunk } from '../../support/jfr-writer/jfr-chunk.ts';
import { typeId } from '../../support/jfr-writer/jfr-types.ts';
import { inCheckout } from '../../support/built-program.ts';
import { STEP_BYTES } from '../../../shared/input/input-unpacker.ts';
import { readStored } from '../../support/read-stored.ts';

/** A small budget is reached as the large one is, in a sixteenth of the time. */
const MEMORY = 4 << 20;
const TOO_MUCH = 'more than 4.2 MB of memory';

/** Wall-clock samples of a profiler that writes an event for each 1000 of them, in a method of this name. */
function batchedSamples(events: number, method: string): Uint8Array {
  const chunk = new JfrChunk(['profiler.WallClockSample']);
  const thread = chunk.thread('main', 1);
  const stack = chunk.stack([
    { method: chunk.method('Shop', method), line: 3, bci: 4, type: 'Interpreted' as const },
  ]);
  const sleeping = chunk.state('STATE_SLEEPING');
  for (let event = 0; event < events; event++)
    chunk.event('profiler.WallClockSample', 2_000 + event, thread, stack, sleeping, 1_000);
  return chunk.finish();
}

/** Chunks whose tables take much more memory than their bytes, with how many rows. */
const JFR_TABLES: Readonly<Record<string, (rows: number) => Uint8Array>> = {
  constants: (rows) => {
    const chunk = new JfrChunk(['jdk.ExecutionSample']);
    const fields = new JfrBytes();
    // start, duration, delta, mask, one pool: of thread states without names.
    for (const value of [1, 0, 0, 0, 1, typeId('jdk.types.ThreadState'), rows]) fields.integer(value);
    for (let key = 0; key < rows; key++) {
      fields.integer(key);
      fields.byte(0);
    }
    const pools = new JfrBytes();
    pools.event(1, fields);
    chunk.raw(pools.written.slice());
    return chunk.finish();
  },
  settings: (rows) => {
    const chunk = new JfrChunk(['jdk.ExecutionSample', 'jdk.ActiveSetting']);
    for (let at = 0; at < rows; at++) chunk.setting('jdk.ExecutionSample', '', '');
    return chunk.finish();
  },
  'stacks of samples': (rows) => {
    const chunk = new JfrChunk(['jdk.ExecutionSample']);
    for (let at = 0; at < rows; at++) chunk.event('jdk.ExecutionSample', 1_000, 1, at, 1);
    return chunk.finish();
  },
  'groups of samples': (rows) => {
    const chunk = new JfrChunk(['jdk.ExecutionSample']);
    for (let at = 0; at < rows; at++)
      chunk.event('jdk.ExecutionSample', 1_000, 1 << 24, (1 << 24) + (at % 300), at);
    return chunk.finish();
  },
};

/** The header of a chunk of this many bytes. */
function jfrChunk(size: number): Uint8Array {
  const header = new JfrChunk(['jdk.ExecutionSample']).finish().slice(0, 68);
  new DataView(header.buffer).setBigInt64(8, BigInt(size));
  return header;
}

describe('B06: so are few bytes that stand for very much of anything else', () => {
  test('frames of collapsed stacks with long names', async () => {
    const name = 'X'.repeat(1_000);
    const lines = Array.from({ length: 3_000 }, (_, at) => `${name}${at}.run 1\n`);
    const stored = gzipSync(lines.join(''));
    expect(stored.length).toBeLessThan(STEP_BYTES);
    const { reader, damage } = await readStored(stored, { memory: MEMORY });
    expect(damage).toMatchObject({ isLimit: true, what: 'profile', found: TOO_MUCH });
    const { aggregator } = reader;
    // Two bytes a character, and one in the table of the decoder.
    const most = Math.floor(MEMORY / 3_000);
    expect(aggregator.sampleCount).toBeLessThan(most);
    expect(aggregator.sampleCount).toBeGreaterThan(most / 2);
    expect(checkProfile(aggregator.profile)).toEqual([]);
  });

  test.each([
    ['cpuprofile', '{"nodes":[{"id":1,"callFrame":{"functionName":"a"}}],"samples":{'],
    ['firefox', '{"meta":{"preprocessedProfileVersion":60},"x":{'],
    ['speedscope', '{"$schema":"https://www.speedscope.app/file-format-schema.json","x":{'],
    ['thread-dump-json', '{"threadDump":{"processId":1,"threadContainers":{'],
  ])('%s: very many empty lists in an object', async (format, begin) => {
    const parse = vi.spyOn(JSON, 'parse');
    const open = begin.split('{').length - begin.split('}').length;
    const stored = gzipSync(`${begin}${'"a":[],'.repeat(1 << 18)}"a":[]${'}'.repeat(open)}`);
    const { reader, damage } = await readStored(stored, { memory: MEMORY });
    expect([reader.format?.id, damage?.isLimit, damage?.found]).toEqual([format, true, TOO_MUCH]);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  test.each([
    ['pprof', Uint8Array.of(0x0a, 2, 0x08, 1), new Uint8Array(1 << 16).fill(0x50)],
    ['cpuprofile', Buffer.from('{"nodes":[{"callFrame":{"functionName":"a"}}]'), Buffer.alloc(1 << 16, ' ')],
    ['jfr', jfrChunk(20 << 20), new Uint8Array(1 << 16)],
  ])('%s: input that can only be read in one piece', async (format, begin, rest) => {
    const stored = gzipSync(Buffer.concat([begin, ...Array.from({ length: 100 }, () => rest)]));
    expect(stored.length).toBeLessThan(STEP_BYTES);
    const { reader, damage } = await readStored(stored, { memory: MEMORY });
    expect([reader.format?.id, damage?.isLimit, damage?.found]).toEqual([format, true, TOO_MUCH]);
    const { accepted, skipped, pending } = reader.bytes;
    expect([accepted + skipped, pending]).toEqual([begin.length + (100 << 16), 0]);
  });

  test('JFR: chunks that wait for a sample type are skipped with the one that is too long', async () => {
    const chunk = new JfrChunk(['jdk.JavaMonitorEnter']);
    const [thread, method] = [chunk.thread('main', 1), chunk.method('Shop', 'main')];
    const stack = chunk.stack([{ method, line: 1, bci: 0, type: 'Interpreted' as const }]);
    chunk.event('jdk.JavaMonitorEnter', 2_000, 10, thread, stack, 0);
    const waiting = chunk.finish();
    const alone = await readStored(waiting);
    expect([alone.damage, alone.reader.aggregator.sampleCount]).toEqual([undefined, 1]);
    const stored = Buffer.concat([waiting, jfrChunk(20 << 20), new Uint8Array(8 << 20)]);
    const { reader, damage } = await readStored(stored, { memory: MEMORY });
    expect([damage?.found, reader.aggregator.sampleCount, reader.records]).toEqual([TOO_MUCH, 0, 0]);
    expect(reader.bytes).toEqual({ accepted: 0, skipped: stored.length, pending: 0 });
  });

  test.each(Object.entries(JFR_TABLES))('JFR: %s of a chunk', async (_, make) => {
    const first = new JfrChunk(['jdk.ExecutionSample']);
    const stack = first.stack([
      { method: first.method('Shop', 'run'), line: 1, bci: 0, type: 'Interpreted' },
    ]);
    first.event('jdk.ExecutionSample', 1_000, first.thread('main', 1), stack, first.state('STATE_RUNNABLE'));
    const before = first.finish();
    const chunk = make(100_000);
    const stored = gzipSync(Buffer.concat([before, chunk, before]));
    const { reader, damage } = await readStored(stored, { memory: MEMORY });
    expect([reader.format?.id, damage?.isLimit, damage?.found]).toEqual(['jfr', true, TOO_MUCH]);
    expect(reader.bytes).toEqual({
      accepted: before.length,
      skipped: chunk.length + before.length,
      pending: 0,
    });
    expect(reader.aggregator.sampleCount).toBe(1);
    // They are counted for one chunk only.
    const small = make(15_000);
    const many = gzipSync(Buffer.concat(Array.from({ length: 10 }, () => small)));
    expect((await readStored(many, { memory: MEMORY })).damage).toBe(undefined);
  });

  test.each([
    [
      'names',
      2_000,
      (aggregator: ProfileAggregator, at: number) => {
        aggregator.defineMethod(aggregator.method(0, at), {
          file: '',
          className: 'c',
          methodName: 'm'.repeat(200),
        });
      },
    ],
    [
      'threads',
      2_000,
      (aggregator: ProfileAggregator, at: number) => {
        aggregator.openThread(aggregator.thread(0, at));
      },
    ],
    [
      'names of threads',
      1_200,
      (aggregator: ProfileAggregator, at: number) => {
        aggregator.nameThread(aggregator.thread(0, at), 't'.repeat(200));
      },
    ],
    [
      'frames',
      16_400,
      (aggregator: ProfileAggregator, at: number) => {
        aggregator.frame(0, 1, at, 0);
      },
    ],
    [
      'times',
      52_500,
      (aggregator: ProfileAggregator, at: number) => {
        aggregator.takenAt(0n, at);
        aggregator.sample(aggregator.thread(0, 1), Int32Array.of(0, 1, 2, 3), 1, 1);
      },
    ],
    [
      'times of sums',
      52_500,
      (aggregator: ProfileAggregator, at: number) => {
        const node = aggregator.samples(aggregator.thread(0, 1), Int32Array.of(0, 1, 2, 3), 1, 1, 1);
        const column = Float64Array.of(at);
        const clock = { start: 0, perSecond: 1e9 };
        const times = { length: 1, ticks: column, clock, group: new Int32Array(1), value: column };
        aggregator.addTimes(0n, times, Int32Array.of(node));
      },
    ],
  ])('a profile takes no more than a megabyte of %s', (_, most, add) => {
    const aggregator = new ProfileAggregator({ samples: true });
    aggregator.memory.most = 1 << 20;
    for (let at = 0; at < most * 2; at++) add(aggregator, at);
    const { profile, overflow } = aggregator;
    expect(overflow).toBe('memory');
    const { threads, methods, frames, samples } = profile;
    for (const rows of [threads.length, methods.length, frames.length, samples?.self.length ?? 0])
      expect(rows).toBeLessThanOrEqual(most + 1024);
    expect(checkProfile(profile)).toEqual([]);
  });

  test('the message has the limit that was exceeded', () => {
    const reader = new ProfileReader(new ProfileAggregator(), NOTHING_CHOSEN, openGunzip);
    reader.allow(20 << 20);
    reader.allow(STEP_BYTES);
    reader.aggregator.memory.keep(1e12);
    expect(reader.damage?.found).toBe('more than 1.4 GB of memory');
  });

  test('names and tables have a limit of their own, which the message has', () => {
    const reader = new ProfileReader(new ProfileAggregator(), NOTHING_CHOSEN, openGunzip);
    reader.allow(1 << 30);
    reader.allow(STEP_BYTES);
    expect(reader.aggregator.memory.keep(2 ** 30)).toBe(true);
    expect(reader.aggregator.memory.keep(1)).toBe(false);
    expect(reader.damage?.found).toBe('more than 1.1 GB of memory');
  });

  test.each([
    ['a list', '{"threadName":"t","stackTrace":[]}', '{"threads":[', ']}'],
    ['a container', '{"name":"t","stack":[]}', '{"threadDump":{"threadContainers":[{"threads":[', ']}]}}'],
  ])(
    'thread dump in JSON: of %s no more threads are read than there is memory for',
    async (_, thread, begin, end) => {
      const threads = 40_000;
      const stored = gzipSync(begin + `${thread},`.repeat(threads - 1) + thread + end);
      const { reader, damage } = await readStored(stored, { memory: MEMORY });
      expect([reader.format?.id, damage?.found]).toEqual(['thread-dump-json', TOO_MUCH]);
      expect(reader.records).toBeGreaterThan(100);
      expect(reader.records).toBeLessThan(threads / 4);
    },
  );

  test('tables of decoders take nothing more after they were refused memory', () => {
    const budget = (bytes: number): MemoryBudget => Object.assign(new MemoryBudget(), { most: bytes });
    const counts = noCounts();
    let memory = budget(5_000);
    for (let thread = 0; thread < 1_000; thread++) countError(counts, -1, thread, memory);
    expect([counts.errorThreads.get(-1)?.size, counts.errorTraces.get(-1)]).toEqual([25, 1_000]);
    memory = budget(1_000);
    const depths = new StackDepths(memory);
    for (let root = 0; root < 1_000; root++) depths.note(9, root);
    depths.note(5, 2_000);
    expect(memory.isExceeded).toBe(true);
    // The shorter stack's root was refused.
    expect([depths.stacksAtLimit, depths.limit]).toEqual([1_000, undefined]);
    memory = budget(1_000);
    const traces = new TraceTable(memory);
    for (let id = 0; id < 1_000; id++) traces.add(id, 0, Int32Array.of(id, id + 1), 2);
    expect(memory.isExceeded).toBe(true);
    memory = budget(1_000);
    const snapshots = new Snapshots(memory);
    for (let sequence = 0; sequence < 1_000; sequence++)
      snapshots.append(0, sequence, 0, Int32Array.of(sequence), 1);
    expect(memory.isExceeded).toBe(true);
    for (const { length } of [traces, traces.tree, snapshots, snapshots.stacks])
      expect(length).toBeLessThan(200);
  });

  test('a stack with a frame that is refused adds no call node', () => {
    const add: readonly ((aggregator: ProfileAggregator, line: number) => number)[] = [
      (aggregator, line) => aggregator.sample(0, Int32Array.of(0, 1, line + 1, 0, 0, 1, line, 0), 2, 1),
      (aggregator, line) => aggregator.callee(aggregator.callee(0, 1, 0, 1, line, 0), 2, 0, 1, line + 1, 0),
    ];
    for (const each of add) {
      const aggregator = new ProfileAggregator();
      aggregator.openThread(aggregator.thread(0, 1));
      expect([each(aggregator, 10), aggregator.overflow]).toEqual([2, undefined]);
      // One of its two frames is known.
      expect([each(aggregator, 11), aggregator.overflow]).toEqual([4, undefined]);
      aggregator.memory.most = 0;
      expect([each(aggregator, 20), aggregator.overflow]).toEqual([NONE, 'memory']);
      const { nodes, frames } = aggregator.profile;
      expect([frames.length, nodes.length]).toEqual([3, 5]);
      expect(checkProfile(aggregator.profile)).toEqual([]);
    }
  });

  test('speedscope, well compressed: only some of its values are in memory at a time', async () => {
    const stacks = Array.from({ length: 200 }, (_, stack) =>
      JSON.stringify(Array.from({ length: 8 }, (_, depth) => 10 + ((stack * (7 + 2 * depth)) % 90))),
    );
    const frames = Array.from({ length: 100 }, (_, at) => ({ name: `Shop.run${at}` }));
    const begin = `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":${JSON.stringify(frames)}}`;
    const samples = Array.from({ length: 900_000 }, (_, at) => stacks[(at * at) % 199]).join(',');
    const profile = `{"type":"sampled","name":"p","unit":"none","startValue":0,"endValue":9,"samples":[${samples}]}`;
    const text = `${begin},"profiles":[${profile}]}`;
    const stored = gzipSync(text);
    // All its values would need some three times the memory of the text.
    expect(2 * text.length).toBeLessThan(memoryAllowed(0));
    expect(4 * text.length).toBeGreaterThan(memoryAllowed(0));
    const { reader, damage } = await readStored(stored);
    expect([damage, reader.aggregator.sampleCount]).toEqual([undefined, 900_000]);
  });

  test('JFR: events that stand for 1000 samples each are all counted, those with times within the limit', async () => {
    const stored = Buffer.concat(['run', 'add', 'pay'].map((method) => batchedSamples(10_000, method)));
    expect(stored.length).toBeLessThan(4 * STEP_BYTES);
    const aggregator = new ProfileAggregator({ samples: true });
    const input = await readStored(stored, { aggregator });
    expect([input.damage, aggregator.overflow, aggregator.sampleCount]).toEqual([
      undefined,
      undefined,
      30_000_000,
    ]);
    const { samples, methods } = aggregator.profile;
    expect(methods.length).toBe(3);
    const timed = samples?.length ?? 0;
    expect(timed).toBeGreaterThan(memoryAllowed(0) / 3 / KeptBytes.sample);
    expect(timed).toBeLessThan(memoryAllowed(stored.length) / KeptBytes.sample);
    const notes = input.reader.formatFacts().notes.join(' ');
    expect(notes).toContain(
      `${(30_000_000 - timed).toLocaleString('en')} samples of such events without a time`,
    );
    expect(checkProfile(aggregator.profile)).toEqual([]);
  });

  test('JFR: times of the samples of a chunk', async () => {
    const chunkOf = (events: number): Uint8Array => {
      const chunk = new JfrChunk(['jdk.ExecutionSample']);
      const [thread, method] = [chunk.thread('main', 1), chunk.method('Shop', 'run')];
      const stack = chunk.stack([{ method, line: 1, bci: 0, type: 'Interpreted' as const }]);
      for (let at = 0; at < events; at++) chunk.event('jdk.ExecutionSample', 1_000 + at, thread, stack, 1);
      return chunk.finish();
    };
    const [before, many, few] = [chunkOf(1), chunkOf(150_000), chunkOf(10_000)];
    const read = (chunks: readonly Uint8Array[], samples: boolean): ReturnType<typeof readStored> =>
      readStored(gzipSync(Buffer.concat(chunks)), {
        memory: MEMORY,
        aggregator: new ProfileAggregator({ samples }),
      });
    const { reader, damage } = await read([before, many, before], true);
    expect([damage?.isLimit, damage?.found, reader.aggregator.sampleCount]).toEqual([true, TOO_MUCH, 1]);
    expect((await read([before, many, before], false)).damage).toBe(undefined);
    // They are counted for one chunk only.
    expect((await read(Array<Uint8Array>(10).fill(few), true)).damage).toBe(undefined);
  });

  test('what programs record is far below the limit', async () => {
    const golden = readdirSync(inCheckout('test/golden'), { recursive: true, withFileTypes: true });
    const shares: number[] = [];
    for (const { parentPath, name } of golden.filter((each) => each.isFile())) {
      const stored = readFileSync(join(parentPath, name));
      const aggregator = new ProfileAggregator({ samples: true });
      let [bytes, most] = [0, 0];
      const keep = (more: number): boolean => (most = Math.max(most, (bytes += more))) >= 0;
      const release = (fewer: number): void => void (bytes -= fewer);
      Object.assign(aggregator.memory, { keep, hold: keep, release });
      await readStored(stored, { aggregator });
      shares.push(most / memoryAllowed(stored.length));
    }
    expect(shares.length).toBeGreaterThan(50);
    expect(Math.max(...shares)).toBeLessThan(0.25);
  });
});
