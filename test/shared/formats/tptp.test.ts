import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { NOTHING_CHOSEN } from '../../../shared/facts/choice.ts';
import type { FormatFacts } from '../../../shared/facts/format-facts.ts';

import { TPTP_BINARY, TPTP_XML } from '../../../shared/formats/tptp/format.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { detectFormat } from '../../../shared/input/detect-format.ts';
import { decodeInput, readInput } from '../../support/read-input.ts';
import {
  readTraceMessages,
  type TraceMessage,
  traceMessage,
  writeTrace,
} from '../../support/trace-messages.ts';

/** Threads and call nodes with their calls and self time, two blanks per level. */
function draw(input: string | Uint8Array, chosen: Readonly<Record<string, string>> = {}): string {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const { profile, decoder } = readInput(bytes, chosen);
  expect(decoder.damage).toBeUndefined();
  const { nodes, frames, methods, threads, selfValues } = profile;
  const depths: number[] = [];
  const lines: string[] = [];
  // Nodes come in the order of the calls, so that drawing them needs no order of its own.
  for (let node = 0; node < nodes.length; node++) {
    if (nodes.isRoot(node)) {
      depths.push(0);
      lines.push(threads.name[~nodes.frame[node]] ?? '?');
      continue;
    }
    depths.push(depths[nodes.parent[node]] + 1);
    const names = methods.names[frames.method[nodes.frame[node]]];
    const name = names === undefined ? '?' : `${names.className}.${names.methodName}`;
    const self = selfValues.find(node);
    const values = self < 0 ? '0 0' : `${selfValues.count[self]} ${selfValues.time.text(self)}`;
    lines.push(`${'  '.repeat(depths[node])}${name} ${values}`);
  }
  return lines.join('\n');
}

/** A line a call: when it began, its row of the SelfTable, its value. */
function samplesOf(input: Uint8Array, chosen: Readonly<Record<string, string>> = {}): string[] {
  return samplesAsText(decodeInput(TPTP_BINARY, input, chosen, undefined, true).profile);
}

function samplesAsText({ samples }: LeanProfile): string[] {
  return Array.from(
    { length: samples!.length },
    (_, row) => `${samples!.timeOf(row)} ${samples!.self[row]} ${samples!.value.text(row)}`,
  );
}

function facts(input: string | Uint8Array): FormatFacts {
  return readInput(typeof input === 'string' ? new TextEncoder().encode(input) : input).decoder.facts();
}

/** `main 7 0.000000100` enters method 7 of thread 1, `- 7 …` leaves it, both without a ticket. */
function calls(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [sign, method, time] = line.trim().split(' ');
      const element = sign === '+' ? 'methodEntry' : 'methodExit';
      return `<${element} threadIdRef="1" methodIdRef="${method}" time="${time}"/>`;
    })
    .join('\n');
}

const NAMES = `
  <threadStart threadId="1" threadName="main"/>
  <classDef classId="3" name="Shop" sourceName="Shop.java"/>
  <methodDef methodId="7" classIdRef="3" name="run"/>
  <methodDef methodId="8" classIdRef="3" name="-clinit-"/>`;

test('without tickets, as the plainest writers do it, an exit ends the innermost call of its method', () => {
  const trace =
    NAMES +
    calls(`
      + 7 0.000000000
      + 8 0.000000100
      - 8 0.000000150
      + 8 0.000000200
      - 7 0.000000900`);
  expect(draw(trace)).toBe(['main', '  Shop.run 1 150', '    Shop.<clinit> 2 750'].join('\n'));
  expect(facts(trace).notes).toEqual(['1 call without an exit: counted until a later event shows the end.']);
});

