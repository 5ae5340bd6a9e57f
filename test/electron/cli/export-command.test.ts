import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goldenLog, goldenPath } from '../../support/read-log.ts';
import { runCli } from '../../support/run-cli.ts';
import { missingFile, testUnless } from '../../support/test-unless.ts';

const HELLO = goldenPath('hello');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leanscope-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function leanOf(...argv: string[]): Promise<string> {
  const { status, stdout, stderr } = await runCli(['export', '--format', 'lean', ...argv]);
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

test('plain, gzip, several gzip members, standard input: the same profile, whatever the name', async () => {
  const expected = await leanOf(HELLO);
  const bytes = goldenLog('hello');
  const plain = join(folder, 'plain.gz');
  writeFileSync(plain, bytes);
  const members = join(folder, 'members.hpl');
  writeFileSync(
    members,
    Buffer.concat([gzipSync(bytes.subarray(0, 9_999)), gzipSync(bytes.subarray(9_999))]),
  );
  expect(await leanOf(plain)).toBe(expected);
  expect(await leanOf(members)).toBe(expected);
  for (const pieceBytes of [1, 100, 1 << 20]) {
    for (const stdin of [bytes, gzipSync(bytes)]) {
      const run = await runCli(['export', '-', '--format', 'lean'], { stdin, pieceBytes });
      expect([run.status, run.stdout]).toEqual([0, expected]);
    }
  }
});

test('a method that calls itself counts once per sample, or per level on request', async () => {
  const even = async (...options: string[]): Promise<string | undefined> => {
    const { stdout } = await runCli(['export', HELLO, '--format', 'flat', ...options]);
    return stdout.split('\n').find((line) => line.startsWith('DeepRecursion.even\t'));
  };
  const { stdout } = await runCli(['export', HELLO, '--format', 'collapsed', '--metric', 'time']);
  const stacks = stdout.split('\n').filter((line) => line.includes('DeepRecursion.even'));
  const ns = stacks.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  expect(await even()).toBe(`DeepRecursion.even\t0\t4\t0\t${ns}`);
  expect(await even('--recursion', 'per-level')).toBe('DeepRecursion.even\t0\t253\t0\t939808220');
});

test('callers and callees: the lines of a tree below the method, filtered like one', async () => {
  const run = async (...options: string[]): Promise<string[]> => {
    const method = ['--method', 'DeepRecursion.odd'];
    const { stdout } = await runCli(['export', HELLO, ...method, ...options]);
    return stdout.split('\n').filter((line) => line !== '');
  };
  const flat = (await runCli(['export', HELLO, '--format', 'flat'])).stdout.split('\n');
  const [, , total, , ns] = flat.find((line) => line.startsWith('DeepRecursion.odd\t'))!.split('\t');
  const callers = await run('--format', 'callers', '--threads', 'name');
  expect(callers[0].split('\t').filter((_, at) => at !== 2 && at !== 4)).toEqual([
    '0',
    'DeepRecursion.odd',
    total,
    ns,
  ]);
  expect(callers.at(-1)).toContain('\tmain\t');
  expect((await run('--format', 'callers')).at(-1)).toContain('\tAll Threads\t');
  const callees = await run('--format', 'callees');
  expect(callees[1]).toContain('1\tDeepRecursion.even\t');
  expect(await run('--format', 'callees', '--filter', 'nowhere')).toEqual([]);
  expect(await run('--format', 'callees', '--filter', 'DeepRecursion.even')).not.toEqual([]);
  const perLevel = await run('--format', 'callers', '--recursion', 'per-level');
  expect(Number(perLevel[0].split('\t')[3])).toBeGreaterThan(Number(total));
});

test('bottom-up: the methods in which samples ended, with their callers, filtered like a tree', async () => {
  const run = async (...options: string[]): Promise<string[]> => {
    const { stdout } = await runCli(['export', HELLO, '--format', 'bottom-up', ...options]);
    return stdout.split('\n').filter((line) => line !== '');
  };
  const flat = (await runCli(['export', HELLO, '--format', 'flat'])).stdout.split('\n');
  const ended = flat
    .map((line) => line.split('\t'))
    .filter(([, self]) => Number(self) > 0)
    .map(([key, self, , ns]) => ['0', key, self, self, ns, ns].join('\t'));
  const lines = await run();
  expect(lines.filter((line) => line.startsWith('0\t'))).toEqual(ended);
  expect(lines.at(-1)).toContain('\tAll Threads\t0\t');
  expect((await run('--threads', 'name')).at(-1)).toMatch(/^\d+\tmain\t0\t/);
  expect(await run('--filter', 'nowhere')).toEqual([]);
  expect((await run('--keep', 'DeepRecursion.odd')).length).toBeLessThan(lines.length);
});

test('callers of what is not there: the nearest keys', async () => {
  const run = (method: string, ...options: string[]): Promise<unknown> =>
    runCli(['export', HELLO, '--format', 'callers', '--method', method, ...options]);
  expect(await run('deeprecursion.evn')).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /no method with the key 'deeprecursion\.evn' \(--frames fqmn\); did you mean 'DeepRecursion\.even' or/,
    ) as string,
  });
  expect(await run('DeepRecursion.even', '--frames', 'line')).toMatchObject({
    stderr: expect.stringMatching(/did you mean 'DeepRecursion\.even:\d+'/) as string,
  });
  expect(await run('\u{1f525}')).toMatchObject({
    stderr: expect.stringContaining('--format flat lists the keys') as string,
  });
});

