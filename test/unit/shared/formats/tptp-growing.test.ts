import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../../../shared/aggregate/profile-aggregator.ts';
import { HEADER_BYTES } from '../../../../shared/formats/tptp/binary-header.ts';
import { TPTP_BINARY } from '../../../../shared/formats/tptp/format.ts';
import { readInput } from '../../../support/read-input.ts';
import { type TraceMessage, traceMessage, writeTrace } from '../../../support/trace-messages.ts';

/** Messages begin after the header and messages of 11 and 14 bytes with the encoding and the frequency. */
const MESSAGES_FROM = HEADER_BYTES + 11 + 14;

const call = (event: string, method: bigint, ns: number, thread = 1n): TraceMessage =>
  traceMessage(event, { 'Thread ID': thread, 'Method ID': method, Timestamp: 1_000n + BigInt(ns) });

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
