import { expect, test } from 'vitest';
import { OTHER_ERRORS } from '../../../shared/facts/format-facts.ts';
import type { LogFacts } from '../../../shared/facts/log-facts.ts';
import { profileLosses } from '../../../shared/facts/log-facts.ts';
import { HONEST_LOG } from '../../../shared/formats/honest-log/format.ts';
import { Pauses } from '../../../shared/formats/honest-log/log-clock.ts';
import { frame, log, method, thread, trace, traceStart } from '../../support/log-bytes.ts';
import { decodeInput } from '../../support/read-input.ts';

function lossesOf(
  ...records: readonly Uint8Array<ArrayBuffer>[]
): Pick<LogFacts, 'unnamedMethods' | 'errorThreads' | 'gaps'> {
  const { decoder, profile } = decodeInput(HONEST_LOG, log(...records));
  const facts = decoder.facts();
  return { ...profileLosses(profile, facts), gaps: facts.gaps };
}

test('errors are counted for each thread, by the name that the thread has at last', () => {
  const { errorThreads } = lossesOf(
    traceStart(-3, 7, 1),
    traceStart(-3, 8, 2),
    traceStart(-3, 7, 3),
    traceStart(-5, 7, 4),
    traceStart(-3, 9, 5),
    thread(7, 'main'),
    thread(8, 'worker'),
    thread(9, 'worker'),
  );
  expect(errorThreads).toEqual({
    '-3': [
      { thread: 'main', samples: 2 },
      { thread: 'worker', samples: 2 },
    ],
    '-5': [{ thread: 'main', samples: 1 }],
  });
});

test('a method with frames and without a definition is one without a name', () => {
  const named = method(1, 'S.java', 'LS;', 'main');
  expect(lossesOf(named, trace(7, 1, frame(1, 1, 1), frame(2, 1, 1))).unnamedMethods).toBe(1);
  expect(lossesOf(named, trace(7, 1, frame(1, 1, 1))).unnamedMethods).toBe(0);
});

test('a pause of a log is a gap; logs without times have none', () => {
  const at = (...seconds: readonly number[]): readonly Uint8Array<ArrayBuffer>[] =>
    seconds.map((second) => trace(7, second, frame(1, 1, 1)));
  expect(lossesOf(...at(10, 11, 12, 13, 14, 80, 81)).gaps).toEqual({
    count: 1,
    totalNs: 66e9,
    longestNs: 66e9,
    leastNs: 64e9,
  });
  expect(lossesOf(...at(10, 11, 12, 13)).gaps?.count).toBe(0);
});

/** `ms × n` intervals -> the gaps. */
const gapsOf = (...intervals: readonly (readonly [ms: number, n: number])[]): readonly number[] => {
  const pauses = new Pauses();
  for (const [ms, n] of intervals) for (let at = 0; at < n; at++) pauses.note(ms * 1e6);
  const { count, totalNs, longestNs, leastNs } = pauses.gaps;
  return [count, totalNs / 1e9, longestNs / 1e9, leastNs / 1e9];
};

test('a gap is at least a second and 32 times the usual interval', () => {
  expect(gapsOf([4, 100], [999, 5], [1000, 1], [5000, 2])).toEqual([3, 11, 5, 1]);
  expect(gapsOf([20, 100], [999, 5], [1000, 1])).toEqual([1, 1, 1, 1]);
  // Samples once a second, or once a minute, are no gaps.
  expect(gapsOf([1000, 50], [60_000, 1], [64_000, 1])).toEqual([1, 64, 64, 64]);
  expect(gapsOf([60_000, 50])[0]).toBe(0);
  expect(gapsOf()).toEqual([0, 0, 0, 1]);
  // A clock that was set: negative intervals are steps, and one of a century is one gap.
  expect(gapsOf([4, 10], [-5000, 3], [3.2e12, 1])).toEqual([1, 3.2e9, 3.2e9, 1]);
});

test('B07: very many error codes are one number, so that a status stays small', () => {
  const traces = Array.from({ length: 20_000 }, (_, at) => traceStart(-at, 1, at));
  const { errorSamples, errorThreads } = decodeInput(HONEST_LOG, log(...traces, ...traces)).decoder.facts();
  expect(Object.keys(errorSamples)).toHaveLength(101);
  expect([errorSamples['-3'], errorSamples['-99'], errorSamples[OTHER_ERRORS]]).toEqual([2, 2, 2 * 19_900]);
  expect(errorThreads.size).toBe(100);
});

test('B07: the errors of 600 000 codes in 300 threads take a few kilobytes of a status', () => {
  const one = traceStart(-1, 1, 1);
  const traces = new Uint8Array(600_000 * one.length);
  const view = new DataView(traces.buffer);
  for (let at = 0; at < 600_000; at++) {
    traces.set(one, at * one.length);
    view.setInt32(at * one.length + 1, -at);
    view.setInt32(at * one.length + 9, at % 300);
  }
  // Every thread has one of the codes that are counted one by one.
  const { decoder, profile } = decodeInput(HONEST_LOG, log(traces, traces));
  const facts = decoder.facts();
  expect(facts.errorSamples[OTHER_ERRORS]).toBe(2 * 599_900);
  const { errorThreads } = profileLosses(profile, facts);
  expect(JSON.stringify([facts.errorSamples, errorThreads]).length).toBeLessThan(10_000);
});
