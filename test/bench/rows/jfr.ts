import { closeSync, existsSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { writeRecording } from '../../support/jfr-writer/write-recording.ts';
import { ROOT } from '../checkout.ts';
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

/** Execution samples of the recorded shop. */
const SHOP_SAMPLES = 1_306;

/**
 * A recording as a JVM makes it, with all its events, of at least so many execution samples: chunks are complete in
 * themselves, so that those of one recording may follow each other again and again.
 */
export function jvmRecording(bench: Bench, samples: number): string {
  const path = join(bench.folder, `jvm-recording-${samples}.jfr`);
  if (existsSync(path)) return path;
  bench.say(`writing a recording of ${samples / 1e6} M samples …`);
  const chunks = gunzipSync(readFileSync(join(ROOT, 'assets/shop.jfr.gz')));
  const file = openSync(`${path}.part`, 'w');
  try {
    for (let written = 0; written < samples; written += SHOP_SAMPLES) writeSync(file, chunks);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.part`, path);
  return path;
}