test('a ticket of 0 is one where a call has it, and none where no call has', () => {
  const at = (time: number): bigint => 1000n + BigInt(time);
  const enter = (method: bigint, ticket: bigint, time: number): TraceMessage =>
    traceMessage('methodEntry', {
      'Thread ID': 1n,
      'Method ID': method,
      Ticket: ticket,
      Timestamp: at(time),
    });
  const exit = (method: bigint, ticket: bigint, time: number): TraceMessage =>
    traceMessage('methodExit', { 'Thread ID': 1n, 'Method ID': method, Ticket: ticket, Timestamp: at(time) });
  const names = [7n, 8n].map((id) => traceMessage('methodDef', { 'Method ID': id, Name: `m${id}` }));
  const zero = writeTrace([...names, enter(7n, 0n, 0), enter(8n, 1n, 10), exit(8n, 0n, 30)]);
  expect(draw(zero)).toBe(['?', '  .m7 1 10', '    .m8 1 20'].join('\n'));
  const none = writeTrace([
    ...names,
    enter(7n, 5n, 0),
    enter(8n, 6n, 10),
    exit(8n, 0n, 30),
    exit(7n, 5n, 40),
  ]);
  expect(draw(none)).toBe(['?', '  .m7 1 20', '    .m8 1 20'].join('\n'));
});

test('an id that is used again is another thread, and another method, for what comes later', () => {
  const again = `
    <threadEnd threadIdRef="1" time="2.0"/>
    <threadStart threadId="1" threadName="other"/>
    <classDef classId="3" name="Store"/>
    <methodDef methodId="7" classIdRef="3" name="sell"/>`;
  expect(
    draw(NAMES + calls('+ 7 1.0\n- 7 1.5') + again + calls('+ 7 3.0\n- 7 3.25') + calls('+ 8 4.0\n- 8 4.0')),
  ).toBe(
    ['main', '  Shop.run 1 500000000', 'other', '  Store.sell 1 250000000', '  Shop.<clinit> 1 0'].join('\n'),
  );
});

test('names may come after the calls, and a class after its methods', () => {
  const late = `
    <methodDef methodId="7" classIdRef="3" name="run"/>
    <classDef classId="3" name="Shop"/>
    <threadStart threadId="1" threadName="main"/>`;
  expect(draw(calls('+ 7 1.0\n- 7 1.5') + late)).toBe('main\n  Shop.run 1 500000000');
  const never = '<methodDef methodId="7" classIdRef="3" name="run"/>';
  expect(draw(`${calls('+ 7 1.0\n- 7 1.5')}${never}`)).toBe('?\n  .run 1 500000000');
});

test('a sum beyond 2^53 ns is the same whether the file is read at once or in parts', () => {
  const parts = [
    NAMES + calls('+ 7 0.000000000\n- 7 0.000000100'),
    calls('+ 7 0.000000200\n- 7 5980780305.148018788'),
  ];
  const aggregator = new ProfileAggregator();
  const decoder = TPTP_XML.createDecoder(aggregator, NOTHING_CHOSEN);
  for (const part of parts) decoder.append(new TextEncoder().encode(part));
  decoder.emitOpen(true);
  const { selfValues } = aggregator.profile;
  expect(draw(parts.join(''))).toBe(`main\n  Shop.run 2 ${selfValues.time.text(0)}`);
});

test('where a static id is 0 or absent the transient one counts', () => {
  const trace = `
    <threadStart transientThreadId="9" threadId="0" threadName="main"/>
    <classDef transientClassId="4" name="Shop"/>
    <methodDef methodId="7" transientClassIdRef="4" name="run"/>
    <methodEntry transientThreadIdRef="9" methodIdRef="7" time="1.0"/>
    <methodExit transientThreadIdRef="9" methodIdRef="7" time="1.5"/>`;
  expect(draw(trace)).toBe('main\n  Shop.run 1 500000000');
});

test('CPU times at entry and exit are those of a clock while they grow, else those of the call', () => {
  const trace = (entries: readonly (readonly [number, string])[]): string =>
    NAMES +
    entries
      .map(
        ([at, cpu], index) =>
          `<${index % 2 === 0 ? 'methodEntry' : 'methodExit'} threadIdRef="1" methodIdRef="7" time="${at}.0" threadCpuTime="${cpu}"/>`,
      )
      .join('');
  expect(
    draw(
      trace([
        [1, '5.0'],
        [2, '5.25'],
      ]),
      { value: 'cpu' },
    ),
  ).toBe('main\n  Shop.run 1 250000000');
  expect(
    draw(
      trace([
        [1, '5.0'],
        [2, '0.125'],
      ]),
      { value: 'cpu' },
    ),
  ).toBe('main\n  Shop.run 1 125000000');
});

