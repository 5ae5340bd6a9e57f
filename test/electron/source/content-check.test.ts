import { appendFileSync, chmodSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FaultyFiles, following, type TailReader } from '../../support/tail-reader.ts';

/** Two contents of one length, with the same first 64 and last 32 bytes. */
const A = `${'head'.repeat(20)} old ${'tail'.repeat(20)}`;
const B = A.replace('old', 'new');

function poll(reader: TailReader, times: number): void {
  for (let each = 0; each < times; each++) reader.pollToEnd();
}

/** Files with time stamps that are always the same. */
function withStamps(ns: bigint): FaultyFiles {
  const files = new FaultyFiles();
  files.stampsSeen = () => ({ modifiedNs: ns, changedNs: ns });
  return files;
}

test('T14: rewritten to the same length, with the same first and last bytes', () => {
  const { path, reader } = following(A);
  writeFileSync(path, B);
  utimesSync(path, 1e9, 1e9);
  poll(reader, 2);
  expect(reader.read).toEqual([`opened ${A}`, `rewritten ${B}`]);
});

test('T14: and its time of modification is put back', () => {
  const files = new FaultyFiles();
  const { path, reader } = following(A, files);
  const { mtimeMs } = statSync(path);
  writeFileSync(path, B);
  utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
  files.stampsSeen = ({ changedNs }) => ({ changedNs: changedNs + 1n });
  poll(reader, 2);
  expect(reader.read).toEqual([`opened ${A}`, `rewritten ${B}`]);
});

test('T14: within the tick of the clock in which the file grew', () => {
  const { path, reader } = following('', withStamps(1_000_000_001n));
  appendFileSync(path, A);
  poll(reader, 2);
  writeFileSync(path, B);
  poll(reader, 60);
  expect(reader.read).toEqual(['opened ', `opened ${A}`, `rewritten ${B}`].slice(1));
});

test('T14: where time stamps have whole seconds, it is compared now and then', () => {
  const { path, reader } = following(A, withStamps(7_000_000_000n));
  writeFileSync(path, B);
  poll(reader, 3_000);
  expect(reader.read).toEqual([`opened ${A}`]);
  poll(reader, 2_000);
  expect(reader.read).toEqual([`opened ${A}`, `rewritten ${B}`]);
});

test('T41: other time stamps, permissions or owners alone are nothing new', () => {
  const { path, reader } = following(A);
  for (const seconds of [4e9, 0, 1e9]) {
    utimesSync(path, seconds, seconds);
    chmodSync(path, 0o600);
    poll(reader, 100);
  }
  expect(reader.read).toEqual([`opened ${A}`]);
});

test('T14: a long file is compared in steps of a mebibyte, one per poll', () => {
  const files = new FaultyFiles();
  const long = 'x'.repeat(3 << 20);
  const { path, reader } = following(long, files);
  let reads = 0;
  files.beforeRead = () => {
    reads++;
  };
  const readsOfPoll = (): number => {
    reads = 0;
    reader.pollToEnd();
    return reads;
  };
  // One for growth, two for the first and the last bytes, eight for a mebibyte.
  const [without, withStep] = [3, 11];
  expect(readsOfPoll()).toBe(without);
  utimesSync(path, 1e9, 1e9);
  expect([readsOfPoll(), readsOfPoll(), readsOfPoll(), readsOfPoll()]).toEqual([
    withStep,
    withStep,
    withStep,
    without,
  ]);
  writeFileSync(path, `${long.slice(0, 1 << 20)}z${long.slice((1 << 20) + 1)}`);
  utimesSync(path, 2e9, 2e9);
  poll(reader, 2);
  expect(reader.contents.length).toBe(1);
  poll(reader, 1);
  expect(reader.contents.map(({ reason }) => reason)).toEqual(['opened', 'rewritten']);
});
