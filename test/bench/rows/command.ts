import { statSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../median.ts';
import { alternate, checksum, leanscope, medianRatio, type Program, runTellingMemory } from '../processes.ts';
import { writeCollapsed } from '../../support/collapsed-file.ts';
import { writeHprofFile } from '../../support/hprof-file.ts';
import type { Bench, BenchRow, Figure, LogShapeName } from '../row.ts';

const LARGE = 300e6;
const MIDDLE = 60e6;
const COLLAPSED_BYTES = 200e6;
const HPROF_BYTES = 200e6;
const SHORT = 20e6;
const EXPORTED = ['lean', 'flat', 'svg'] as const;

/** Limit for 100 MB of another format, seconds. */
export const FORMAT_GOALS = { per100MB: 1 };

interface SummaryGoals {
  readonly time?: number;
  readonly per100MB?: number;
  readonly memory?: number;
}

export const COMMAND_ROWS: readonly BenchRow[] = [
  // Without goals for the time: a summary has findings, which look at each call node and each sample, however fast
  // bytes are read. How fast they are read is in `from 26 MB to 313 MB` and in the rows of other formats.
  summaryRow('summary-real', 'real', 'summary of 313 MB, 7.7 M nodes', { memory: 1.5 }),
  summaryRow('summary-skewed', 'skewed', 'summary of 300 MB, 0.16 M nodes', {}),
  ...(
    [
      ['hostile', 'every stack is new'],
      ['deep', 'stacks of 1,500 frames'],
      ['bottomless', 'a stack of a million frames'],
      ['threads', '10,000 threads'],
      ['methods', '100,000 methods'],
    ] as const
  ).map(([shape, what]): BenchRow => ({
    id: `summary-${shape}`,
    what: `summary of 60 MB: ${what}`,
    short: false,
    measure: async (bench) => summaryFigures(await bench.log(shape, MIDDLE), 3, {}),
  })),
  {
    id: 'summary-collapsed',
    what: 'summary of 200 MB of collapsed stacks',
    short: false,
    measure: (bench) => {
      const file = join(bench.folder, 'stacks.collapsed');
      writeCollapsed(file, COLLAPSED_BYTES);
      return Promise.resolve(summaryFigures(file, 3, FORMAT_GOALS));
    },
  },
  ...(['binary', 'text'] as const).map((form): BenchRow => ({
    id: `summary-hprof-${form}`,
    what: `summary of 200 MB of hprof, ${form}`,
    short: false,
    measure: (bench) => {
      const file = join(bench.folder, `traces.${form}.hprof`);
      writeHprofFile(file, form, HPROF_BYTES);
      return Promise.resolve(summaryFigures(file, 3, FORMAT_GOALS));
    },
  })),
  {
    id: 'export-real',
    what: 'export of 313 MB, 7.7 M nodes',
    short: false,
    measure: async (bench) => exportFigures(await bench.log('real', LARGE), bench.folder),
  },
];

/** The same measurements of any log: `npm run bench -- FILE`. */
export function ownLogRows(file: string): readonly BenchRow[] {
  return [
    {
      id: 'summary',
      what: `summary of ${file}`,
      short: true,
      measure: () => Promise.resolve(summaryFigures(file, 5, {})),
    },
    {
      id: 'export',
      what: 'export of the same',
      short: true,
      measure: (bench) => Promise.resolve(exportFigures(file, bench.folder)),
    },
  ];
}

function summaryRow(id: string, shape: LogShapeName, what: string, goals: SummaryGoals): BenchRow {
  return {
    id,
    what,
    short: true,
    measure: async (bench: Bench) =>
      summaryFigures(await bench.log(shape, bench.short ? SHORT : LARGE), bench.short ? 5 : 7, goals),
  };
}

/** Time relative to `sha256sum` of the file, and peak memory relative to its size. */
export function summaryFigures(file: string, rounds: number, goals: SummaryGoals): Figure[] {
  const bytes = statSync(file).size;
  const summary = leanscope('summary', '--json', file);
  const [hashed, read] = alternate(rounds, [checksum(file), summary]);
  const { memory, stdout } = runTellingMemory(summary);
  return [
    {
      id: 'time',
      value: medianRatio(read, hashed),
      unit: '× sha256sum',
      goal: goals.time,
      detail: {
        summary: JSON.parse(stdout) as unknown,
        sha256sum: hashed,
        seconds: read,
        megabytesPerSecond: bytes / 1e6 / median(read),
      },
    },
    ...(goals.per100MB === undefined
      ? []
      : [
          {
            id: 'of 100 MB',
            value: median(read) / (bytes / 100e6),
            unit: 's' as const,
            goal: goals.per100MB,
          },
        ]),
    { id: 'memory', value: memory / bytes, unit: '× file', goal: goals.memory, detail: { bytes, memory } },
  ];
}

/** Without a goal: the cost of an export depends on how much is written. */
function exportFigures(file: string, folder: string): Figure[] {
  const programs = EXPORTED.map((format): Program =>
    leanscope('export', '--format', format, '-o', join(folder, format), file),
  );
  const [hashed, ...exported] = alternate(3, [checksum(file), ...programs]);
  return EXPORTED.map((format, at) => ({
    id: format,
    value: medianRatio(exported[at], hashed),
    unit: '× sha256sum',
    goal: undefined,
    detail: { sha256sum: hashed, seconds: exported[at], bytes: statSync(join(folder, format)).size },
  }));
}
