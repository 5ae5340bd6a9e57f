/**
 * `npm run bench [-- FILE]`: whole processes on a log of some 300 MB, against `sha256sum` of the same file in the same
 * run. Prints a table, and leaves it with all single runs in test/output/. No test: what a machine needs differs.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { prepare } from '../../electron/setup/prepare.mjs';
import { command, fromUserFolder, root } from '../../electron/setup/paths.mjs';
import { writeRepeatedLog } from './make-log.mjs';

const REPETITIONS = 12;
const ROUNDS = 5;
/** What the process needed at most, told by itself at its end. */
const TELL_MEMORY =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("maxrss="+process.resourceUsage().maxRSS))';

const leanscope = (...args) => ({
  program: process.execPath,
  args: ['--import', TELL_MEMORY, command, ...args],
});

prepare();
const folder = mkdtempSync(join(tmpdir(), 'leanscope-bench-'));
try {
  bench();
} finally {
  rmSync(folder, { recursive: true });
}

function bench() {
  const given = process.argv[2];
  const file = given === undefined ? madeLog() : fromUserFolder(given);
  const bytes = statSync(file).size;
  const summary = JSON.parse(run(leanscope('summary', '--json', file)).stdout);
  const cases = [
    ['sha256sum', checksum(file)],
    ['summary', leanscope('summary', file)],
    ['export lean', leanscope('export', '--format', 'lean', '-o', join(folder, 'lean.txt'), file)],
    ['export flat', leanscope('export', '--format', 'flat', '-o', join(folder, 'flat.txt'), file)],
    ['export svg', leanscope('export', '--format', 'svg', '-o', join(folder, 'flame.svg'), file)],
  ];
  const runs = Object.fromEntries(cases.map(([name]) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, program] of cases) {
      const { seconds, maxRss } = run(program);
      runs[name].push({ seconds, maxRss });
    }
  }

  const reference = median(runs.sha256sum.map(({ seconds }) => seconds));
  const rows = cases.map(([name]) => {
    const seconds = median(runs[name].map((each) => each.seconds));
    const memory = median(runs[name].map(({ maxRss }) => maxRss ?? 0));
    return {
      name,
      seconds: seconds.toFixed(2),
      'to sha256sum': (seconds / reference).toFixed(2),
      'MB/s': (bytes / 1e6 / seconds).toFixed(0),
      'peak MB': memory === 0 ? '' : (memory / 1e6).toFixed(0),
      'peak / file': memory === 0 ? '' : (memory / bytes).toFixed(2),
    };
  });
  const text = [
    `${(bytes / 1e6).toFixed(0)} MB, ${count(summary.frames)} frames, ${count(summary.samples)} samples, ${count(summary.nodes)} call nodes`,
    `Node ${process.version}, ${cpus().length} × ${cpus()[0].model}; medians of ${ROUNDS} runs, warm page cache`,
    '',
    table(rows),
    '',
  ].join('\n');
  process.stdout.write(text);
  mkdirSync(join(root, 'test/output'), { recursive: true });
  writeFileSync(join(root, 'test/output/bench.txt'), text);
  writeFileSync(
    join(root, 'test/output/bench.json'),
    `${JSON.stringify({ bytes, summary, runs }, null, 2)}\n`,
  );
}

function madeLog() {
  const log = gunzipSync(readFileSync(join(root, 'test/golden/hpl/server-20mb.hpl.gz')));
  const file = join(folder, 'server.hpl');
  writeRepeatedLog(log, REPETITIONS, file);
  return file;
}

function checksum(file) {
  return spawnSync('sha256sum', ['--version']).error === undefined
    ? { program: 'sha256sum', args: [file] }
    : { program: 'shasum', args: ['-a', '256', file] };
}

/** Runs a program to its end: wall clock of the whole process, and its peak memory in bytes where it tells. */
function run({ program, args }) {
  const startedAt = performance.now();
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  if (error !== undefined || status !== 0) {
    throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `status ${status}`} ${stderr}`);
  }
  const kibibytes = /maxrss=(\d+)/.exec(stderr)?.[1];
  return { seconds, stdout, maxRss: kibibytes === undefined ? undefined : Number(kibibytes) * 1024 };
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function count(value) {
  return value.toLocaleString('en-US');
}

function table(rows) {
  const columns = Object.keys(rows[0]);
  const width = (column) => Math.max(column.length, ...rows.map((row) => row[column].length));
  const line = (cells) =>
    columns
      .map((column, at) => (at === 0 ? cells[at].padEnd(width(column)) : cells[at].padStart(width(column))))
      .join('   ');
  return [line(columns), ...rows.map((row) => line(columns.map((column) => row[column])))].join('\n');
}
