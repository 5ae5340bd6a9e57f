import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sumSelfValues } from '../../shared/engine/values/self-values.ts';
import { addedUp, collapsedOf, dottedFrame } from '../support/collapsed-text.ts';
import { readInput } from '../support/read-input.ts';

test('lock contention of a recorded program: weights beyond 2^32, to the last nanosecond', () => {
  const input = readFileSync('test/golden/collapsed/shop-jdk17.lock.reference.collapsed');
  const { profile, decoder, format } = readInput(input, { unit: 'nanoseconds' });
  expect(format).toBe('collapsed');
  expect(collapsedOf(profile)).toBe(addedUp(input.toString(), dottedFrame));
  const weights = input.toString().trim().split('\n').map((line) => Number(line.slice(line.lastIndexOf(' '))));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  expect(Math.max(...weights)).toBeGreaterThan(2 ** 32);
  expect(sumSelfValues(profile.selfValues)).toEqual({ samples: sum, time: sum });
  expect(decoder.records).toBe(weights.length);
  expect(decoder.bytes).toEqual({ accepted: input.length, skipped: 0, pending: 0 });
});

const ofRecording = (name: string): string => gunzipSync(readFileSync(`test/golden/jfr/shop-jdk17.${name}.collapsed.gz`)).toString();

test.each(['reference', 'alloc.reference', 'lock.reference'])("what async-profiler's converter wrote, stack by stack: %s", (name) => {
  const text = ofRecording(name);
  const { profile, decoder, format } = readInput(Buffer.from(text));
  expect(format).toBe('collapsed');
  expect(collapsedOf(profile)).toBe(addedUp(text, dottedFrame));
  expect(decoder.facts().skips).toEqual([]);
});

test('threads and lines', () => {
  const text = ofRecording('reference-threads-lines');
  const { profile } = readInput(Buffer.from(text));
  // Threads are written as async-profiler has written them.
  const frame = (each: string): string => (/^\[.*? tid=\d+\]$/.test(each) ? each : dottedWithLine(each));
  expect(collapsedOf(profile, 'id', 'line')).toBe(addedUp(text, frame));
  const tids = new Set(text.match(/^\[.*? tid=\d+\]/gm));
  expect(profile.threads.length).toBe(tids.size);
});

/** The line stays behind the method. */
function dottedWithLine(frame: string): string {
  const bare = frame.replace(/_\[[jik01]\]$/, '');
  const [, name, line] = /^(.*?)(:\d+)?$/.exec(bare) as unknown as [string, string, string | undefined];
  return dottedFrame(name) + (line ?? '');
}
