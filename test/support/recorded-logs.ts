import { GOLDEN_LOGS, goldenLog } from './read-log.ts';
import { testSize } from './test-size.ts';

/** A log that an agent wrote. */
export interface RecordedLog {
  readonly name: string;
  bytes(): Uint8Array;
}

/** The logs of this project. The largest takes a minute in some tests: it is for `npm run test:long`. */
export function recordedLogs(): readonly RecordedLog[] {
  return GOLDEN_LOGS.filter((name) => name !== 'server-20mb' || testSize(false, true)).map((name) => ({
    name,
    bytes: () => goldenLog(name),
  }));
}
