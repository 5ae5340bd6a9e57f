import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Chosen } from '../../../shared/facts/choice.ts';
import { FIREFOX } from '../../../shared/formats/firefox/format.ts';
import { SAMPLES_AND_TIME, SAMPLES_ONLY } from '../../../shared/profile/profile-units.ts';
import { collapsedOf } from '../../support/collapsed-text.ts';
import {
  FIREFOX_VERSIONS,
  firefoxFile,
  firefoxStacks,
  type MadeThread,
  randomThreads,
} from '../../support/firefox-file.ts';
import { methodText, stacksOf } from '../../support/profile-stacks.ts';
import { decodeInput, readInput, type ReadInput } from '../../support/read-input.ts';
import { readStored } from '../../support/read-stored.ts';
import { testSeed } from '../../support/test-seed.ts';

const { seed, randomFor } = testSeed('firefox');

const json = (file: unknown): Uint8Array => Buffer.from(JSON.stringify(file));
const read = (file: unknown, chosen?: Chosen): ReadInput => decodeInput(FIREFOX, json(file), chosen);

/** Thread, frames with lines, samples and value, a line for each stack. */
function linesOf({ profile }: ReadInput): string[] {
  const lines = stacksOf(profile).map(({ thread, threadId, frames, count, value }) => {
    const texts = frames.map((frame) => `${methodText(frame)}${frame.line > 0 ? `:${frame.line}` : ''}`);
    return `${[`[${thread} tid=${threadId}]`, ...texts].join(';')} ${count} ${value}`;
  });
  return lines.filter((line) => !line.endsWith(' 0 0')).sort();
}

const NS_PER_MS = 1e6;
type Weigh = Parameters<typeof firefoxStacks>[2];
const KINDS: Readonly<Record<string, { readonly table: string; readonly weigh: Weigh }>> = {
  samples: { table: 'samples', weigh: (weight) => [weight, weight * NS_PER_MS] },
  cpu: {
    table: 'samples',
    weigh: (_, cpu, row) => (typeof cpu === 'number' && cpu > 0 && row > 0 ? [1, cpu * 1000] : [0, 0]),
  },
  'js-allocations': {
    table: 'jsAllocations',
    weigh: (weight) => (weight > 0 ? [1, weight] : [0, 0]),
  },
  'native-allocations': {
    table: 'nativeAllocations',
    weigh: (weight) => (weight > 0 ? [1, weight] : [0, 0]),
  },
  'native-frees': {
    table: 'nativeAllocations',
    weigh: (weight) => (weight < 0 ? [1, -weight] : [0, 0]),
  },
};

