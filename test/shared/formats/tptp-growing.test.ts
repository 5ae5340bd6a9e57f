import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import type { ProfileFormat } from '../../../shared/formats/profile-format.ts';
import { HEADER_BYTES } from '../../../shared/formats/tptp/messages.ts';
import { TPTP_BINARY, TPTP_XML } from '../../../shared/formats/tptp/format.ts';
import { sampleLines } from '../../support/sample-lines.ts';
import { readInput } from '../../support/read-input.ts';
import { type TraceMessage, traceMessage, writeTrace } from '../../support/trace-messages.ts';

/** Messages begin after the header and messages of 11 and 14 bytes with the encoding and the frequency. */
const MESSAGES_FROM = HEADER_BYTES + 11 + 14;

const call = (event: string, method: bigint, ns: number, thread = 1n): TraceMessage =>
  traceMessage(event, { 'Thread ID': thread, 'Method ID': method, Timestamp: 1_000n + BigInt(ns) });
const bytesOf = (messages: readonly TraceMessage[]): Uint8Array =>
  writeTrace(messages).subarray(MESSAGES_FROM);

test.each([
  ['an unknown message comes first', {}],
  ['an unknown message comes first, and sizes leave the headers out', { sizeCountsFrame: false }],
  ['other bytes come first', { leadIn: new Uint8Array(40).fill(0x7a) }],
])('a trace may pause anywhere: %s', (_, layout) => {
  const unknown: TraceMessage = { id: 1500, values: {} };
  const calls = [call('methodEntry', 7n, 0), call('methodExit', 7n, 100)];
  const written = writeTrace([unknown, ...calls, ...calls], layout);
  const trace =
    'leadIn' in layout
      ? written
      : Buffer.concat([written.subarray(0, HEADER_BYTES), written.subarray(MESSAGES_FROM)]);
  const whole = readInput(trace).decoder;
  const read = whole.bytes.accepted;
  for (let pause = 1; pause < trace.length; pause++) {
    const aggregator = new ProfileAggregator();
    const decoder = TPTP_BINARY.createDecoder(aggregator, {});
    decoder.append(trace.subarray(0, pause));
    decoder.emitOpen(true);
    decoder.append(trace.subarray(pause));
    decoder.emitOpen(true);
    const { accepted, pending } = decoder.bytes;
    expect([accepted, pending, decoder.records, aggregator.sampleCount]).toEqual([read, 0, whole.records, 2]);
  }
});

const notesOf = (trace: Uint8Array): readonly string[] => readInput(trace).decoder.facts().notes;

test('why nothing is read: the file ends too early', () => {
  const unknown = Uint8Array.of(220, 5, 6, 0, 0, 0);
  const header = writeTrace([]).subarray(0, HEADER_BYTES);
  expect(notesOf(Buffer.concat([header, unknown]))).toEqual([
    'Too few messages to tell whether their sizes include their headers: 6 bytes not read.',
  ]);
  const far = writeTrace([], { dataOffset: 1_000 });
  expect(notesOf(far)).toEqual(['The file ends before its messages, which begin at byte 1000.']);
});

/** The calls after each piece of a trace that is being written: start, thread and methods, whose names are unknown, self time. */
function grow(format: ProfileFormat, pieces: readonly Uint8Array[]): readonly string[][] {
  const aggregator = new ProfileAggregator({ samples: true });
  const decoder = format.createDecoder(aggregator, {});
  return pieces.map((piece) => {
    decoder.append(piece);
    decoder.emitOpen(false);
    return sampleLines(aggregator.profile).map((line) => line.replaceAll(/:-?\d+/g, ''));
  });
}

test.each([
  [
    'binary',
    TPTP_BINARY,
    [
      writeTrace([call('methodEntry', 7n, 0), call('methodEntry', 8n, 300)]),
      bytesOf([call('methodExit', 8n, 400)]),
      bytesOf([call('methodExit', 7n, 1_000)]),
    ],
  ],
  [
    'XML',
    TPTP_XML,
    [
      '<TRACE><methodEntry threadIdRef="1" methodIdRef="7" time="0.000001000"/><methodEntry threadIdRef="1" methodIdRef="8" time="0.000001300"/>',
      '<methodExit threadIdRef="1" methodIdRef="8" time="0.000001400"/>',
      '<methodExit threadIdRef="1" methodIdRef="7" time="0.000002000"/>',
    ].map((text) => new TextEncoder().encode(text)),
  ],
])('%s: a call that runs counts up to the last event of its thread', (_, format, pieces) => {
  expect(grow(format, pieces)).toEqual([
    ['1000 1;?.? 300', '1300 1;?.?;?.? 0'],
    ['1000 1;?.? 300', '1300 1;?.?;?.? 100'],
    ['1000 1;?.? 900', '1300 1;?.?;?.? 100'],
  ]);
});

test('very many open calls are counted only when the trace rests', () => {
  const entry = bytesOf([call('methodEntry', 7n, 0)]);
  const aggregator = new ProfileAggregator();
  const decoder = TPTP_BINARY.createDecoder(aggregator, {});
  decoder.append(Buffer.concat([writeTrace([]), ...Array<Uint8Array>(10_000).fill(entry)]));
  decoder.emitOpen(false);
  expect(aggregator.sampleCount).toBe(0);
  decoder.emitOpen(true);
  expect(aggregator.sampleCount).toBe(10_000);
});