test('options in any order, values after = or as the next argument, files after --', async () => {
  const expected = await runCli(['export', HELLO, '--format', 'tree', '--threads', 'id', '--frames', 'line']);
  expect(expected.stdout).toContain('0\tmain <20458>\t');
  expect(await runCli(['export', '--frames=line', '--threads=id', '--format=tree', '--', HELLO])).toEqual(
    expected,
  );
});

test('collapsed: threads as first frame, filters, times', async () => {
  const run = async (...options: string[]): Promise<string[]> => {
    const { stdout } = await runCli(['export', HELLO, '--format', 'collapsed', ...options]);
    return stdout.split('\n').filter((line) => line !== '');
  };
  const weight = (lines: string[]): number =>
    lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  expect(weight(await run())).toBe(37);
  expect(
    (await run('--threads', 'name')).filter((line) => line.startsWith('[main tid=')).length,
  ).toBeGreaterThan(5);
  expect(weight(await run('--metric', 'time'))).toBe(187_898_848);
  expect(weight(await run('--hide-errors'))).toBe(37 - 29);
  const grown = await run('--filter', 'DeepRecursion.ev', '--filter', 'even');
  expect(grown.length).toBeGreaterThan(0);
  expect(grown).toEqual((await run()).filter((line) => line.includes('DeepRecursion.even')));
});

test('collapsed: what has no positive time is left out and counted', async () => {
  const old = join(folder, 'untimed.hpl');
  writeFileSync(old, untimedLog());
  const run = await runCli(['export', old, '--format', 'collapsed', '--metric', 'time']);
  expect(run).toEqual({
    status: 0,
    stdout: '',
    stderr: `${old}: 1 stack with zero or negative time left out\n`,
  });
});

test('csv: sorted by the metric, largest first, and summing to the whole', async () => {
  const { stdout } = await runCli(['export', HELLO, '--format', 'csv', '--metric', 'time']);
  const [header, ...rows] = stdout.split('\r\n').filter((line) => line !== '');
  expect(header).toBe(
    '"Method","Self #","Total #","Self %","Total %","Self time ns","Total time ns","Self time %","Total time %"',
  );
  expect(rows[0]).toBe('"AGCT.UnknownNotJava3",25,25,67.5676,67.5676,138669611,138669611,73.8001,73.8001');
  const selfTimes = rows.map((row) => Number(row.split(',')[5]));
  expect(selfTimes).toEqual([...selfTimes].sort((a, b) => b - a));
  expect(selfTimes.reduce((sum, ns) => sum + ns)).toBe(187_898_848);
});

