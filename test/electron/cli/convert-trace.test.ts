import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { readTraceMessages } from '../../support/trace-messages.ts';

const XML = 'test/golden/tptp/demo-full.trcxml';

test('the events of a trace in XML are those that its binary twin has, and sizes are compared', async () => {
  const out = join(temporaryFolder(), 'out.trcbin');
  const { status, stderr } = await runCli(['convert-trace', XML, '-o', out]);
  // 17 990 of 26 664 bytes: both files are small, but their events are those of large ones.
  expect([status, stderr]).toEqual([0, '219 events: 26.7 kB of XML, 18.0 kB binary, 67.6 %\n']);
  const written = readTraceMessages(readFileSync(out));
  expect(written).toEqual(readTraceMessages(readFileSync('test/golden/tptp/demo-full-le.trcbin')));
});

test('from standard input to standard output, compressed or not', async () => {
  const out = join(temporaryFolder(), 'out.trcbin');
  await runCli(['convert-trace', XML, '-o', out]);
  for (const stdin of [readFileSync(XML), gzipSync(readFileSync(XML))]) {
    const pieces: Uint8Array[] = [];
    const { status } = await runCli(['convert-trace', '-'], {
      stdin,
      stdout: (piece) => void pieces.push(piece as Uint8Array),
    });
    expect(status).toBe(0);
    expect(Buffer.concat(pieces).equals(readFileSync(out))).toBe(true);
  }
});

test('what is no such trace leaves no file behind', async () => {
  const folder = temporaryFolder();
  for (const input of ['test/golden/tptp/demo-full-le.trcbin', 'package.json']) {
    const { status, stderr } = await runCli(['convert-trace', input, '-o', join(folder, 'out.trcbin')]);
    expect([status, stderr]).toEqual([
      1,
      `${input}: has no event of a TPTP trace in XML; give a .trcxml file\n`,
    ]);
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('elements without an end are skipped, and all commands say so and end with 3', async () => {
  const folder = temporaryFolder();
  const broken = join(folder, 'broken.trcxml');
  const whole = readFileSync(XML, 'latin1');
  const [first, second] = [...whole.matchAll(/<methodExit [^>]*>/g)].slice(5, 7);
  const lost = first[0].length + second[0].length - 4;
  const cut = (text: string, { 0: element }: RegExpExecArray): string =>
    text.replace(element, element.slice(0, -2));
  writeFileSync(broken, cut(cut(whole, first), second), 'latin1');
  const between = whole.indexOf('<', first.index + first[0].length) - first.index - first[0].length;
  const bytes = lost + 2 * between;
  const message = `${broken}: 2 elements without an end skipped, ${bytes} bytes.\n`;
  for (const argv of [
    ['summary', broken],
    ['export', broken, '--format', 'flat'],
  ]) {
    const { status, stderr } = await runCli(argv);
    expect([argv[0], status, stderr]).toEqual([argv[0], 3, message]);
  }
  const { status, stderr } = await runCli(['convert-trace', broken, '-o', join(folder, 'out.trcbin')]);
  expect([status, stderr.split('\n').slice(1).join('\n')]).toEqual([3, message]);
});

test('an element whose name is damaged is a loss, besides one without an end', async () => {
  const folder = temporaryFolder();
  const broken = join(folder, 'broken.trcxml');
  const [before, ...rest] = readFileSync(XML, 'latin1').split(/(?=<methodEntry )/);
  const misnamed = rest[3].replace('methodEntry', 'methodEntr');
  const cut = rest[9].slice(0, 40);
  writeFileSync(
    broken,
    [before, ...rest.slice(0, 3), misnamed, ...rest.slice(4, 9), cut, ...rest.slice(10)].join(''),
    'latin1',
  );
  const { status, stderr } = await runCli(['summary', broken]);
  const bytes = misnamed.indexOf('>') + 1;
  expect([status, stderr]).toEqual([
    3,
    `${broken}: 1 element without an end skipped, 40 bytes.\n${broken}: 1 element of unknown types (methodEntr) skipped, ${bytes} bytes.\n`,
  ]);
});

const hostileTrace = 'test/fixtures/hostile/xml-two-broken-elements.trcxml';
test('both broken elements of a trace are counted', async () => {
  const { status, stderr } = await runCli(['summary', hostileTrace]);
  expect([status, stderr]).toEqual([
    3,
    `${hostileTrace}: 1 element without an end skipped, 59 bytes.\n${hostileTrace}: 1 element of unknown types (methodEntr) skipped, 116 bytes.\n`,
  ]);
});

test('a trace that is cut is converted as far as it goes', async () => {
  const folder = temporaryFolder();
  const whole = readFileSync(XML);
  writeFileSync(join(folder, 'cut.trcxml'), whole.subarray(0, 10_000));
  const out = join(folder, 'out.trcbin');
  const { status, stderr } = await runCli(['convert-trace', join(folder, 'cut.trcxml'), '-o', out]);
  expect(status).toBe(0);
  expect(stderr).toContain('the last element is incomplete and was left out');
  const twin = readTraceMessages(readFileSync('test/golden/tptp/demo-full-le.trcbin'));
  const written = readTraceMessages(readFileSync(out));
  expect(written.length).toBeGreaterThan(50);
  expect(written).toEqual(twin.slice(0, written.length));
});

test('any profile as a binary trace', async () => {
  const out = join(temporaryFolder(), 'out.trcbin');
  const hello = 'test/golden/hpl/hello.hpl.gz';
  expect((await runCli(['export', hello, '--format', 'trcbin', '-o', out])).status).toBe(0);
  const [before, after] = await Promise.all(
    [hello, out].map((path) => runCli(['export', path, '--format', 'flat'])),
  );
  expect(after.stdout).toBe(before.stdout);
  const refused = await runCli(['export', hello, '--format', 'trcbin', '--filter', 'x']);
  expect(refused.stderr).toContain('--format trcbin writes the complete profile');
});

test('what cannot be listened for is refused before anything starts', async () => {
  for (const [argv, problem] of [
    [
      ['serve', '--listen-trace', '70000'],
      "--listen-trace cannot be '70000': it is a number from 0 to 65535",
    ],
    [['serve', '--trace-format', 'xml'], '--trace-format is for --listen-trace only'],
    [['--listen-trace', '0'], 'unknown option --listen-trace'],
  ] as const) {
    const { status, stderr } = await runCli(argv);
    expect([status, stderr]).toEqual([
      2,
      `leanscope: ${problem}; see leanscope ${argv[0] === 'serve' ? 'serve ' : ''}--help\n`,
    ]);
  }
});