test('a frequency that is not a billion', () => {
  const trace = writeTrace(
    [
      traceMessage('methodEntry', {
        'Thread ID': 1n,
        'Method ID': 7n,
        Timestamp: 1_185_890_426_000_000_000n,
      }),
      traceMessage('methodExit', { 'Thread ID': 1n, 'Method ID': 7n, Timestamp: 1_185_890_427_000_000_000n }),
    ],
    { frequency: 3_579_545n },
  );
  expect(draw(trace)).toBe('?\n  ? 1 1000000000');
  expect(facts(trace).lastTime! - facts(trace).firstTime!).toBe(1_000_000_000n);
});

/** The message with the frequency has 14 bytes, after the header of 12 and the encoding of 11. */
const FREQUENCY = { from: 23, to: 37 };

/** The same trace with the message of the frequency at `at`, the beginning of another message. */
function withLateFrequency(trace: Uint8Array, at: number): Uint8Array {
  const { from, to } = FREQUENCY;
  return Buffer.concat([
    trace.subarray(0, from),
    trace.subarray(to, at),
    trace.subarray(from, to),
    trace.subarray(at),
  ]);
}

/** Where messages begin after that with the frequency, and the end. */
function messageStarts(trace: Uint8Array): readonly number[] {
  const view = new DataView(trace.buffer, trace.byteOffset, trace.byteLength);
  const starts = [FREQUENCY.to];
  for (let at = FREQUENCY.to; at < trace.length; starts.push(at)) at += view.getUint32(at + 2, true);
  return starts;
}

test.each([
  ['demo-full-le', {}],
  ['demo-full-le', { value: 'cpu' }],
  ['demo-aggregated-le', {}],
  ['demo-thread-gc-heap', {}],
])('a frequency that comes late in %s counts for all times', (name, chosen) => {
  const messages = readTraceMessages(readFileSync(`test/golden/tptp/${name}.trcbin`));
  // A tick is 500 ns, so that nothing is rounded.
  const trace = writeTrace(messages, { frequency: 2_000_000n });
  const { notes, ...expected } = readInput(trace, chosen).decoder.facts();
  const drawn = draw(trace, chosen);
  const samples = samplesOf(trace, chosen);
  expect(samples.length > 0).toBe(expected.hasSampleTimes);
  expect(notes.join()).not.toContain('clock frequency');
  let late = 0;
  for (const at of messageStarts(trace)) {
    const turned = withLateFrequency(trace, at);
    const { notes: said, ...found } = readInput(turned, chosen).decoder.facts();
    expect(found).toEqual(expected);
    expect(samplesOf(turned, chosen)).toEqual(samples);
    expect(draw(turned, chosen)).toBe(drawn);
    if (said.some((note) => note.includes('clock frequency'))) late++;
  }
  expect(late).toBeGreaterThan(5);
});

test('calls of a JVM that was killed are at the time when they began, also while the trace grows', () => {
  const enter = (method: bigint, time: bigint): TraceMessage =>
    traceMessage('methodEntry', { 'Thread ID': 1n, 'Method ID': method, Timestamp: time });
  const aggregator = new ProfileAggregator({ samples: true });
  const decoder = TPTP_BINARY.createDecoder(aggregator, {});
  const shown = (): unknown[] => [samplesAsText(aggregator.profile), decoder.facts().hasSampleTimes];
  const trace = writeTrace([enter(7n, 1_000n), enter(8n, 1_300n), enter(9n, 1_900n)]);
  const second = messageStarts(trace)[1];
  decoder.append(trace.subarray(0, second));
  decoder.emitOpen(true);
  expect(shown()).toEqual([['1000 0 0'], true]);
  decoder.append(trace.subarray(second));
  expect(shown()).toEqual([[], false]);
  decoder.emitOpen(true);
  decoder.emitOpen(true);
  expect(shown()).toEqual([['1900 1 0', '1300 2 600', '1000 0 300'], true]);
});

