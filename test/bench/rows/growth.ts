/**
 * Time and memory grow as bytes and nodes do. What a summary takes beyond what it takes of next to nothing, per byte
 * and per node, must be at ten times the size what it was before: 1 is exactly linear, 10 is quadratic.
 *
 * Goals: 1.3 for time, because larger tables miss more caches, and sorting or copying at each step would cost more
 * than that within one decade. 1.6 for memory, because columns grow by half as much again: one size may be measured
 * just before they do, the other while the old and the new column are both there.
 *
 * The logs are one recorded log repeated with other ids, so what the Java reference counted in it once is known of
 * them all. The largest has offsets beyond 2^31, and ends with a byte that is no record: where the summary says that
 * it is, is held against the size of the file.
 */
import { appendFileSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FileSummary } from '../../../electron/cli/summary-command.ts';
import { ROOT } from '../checkout.ts';
import { median } from '../median.ts';
import { leanscope, type MemoryRun, runTellingMemory } from '../processes.ts';
import type { Bench, BenchRow, Figure } from '../row.ts';

const LINEAR_TIME = 1.3;
const LINEAR_MEMORY = 1.6;
const SMALL = 20e6;
const LARGE = 300e6;
/** Repetitions: some 3.1 GB. */
const HUGE = 120;
const NO_RECORD = Uint8Array.of(0x7f);

export const GROWTH_ROWS: readonly BenchRow[] = [
  {
    id: 'growth-300-mb',
    what: 'from 26 MB to 313 MB, per byte and node',
    short: false,
    measure: async (bench) => {
      const start = summaryOf(await bench.log('skewed', 1), 3);
      const small = summaryOf(await bench.log('real', SMALL), 5);
      const large = summaryOf(await bench.log('real', LARGE), 3);
      return linearity(start, small, large);
    },
  },
  {
    id: 'growth-3-gb',
    what: 'from 313 MB to 3.1 GB, per byte and node',
    short: false,
    measure: toThreeGigabytes,
  },
];

async function toThreeGigabytes(bench: Bench): Promise<readonly Figure[]> {
  const needed = (reference().bytes * HUGE) / 1e9;
  const { bavail, bsize } = statfsSync(bench.folder);
  if ((bavail * bsize) / 1e9 < needed * 1.1) {
    const there = ((bavail * bsize) / 1e9).toFixed(1);
    throw new Error(`a log of ${needed.toFixed(1)} GB does not fit: ${there} GB are free in ${bench.folder}`);
  }
  const start = summaryOf(await bench.log('skewed', 1), 3);
  const large = summaryOf(await bench.log('real', LARGE), 3);
  const file = await bench.log('real', reference().bytes * HUGE);
  try {
    appendFileSync(file, NO_RECORD);
    const huge = summaryOf(file, 2, 3);
    checkCounts(huge.summary, HUGE);
    checkEnd(huge.summary, reference().bytes * HUGE);
    return linearity(start, large, huge);
  } finally {
    rmSync(file);
  }
}

interface Measured {
  readonly seconds: number;
  readonly memory: number;
  readonly summary: FileSummary;
}

/** Medians of `rounds` runs, after one that only warms the page cache where the file is small. */
function summaryOf(file: string, rounds: number, status = 0): Measured {
  const program = { ...leanscope('summary', '--json', file), status };
  if (statSync(file).size < 1e9) runTellingMemory(program);
  const runs = Array.from({ length: rounds }, (): MemoryRun => runTellingMemory(program));
  return {
    seconds: median(runs.map(({ seconds }) => seconds)),
    memory: median(runs.map(({ memory }) => memory)),
    summary: JSON.parse(runs[0].stdout) as FileSummary,
  };
}

function linearity(start: Measured, less: Measured, more: Measured): Figure[] {
  const perByte = ({ seconds, summary }: Measured): number => (seconds - start.seconds) / summary.bytes;
  const perNode = ({ memory, summary }: Measured): number => (memory - start.memory) / summary.nodes;
  const detail = Object.fromEntries(
    Object.entries({ start, less, more }).map(([name, { seconds, memory, summary }]) => [
      name,
      { bytes: summary.bytes, nodes: summary.nodes, seconds, memory },
    ]),
  );
  return [
    { id: 'time', value: perByte(more) / perByte(less), unit: '×', goal: LINEAR_TIME, detail },
    { id: 'memory', value: perNode(more) / perNode(less), unit: '×', goal: LINEAR_MEMORY, detail },
    { id: 'peak', value: perNode(more), unit: 'B/node', goal: undefined },
    { id: 'whole', value: more.seconds, unit: 's', goal: undefined },
  ];
}

interface Reference {
  readonly bytes: number;
  readonly records: Readonly<Record<string, number>>;
  readonly pseudoFrames: number;
  readonly backwardSteps: number;
  readonly threads: number;
  readonly nodes: number;
}

/** The Java reference's counts for the log that is repeated. */
function reference(): Reference {
  const all = JSON.parse(readFileSync(join(ROOT, 'test/golden/hpl/reference.json'), 'utf8')) as {
    readonly 'server-20mb': Reference;
  };
  return all['server-20mb'];
}

/** Throws with every count that is not `times` times the reference's. */
function checkCounts(summary: FileSummary, times: number): void {
  const { bytes, records, pseudoFrames, backwardSteps, threads, nodes } = reference();
  const expected = {
    acceptedBytes: bytes,
    samples: records['11'],
    frames: records['2'] + records['21'],
    methods: records['31'],
    pseudoFrames,
    backwardSteps,
    threads,
    nodes,
  };
  const wrong = Object.entries(expected)
    .map(([name, once]) => ({ name, found: summary[name as keyof FileSummary], wanted: once * times }))
    .filter(({ found, wanted }) => found !== wanted)
    .map(({ name, found, wanted }) => `${name} ${JSON.stringify(found)} instead of ${wanted}`);
  if (wrong.length > 0) throw new Error(`the summary counts wrongly: ${wrong.join(', ')}`);
}

/** Throws unless the damage is reported at the end of the last complete record. */
function checkEnd({ damage }: FileSummary, end: number): void {
  if (damage?.byteOffset === end) return;
  throw new Error(`the byte that is no record, at ${end}, is told as ${JSON.stringify(damage)}`);
}
