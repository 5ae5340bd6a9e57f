import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { CommandIo } from '../../../../electron/cli/command-io.ts';
import { type ReadProfile, readProfile } from '../../../../electron/cli/read-profile.ts';
import { summarise } from '../../../../electron/cli/summary-command.ts';
import {
  type RangeReading,
  type StartReading,
  RangeThread,
} from '../../../../electron/ranges/range-thread.ts';
import { RANGES_SETUP, type RangesSetup, startThreadsFor } from '../../../../electron/ranges/ranges-setup.ts';
import { readRange } from '../../../../electron/ranges/read-range.ts';
import { NOTHING_CHOSEN } from '../../../../shared/facts/choice.ts';
import { HONEST_LOG } from '../../../../shared/formats/honest-log/format.ts';
import { useBuiltWorker } from '../../../support/built-worker.ts';
import { profileTables } from '../../../support/profile-tables.ts';
import { goldenLog } from '../../../support/read-log.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const workerUrl = useBuiltWorker('electron/ranges/range-worker.ts');

// Of a Buffer, `slice` would be a window into it.
const SERVER = new Uint8Array(goldenLog('server-small'));
const IO: CommandIo = {
  stdin: () => {
    throw new Error('nobody reads standard input');
  },
  stdout: () => undefined,
  stderr: () => undefined,
  showsProgress: false,
};

/** The bound for which SERVER is just large enough: logs are read at pace 2. */
const LARGE_LOG_BYTES = SERVER.length / 2;

/** Ranges of an even small file; what was started is written down: 'range 2' … */
function setupOf(start: StartReading, ranges = 3): RangesSetup & { readonly started: number[] } {
  const started: number[] = [];
  return {
    started,
    ranges,
    fromBytes: 0,
    firstExtraBytes: 0,
    start: (task) => {
      started.push(task.start);
      return start(task);
    },
  };
}

/** Reads in this thread, at once. */
const readHere: StartReading = (task) => {
  if (HONEST_LOG.byteRanges === undefined) throw new Error('logs are read in byte ranges');
  const progress = new Int32Array(new SharedArrayBuffer(4));
  return fake(structuredClone(readRange({ ...task, progress }, HONEST_LOG.byteRanges).message));
};

function fake(read: Awaited<RangeReading['read']>): RangeReading {
  return { read: Promise.resolve(read), readBytes: 0, stop: () => Promise.resolve() };
}

function fileOf(bytes: Uint8Array, name = 'some.hpl'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, bytes);
  return path;
}

const read = (path: string, setup: RangesSetup): Promise<ReadProfile> =>
  readProfile([path], NOTHING_CHOSEN, IO, setup);

function described(path: string, profile: ReadProfile): unknown {
  const { problems, status } = profile;
  return {
    summary: summarise(path, profile),
    tables: profileTables(profile.aggregator.profile),
    problems,
    status,
  };
}

/** What one thread makes of a file. */
async function aloneOf(path: string): Promise<unknown> {
  return described(path, await read(path, { ...RANGES_SETUP, ranges: 1 }));
}

describe('a file read by several threads is the file read by one', () => {
  test.each([2, 3, 4])('by %i', async (ranges) => {
    const path = fileOf(SERVER);
    const setup = setupOf((task) => new RangeThread(workerUrl()).begin(task), ranges);
    const profile = await read(path, setup);
    expect(setup.started).toHaveLength(ranges - 1);
    expect(described(path, profile)).toEqual(await aloneOf(path));
  });

  test('the threads read, and nobody else reads their ranges', async () => {
    const path = fileOf(SERVER);
    const ends: number[] = [];
    const setup = setupOf((task) => {
      const reading = new RangeThread(workerUrl()).begin(task);
      void reading.read.then((range) => ends.push(range?.end ?? -1));
      return reading;
    });
    await read(path, setup);
    expect(ends.sort((a, b) => a - b)).toEqual([setup.started[1], SERVER.length]);
  });

  test.each([
    ['in the first range', 0.1],
    ['in the last range', 0.9],
  ])('damage %s', async (_, share) => {
    const damaged = SERVER.slice();
    damaged.fill(0xee, Math.floor(damaged.length * share), Math.floor(damaged.length * share) + 40);
    const path = fileOf(damaged);
    const profile = await read(path, setupOf(readHere));
    expect(profile.status).toBe(3);
    expect(described(path, profile)).toEqual(await aloneOf(path));
  });

  test('a cut record at the end', async () => {
    const path = fileOf(SERVER.subarray(0, SERVER.length - 3));
    expect(described(path, await read(path, setupOf(readHere)))).toEqual(await aloneOf(path));
  });
});

