import { statSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../median.ts';
import { alternate, checksum, leanscope, medianRatio, peakMemory, type Program } from '../processes.ts';
import type { Bench, BenchRow, Figure } from '../row.ts';

const LARGE = 300e6;
const SHORT = 20e6;
const EXPORTED = ['lean', 'flat', 'svg'] as const;

const sizeFor = ({ short }: Bench): number => (short ? SHORT : LARGE);
const roundsFor = ({ short }: Bench): number => (short ? 3 : 5);

export const COMMAND_ROWS: readonly BenchRow[] = [
  {
    id: 'summary-real',
    what: 'summary of a log with 7.7 M nodes, 313 MB',
    short: true,
    measure: async (bench) =>
      summaryFigures(bench, await bench.log('real', sizeFor(bench)), { time: 0.8, memory: 1.5 }),
  },
  {
    id: 'export-real',
    what: 'export of the same',
    short: false,
    measure: async (bench) => exportFigures(bench, await bench.log('real', sizeFor(bench))),
  },
];

/** The same questions about any log: `npm run bench -- FILE`. */
export function ownLogRows(file: string): readonly BenchRow[] {
  return [
    {
      id: 'summary',
      what: `summary of ${file}`,
      short: true,
      measure: (bench) => Promise.resolve(summaryFigures(bench, file, {})),
    },
    {
      id: 'export',
      what: 'export of the same',
      short: true,
      measure: (bench) => Promise.resolve(exportFigures(bench, file)),
    },
  ];
}

/** Time to `sha256sum` of the file, and peak memory to its size. */
function summaryFigures(
  bench: Bench,
  file: string,
  goals: { readonly time?: number; readonly memory?: number },
): Figure[] {
  const bytes = statSync(file).size;
  const summary = leanscope('summary', '--json', file);
  const [hashed, read] = alternate(roundsFor(bench), [checksum(file), summary]);
  const memory = peakMemory(summary);
  return [
    {
      id: 'time',
      value: medianRatio(read, hashed),
      unit: '× sha256sum',
      goal: goals.time,
      detail: { bytes, sha256sum: hashed, seconds: read, megabytesPerSecond: bytes / 1e6 / median(read) },
    },
    { id: 'memory', value: memory / bytes, unit: '× file', goal: goals.memory, detail: { bytes, memory } },
  ];
}

/** Told only: what an export costs depends on what is written. */
function exportFigures(bench: Bench, file: string): Figure[] {
  const programs = EXPORTED.map((format): Program =>
    leanscope('export', '--format', format, '-o', join(bench.folder, format), file),
  );
  const [hashed, ...exported] = alternate(bench.short ? 1 : 3, [checksum(file), ...programs]);
  return EXPORTED.map((format, at) => ({
    id: format,
    value: medianRatio(exported[at], hashed),
    unit: '× sha256sum',
    goal: undefined,
    detail: { sha256sum: hashed, seconds: exported[at] },
  }));
}
