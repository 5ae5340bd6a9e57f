import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeLean } from '../../shared/export/lean.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import type { FileSummary } from '../../electron/cli/summary-command.ts';
import { goldenLog, readLog } from '../support/read-log.ts';
import { runCli } from '../support/run-cli.ts';

const DAMAGED = 'test/golden/hpl/damaged';

interface Outcome {
  readonly status: number;
  /** Standard error after the file's name. */
  readonly message: string;
  /** What is left when the damage and all behind it is cut off. */
  readonly accepted: number;
  readonly skipped: number;
  readonly pending: number;
}

const CASES: Readonly<Record<string, Outcome>> = {
  'ends-after-tracestart': { status: 0, message: '', accepted: 16_428, skipped: 0, pending: 0 },
  'ends-mid-trace': { status: 0, message: '', accepted: 13_943, skipped: 0, pending: 0 },
  'only-threadmeta': { status: 0, message: '', accepted: 13, skipped: 0, pending: 0 },
  'trunc-after-type-byte': { status: 0, message: '', accepted: 16_399, skipped: 0, pending: 1 },
  'trunc-in-frame': { status: 0, message: '', accepted: 25_876, skipped: 0, pending: 26 },
  'trunc-in-method': { status: 0, message: '', accepted: 9_615, skipped: 0, pending: 175 },
  'trunc-in-tracestart': { status: 0, message: '', accepted: 16_399, skipped: 0, pending: 10 },
  'zero-tail': { status: 0, message: '', accepted: 16_399, skipped: 0, pending: 4_096 },
  'huge-string-length': {
    status: 3,
    message:
      'thread at byte 42 (record 2): string length 2147483647 at byte 51, expected 0 … 1048576; read 0.1 % of the file',
    accepted: 42,
    skipped: 25_863,
    pending: 0,
  },
  'negative-string-length': {
    status: 3,
    message:
      'thread at byte 42 (record 2): string length -1 at byte 51, expected 0 … 1048576; read 0.1 % of the file',
    accepted: 42,
    skipped: 25_863,
    pending: 0,
  },
  'starts-mid-trace': {
    status: 1,
    message:
      'frame at byte 0 (record 0): a frame (record type 21) before the first trace start, expected a trace start, a method or a thread; read 0 % of the file',
    accepted: 0,
    skipped: 25_179,
    pending: 0,
  },
  'unknown-type-between': {
    status: 3,
    message:
      'record type at byte 16399 (record 411): type 99 (0x63), expected 1, 2, 3, 4, 11, 21 or 31; read 63.3 % of the file',
    accepted: 16_399,
    skipped: 9_507,
    pending: 0,
  },
  'unknown-type-block': {
    status: 3,
    message:
      'record type at byte 16399 (record 411): type 99 (0x63), expected 1, 2, 3, 4, 11, 21 or 31; read 63.2 % of the file',
    accepted: 16_399,
    skipped: 9_509,
    pending: 0,
  },
};

test.each(Object.entries(CASES))('%s: everything before it is used, the rest is accounted for', async (name, outcome) => {
  const path = `${DAMAGED}/${name}.hpl`;
  const bytes = readFileSync(path);
  const run = await runCli(['summary', path, '--json']);
  expect(run.status).toBe(outcome.status);
  expect(run.stderr).toBe(outcome.message === '' ? '' : `${path}: ${outcome.message}\n`);
  // Of an input of which nothing can be read, nothing is written.
  if (outcome.status === 1) {
    expect(run.stdout).toBe('');
    return;
  }
  const summary = JSON.parse(run.stdout) as FileSummary;
  expect([summary.acceptedBytes, summary.skippedBytes, summary.pendingBytes]).toEqual([
    outcome.accepted,
    outcome.skipped,
    outcome.pending,
  ]);
  expect(outcome.accepted + outcome.skipped + outcome.pending).toBe(bytes.length);
  expect(summary.bytes).toBe(bytes.length);

  const exported = await runCli(['export', path, '--format=lean']);
  expect(exported.status).toBe(outcome.status);
  expect(exported.stderr).toBe(run.stderr);
  expect(exported.stdout).toBe(leanText(bytes.subarray(0, outcome.accepted)));
});

test('a damage far into a log leaves what an undamaged log would have said up to there', async () => {
  const { stdout } = await runCli(['export', `${DAMAGED}/unknown-type-between.hpl`, '--format', 'lean']);
  expect(stdout).toBe(leanText(goldenLog('hello').subarray(0, 16_399)));
  expect(stdout.split('\n').length).toBeGreaterThan(200);
});

test('a hole of zeros is skipped, and nothing behind it is lost', async () => {
  const path = `${DAMAGED}/zero-hole-then-data.hpl`;
  const { status, stdout, stderr } = await runCli(['summary', path, '--json']);
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ acceptedBytes: 25_905, skippedBytes: 1, pendingBytes: 0, samples: 37 });
  const lean = await runCli(['export', path, '--format', 'lean']);
  expect(lean.stdout).toBe(leanText(goldenLog('hello')));
});

test('error codes that nobody knows are errors like the others', async () => {
  const path = `${DAMAGED}/unknown-error-codes.hpl`;
  const { status, stdout } = await runCli(['summary', path, '--json']);
  expect(status).toBe(0);
  const { errorSamples, methods } = JSON.parse(stdout) as FileSummary;
  expect(Object.keys(errorSamples).some((code) => Number(code) < -10)).toBe(true);
  expect(methods).toBe(66);
  const flat = await runCli(['export', path, '--format', 'flat', '--hide-errors']);
  expect(flat.stdout).not.toContain('UnknownErrCode');
});

test('an empty file', async () => {
  const path = `${DAMAGED}/empty.hpl`;
  for (const command of [['summary'], ['export', '--format', 'lean']]) {
    expect(await runCli([...command, path])).toEqual({
      status: 1,
      stdout: '',
      stderr: `${path}: not a supported profile: this is an empty file; open a profile that has been written to\n`,
    });
  }
});

function leanText(bytes: Uint8Array): string {
  return collectText((sink) => writeLean({ profile: readLog(bytes).profile }, sink));
}
