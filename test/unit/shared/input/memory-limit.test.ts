import { gzipSync } from 'node:zlib';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import {
  Function as PprofFunction,
  Line,
  Location,
  Profile,
  Sample,
  StringTable,
  ValueType,
} from 'pprof-format';
import { describe, expect, test, vi } from 'vitest';
import { openGunzip } from '../../../../electron/source/open-gunzip.ts';
import {
  heldBytesAllowed,
  keptBytesAllowed,
  MOST_FRAMES,
  nodesAllowed,
} from '../../../../shared/aggregate/node-limit.ts';
import { ProfileAggregator } from '../../../../shared/aggregate/profile-aggregator.ts';
import { TraceTable } from '../../../../shared/formats/hprof/trace-table.ts';
import { Snapshots } from '../../../../shared/formats/skywalking/snapshots.ts';
import { valueBytesAllowed } from '../../../../shared/formats/json.ts';
import { NOTHING_CHOSEN } from '../../../../shared/facts/choice.ts';
import { ProfileInput } from '../../../../shared/input/profile-input.ts';
import { ProfileReader } from '../../../../shared/input/profile-reader.ts';
import { NONE } from '../../../../shared/profile/columns.ts';
import { checkProfile } from '../../../../shared/profile/check-profile.ts';
import { WINDOW_NODE_CAPACITY } from '../../../../shared/protocol/window-limit.ts';
import { JfrChunk } from '../../../support/jfr-writer/jfr-chunk.ts';
import { logOf } from '../../../support/log-writer/write-log.ts';
import { inCheckout } from '../../../support/built-program.ts';
import { profileTables } from '../../../support/profile-tables.ts';
import { message } from '../../../support/small-otlp.ts';
import { runCli } from '../../../support/run-cli.ts';

/** Stored bytes are counted in steps of this size. */
const STEP = 1 << 18;

async function read(
  stored: Uint8Array,
  pieceBytes = stored.length,
  mostNodes?: number,
): Promise<ProfileInput> {
  const aggregator = new ProfileAggregator();
  if (mostNodes !== undefined) {
    // The limit must not be below the capacity.
    aggregator.profile.nodes.parent = new Int32Array(1);
    aggregator.profile.nodes.frame = new Int32Array(1);
  }
  const reader = new ProfileReader(aggregator, NOTHING_CHOSEN, mostNodes);
  const input = new ProfileInput(reader, openGunzip);
  for (let at = 0; at < stored.length; at += pieceBytes) await input.push(stored.slice(at, at + pieceBytes));
  await input.end();
  return input;
}

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

