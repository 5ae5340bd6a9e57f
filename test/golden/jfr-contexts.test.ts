import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { JFR } from '../../shared/formats/jfr/format.ts';
import { type PrintedRequests, printedContexts, REQUESTS } from '../support/requests-recording.ts';
import { contextRows } from '../support/profile-tables.ts';
import { decodeInput } from '../support/read-input.ts';

test('contexts are the events with contextual fields that `jfr print` prints, and traced calls', () => {
  const { profile } = decodeInput(JFR, REQUESTS, {}, 1 << 17, true);
  const contexts = contextRows(profile.samples!.contexts);
  const expected = printedContexts(profile);
  expect(contexts).toHaveLength(expected.length);
  // The JDK rounds ticks in another way.
  const off = contexts.flatMap(([, from, to], row) => [
    Number((from as bigint) - expected[row].from),
    Number((to as bigint) - expected[row].to),
  ]);
  expect(Math.max(...off.map(Math.abs))).toBeLessThan(1_000);
  const texts = contexts.map(([thread, , , ...rest]) => [profile.threads.name[thread as number], ...rest].join());
  expect(texts).toEqual(expected.map(({ thread, name, attributes }) => [thread, name, ...attributes].join()));
  expect(new Set(texts.map((text) => text.replace(/\d+/g, '#')))).toContain('virtual-#,Trace,Trace.id=trace-#,customer=other,attempt=#');
});

test('a recording in pieces has the same contexts, and they take no part in its samples', () => {
  const whole = decodeInput(JFR, REQUESTS, {}, 1 << 17, true);
  const pieces = decodeInput(JFR, REQUESTS, {}, 777, true);
  expect(contextRows(pieces.profile.samples!.contexts)).toEqual(contextRows(whole.profile.samples!.contexts));
  const { samples } = JSON.parse(
    gunzipSync(readFileSync('test/golden/jfr/requests-jdk25.expected.json.gz')).toString(),
  ) as PrintedRequests;
  expect(whole.aggregator.sampleCount).toBe(samples.length);
});