/** Two calls of 100 and 4 ticks. */
const TWO_CALLS = [1_000n, 1_100n, 1_200n, 1_204n].map((time, at) =>
  traceMessage(at % 2 === 0 ? 'methodEntry' : 'methodExit', {
    'Thread ID': 1n,
    'Method ID': 7n,
    Timestamp: time,
  }),
);

/** A trace of these messages, in ticks, at whose end is the frequency. */
function endingWithFrequency(messages: readonly TraceMessage[], frequency: bigint): Uint8Array {
  const trace = writeTrace(messages);
  new DataView(trace.buffer, trace.byteOffset).setBigInt64(FREQUENCY.from + 6, frequency, true);
  return withLateFrequency(trace, trace.length);
}

test('times that a late frequency rounds still add up to the time of their call node', () => {
  const late = endingWithFrequency(TWO_CALLS, 3_000_000_000n);
  // Together 104 ticks, 34.67 ns; by themselves they would be 33 and 1.
  expect(samplesOf(late)).toEqual(['333 0 33', '400 0 2']);
  expect(draw(late)).toBe('?\n  ? 2 35');
});

test('times that are too large for a late frequency are not shown', () => {
  const factsOf = (messages: readonly TraceMessage[]): FormatFacts =>
    decodeInput(TPTP_BINARY, endingWithFrequency(messages, 1n), {}, undefined, true).decoder.facts();
  const usual = factsOf(TWO_CALLS);
  expect(usual.hasSampleTimes).toBe(true);
  expect(usual.notes.join()).not.toContain('when each call began');
  const lastExit = { 'Thread ID': 1n, 'Method ID': 7n, Timestamp: 1n << 50n };
  const huge = factsOf([...TWO_CALLS.slice(0, 3), traceMessage('methodExit', lastExit)]);
  expect(huge.hasSampleTimes).toBe(false);
  expect(huge.notes.join()).toContain('when each call began is not shown');
});

test('seconds with a fraction have no frequency', () => {
  const start = 1_185_890_426_000_000_000n;
  const messages = [0n, 250_000_000n].map((after) =>
    traceMessage(after === 0n ? 'methodEntry' : 'methodExit', {
      'Thread ID': 1n,
      'Method ID': 7n,
      Timestamp: start + after,
    }),
  );
  const trace = writeTrace(messages, { doubleTimes: true, frequency: 2_000_000n });
  const { firstTime, lastTime, notes } = facts(withLateFrequency(trace, trace.length));
  expect([firstTime, lastTime]).toEqual([start, start + 250_000_000n]);
  expect(notes.join()).not.toContain('clock frequency');
});

test('a trace whose frequency changes all the time is read in time', () => {
  const enter = (method: bigint): TraceMessage =>
    traceMessage('methodEntry', { 'Thread ID': 1n, 'Method ID': method, Timestamp: 1_000n + method });
  const trace = writeTrace(Array.from({ length: 20_000 }, (_, method) => enter(BigInt(method))));
  const change = (frequency: bigint): Uint8Array => {
    const bytes = trace.slice(FREQUENCY.from, FREQUENCY.to);
    new DataView(bytes.buffer).setBigInt64(6, frequency, true);
    return bytes;
  };
  const changes = Array.from({ length: 20_000 }, (_, at) => change(BigInt(1_000_000 + at)));
  const { notes, lastTime, firstTime } = facts(Buffer.concat([trace, ...changes]));
  expect(notes.join()).toContain('clock frequency');
  // The 16th change is the last one that counts: each converts all times.
  expect(lastTime! - firstTime!).toBe(BigInt(Math.round((19_999 * 1e9) / 1_000_015)));
});