describe('what a thread cannot do is done without it', () => {
  test.each<[string, StartReading]>([
    ['dies', () => fake(undefined)],
    ['does not even load', (task) => new RangeThread(new URL('file:///nowhere/worker.mjs')).begin(task)],
    ['began elsewhere', (task) => readHere({ ...task, start: task.start + 17 })],
    ['stops early', (task) => readHere({ ...task, end: task.start + 10_000 })],
  ])('one that %s', async (_, start) => {
    const path = fileOf(SERVER);
    const setup = setupOf(start);
    const profile = await read(path, setup);
    expect(setup.started).toHaveLength(2);
    expect(described(path, profile)).toEqual(await aloneOf(path));
  });

  test('a file that became shorter meanwhile is what it is now', async () => {
    const path = fileOf(SERVER);
    const length = Math.floor(SERVER.length / 2);
    const setup = setupOf((task) => {
      truncateSync(path, length);
      return readHere(task);
    });
    const profile = await read(path, setup);
    expect(profile.files[0].fileBytes).toBe(length);
    expect(described(path, profile)).toEqual(await aloneOf(path));
  });

  test('too little memory is told as ever, and threads do not outlive it', async () => {
    const path = fileOf(SERVER);
    let stopped = 0;
    const setup = setupOf((task) => ({
      ...readHere(task),
      read: readHere(task).read.then((range) => ({
        ...range!,
        get range(): never {
          throw new RangeError('Array buffer allocation failed');
        },
      })),
      stop: () => {
        stopped++;
        return Promise.resolve();
      },
    }));
    await expect(read(path, setup)).rejects.toThrow(/needs more memory than there is/);
    expect(stopped).toBeGreaterThanOrEqual(1);
  });
});

describe('no thread is started', () => {
  test.each<[string, () => string[], Partial<RangesSetup>]>([
    ['for a small file', () => [fileOf(SERVER)], { fromBytes: LARGE_LOG_BYTES + 1 }],
    ['where there is one processor', () => [fileOf(SERVER)], { ranges: 1 }],
    ['for what is packed', () => [fileOf(gzipSync(SERVER), 'some.hpl.gz')], {}],
    [
      'for another format',
      () => [fileOf(new TextEncoder().encode('main;Shop.total 11\n'.repeat(9_000)))],
      {},
    ],
    [
      'for several files',
      () => ['jstack-1', 'jstack-2'].map((name) => `test/golden/thread-dump/${name}.txt`),
      {},
    ],
  ])('%s', async (_, paths, changes) => {
    const setup = setupOf(readHere);
    await readProfile(paths(), NOTHING_CHOSEN, IO, { ...setup, ...changes });
    expect(setup.started).toEqual([]);
  });
});

test('a thread is started for a file that is just large enough', async () => {
  const setup = setupOf(readHere, 2);
  await readProfile([fileOf(SERVER)], NOTHING_CHOSEN, IO, { ...setup, fromBytes: LARGE_LOG_BYTES });
  expect(setup.started).toHaveLength(1);
});

test('threads start ahead for large files only, and none is left', async () => {
  const path = fileOf(SERVER);
  const setup = { ...setupOf(readHere, 3), fromBytes: LARGE_LOG_BYTES };
  for (const args of [['--json', path], ['--json', temporaryFolder(), 'nowhere'], []]) {
    const threads = startThreadsFor(args, setup, workerUrl());
    expect(threads.ahead).toBe(args.includes(path) ? 2 : 0);
    await threads.stop();
  }
  const threads = startThreadsFor([path], setup, workerUrl());
  const profile = await read(path, threads.setup);
  expect(setup.started).toEqual([]);
  expect(described(path, profile)).toEqual(await aloneOf(path));
  await threads.stop();
});
