import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../support/run-cli.ts';
import { cpuChunk } from '../../support/small-recordings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const whole = cpuChunk();
const stillWritten = cpuChunk();
stillWritten[64] = 2;

test.each([
  [
    'cut.jfr',
    whole.subarray(0, -3),
    /^\S*cut\.jfr: chunk at byte \d+ \(record \d+\): the end of the file after \d+ bytes of the chunk, expected \d+ bytes, as its header says: the file was cut; read [\d.]+ % of the file\n$/,
  ],
  [
    'killed.jfr',
    cpuChunk(false),
    /^\S*killed\.jfr: The recording was not finished: the end of its last chunk is missing\.\n$/,
  ],
  [
    'written.jfr',
    stillWritten,
    /^\S*written\.jfr: The recording was not finished: what the JVM writes after its latest flush is missing\.\n$/,
  ],
])('%s: each command says why it was read in part, and exits with 3', async (name, bytes, said) => {
  const folder = temporaryFolder();
  const [base, file] = [join(folder, 'whole.jfr'), join(folder, name)];
  writeFileSync(base, whole);
  writeFileSync(file, bytes);
  for (const args of [
    ['summary', file],
    ['export', file, '--format', 'methods'],
    ['compare', base, file],
    ['compare', file, base, '--format', 'report'],
  ]) {
    const { status, stderr } = await runCli(args);
    expect({ args, status }).toEqual({ args, status: 3 });
    expect(stderr).toMatch(said);
  }
});