test('svg: zoom, search, theme and title', async () => {
  const { status, stdout } = await runCli([
    'export',
    HELLO,
    '--format',
    'svg',
    '--root',
    'DeepRecursion.main',
    '--search',
    'even',
    '--theme',
    'dark',
    '--icicle',
    '--width',
    '800',
    '--title',
    'A <start>',
  ]);
  expect(status).toBe(0);
  expect(stdout).toContain('width="800"');
  expect(stdout).toContain('<title>A &#60;start&#62;</title>');
  expect(stdout).toContain('Matched ');
  expect(stdout).toContain('All threads \u203a DeepRecursion.main');
  const missing = await runCli(['export', HELLO, '--format', 'svg', '--root', 'No.such']);
  expect(missing).toEqual({
    status: 1,
    stdout: '',
    stderr: `${HELLO}: has no frame with the key 'No.such'; --format flat lists the keys\n`,
  });
});

test('-o writes a file that appears whole, keeps what a link points to, and leaves nothing else behind', async () => {
  const expected = await leanOf(HELLO);
  const out = join(folder, 'out.txt');
  const link = join(folder, 'link.txt');
  symlinkSync(out, link);
  writeFileSync(out, 'old');
  expect(await leanOf(HELLO, '-o', link)).toBe('');
  expect(readFileSync(out, 'utf8')).toBe(expected);
  expect(readdirSync(folder).filter((name) => name.includes('.tmp'))).toEqual([]);
});

test('-o refuses what it would destroy or cannot write', async () => {
  const log = join(folder, 'log.hpl');
  writeFileSync(log, goldenLog('hello'));
  const link = join(folder, 'same.hpl');
  symlinkSync(log, link);
  const refused = async (input: string, out: string): Promise<string> => {
    const { status, stderr } = await runCli(['export', input, '--format', 'lean', '-o', out]);
    expect(status).toBe(1);
    return stderr;
  };
  expect(await refused(log, log)).toBe(`${log}: is the input file; name another file with -o\n`);
  expect(await refused(log, link)).toBe(`${link}: is the input file; name another file with -o\n`);
  expect(await refused(log, folder)).toBe(`${folder}: is a directory; name a file inside it\n`);
  expect(await refused(log, join(folder, 'no/out'))).toBe(
    `${join(folder, 'no/out')}: its folder does not exist (ENOENT); create the folder first\n`,
  );
  expect(readFileSync(log)).toEqual(Buffer.from(goldenLog('hello')));
});

testUnless(missingFile('/dev/full'))('a full disk is one line, and the device stays a device', async () => {
  const { status, stderr } = await runCli(['export', HELLO, '--format', 'lean', '-o', '/dev/full']);
  expect(status).toBe(1);
  expect(stderr).toBe(
    '/dev/full: there is no space left on its disk (ENOSPC); free some, or name a file elsewhere with -o\n',
  );
});

test('a reader that has seen enough ends the command quietly', async () => {
  const closed = (): never => {
    throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  };
  const run = await runCli(['export', goldenPath('server-small'), '--format', 'tree'], { stdout: closed });
  expect([run.status, run.stderr]).toEqual([0, '']);
});

