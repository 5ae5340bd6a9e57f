/**
 * `npm run bench`: measures the rows of rows/all.ts one after the other, prints them as a table, and leaves them in
 * test/output/ as text, Markdown and JSON. No test: that a figure falls short of its goal is a result, and only a row
 * that gave no figure makes it fail.
 *
 *   npm run bench -- FILE            summary and exports of a log of one's own
 *   npm run bench -- --only ID,ID    some rows
 *   npm run bench -- --publish       writes the table into test/bench/README.md
 *   npm run bench -- --short         small inputs, for a first look at a change
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OUTPUT, ROOT } from './checkout.ts';
import type { MeasuredRow } from './measured-row.ts';
import { measureRow } from './measure-row.ts';
import { withTable } from './published.ts';
import type { BenchRow } from './row.ts';
import { rowsFor } from './rows/all.ts';
import { GOAL_HEADING, goalLines, markdownTable, textTable } from './table.ts';

const PUBLISHED = join(ROOT, 'test/bench/README.md');

const { values: options, positionals } = givenArguments();
const file = positionals.length === 0 ? undefined : resolve(process.env.INIT_CWD ?? ROOT, positionals[0]);
const rows = chosenRows();
const folder = logFolder();
const startedAt = performance.now();
await measureAll();

function givenArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        only: { type: 'string' },
        short: { type: 'boolean', default: false },
        publish: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    refuse((error as Error).message);
  }
}

/** Removed at every kind of exit. A folder left by a killed bench is removed too: it may have gigabytes. */
function logFolder(): string {
  const parent = join(OUTPUT, 'bench');
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    const pid = /^logs-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(parent, name), { recursive: true, force: true });
  }
  const own = join(parent, `logs-${process.pid}`);
  process.on('exit', () => rmSync(own, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  mkdirSync(own);
  return own;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function chosenRows(): readonly BenchRow[] {
  const all = rowsFor(file);
  const wanted = options.only?.split(',');
  const unknown = wanted?.filter((id) => !all.some((row) => row.id === id)) ?? [];
  if (unknown.length > 0) {
    refuse(`no row ${unknown.join(', ')}; there are ${all.map(({ id }) => id).join(', ')}`);
  }
  if (options.publish && (options.short || wanted !== undefined || file !== undefined)) {
    refuse('only the whole table is published');
  }
  return all.filter(
    ({ id, short, longestSeconds }) =>
      (wanted === undefined ? longestSeconds === undefined : wanted.includes(id)) &&
      (short || !options.short),
  );
}

function refuse(why: string): never {
  process.stderr.write(`bench: ${why}\n`);
  process.exit(2);
}

async function measureAll(): Promise<void> {
  const measured: MeasuredRow[] = [];
  for (const row of rows) measured.push(await measure(row));
  const lines = goalLines(measured);
  const on = `${machine()}; measured in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
  const text = `${on}\n\n${textTable(GOAL_HEADING, lines)}\n`;
  const markdown = `${on}\n\n${markdownTable(GOAL_HEADING, lines)}\n`;
  process.stdout.write(`\n${text}`);
  writeFileSync(join(OUTPUT, 'bench.txt'), text);
  writeFileSync(join(OUTPUT, 'bench.md'), markdown);
  writeFileSync(
    join(OUTPUT, 'bench.json'),
    `${JSON.stringify({ machine: machine(), rows: measured }, null, 2)}\n`,
  );
  if (options.publish) {
    writeFileSync(PUBLISHED, await withTable(readFileSync(PUBLISHED, 'utf8'), markdown, PUBLISHED));
  }
  tellProblems(measured);
}

function measure({ id, what, longestSeconds }: BenchRow): Promise<MeasuredRow> {
  process.stderr.write(`${id} …\n`);
  return measureRow(what, { id, short: options.short, folder, file }, longestSeconds);
}

/** Only a row without a figure makes the bench fail; the complete reason goes to standard error. */
function tellProblems(measured: readonly MeasuredRow[]): void {
  for (const { id, outcome } of measured) {
    if (!('problem' in outcome)) continue;
    process.stderr.write(`\n${id}: ${outcome.problem}\n`);
    process.exitCode = 1;
  }
}

function machine(): string {
  const processors = cpus();
  return `Node ${process.version}, ${processors.length} × ${processors[0].model}`;
}