test.each([
  ['an external entity', '<!DOCTYPE TRACE [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'],
  ['an external document type', '<!DOCTYPE TRACE SYSTEM "http://127.0.0.1:1/trace.dtd">', '&x;'],
  [
    'entities of entities',
    `<!DOCTYPE TRACE [<!ENTITY l0 "lol">${Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')}]>`,
    '&l9;',
  ],
])('%s is not resolved', (_, declaration, reference) => {
  const call = `<methodEntry threadIdRef="1" methodIdRef="7" time="1.0"/><methodExit threadIdRef="1" methodIdRef="7" time="2.0"/>`;
  const trace = `<?xml version="1.0"?>${declaration}<TRACE><threadStart threadId="1" threadName="${reference}"/>${call}</TRACE>`;
  expect(draw(trace)).toBe(`${reference}\n  ? 1 1000000000`);
});

test('elements that are nested a million times are read like any others', () => {
  const call = `<methodEntry threadIdRef="1" methodIdRef="7" time="1.0"/><methodExit threadIdRef="1" methodIdRef="7" time="2.0"/>`;
  const depth = 1_000_000;
  const trace = `<TRACE>${'<a>'.repeat(depth)}${call}${'</a>'.repeat(depth)}</TRACE>`;
  expect(draw(trace)).toBe('?\n  ? 1 1000000000');
});

test('damage is told where it is, and what came before is kept', () => {
  const good = writeTrace([traceMessage('methodEntry', { 'Thread ID': 1n, 'Method ID': 7n, Timestamp: 5n })]);
  const withTail = (tail: readonly number[]): ReturnType<typeof readInput> =>
    readInput(Uint8Array.from([...good, ...tail]));
  const small = withTail([0xf7, 0x03, 5, 0, 0, 0, 1, 2, 3]);
  expect(small.decoder.damage).toEqual({
    what: 'message size',
    byteOffset: good.length,
    record: 3,
    found: '5',
    expected: '6 or more',
  });
  expect(small.decoder.bytes).toEqual({ accepted: good.length, skipped: 9, pending: 0 });
  expect(small.aggregator.sampleCount).toBe(1);
  expect(withTail([0xff, 0xff, 9, 0, 0, 0]).decoder.damage?.what).toBe('message id');
});

test('an element without an end is no trace any more', () => {
  const start = new TextEncoder().encode(NAMES);
  const endless = new Uint8Array(start.length + (3 << 20)).fill(0x61);
  endless.set(start);
  endless[start.length] = 0x3c;
  const { decoder } = readInput(endless);
  expect(decoder.damage?.byteOffset).toBe(start.length);
  expect(decoder.bytes).toEqual({ accepted: start.length, skipped: 3 << 20, pending: 0 });
});

test('texts have their characters, in the encoding that is named', () => {
  const latin = Uint8Array.from(
    `<?xml version="1.0" encoding="ISO-8859-1"?><TRACE><threadStart threadId="1" threadName='a &lt;\xe9&#62; "b"'/><methodEntry threadIdRef="1" methodIdRef="7" time="1"/>`,
    (char) => char.charCodeAt(0),
  );
  expect(draw(latin)).toBe('a <é> "b"\n  ? 1 0');
});

test.each([
  ['<TRACE>', 'tptp-xml'],
  ['<?xml version="1.0"?>\n<!DOCTYPE TRACE SYSTEM "trace.dtd">\n<!-- x -->\n<TRACE version="1">', 'tptp-xml'],
  ['<node nodeId="x"/>', 'tptp-xml'],
  ['<option key="TICKET" value="true"/>', 'tptp-xml'],
  ['<option value2="a">', 'none'],
  ['<svg xmlns="http://www.w3.org/2000/svg">', 'none'],
  ['<html><node nodeId="x"/></html>', 'none'],
  ['<TRACER>', 'none'],
  ['\0TBF\x01\0\x01\x01\x0c\0\0\0', 'tptp'],
  ['0TBF\x01\0\x01\x01\x0c\0\0\0', 'tptp'],
  ['0TBG\x01\0\x01\x01\x0c\0\0\0', 'none'],
])('%j is %s', (text, format) => {
  const head = Uint8Array.from(text, (char) => char.charCodeAt(0));
  expect(detectFormat(head, true)?.format ?? 'none').toBe(format);
  // A single NUL is also the beginning of a log whose zeros are not written yet.
  for (let length = text.startsWith('\0') ? 2 : 1; length < head.length && format !== 'none'; length++)
    expect([undefined, format]).toContain(detectFormat(head.subarray(0, length), false)?.format);
});

