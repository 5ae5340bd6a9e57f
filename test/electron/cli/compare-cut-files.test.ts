import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordEnd, RecordType } from '../../../shared/formats/honest-log/records.ts';
import { log } from '../../support/log-bytes.ts';
import { goldenLog } from '../../support/read-log.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LOG = goldenLog('server-small');
interface LogRecord {
  readonly type: number;
  readonly bytes: Uint8Array;
  /** Of a trace, ns since 1970. */
  readonly at: bigint | undefined;
}

function recordsOf(bytes: Uint8Array): readonly LogRecord[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const records: LogRecord[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = recordEnd(bytes.subarray(at));
    if (typeof length !== 'number') throw new Error(`no record at byte ${at}`);
    const type = bytes[at];
    const taken =
      type === RecordType.traceStartWithTime
        ? view.getBigInt64(at + 13) * 1_000_000_000n + view.getBigInt64(at + 21)
        : undefined;
    records.push({ type, bytes: bytes.subarray(at, at + length), at: taken });
    at += length;
  }
  return records;
}

/** A trace in the middle of the log that is later than all before it, and no later than all after it. */
function placeOfCut(records: readonly LogRecord[]): number {
  const traces = records.flatMap(({ at }, place) => (at === undefined ? [] : [{ at, place }]));
  const middle = traces.slice(Math.floor(traces.length / 3));
  return middle.find(({ at, place }) =>
    traces.every((other) => (other.place < place ? other.at < at : other.at >= at)),
  )!.place;
}

test('a log compared at a mark is two files that were cut there, flat and as a tree', async () => {
  const records = recordsOf(LOG);
  const cut = placeOfCut(records);
  const mark = `${records[cut].at}ns`;
  const before = records.slice(0, cut);
  // What the first part has defined is not defined again.
  const definitions = before.filter(
    ({ type }) => type === RecordType.methodWithSignature || type === RecordType.threadMeta,
  );
  const folder = temporaryFolder();
  const fileOf = (name: string, parts: readonly LogRecord[]): string => {
    writeFileSync(join(folder, name), log(...parts.map(({ bytes }) => bytes)));
    return join(folder, name);
  };
  const whole = fileOf('whole.hpl', records);
  const halves = [fileOf('before.hpl', before), fileOf('after.hpl', [...definitions, ...records.slice(cut)])];
  for (const [format, first] of [
    ['flat', 1],
    ['tree', 2],
  ] as const) {
    const linesOf = async (...args: readonly string[]): Promise<readonly (readonly string[])[]> => {
      const { status, stdout } = await runCli(['compare', ...args, '--format', format]);
      expect(status).toBe(0);
      const rows = stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t'));
      // The last trace of a file repeats the interval before it: the time of the base differs by that of one stack.
      return rows.map((row) => row.filter((_, at) => at !== first + 2 && at !== first + 3));
    };
    const marked = await linesOf(whole, whole, '--to-base', mark, '--from', mark);
    expect(marked).toEqual(await linesOf(...halves));
    for (const side of [first, first + 2])
      expect(marked.reduce((sum, row) => sum + Number(row[side]), 0)).toBeGreaterThan(300);
  }
});
