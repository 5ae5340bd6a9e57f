import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { writeRecording } from '../../support/jfr-writer/write-recording.ts';
import type { Bench, BenchRow } from '../row.ts';
import { FORMAT_GOALS, summaryFigures } from './command.ts';

const LARGE = 200e6;
const SHORT = 20e6;

/** Ten million execution samples, in chunks of the size that a JVM writes. */
export const JFR_ROWS: readonly BenchRow[] = [
  {
    id: 'summary-jfr',
    what: 'summary of a JFR recording of 200 MB',
    short: false,
    measure: (bench) => Promise.resolve(summaryFigures(recording(bench), 3, FORMAT_GOALS)),
  },
];

export function recording(bench: Bench): string {
  const bytes = bench.short ? SHORT : LARGE;
  const path = join(bench.folder, `recording-${bytes}.jfr`);
  if (!existsSync(path)) {
    bench.say(`writing a recording of ${bytes / 1e6} MB …`);
    writeRecording(`${path}.part`, bytes);
    renameSync(`${path}.part`, path);
  }
  return path;
}
