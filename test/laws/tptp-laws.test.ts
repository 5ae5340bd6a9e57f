import { TPTP_BINARY, TPTP_XML } from '../../shared/formats/tptp/format.ts';
import { readFileSync } from 'node:fs';
import { testFormatLaws } from '../support/format-laws.ts';
import { type TraceMessage, traceMessage, writeTrace } from '../support/trace-messages.ts';

const at = (ns: number): bigint => 1_185_890_426_000_000_000n + BigInt(ns);
const enter = (thread: bigint, method: bigint, ticket: bigint, depth: bigint, ns: number): TraceMessage =>
  traceMessage('methodEntry', {
    'Thread ID': thread,
    'Method ID': method,
    Ticket: ticket,
    'Stack depth': depth,
    Timestamp: at(ns),
  });
const exit = (thread: bigint, ticket: bigint, ns: number): TraceMessage =>
  traceMessage('methodExit', {
    'Thread ID': thread,
    Ticket: ticket,
    Timestamp: at(ns),
    'Thread CPU time': 5n,
  });

/** Everything that the builder knows of, in few messages. */
const calls: readonly TraceMessage[] = [
  traceMessage('threadStart', { 'Thread ID': 1n, 'Thread name': 'main', Timestamp: at(0) }),
  traceMessage('classDef', { 'Class ID': 3n, Name: 'Shop' }),
  traceMessage('methodDef', { 'Class ID': 3n, 'Method ID': 7n, Name: 'run' }),
  enter(1n, 7n, 1n, 1n, 100),
  enter(1n, 8n, 2n, 2n, 200),
  exit(1n, 2n, 300),
  traceMessage('methodDef', { 'Class ID': 3n, 'Method ID': 8n, Name: '-init-' }),
  enter(1n, 8n, 3n, 2n, 400),
  exit(1n, 1n, 500),
  enter(2n, 7n, 1n, 1n, 600),
];
const events: readonly TraceMessage[] = [
  traceMessage('agMethodEntry', {
    'Thread ID': 1n,
    'Method ID': 7n,
    'Base time': 50n,
    'Number of calls': 3n,
  }),
  traceMessage('agMethodEntry', {
    'Thread ID': 1n,
    'Method ID': 9n,
    'Base time': 20n,
    'Number of calls': 2n,
  }),
  traceMessage('agMethodExit', { 'Thread ID': 1n, 'Method ID': 7n }),
  traceMessage('monWaited', {
    'Thread ID': 1n,
    'Stack depth': 2n,
    'Stack methods': ['a', 'b'],
    'Stack lines': [1n, 2n],
  }),
  traceMessage('gcStart', { Timestamp: at(5) }),
  traceMessage('gcFinish', { Timestamp: at(9) }),
  traceMessage('objAlloc', { 'Class ID': 3n, Size: 24n }),
  traceMessage('custom', { 'Custom body': '<a/>' }),
  { id: 1500, values: {} },
];

/** 2,000,000 ticks per second, after times that were read as nanoseconds. */
const lateFrequency = Uint8Array.of(2, 0, 14, 0, 0, 0, 0x80, 0x84, 0x1e, 0, 0, 0, 0, 0);
const afterHeader = (trace: Uint8Array): Uint8Array => trace.subarray(37);

const golden = (name: string): Uint8Array => readFileSync(`test/golden/tptp/${name}`);

testFormatLaws({
  format: TPTP_BINARY,
  resumes: true,
  small: [
    writeTrace(calls),
    writeTrace(calls.slice(3), { littleEndian: false, sizeCountsFrame: false }),
    writeTrace(events, { leadIn: Uint8Array.of(1, 2, 3) }),
    writeTrace(calls, { asExample: true }),
    Buffer.concat([writeTrace(calls), lateFrequency, afterHeader(writeTrace(events))]),
  ],
  large: [
    golden('demo-full-le.trcbin'),
    golden('demo-full-future.trcbin'),
    golden('demo-thread-gc-heap.trcbin'),
  ],
  chosen: [{}, { value: 'cpu' }],
});

const text = (xml: string): Uint8Array => new TextEncoder().encode(xml);

testFormatLaws({
  format: TPTP_XML,
  resumes: true,
  small: [
    golden('demo-full.trcxml').subarray(0, 1_900),
    golden('demo-fragments.trcxml').subarray(0, 1_500),
    golden('demo-aggregated.trcxml').subarray(0, 2_000),
    text(
      `<?xml version="1.0" encoding="ISO-8859-1"?><!-- > --><TRACE><threadStart threadId="1" threadName='a &lt;b&#62;'/>` +
        `<methodEntry threadIdRef="1" time="0.5" methodIdRef="7"/><methodEntry threadIdRef="1" time="0.6" methodIdRef="8">` +
        `<value type="int"/></methodEntry><custom><b x="1"/></custom><methodExit threadIdRef="1" time="1.75" methodIdRef="7"/>` +
        `<![CDATA[<]]><unknown/></TRACE>`,
    ),
  ],
  large: [golden('demo-full.trcxml')],
});
