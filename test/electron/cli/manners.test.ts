import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { TopData } from '../../../shared/answers/schemas.ts';
import { main } from '../../../electron/cli/main.ts';
import { wantsColour } from '../../../electron/cli/io/process-io.ts';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { bytes, log } from '../../support/log-bytes.ts';
import { madeLog, madeSamples } from '../../support/made-samples.ts';
import { cliOutput, runCli } from '../../support/run-cli.ts';
import { onLinux } from '../../support/test-unless.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

useBuiltProgram();

afterEach(() => void vi.unstubAllEnvs());

const JFR = 'assets/shop.jfr.gz';
/** A log with an unknown record at its end. */
const DAMAGED = log(madeLog(madeSamples(1, 50, 10)), bytes(99, 99, 99, 99, 99));

test('--quiet prints no message; output and exit status stay', async () => {
  const stdin = DAMAGED;
  const loud = await runCli(['top', '-'], { stdin });
  expect([loud.status, loud.stderr]).toEqual([3, expect.stringContaining('at byte')]);
  for (const option of ['--quiet', '-q'])
    expect(await runCli(['top', option, '-'], { stdin })).toEqual({ ...loud, stderr: '' });
  vi.stubEnv('LEANSCOPE_QUIET', '1');
  expect(await runCli(['top', '-'], { stdin })).toEqual({ ...loud, stderr: '' });
});

test('--quiet does not hide why a command failed, and is a file behind --', async () => {
  expect((await runCli(['top', '--quiet', 'none.hpl'])).stderr).toContain('none.hpl: ');
  expect((await runCli(['top', '--', '--quiet'])).stderr).toContain('--quiet: ');
});

test('variables of the environment stand for options that are not given', async () => {
  vi.stubEnv('LEANSCOPE_LIMIT', '2');
  const rows = async (...argv: readonly string[]): Promise<number> =>
    (JSON.parse(await cliOutput('top', JFR, '--json', ...argv)) as TopData).rows.length;
  expect([await rows(), await rows('--limit', '3')]).toEqual([2, 3]);
  vi.stubEnv('LEANSCOPE_LIMIT', 'two');
  expect((await runCli(['top', JFR])).stderr).toContain("LEANSCOPE_LIMIT cannot be 'two'");
});

test('the project file can be named by a variable', async () => {
  const path = join(temporaryFolder(), 'project.json');
  writeFileSync(path, '{"own": 3}');
  vi.stubEnv('LEANSCOPE_PROJECT', path);
  expect((await runCli(['findings', JFR])).stderr).toContain(
    `${path}: line 1: own: found 3, expected a list`,
  );
});

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
])('terminal %s with %j: colour is %s', (isTerminal, env, wanted) => {
  expect(wantsColour(isTerminal, env)).toBe(wanted);
});

test('warnings are yellow on a terminal, and plain elsewhere', async () => {
  let stdout = '';
  const io = {
    stdin: () => {
      throw new Error('not read');
    },
    stdout: (piece: string | Uint8Array) => void (stdout += String(piece)),
    stderr: () => undefined,
    showsProgress: false,
  };
  await main(['findings', JFR], io);
  const plain = stdout;
  expect(plain).not.toContain('\u001b');
  stdout = '';
  await main(['findings', JFR], { ...io, hasColour: true });
  expect(stdout).toContain('\u001b[1;33mWARN\u001b[0m');
  expect(stdout.replaceAll(/\u001b\[[\d;]*m/g, '')).toBe(plain);
});

onLinux('a reader that goes away ends a command silently', () => {
  const program = `"${process.execPath}" "${inCheckout('dist/electron/cli.cjs')}"`;
  for (const line of [
    'export assets/shop.jfr.gz --format lean',
    'tree assets/shop.jfr.gz --json',
    'help --man',
  ]) {
    const { stderr, stdout } = spawnSync('sh', ['-c', `${program} ${line} | head -c 10; :`], {
      cwd: inCheckout(),
      encoding: 'utf8',
    });
    expect([stderr, stdout.length]).toEqual(['', 10]);
  }
});

test('compare --format github annotates the line of a method that grew, where its source is', async () => {
  const folder = temporaryFolder();
  const [base, next] = [join(folder, 'base.hpl'), join(folder, 'new.hpl')];
  writeFileSync(base, madeLog(madeSamples(1, 4000, 10)));
  writeFileSync(next, madeLog(madeSamples(2, 4000, 35)));
  const sources = join(folder, 'src/main/java/com/acme');
  mkdirSync(sources, { recursive: true });
  writeFileSync(join(sources, 'Tax.java'), 'class Tax {\n\n\n\n  int of() {}\n}\n');
  const printed = await cliOutput('compare', base, next, '--format', 'github', '--source', folder);
  const path = join(sources, 'Tax.java').replaceAll(':', '%3A').replaceAll(',', '%2C');
  expect(printed).toContain(`::warning file=${path},line=5,title=com.acme.Tax.of grew::self share `);
  // The source of this one is not there.
  expect(printed).toContain('::warning title=com.acme.Cart.price grew::total share ');
  expect(
    printed
      .split('\n')
      .every((line) => line === '' || /^::(warning|notice) ?.*::[^%]*(%25[^%]*)*$/.test(line)),
  ).toBe(true);
});

test('a name cannot end an annotation', async () => {
  const folder = temporaryFolder();
  const stacks = (n: number): string =>
    `Shop.main;evil::warning,file=%0a::x.run ${n}\nShop.main;Shop.idle 500\n`;
  const [base, next] = [join(folder, 'a.collapsed'), join(folder, 'b.collapsed')];
  writeFileSync(base, stacks(100));
  writeFileSync(next, stacks(400));
  const printed = await cliOutput('compare', base, next, '--format', 'github');
  expect(printed).toContain('title=evil%3A%3Awarning%2Cfile=%250a%3A%3Ax.run grew::self share');
});

test('--source of the method command prints the text of lines, and follows no link out', async () => {
  const folder = temporaryFolder();
  const log = join(folder, 'app.hpl');
  writeFileSync(log, madeLog(madeSamples(1, 500, 10)));
  mkdirSync(join(folder, 'src/com/acme'), { recursive: true });
  writeFileSync(join(folder, 'src/com/acme/Tax.java'), 'class Tax {\n\n\n\n  int of() { return 7; }\n}\n');
  const printed = await cliOutput('method', 'com.acme.Tax.of', log, '--source', folder);
  expect(printed).toContain('Tax.java:5  int of() { return 7; }');
  expect(readFileSync(log).length).toBeGreaterThan(0);
});
