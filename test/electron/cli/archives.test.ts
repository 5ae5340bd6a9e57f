import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { goldenLog } from '../../support/read-log.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const log = goldenLog('hello');
const stacks = readFileSync('test/golden/collapsed/shop-jdk17.lock.reference.collapsed');
const readme = Buffer.from('# A program\n\nIt sells things.\n');

const ADVICE = 'open a JFR recording, an Honest Profiler log (.hpl) or another supported profile';

const lean = ['export', '--format', 'lean', '-'];

test('the profile in an archive reads as it does alone, from a file and from a pipe of single bytes', async () => {
  const alone = await runCli(lean, { stdin: log });
  expect(alone.status).toBe(0);
  const archive = zipSync({ 'README.md': readme, 'logs/hello.hpl': log });
  expect(await runCli(lean, { stdin: archive })).toEqual(alone);
  expect(await runCli(lean, { stdin: archive, pieceBytes: 1 })).toEqual(alone);
  const path = join(temporaryFolder(), 'logs.zip');
  writeFileSync(path, archive);
  expect(await runCli(lean.with(-1, path))).toEqual(alone);
  const collapsed = ['export', '--format', 'collapsed', '-'];
  const packed = zipSync({ 'README.md': readme, 'locks.collapsed': stacks });
  expect(await runCli(collapsed, { stdin: packed })).toEqual(await runCli(collapsed, { stdin: stacks }));
});

test('what is wrong with an archive is said', async () => {
  const said = async (files: Zippable, change?: (archive: Uint8Array) => Uint8Array) => {
    const archive = zipSync(files);
    const { status, stderr } = await runCli(lean, { stdin: change?.(archive) ?? archive });
    return `${status} ${stderr}`;
  };
  expect(await said({})).toBe(
    `1 standard input: not a supported profile: this is a ZIP archive without files; ${ADVICE}\n`,
  );
  expect(await said({ 'README.md': readme })).toBe(
    `1 standard input: not a supported profile: this is a ZIP archive without a profile; ${ADVICE}\n`,
  );
  const cut = await said({ 'hello.hpl': log }, (archive) => archive.subarray(0, 2000));
  expect(cut).toMatch(
    /^3 standard input: zip archive at byte \d+ \(record \d+\): the end of the file, expected more of an entry/,
  );
});

test('a profile for speedscope, and back', async () => {
  const written = await runCli(['export', '--format', 'speedscope', '-'], { stdin: log });
  expect(written.status).toBe(0);
  expect(JSON.parse(written.stdout)).toMatchObject({ name: 'standard input', exporter: 'leanscope' });
  const collapsed = ['export', '--format', 'collapsed', '--metric', 'time', '-'];
  const back = await runCli(collapsed, { stdin: Buffer.from(written.stdout) });
  expect(back.stdout).toBe((await runCli(collapsed, { stdin: log })).stdout);
  const refused = await runCli(['export', '--format', 'speedscope', '--filter', 'x', '-'], { stdin: log });
  expect(refused.status).toBe(2);
});