/** Stacks with a common root and no other common caller, so that each line adds eight nodes. */
function distinctStacks(lines: number): Uint8Array {
  const line = (at: number): string => {
    const frames = Array.from({ length: 8 }, (_, depth) => `com.acme.shop.Type${at % 977}.run${depth}_${at}`);
    return `java.lang.Thread.run;${frames.join(';')} ${1 + (at % 7)}\n`;
  };
  return Buffer.from(Array.from({ length: lines }, (_, at) => line(at)).join(''));
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

/** The header of a chunk of this many bytes. */
function jfrChunk(size: number): Uint8Array {
  const header = new JfrChunk(['jdk.ExecutionSample']).finish().slice(0, 68);
  new DataView(header.buffer).setBigInt64(8, BigInt(size));
  return header;
}

describe('B06: few bytes that stand for very many call nodes are read in part', () => {
  test('pprof: a location of many lines, repeated in one sample', async () => {
    const stored = repeatedLocation(10_000, [[2], Array.from({ length: 10_000 }, () => 1), [3]]);
    expect(stored.length).toBeLessThan(120_000);
    const { reader, damage } = await read(stored);
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
    const { reader, damage } = await read(stored);
    expect(damage).toMatchObject({ isLimit: true, found: 'more than 1,048,576 frames' });
    expect(reader.aggregator.sampleCount).toBe(0);
  });

  test('pprof: the same in very many samples, in a few hundred bytes of gzip', async () => {
    const stacks = Array.from({ length: 1_000 }, (_, at) => [1, 2 + at]);
    const stored = gzipSync(repeatedLocation(30_000, stacks));
    const { reader, damage } = await read(stored);
    const { aggregator } = reader;
    const most = nodesAllowed(STEP);
    expect(damage?.found).toBe(`more than ${most.toLocaleString('en')} call nodes`);
    expect(aggregator.profile.nodes.length).toBeLessThanOrEqual(most);
    expect(aggregator.profile.nodes.capacity).toBeLessThanOrEqual(most);
    expect(aggregator.sampleCount).toBe(Math.floor((most - 1) / 30_001));
    expect(checkProfile(aggregator.profile)).toEqual([]);
  });

  test('JFR: one stack under very many threads', async () => {
    const stored = Buffer.concat([manyThreads(4_000, 1_000), Buffer.alloc(68)]);
    const { reader, damage } = await read(stored);
    // The damage after it is not why samples are missing.
    expect(reader.decoder?.damage?.what).toBe('chunk header');
    const most = nodesAllowed(Math.ceil(stored.length / STEP) * STEP);
    expect(damage?.isLimit).toBe(true);
    expect(reader.aggregator.profile.nodes.length).toBeLessThanOrEqual(most);
    expect(reader.aggregator.sampleCount).toBe(Math.floor(most / 1_001));
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

describe('B06: so are few bytes that stand for very much of anything else', () => {
  const limit = /^more than \d+\.\d MB of memory besides its call nodes$/;

  test('frames of collapsed stacks with long names', async () => {
    const name = 'x'.repeat(1_000);
    const lines = Array.from({ length: 45_000 }, (_, at) => `${name}${at}.run 1\n`);
    const stored = gzipSync(lines.join(''));
    expect(stored.length).toBeLessThan(STEP * 2);
    const { reader, damage } = await read(stored);
    expect(damage).toMatchObject({ isLimit: true, what: 'profile' });
    expect(damage?.found).toMatch(limit);
    const { aggregator } = reader;
    // Two bytes a character, and one in the table of the decoder.
    const most = Math.floor(keptBytesAllowed(STEP * 2) / 3_000);
    expect(aggregator.sampleCount).toBeLessThan(most);
    expect(aggregator.sampleCount).toBeGreaterThan(most / 2);
    expect(checkProfile(aggregator.profile)).toEqual([]);
  });

  test.each([
    ['cpuprofile', '{"nodes":[{"id":1,"callFrame":{"functionName":"a"}}],"samples":['],
    ['speedscope', '{"$schema":"https://www.speedscope.app/file-format-schema.json","x":['],
    ['thread-dump-json', '{"threadDump":{"processId":1,"threadContainers":['],
  ])('%s: very many empty lists', async (format, begin) => {
    const parse = vi.spyOn(JSON, 'parse');
    const stored = gzipSync(`${begin}${'[],'.repeat(3 << 20)}[]]}`);
    const { reader, damage } = await read(stored);
    expect([reader.format?.id, damage?.isLimit, damage?.found]).toEqual([
      format,
      true,
      'more values than there is memory for',
    ]);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  test('JSON: very many lists of a number, in 70 KB of gzip', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    const text = `{"nodes":[{"callFrame":{"functionName":"a"}}],"x":[${'[1000],'.repeat(7_000_000)}0]}`;
    const stored = gzipSync(text);
    expect(stored.length).toBeLessThan(STEP);
    // So many values are allowed for a file that is not compressed.
    expect(valueBytesAllowed(text.length)).toBeGreaterThan(48 * 7_000_000);
    const { damage } = await read(stored);
    expect(damage?.isLimit).toBe(true);
    expect(damage?.found).toMatch(/^more than \d+\.\d MB that can only be read in one piece$/);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  test.each([
    ['pprof', Uint8Array.of(0x0a, 2, 0x08, 1), new Uint8Array(1 << 20).fill(0x50)],
    ['cpuprofile', Buffer.from('{"nodes":[{"callFrame":{"functionName":"a"}}]'), Buffer.alloc(1 << 20, ' ')],
    ['jfr', jfrChunk(300 << 20), new Uint8Array(1 << 20)],
  ])('%s: input that can only be read in one piece', async (format, begin, rest) => {
    const stored = gzipSync(Buffer.concat([begin, ...Array.from({ length: 100 }, () => rest)]));
    expect(stored.length).toBeLessThan(STEP);
    const { reader, damage } = await read(stored);
    expect([reader.format?.id, damage?.isLimit]).toEqual([format, true]);
    expect(damage?.found).toMatch(/^more than \d+\.\d MB that can only be read in one piece$/);
    const { accepted, skipped, pending } = reader.bytes;
    expect([accepted + skipped, pending]).toEqual([begin.length + (100 << 20), 0]);
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
      6_000,
      (aggregator: ProfileAggregator, at: number) => {
        aggregator.openThread(aggregator.thread(0, at));
      },
    ],
    [
      'names of threads',
      2_000,
      (aggregator: ProfileAggregator, at: number) => {
        aggregator.nameThread(aggregator.thread(0, at), 't'.repeat(200));
      },
    ],
    [
      'frames',
      32_700,
      (aggregator: ProfileAggregator, at: number) => {
        aggregator.frame(0, 1, at, 0);
      },
    ],
    [
      'times',
      52_500,
      (aggregator: ProfileAggregator, at: number) => {
        aggregator.takenAt?.(0n, at);
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
        aggregator.addTimes?.(0n, times, Int32Array.of(node));
      },
    ],
  ])('a profile takes no more than a megabyte of %s', (_, most, add) => {
    const aggregator = new ProfileAggregator({ samples: true });
    aggregator.kept.most = 1 << 20;
    for (let at = 0; at < most * 2; at++) add(aggregator, at);
    const { profile, overflow } = aggregator;
    expect(overflow).toBe('kept');
    const { threads, methods, frames, samples } = profile;
    for (const rows of [threads.length, methods.length, frames.length, samples?.self.length ?? 0])
      expect(rows).toBeLessThanOrEqual(most + 1024);
    expect(checkProfile(profile)).toEqual([]);
  });

  test('the message has the limit that was exceeded', () => {
    const found = (exceed: (aggregator: ProfileAggregator) => void): string | undefined => {
      const reader = new ProfileReader(new ProfileAggregator(), NOTHING_CHOSEN);
      reader.allow(20 << 20);
      exceed(reader.aggregator);
      return reader.damage?.found;
    };
    expect([
      found((aggregator) => aggregator.keeps(1e12)),
      found((aggregator) => aggregator.holds(1e12)),
    ]).toEqual([
      'more than 1.1 GB of memory besides its call nodes',
      'more than 1.4 GB that can only be read in one piece',
    ]);
  });

  test('tables of decoders take nothing more after they were refused memory', () => {
    let left = 1_000;
    const keeps = (bytes: number): boolean => (left -= bytes) >= 0;
    const traces = new TraceTable(keeps);
    for (let id = 0; id < 1_000; id++) traces.add(0, id, 0, Int32Array.of(id, id + 1), 2);
    expect(left).toBeLessThan(0);
    left = 1_000;
    const snapshots = new Snapshots(keeps);
    for (let sequence = 0; sequence < 1_000; sequence++)
      snapshots.append(0, sequence, 0, Int32Array.of(sequence), 1);
    expect(left).toBeLessThan(0);
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
      aggregator.kept.most = 400;
      expect([each(aggregator, 10), aggregator.overflow]).toEqual([2, undefined]);
      // One of its two frames is known.
      expect([each(aggregator, 11), aggregator.overflow]).toEqual([4, undefined]);
      aggregator.kept.most = 0;
      expect([each(aggregator, 20), aggregator.overflow]).toEqual([NONE, 'kept']);
      const { nodes, frames } = aggregator.profile;
      expect([frames.length, nodes.length]).toEqual([3, 5]);
      expect(checkProfile(aggregator.profile)).toEqual([]);
    }
  });

  test('speedscope, well compressed: the values are those of its text, not of its stored bytes', async () => {
    const stacks = Array.from({ length: 200 }, (_, stack) =>
      JSON.stringify(Array.from({ length: 8 }, (_, depth) => 10 + ((stack * (7 + 2 * depth)) % 90))),
    );
    const frames = Array.from({ length: 100 }, (_, at) => ({ name: `Shop.run${at}` }));
    const begin = `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":${JSON.stringify(frames)}}`;
    const samples = Array.from({ length: 900_000 }, (_, at) => stacks[(at * at) % 199]).join(',');
    const profile = `{"type":"sampled","name":"p","unit":"none","startValue":0,"endValue":9,"samples":[${samples}]}`;
    const text = `${begin},"profiles":[${profile}]}`;
    const stored = gzipSync(text);
    // The text fits in the memory that its stored bytes allow, but not its values: eight bytes a character.
    expect(text.length).toBeLessThan(heldBytesAllowed(stored.length));
    expect(4 * text.length).toBeGreaterThan(keptBytesAllowed(stored.length + STEP));
    expect(valueBytesAllowed(text.length)).toBeGreaterThan(4 * text.length);
    const { reader, damage } = await read(stored);
    expect([damage, reader.aggregator.sampleCount]).toEqual([undefined, 900_000]);
  });

  test('JFR: events that stand for 1000 samples each are all counted, those with times within the limit', async () => {
    const stored = Buffer.concat(['run', 'add', 'pay'].map((method) => batchedSamples(10_000, method)));
    expect(stored.length).toBeLessThan(4 * STEP);
    const aggregator = new ProfileAggregator({ samples: true });
    const input = new ProfileInput(new ProfileReader(aggregator, NOTHING_CHOSEN), openGunzip);
    await input.push(stored);
    await input.end();
    expect([input.damage, aggregator.overflow, aggregator.sampleCount]).toEqual([
      undefined,
      undefined,
      30_000_000,
    ]);
    const { samples, methods } = aggregator.profile;
    expect(methods.length).toBe(3);
    const timed = samples?.length ?? 0;
    expect(timed).toBeGreaterThan(keptBytesAllowed(STEP) / 2 / 20 - 1_000);
    expect(timed).toBeLessThan(keptBytesAllowed(stored.length) / 20);
    const notes = input.reader.facts().notes.join(' ');
    expect(notes).toContain(
      `${(30_000_000 - timed).toLocaleString('en')} samples of such events without a time`,
    );
    expect(checkProfile(aggregator.profile)).toEqual([]);
  });

  test('what programs record is far below the limit', async () => {
    const golden = readdirSync(inCheckout('test/golden'), { recursive: true, withFileTypes: true });
    const shares: number[] = [];
    for (const { parentPath, name } of golden.filter((each) => each.isFile())) {
      const stored = readFileSync(join(parentPath, name));
      const aggregator = new ProfileAggregator({ samples: true });
      let kept = 0;
      const keeps = (bytes: number): boolean => (kept += bytes) >= 0;
      const input = new ProfileInput(
        new ProfileReader(Object.assign(aggregator, { keeps, holds: keeps }), NOTHING_CHOSEN),
        openGunzip,
      );
      await input.push(stored);
      await input.end();
      shares.push(kept / keptBytesAllowed(stored.length));
    }
    expect(shares.length).toBeGreaterThan(50);
    expect(Math.max(...shares)).toBeLessThan(0.1);
  });
});

test('the command line has a limit, too: what the most call nodes of a window take there', () => {
  expect(nodesAllowed(Infinity)).toBe(((25 << 20) * 100) / 32);
  expect(WINDOW_NODE_CAPACITY).toBe(25 << 20);
  expect(keptBytesAllowed(Infinity)).toBe(1 << 30);
  // The longest chunk of JFR.
  expect(heldBytesAllowed(Infinity)).toBeGreaterThanOrEqual(2 ** 31 - 1);
});

test('B15: a stack as deep as the limit is read', async () => {
  const { reader, damage } = await read(Buffer.from(`${'a;'.repeat(MOST_FRAMES - 1)}a 1\n`), 1 << 16);
  expect([damage, reader.aggregator.deepestStack]).toEqual([undefined, MOST_FRAMES]);
});

test('D06: the limit follows the stored bytes in fixed steps, however they arrive', async () => {
  const text = distinctStacks(5_000);
  expect(text.length).toBeGreaterThan(3 * STEP);
  for (const stored of [
    text,
    gzipSync(text, { level: 1 }),
    zipSync({ 'a.collapsed': [text, { level: 0 }] }),
  ]) {
    const steps = Math.ceil(stored.length / STEP);
    for (const pieceBytes of [stored.length, STEP + 1, 99_999]) {
      const limits: [bytes: number, nodes: number][] = [];
      const aggregator = new ProfileAggregator();
      aggregator.limitNodes = (mostNodes) => limits.push([input.unpackedBytes, mostNodes]);
      const input = new ProfileInput(new ProfileReader(aggregator, NOTHING_CHOSEN), openGunzip);
      for (let at = 0; at < stored.length; at += pieceBytes)
        await input.push(stored.subarray(at, at + pieceBytes));
      await input.end();
      expect(limits.map(([, nodes]) => nodes)).toEqual(
        Array.from({ length: steps }, (_, step) => nodesAllowed((step + 1) * STEP)),
      );
      if (stored === text)
        expect(limits.map(([bytes]) => bytes)).toEqual(limits.map((_, step) => step * STEP));
    }
  }
});

test('B26: what is read of an input above the limit does not depend on how it is cut', async () => {
  for (const stored of [logOf('hostile', 4_000_000), distinctStacks(5_000)]) {
    const shown = async (pieceBytes: number): Promise<unknown> => {
      const { reader } = await read(stored, pieceBytes, 20_000);
      const { accepted, skipped, pending } = reader.bytes;
      expect([reader.aggregator.overflow, accepted + skipped + pending]).toEqual(['nodes', stored.length]);
      return [profileTables(reader.aggregator.profile), reader.bytes, reader.records];
    };
    const expected = await shown(stored.length);
    for (const pieceBytes of [STEP, 100_003, 9_973]) expect(await shown(pieceBytes)).toEqual(expected);
  }
});

/** Inputs of formats without golden files. */
const SMALL_INPUTS = [
  '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},{"id":2,"callFrame":{"functionName":"a"},' +
    '"hitCount":1,"children":[3]},{"id":3,"callFrame":{"functionName":"b"},"hitCount":1,"children":[4]},' +
    '{"id":4,"callFrame":{"functionName":"c"},"hitCount":1}],"startTime":0,"endTime":9,"samples":[2,3,4,4],"timeDeltas":[0,3,3,3]}',
  '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"},{"name":"b"}]},' +
    '"profiles":[{"type":"sampled","name":"p","unit":"none","startValue":0,"endValue":3,"samples":[[0],[0,1],[0,1,0]],"weights":[1,1,1]}]}',
  'list:\n  - data:\n      limit: 10\n      timeRanges: 0-2\n      snapshots:\n        - A-B-C-D\n        - A-B\n        - A-B-E\n',
];

test('B26: every format takes a refusal: no error, valid tables', async () => {
  const golden = readdirSync(inCheckout('test/golden'), { recursive: true, withFileTypes: true });
  const stored = golden
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
  const seen = new Set<string>();
  const full = new Set<string>();
  for (const bytes of [...stored, ...SMALL_INPUTS.map((text) => Buffer.from(text))]) {
    const { reader, problem } = await read(bytes, 50_000, 3);
    if (problem !== undefined) continue;
    const { aggregator, format } = reader;
    expect([format?.id, checkProfile(aggregator.profile)]).toEqual([format?.id, []]);
    seen.add(format?.id ?? '');
    if (aggregator.isFull) full.add(format?.id ?? '');
  }
  expect(full.size).toBeGreaterThanOrEqual(13);
  expect([...full].sort()).toEqual([...seen].sort());
});

test('a growing log: a last sample without room is refused for now, and counted when there is room', () => {
  const aggregator = new ProfileAggregator();
  aggregator.limitNodes(1_100);
  const thread = aggregator.thread(0, 1);
  const stack = new Int32Array(4 * 2_000).map((_, at) => (at % 4 === 2 ? at : 0));
  aggregator.provisionalSample(thread, stack, 2_000, 5);
  expect([aggregator.isFull, aggregator.sampleCount]).toEqual([true, 0]);
  aggregator.withdrawProvisional();
  aggregator.limitNodes(10_000);
  aggregator.sample(thread, stack, 2_000, 5);
  expect([aggregator.isFull, aggregator.sampleCount]).toEqual([false, 1]);
  expect(checkProfile(aggregator.profile)).toEqual([]);
});

test('the same where there is no room for its time', () => {
  const aggregator = new ProfileAggregator({ samples: true });
  const thread = aggregator.thread(0, 1);
  const stack = Int32Array.of(0, 1, 2, 3);
  aggregator.takenAt?.(0n, 0);
  for (let sample = 0; sample < 1_024; sample++) aggregator.sample(thread, stack, 1, 5);
  aggregator.kept.most = 0;
  aggregator.provisionalSample(thread, stack, 1, 5);
  expect([aggregator.isFull, aggregator.sampleCount]).toEqual([true, 1_024]);
  aggregator.withdrawProvisional();
  aggregator.kept.most = 1 << 20;
  aggregator.sample(thread, stack, 1, 5);
  expect([aggregator.isFull, aggregator.sampleCount]).toEqual([false, 1_025]);
  expect(checkProfile(aggregator.profile)).toEqual([]);
});
