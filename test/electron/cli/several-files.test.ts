import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goldenPath } from '../../support/read-log.ts';
import { type CliRun, runCli } from '../../support/run-cli.ts';

const DUMPS = ['jstack-1', 'jstack-2', 'jcmd-thread-print'].map(
  (name) => `test/golden/thread-dump/${name}.txt`,
);
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leanscope-several-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const lean = (...files: readonly string[]): Promise<CliRun> =>
  runCli(['export', '--format', 'lean', ...files]);

test('several thread dumps are what one file of all of them is', async () => {
  const together = Buffer.concat(DUMPS.map((path) => readFileSync(path)));
  const expected = await runCli(['export', '--format', 'lean', '-'], { stdin: together });
  expect(expected.status).toBe(0);
  expect(await lean(...DUMPS)).toEqual(expected);

  // Packed, and without their last line break.
  const packed = DUMPS.map((path, at) => {
    const copy = join(folder, `${at}.txt.gz`);
    writeFileSync(copy, gzipSync(readFileSync(path, 'utf8').trimEnd()));
    return copy;
  });
  expect(await lean(...packed)).toEqual(expected);

  const { stdout } = await runCli(['summary', '--json', ...DUMPS]);
  const summary = JSON.parse(stdout) as { spanSeconds: number; bytes: number; fileBytes: number };
  expect(summary).toMatchObject({ spanSeconds: 4, bytes: together.length, fileBytes: together.length });
});

/** A dump of `Thread.dump_to_file -format=json`, with a thread that is where it was before. */
const inJson = (second: number, frame: string): string =>
  JSON.stringify({
    threadDump: {
      processId: '4711',
      time: `2026-11-27T23:11:${second}.593125143Z`,
      runtimeVersion: '25.0.3+9-LTS',
      threadContainers: [
        {
          container: '<root>',
          threads: [
            {
              tid: '1',
              name: 'main',
              stack: [`shop.Shop.${frame}(Shop.java:2)`, 'shop.Shop.main(Shop.java:1)'],
            },
          ],
        },
      ],
    },
  });

test('dumps in JSON are a series, too: as files, in a zip archive, and one after the other in a file', async () => {
  const dumps = [inJson(10, 'sell'), `\ufeff${inJson(15, 'sell')}`, inJson(18, 'pack')];
  const file = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const files = dumps.map((dump, at) => file(`dump-${at}.json`, dump));
  const entries = Object.fromEntries(dumps.map((dump, at) => [`dump-${at}.json`, Buffer.from(dump)]));
  const inputs = [files, [file('dumps.zip', zipSync(entries))], [file('dumps.json', dumps.join('\n'))]];
  for (const input of inputs) {
    const { status, stdout, stderr } = await runCli(['export', '--format', 'collapsed', ...input]);
    expect([input, status, stderr]).toEqual([input, 0, '']);
    expect(
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .sort(),
    ).toEqual(['shop.Shop.main;shop.Shop.pack 1', 'shop.Shop.main;shop.Shop.sell 2']);
    const summary = await runCli(['summary', '--json', ...input]);
    expect(JSON.parse(summary.stdout)).toMatchObject({ spanSeconds: 8, threads: 1 });
  }
  // The end of the last one is missing.
  const cut = file('cut.json', dumps.join('\n').slice(0, -30));
  const { status, stdout, stderr } = await runCli(['export', '--format', 'collapsed', cut]);
  expect([status, stdout]).toEqual([3, 'shop.Shop.main;shop.Shop.sell 2\n']);
  expect(stderr).toMatch(
    /^\S*cut\.json: JSON at byte \d+ \(record 2\): the end of the file, expected JSON; read 6/,
  );
  // One dump in JSON and one in text are no series.
  expect((await lean(files[0], DUMPS[0])).stderr).toContain('and cannot follow');
});

test('anything else is one profile per file', async () => {
  const log = goldenPath('hello');
  const two = await lean(log, DUMPS[0]);
  expect([two.status, two.stdout]).toEqual([2, '']);
  expect(two.stderr).toBe(
    `leanscope: only thread dumps can be read as several FILEs, and ${log} has another format, Honest Profiler log: give one FILE, or use --merge-files; see leanscope export --help\n`,
  );
  const other = await lean(DUMPS[0], log);
  expect([other.status, other.stdout]).toEqual([1, '']);
  expect(other.stderr).toBe(
    `${log}: is of another format, Honest Profiler log, and cannot follow ${DUMPS[0]}, a Java thread dump\n`,
  );
  const text = join(folder, 'notes.txt');
  writeFileSync(text, 'milk, bread\n');
  const none = await lean(DUMPS[0], text);
  expect(none.status).toBe(1);
  expect(none.stderr).toBe(
    `${text}: looks like plain text and cannot follow ${DUMPS[0]}, a Java thread dump\n`,
  );

  const empty = join(folder, 'empty.txt');
  writeFileSync(empty, '');
  expect((await lean(empty, DUMPS[0])).stderr).toContain('this is an empty file; ');
  expect((await lean(DUMPS[0], join(folder, 'missing.txt'))).stderr).toContain('missing.txt: ');
});

test('no file of a series is written over', async () => {
  const copies = DUMPS.slice(0, 2).map((path, at) => {
    const copy = join(folder, `dump-${at}.txt`);
    writeFileSync(copy, readFileSync(path));
    return copy;
  });
  const { status, stderr } = await lean(...copies, '-o', copies[1]);
  expect(status).toBe(1);
  expect(stderr).toContain('dump-1.txt: is the input file');
  expect(readFileSync(copies[1])).toEqual(readFileSync(DUMPS[1]));
});

test('what is wrong in a file of a series is said of this file', async () => {
  const file = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const dump = readFileSync(DUMPS[0], 'utf8');
  const long = file('long.txt', Buffer.concat([Buffer.from(dump), Buffer.alloc(34 << 20, 'x')]));
  const skipped = await lean(DUMPS[0], long, DUMPS[1]);
  expect([skipped.status, skipped.stderr]).toEqual([3, `${long}: 1 line of more than 33.6 MB skipped.\n`]);

  const frames = '\tat shop.Shop.main(Shop.java:1)\n'.repeat(1_050_000);
  const deep = file('deep.txt', `${dump}"deep" #99 prio=5 tid=0x1 nid=0x1 runnable\n${frames}`);
  const cut = await lean(DUMPS[1], DUMPS[0], deep);
  expect([cut.status, cut.stderr]).toEqual([
    3,
    expect.stringMatching(/^\S*deep\.txt: stack after byte \d+: more than 1,048,576 frames, /),
  ]);
  const offset = Number(/after byte (\d+)/.exec(cut.stderr)?.[1]);
  expect(offset).toBeGreaterThan(frames.length / 2);
  expect(offset).toBeLessThan(dump.length + frames.length);
});