test('what cannot be a log says what it looks like and what to do', async () => {
  const problem = async (argument: string, stdin?: Uint8Array): Promise<string> => {
    const run = await runCli(['summary', argument], stdin === undefined ? {} : { stdin });
    expect([run.status, run.stdout]).toEqual([1, '']);
    return run.stderr.replaceAll(folder, 'FOLDER');
  };
  const file = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  expect(await problem(file('notes.hpl', 'Dear diary,\n'))).toBe(
    'FOLDER/notes.hpl: not a supported profile: this looks like plain text; open a JFR recording, an Honest Profiler log (.hpl) or another supported profile\n',
  );
  expect(await problem(file('big.hpl', 'x'.repeat(5_000_000)))).toContain('looks like plain text');
  expect(await problem(file('image.hpl', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0', 'latin1')))).toContain(
    'looks like a PNG image',
  );
  expect(await problem(file('cut.hpl', gzipSync(goldenLog('hello')).subarray(0, 12)))).toContain(
    'this is gzip data that cannot be unpacked (the end of the file); copy the file again',
  );
  expect(await problem(file('text.gz', gzipSync('Dear diary,\n'.repeat(100_000))))).toContain(
    'looks like plain text',
  );
  mkdirSync(join(folder, 'empty'));
  expect(await problem(join(folder, 'empty'))).toBe('FOLDER/empty: is a directory; name a file inside it\n');
  expect(await problem(join(folder, 'none\u001b[2J'))).toBe(
    'FOLDER/none\\x1b[2J: does not exist; check the path\n',
  );
  expect(await problem('-', new Uint8Array(0))).toBe(
    'standard input: not a supported profile: this is an empty file; open a profile that has been written to\n',
  );
  expect(await problem('-', Buffer.from('{"a":1}'))).toContain('looks like a JSON file');
  if (process.platform !== 'win32') {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await problem(join(folder, 'pipe'))).toContain('FOLDER/pipe: is a pipe; ');
  }
});

test('gzip that breaks off keeps what was unpacked', async () => {
  const packed = gzipSync(goldenLog('server-small'));
  const path = join(folder, 'cut.hpl.gz');
  writeFileSync(path, packed.subarray(0, packed.length / 2));
  const { status, stdout, stderr } = await runCli(['summary', '--json', path]);
  expect(status).toBe(3);
  expect(stderr).toMatch(
    /^.*cut\.hpl\.gz: gzip data at byte \d+ \(record \d+\): .*, expected .*; read [\d.]+ % of the file\n$/,
  );
  expect((JSON.parse(stdout) as { samples: number }).samples).toBeGreaterThan(100);
});

test.each([
  [
    ['export', 'a'],
    'export needs --format FORMAT; to read it: methods, tree, bottom-up, callers, callees, timeline; to share it: html, svg, png, md, csv; for another tool: collapsed, pprof, speedscope, json, hprof, hprof-text, trcbin, flat, lean',
  ],
  [['export', 'a', '-o', '-'], 'export needs --format FORMAT; to read it: methods'],
  [
    ['export', 'a', '-o', 'b.txt'],
    'the extension of b.txt names no format: add --format FORMAT; to read it: ',
  ],
  [['export', '--format', 'flat'], 'export needs a FILE, or - for standard input'],
  [
    ['export', 'a', '--format'],
    '--format needs a value: --format lean|flat|tree|bottom-up|callers|callees|collapsed|html|svg|png|md|csv',
  ],
  [
    ['export', 'a', '--format', 'xml'],
    "--format cannot be 'xml': it is one of lean, flat, tree, bottom-up, callers, callees, collapsed, html, svg, png, md, csv",
  ],
  [
    ['export', 'a', '--format', 'callers'],
    '--format callers needs --method KEY; --format flat lists the keys',
  ],
  [['export', 'a', '--format', 'tree', '--method', 'b'], '--method is for --format callers|callees'],
  [
    ['export', 'a', '--format=flat', '--frames', 'file'],
    "--frames cannot be 'file': it is one of fqmn, line, bci, method-id",
  ],
  [['export', 'a', '--format=flat', '--colour'], 'unknown option --colour'],
  [['export', 'a', '--format=flat', '-x\u001b'], 'unknown option -x\\x1b'],
  [['export', 'a', '--format=flat', '--hide-errors=yes'], '--hide-errors takes no value'],
  [['export', 'a', '--format=flat', '--search', 'x'], '--search is for --format svg'],
  [['export', 'a', '--format=svg', '--search', '/(/'], '--search: Invalid regular expression'],
  [
    ['export', 'a', '--format=svg', '--width', '1e3'],
    "--width cannot be '1e3': it is a number from 200 to 100000",
  ],
  [['export', 'a', '--format=lean', '--filter', 'x'], '--format lean writes the complete profile'],
  [['export', 'a', '--format=lean', '--__proto__'], 'unknown option --__proto__'],
  [['summary', '--verbose', 'a'], 'unknown option --verbose'],
  [['serve', '--port', '99999'], "--port cannot be '99999': it is a number from 0 to 65535"],
  [['--frobnicate'], 'unknown option --frobnicate'],
])('%j is a usage error in one line', async (argv, message) => {
  const { status, stdout, stderr } = await runCli(argv);
  expect([status, stdout]).toEqual([2, '']);
  const command = argv[0].startsWith('-') ? '' : `${argv[0]} `;
  expect(stderr).toMatch(new RegExp(`^leanscope: .*(; see|\\? See) leanscope ${command}--help\n$`));
  expect(stderr).toContain(`leanscope: ${message}`);
});

test('the name of the output names the format, and --format is another one all the same', async () => {
  const out = join(folder, 'named.Collapsed');
  await runCli(['export', HELLO, '--output', out]);
  const collapsed = (await runCli(['export', HELLO, '-f', 'collapsed'])).stdout;
  expect(readFileSync(out, 'utf8')).toBe(collapsed);
  await runCli(['export', HELLO, '-f', 'flat', '-o', out]);
  expect(readFileSync(out, 'utf8')).toBe((await runCli(['export', HELLO, '--format', 'flat'])).stdout);
});

test('--help and --version', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect((await runCli(['--version'])).stdout).toBe(`leanscope ${version}\n`);
  for (const argv of [
    ['--help'],
    ['-h'],
    ['export', '--help'],
    ['summary', 'x', '--help'],
    ['serve', '--help'],
  ]) {
    const { status, stdout, stderr } = await runCli(argv);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('leanscope');
  }
});