test.each([
  [20, undefined],
  [21, '1 other'],
  [23, '3 others'],
])('of %d classes with objects, the largest are shown: the rest is %j', (classes, rest) => {
  const allocations = Array.from(
    { length: classes },
    (_, at) => `<objAlloc classIdRef="${at + 1}" size="8"/>`,
  );
  const table = facts(NAMES + allocations.join('\n')).tables.find(({ title }) => title === 'Events');
  expect(table?.rows[20]?.[1]).toBe(rest);
});

/** A trace whose message at this place has other bytes in its body; `edit` gets the body. */
function withBody(
  messages: readonly TraceMessage[],
  at: number,
  edit: (body: Uint8Array) => Uint8Array,
): Uint8Array {
  const before = writeTrace(messages.slice(0, at));
  const all = writeTrace(messages);
  const view = new DataView(all.buffer, all.byteOffset);
  const end = before.length + view.getUint32(before.length + 2, true);
  const body = edit(all.subarray(before.length + 6, end));
  const head = all.slice(before.length, before.length + 6);
  new DataView(head.buffer).setUint32(2, 6 + body.length, true);
  return Buffer.concat([before, head, body, all.subarray(end)]);
}

const DEFINED = [
  traceMessage('classDef', { 'Class ID': 3n, Name: 'Shop' }),
  traceMessage('methodDef', { 'Method ID': 7n, 'Class ID': 3n, Name: 'run', 'Start line': 12n }),
  traceMessage('methodEntry', { 'Thread ID': 1n, 'Method ID': 7n, Timestamp: 1_000n, Ticket: 1n }),
  traceMessage('methodExit', { 'Thread ID': 1n, 'Method ID': 7n, Timestamp: 1_100n, Ticket: 1n }),
];

test('a definition that ends before its id is said and defines nothing', () => {
  const input = withBody(DEFINED, 1, (body) => body.subarray(0, 12));
  expect(draw(input)).toBe(['?', '  ? 1 100'].join('\n'));
  expect(facts(input).skips).toEqual([
    '1 message read in part, because no layout of the format fits: 1 methodDef.',
  ]);
});

test('bytes after the last attribute are said, unless a later version may have put them there', () => {
  const input = withBody(DEFINED, 1, (body) => Buffer.concat([body, Uint8Array.of(1, 2, 3)]));
  expect(draw(input)).toBe(['?', '  Shop.run 1 100'].join('\n'));
  expect(facts(input).skips).toEqual([
    '1 message read in part, because no layout of the format fits: 1 methodDef.',
  ]);
  const later = Uint8Array.from(input);
  later[5] = 1;
  expect(facts(later).skips).toEqual([]);
  expect(facts(later).notes).toEqual(['1 message with further attributes, which are not read.']);
});

test('only threadStart may be as in the example of the document', () => {
  const start = traceMessage('threadStart', {
    'Thread ID': 1n,
    'Thread name': 'main',
    'Group name': 'workers',
    'Object ID': 5n,
    Timestamp: 1_000n,
  });
  const [example, table] = [writeTrace([start], { asExample: true }), writeTrace(DEFINED)];
  const header = writeTrace([]).length;
  const input = Buffer.concat([table.subarray(0, header), example.subarray(header), table.subarray(header)]);
  expect(draw(input)).toBe(['main', '  Shop.run 1 100'].join('\n'));
  expect(facts(input).skips).toEqual([]);
});
