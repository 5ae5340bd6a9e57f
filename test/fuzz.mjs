/**
 * `npm run fuzz`: reads mutants of small inputs of each format, as `npm test` does, but as many as one likes.
 *
 *   npm run fuzz                                  100 000 of each format
 *   npm run fuzz -- --format jfr,pprof            of these formats; hpl stands for honest-log
 *   npm run fuzz -- --count 1000000 --seed 7      so many; the same ones as with this seed before
 *
 * An input that breaks a law (test/support/format-laws.ts) is written to test/cases/, a folder per format, where the
 * tests read it from then on: commit it with the fix. So is an input that is not read to its end within a minute.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from '../electron/setup/prepare.mjs';
import { root } from '../electron/setup/paths.mjs';

function options() {
  const { values } = parseArgs({
    options: {
      format: { type: 'string', default: '' },
      count: { type: 'string', default: '100000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    },
  });
  const count = Number(values.count);
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`--count ${values.count} is no number`);
  if (!Number.isSafeInteger(seed)) throw new Error(`--seed ${values.seed} is no number`);
  const formats = values.format
    .split(',')
    .filter((name) => name !== '')
    .map((name) => (name === 'hpl' ? 'honest-log' : name));
  return { formats, count, seed };
}

async function fuzz({ formats, count, seed }) {
  const folder = mkdtempSync(join(tmpdir(), 'leanscope-fuzz-'));
  const report = join(folder, 'report.json');
  const names = formats.length === 0 ? '.*' : `(${formats.join('|')})`;
  const vitest = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      'laws.test',
      '--project=pure',
      `--testNamePattern=^${names}: ${count} mutants$`,
      '--silent=passed-only',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, SEED: String(seed), FUZZ_COUNT: String(count) },
    },
  );
  const status = await new Promise((done) => vitest.once('close', done));
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(folder, { recursive: true });
  const missing = formats.length - numPassedTests - numFailedTests;
  if (status === 0 && missing > 0) throw new Error(`no such format: ${missing} of ${formats.join(', ')}`);
  return status ?? 1;
}

const asked = options();
prepare();
console.log(`SEED=${asked.seed}`);
process.exitCode = await fuzz(asked);