test.each(FIREFOX_VERSIONS)(
  'version %s: every kind has the stacks that the tables of the file say',
  (version) => {
    let compared = 0;
    for (let scenario = 0; scenario < 40; scenario++) {
      const random = randomFor(version * 1000 + scenario);
      const file = firefoxFile(randomThreads(random, 30), version);
      const kinds = read(file)
        .decoder.facts()
        .choices.find(({ id }) => id === 'sample-type');
      const offered = kinds?.kind === 'one' ? kinds.options.map(({ value }) => value) : [];
      for (const [kind, { table, weigh }] of Object.entries(KINDS)) {
        const expected = firefoxStacks(file, table, weigh);
        expect(offered.includes(kind), `${kind} of SEED=${seed}`).toBe(
          expected.length > 0 || offered.includes(kind),
        );
        if (expected.length === 0) continue;
        const found = read(file, { 'sample-type': kind });
        expect(found.decoder.damage).toBeUndefined();
        expect(linesOf(found), `${kind} of SEED=${seed}, ${scenario}`).toEqual(expected);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(80);
  },
);

const shop: MadeThread = {
  name: 'main',
  tid: 5,
  pid: 7,
  samples: [
    {
      stack: [
        { name: 'main', category: 2 },
        { name: 'parse', line: 4 },
      ],
      ms: 0.5,
    },
    {
      stack: [
        { name: 'main', category: 2 },
        { name: 'poll', category: 0 },
      ],
      ms: 1.5,
      weight: 3,
    },
    { stack: undefined, ms: 2 },
  ],
};

test('it is recognised by its version, packed or not, and its samples have times', async () => {
  const file = firefoxFile([shop], 60);
  const { reader } = await readStored(gzipSync(json(file)));
  expect([reader.format?.id, reader.aggregator.sampleCount]).toEqual(['firefox', 4]);
  const { profile, decoder } = decodeInput(FIREFOX, json(file), {}, undefined, true);
  const { firstTime, lastTime, hasSampleTimes, units, notes } = decoder.facts();
  expect([firstTime, lastTime, hasSampleTimes]).toEqual([
    1_700_000_000_000_500_000n,
    1_700_000_000_001_500_000n,
    true,
  ]);
  expect(units).toEqual(SAMPLES_AND_TIME);
  expect(notes).toEqual(['1 sample with an empty stack, when nothing ran: not counted.']);
  const times = Array.from({ length: profile.samples!.length }, (_, row) => profile.samples!.timeOf(row));
  expect(times.map((time) => time - times[0])).toEqual([0n, 1_000_000n, 1_000_000n, 1_000_000n]);
});

test('samples of one category can be counted alone; a frame without one has that of its caller', () => {
  for (const version of [50, 60]) {
    const file = firefoxFile([shop], version);
    const { choices, tables } = read(file).decoder.facts();
    expect(choices.map(({ id }) => id)).toEqual(['sample-type', 'category']);
    expect(tables[0].rows).toEqual([
      ['JavaScript', 1],
      ['Idle', 1],
    ]);
    expect(collapsedOf(read(file, { category: 'JavaScript' }).profile)).toBe('main;parse 1\n');
    expect(collapsedOf(read(file, { category: 'Idle' }).profile)).toBe('main;poll 3\n');
    expect(collapsedOf(read(file, { category: 'made up' }).profile)).toBe('main;parse 1\nmain;poll 3\n');
  }
});

test('weights in ms or bytes are the value of a sample, and an interval of 0 is no time', () => {
  const samples = [{ stack: [{ name: 'main' }], ms: 0, weight: 2.5 }];
  const traced = read(firefoxFile([{ ...shop, samples, weightType: 'tracing-ms' }], 47));
  expect(linesOf(traced)).toEqual(['[main tid=5];main 1 2500000']);
  const bytes = read(
    firefoxFile([{ ...shop, samples: [{ ...samples[0], weight: 4096 }], weightType: 'bytes' }], 47),
  );
  expect(linesOf(bytes)).toEqual(['[main tid=5];main 1 4096']);
  expect(bytes.decoder.facts().units.value).toEqual({ name: 'Bytes', unit: 'bytes' });
  expect(read(firefoxFile([shop], 47, { interval: 0 })).decoder.facts().units).toEqual(SAMPLES_ONLY);
  const sizes = read(firefoxFile([shop], 56, { sampleUnits: { time: 'bytes' } })).decoder.facts();
  expect([sizes.hasSampleTimes, sizes.firstTime]).toEqual([false, undefined]);
});

test('threads of several processes are told apart by their process', () => {
  const { profile, decoder } = read(firefoxFile([shop, { ...shop, pid: 8 }], 58));
  expect(profile.threads.name).toEqual(['shop 7: main', 'shop 8: main']);
  expect(profile.threads.idLo[0]).toBe(5);
  expect(decoder.facts().tables.find(({ title }) => title === 'Threads')?.rows).toEqual([
    ['shop 7: main', 'shop 7'],
    ['shop 8: main', 'shop 8'],
  ]);
});

test('functions without names, negative weights and stacks that are not in the file are said', () => {
  const stack = [{ name: '0x12ab', library: 'libjvm.so' }];
  const file = firefoxFile(
    [
      {
        ...shop,
        samples: [
          { stack, ms: 0, weight: 1 },
          { stack, ms: 1, weight: -2 },
          { stack, ms: 2, weight: 1 },
        ],
      },
    ],
    47,
  ) as { threads: { samples: { stack: unknown[] } }[] };
  file.threads[0].samples.stack[2] = 77;
  const { decoder, profile } = read(file);
  const { notes, losses, skips } = decoder.facts();
  expect(notes[0]).toMatch(/^1 function of 1 are addresses without a name: open the file with samply load/);
  expect(losses).toMatchObject([{ kind: 'uncounted', amount: '1 sample' }]);
  expect(skips).toEqual(['1 sample with an unknown stack or an invalid weight: not counted.']);
  expect(profile.methods.names[0]).toMatchObject({ file: 'libjvm.so', methodName: '0x12ab' });
});

test('a stack that is its own caller, or whose caller comes later, is not walked', () => {
  const file = firefoxFile([shop], 47) as { threads: { stackTable: { prefix: unknown[] } }[] };
  file.threads[0].stackTable.prefix = [1, 1, 'x'];
  const { decoder, profile } = read(file);
  expect(profile.nodes.length).toBe(1);
  expect(decoder.facts().skips[0]).toMatch(/^2 samples with an unknown stack/);
});

test('a raw profile of Gecko is refused with what to do, also where its version comes late', () => {
  const raw = {
    meta: { interval: 1, processType: 0, version: 27, padding: 'x'.repeat(5000) },
    threads: [{ samples: { schema: { stack: 0 }, data: [] } }],
  };
  expect(() => readInput(json(raw))).toThrow(/a raw profile of Gecko.*profiler\.firefox\.com/);
  const late = {
    ...firefoxFile([shop], 60),
    meta: { processType: 0, padding: 'x'.repeat(9000), preprocessedProfileVersion: 60 },
  };
  expect(readInput(json(late)).format).toBe('firefox');
});

test('a file without threads or samples says what is missing, and a cut one where it ends', () => {
  const meta = { preprocessedProfileVersion: 60 };
  expect(read({ meta }).decoder.damage).toMatchObject({ what: 'threads', expected: 'a list of threads' });
  expect(read({ meta, threads: [{}] }).decoder.damage).toMatchObject({ what: 'samples' });
  const cut = decodeInput(FIREFOX, json(firefoxFile([shop], 60)).subarray(0, 900));
  expect(cut.decoder.damage).toMatchObject({ found: 'the end of the file', byteOffset: 900 });
});
