import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SHARED_LOGS } from './read-log.ts';
import { testSize } from './test-size.ts';

/** A log that an agent wrote. */
export interface RecordedLog {
  readonly name: string;
  bytes(): Uint8Array;
}

/** Logs of the reference's repository, older than times and names of threads. Those in `history` have formats before that. */
const OLD_LOGS = `${SHARED_LOGS}/upstream`;
/** The largest one takes a minute in some tests: it is for `npm run test:long`. */
const ONLY_LONG = 'server-20mb.hpl.gz';

/**
 * All logs of this project and, where they are there, those that are not part of it, each once. `test` says which test
 * goes without the others.
 */
export function recordedLogs(test: string): readonly RecordedLog[] {
  if (!existsSync(SHARED_LOGS)) console.log(`${test}: there is no ${SHARED_LOGS}, its logs are skipped`);
  const paths = new Map<string, string>();
  for (const folder of ['test/golden/hpl', SHARED_LOGS, OLD_LOGS]) {
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (/\.hpl(?:\.gz)?$/.test(name) && !paths.has(name)) paths.set(name, `${folder}/${name}`);
  }
  return [...paths.values()]
    .filter((path) => basename(path) !== ONLY_LONG || testSize(false, true))
    .map((path) => ({ name: basename(path), bytes: () => bytesOf(path) }));
}

function bytesOf(path: string): Uint8Array {
  const stored = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(stored) : stored;
}
