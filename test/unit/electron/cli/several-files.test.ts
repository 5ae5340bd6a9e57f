import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goldenPath } from '../../../support/read-log.ts';
import { type CliRun, runCli } from '../../../support/run-cli.ts';

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

test('anything else is one profile per file', async () => {
  const log = goldenPath('hello');
  const two = await lean(log, DUMPS[0]);
  expect([two.status, two.stdout]).toEqual([2, '']);
  expect(two.stderr).toBe(
    `leanscope: only thread dumps can be read as several FILEs, and ${log} has another format, Honest Profiler log: give one FILE, or use --merge-files; see leanscope --help\n`,
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