/** One trace of one frame, as the agent wrote before it knew times. */
function untimedLog(): Uint8Array {
  const log = new DataView(new ArrayBuffer(26));
  log.setUint8(0, 1);
  log.setInt32(1, 1);
  log.setUint8(13, 2);
  log.setInt32(14, 7);
  log.setBigInt64(18, 99n);
  return new Uint8Array(log.buffer);
}

test.each(['1e300', '1e13', 'Infinity', '-1', 'abc'])('a period of %s is refused', async (period) => {
  const file = 'test/golden/hprof/empty.android.hprof.txt';
  const run = await runCli(['summary', file, '--choose', `period=${period}`]);
  expect([run.status, run.stderr]).toEqual([
    1,
    `${file}: period cannot be '${period}'; it is one of: a number of ms above 0, at most 1e12\n`,
  ]);
});

test('facts have the names of the summary, but for those that docs/json.md says', async () => {
  const file = 'test/golden/jfr/shop-jdk17.jfr.gz';
  const namesOf = (text: string): readonly string[] => Object.keys(JSON.parse(text) as object);
  const summary = namesOf((await runCli(['summary', file, '--json'])).stdout);
  const exported = JSON.parse((await runCli(['export', file, '--format', 'json'])).stdout) as {
    facts: object;
  };
  const others = Object.keys(exported.facts).filter((name) => !summary.includes(name));
  const said = /the summary has no (.*?)\.\s/.exec(readFileSync('docs/json.md', 'utf8'))?.[1];
  expect([...(said ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(others.sort());
});

test('an anonymous drawing has no name below the prefix, whether it carries its profile or not', async () => {
  const shop = 'assets/shop.jfr.gz';
  const svgOf = async (...options: string[]): Promise<string> =>
    (await runCli(['export', shop, '--format', 'svg', ...options])).stdout;
  expect(await svgOf('--embed', 'no')).toMatch(/com\.acme.*shop\.jfr|shop\.jfr[^]*com\.acme/);
  for (const embed of ['no', 'yes']) {
    const svg = await svgOf('--anonymous', 'com.acme=*', '--embed', embed);
    expect(svg).toContain('anonymous.p1.C1');
    expect(svg).not.toMatch(/acme|shop/);
    expect(svg.includes('<metadata')).toBe(embed === 'yes');
  }
  const { status, stderr } = await runCli([
    'export',
    shop,
    '--format',
    'svg',
    '--anonymous',
    'com.acme=*',
    '--search',
    'com.acme',
  ]);
  expect([status, stderr.split(';')[0]]).toEqual([
    2,
    expect.stringContaining('--search names what --anonymous hides: leave one of them away'),
  ]);
});
