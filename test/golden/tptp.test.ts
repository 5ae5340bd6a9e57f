import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FactTable } from '../../shared/facts/format-facts.ts';
import { checkProfile } from '../support/check-profile.ts';
import { type CallEvent, referenceCalls } from '../support/reference-calls.ts';
import { readInput, type ReadInput } from '../support/read-input.ts';
import { type TraceMessage, readTraceMessages, readTraceTables, writeTrace } from '../support/trace-messages.ts';

interface ExpectedCall {
  readonly method: string;
  readonly calls: number;
  readonly totalNs: number;
  readonly selfNs: number;
  readonly totalCpuNs: number;
  readonly selfCpuNs: number;
  readonly minSelfNs: number;
  readonly maxSelfNs: number;
  readonly children: readonly ExpectedCall[];
}
interface Expected {
  readonly threads: readonly { readonly threadId: number; readonly name: string; readonly roots: readonly ExpectedCall[] }[];
  readonly methods: readonly { readonly method: string; readonly calls: number; readonly selfNs: number; readonly totalNs: number }[];
  readonly invocations: number;
}

/** ns, when the traces begin. */
const START = 1_185_890_426_000_000_000n;
const golden = (name: string): Uint8Array => new Uint8Array(readFileSync(`test/golden/tptp/${name}`));
const expected = JSON.parse(readFileSync('test/golden/tptp/demo.expected.json', 'utf8')) as Expected;

/** Every call node of the expected tree as `Call nodes` lists it. */
function expectedNodes(): Map<string, readonly number[]> {
  const nodes = new Map<string, readonly number[]>();
  const visit = (call: ExpectedCall, callers: readonly string[]): void => {
    const path = [call.method, ...callers];
    const { calls, selfNs, totalNs, selfCpuNs, totalCpuNs, minSelfNs, maxSelfNs } = call;
    nodes.set(path.join(' ← '), [calls, selfNs, totalNs, selfCpuNs, totalCpuNs, minSelfNs, maxSelfNs]);
    for (const child of call.children) visit(child, path);
  };
  for (const { roots } of expected.threads) for (const root of roots) visit(root, []);
  return nodes;
}

function table({ decoder }: ReadInput, title: string): FactTable {
  const found = decoder.facts().tables.find((each) => each.title === title);
  if (found === undefined) throw new Error(`no table ${title}`);
  return found;
}

/** First cell of a row -> the others. */
function rowsOf(read: ReadInput, title: string): Map<string, readonly (number | undefined)[]> {
  return new Map(
    table(read, title).rows.map(([key, ...figures]) => [String(key), figures as (number | undefined)[]]),
  );
}

/** The tree of the profile itself: thread > method: calls, self. */
function profileNodes({ profile }: ReadInput): Map<string, readonly [number, number]> {
  const { nodes, frames, methods, selfValues, threads } = profile;
  const nodePaths: string[] = [];
  const values = new Map<string, readonly [number, number]>();
  for (let node = 0; node < nodes.length; node++) {
    if (nodes.isRoot(node)) {
      nodePaths.push(threads.name[~nodes.frame[node]] ?? '');
      continue;
    }
    const names = methods.names[frames.method[nodes.frame[node]]];
    nodePaths.push(`${nodePaths[nodes.parent[node]]} > ${names?.className}.${names?.methodName}`);
    const self = selfValues.find(node);
    values.set(nodePaths[node], self < 0 ? [0, 0] : [selfValues.count[self], selfValues.time.ns[self]]);
  }
  return values;
}

function expectedProfile(value: 'selfNs' | 'selfCpuNs'): Map<string, readonly [number, number]> {
  const values = new Map<string, readonly [number, number]>();
  const visit = (call: ExpectedCall, above: string): void => {
    const path = `${above} > ${call.method}`;
    values.set(path, [call.calls, call[value]]);
    for (const child of call.children) visit(child, path);
  };
  for (const { name, roots } of expected.threads) for (const root of roots) visit(root, name);
  return values;
}

function near(found: ReadonlyMap<string, readonly (number | undefined)[]>, wanted: typeof found, tolerance: number): void {
  expect([...found.keys()].sort()).toEqual([...wanted.keys()].sort());
  for (const [key, figures] of wanted)
    figures.forEach((figure, at) => {
      const difference = Math.abs((found.get(key)?.[at] ?? NaN) - (figure ?? NaN));
      expect(difference, `${key}, figure ${at}`).toBeLessThanOrEqual(tolerance);
    });
}

const messages = readTraceMessages(golden('demo-full-le.trcbin'));
/** Every combination of the widths about which the format's document contradicts itself. */
const WIDTHS = ([undefined, 4] as const).flatMap((id) =>
  ([undefined, 4] as const).flatMap((long) =>
    ([undefined, 'double'] as const).flatMap((time) =>
      ([undefined, 'int'] as const).map((collation) => ({
        ...(id === undefined ? {} : { id }),
        ...(long === undefined ? {} : { long }),
        ...(time === undefined ? {} : { time }),
        ...(collation === undefined ? {} : { collation }),
      })),
    ),
  ),
);
const variants: readonly (readonly [name: string, bytes: Uint8Array, tolerance: number])[] = [
  ...[
    'demo-full-le.trcbin',
    'demo-full-be.trcbin',
    'demo-full-no-system-messages.trcbin',
    'demo-full-nul-magic.trcbin',
    'demo-full-future.trcbin',
    'demo-full.trcxml',
    'demo-fragments.trcxml',
  ].map((name) => [name, golden(name), 0] as const),
  ['written anew', writeTrace(messages), 0],
  ['sizes without their frame', writeTrace(messages, { sizeCountsFrame: false }), 0],
  ['big-endian sizes without their frame', writeTrace(messages, { sizeCountsFrame: false, littleEndian: false }), 0],
  // Each time is rounded to a tick: an interval is off by one at most, a sum by as many as it has intervals.
  ['ticks of 2400 MHz', writeTrace(messages, { frequency: 2_400_000_000n }), 25],
  ['types of the example', writeTrace(messages, { asExample: true }), 30_000],
  ['Doubles in the order of the tables', writeTrace(messages, { doubleTimes: true }), 30_000],
  ['ids of 4 bytes', writeTrace(messages, { narrowIds: true }), 0],
  ...WIDTHS.map(
    (widths) =>
      [`widths ${JSON.stringify(widths)}`, writeTrace(messages, { widths }), widths.time === undefined ? 0 : 30_000] as const,
  ),
  [
    'narrow widths, sizes without their frame',
    writeTrace(messages, { widths: { id: 4, long: 4 }, sizeCountsFrame: false, littleEndian: false }),
    0,
  ],
  ['a lead-in before the data', writeTrace(messages, { leadIn: Uint8Array.of(9, 9, 9, 9, 9, 9, 9) }), 0],
  ['an offset into the messages', writeTrace(messages, { dataOffset: 12 + 11 + 14 }), 0],
  ['an offset beyond the end', writeTrace(messages, { dataOffset: 0x7fff_ffff }), 0],
  ['no offset', writeTrace(messages, { dataOffset: 0 }), 0],
];

describe.each(variants)('%s', (_, bytes, tolerance) => {
  test('every call node and method has the figures that the calls were made with', () => {
    const read = readInput(bytes);
    expect(checkProfile(read.profile)).toEqual([]);
    expect([read.decoder.damage, read.decoder.facts().skips]).toEqual([undefined, []]);
    expect(read.aggregator.sampleCount).toBe(expected.invocations);
    near(rowsOf(read, 'Call nodes'), expectedNodes(), tolerance);
    const methods = new Map(
      [...rowsOf(read, 'Methods')].map(([key, figures]) => [key, figures.slice(0, 3)] as const),
    );
    const wanted = expected.methods.map(
      ({ method, calls, selfNs, totalNs }) => [method, [calls, selfNs, totalNs]] as const,
    );
    near(methods, new Map(wanted), tolerance);
  });

  test('the profile has them, too, and processor times when these are chosen', () => {
    near(profileNodes(readInput(bytes)), expectedProfile('selfNs'), tolerance);
    near(profileNodes(readInput(bytes, { value: 'cpu' })), expectedProfile('selfCpuNs'), tolerance);
  });
});

describe.each(['demo-aggregated-le.trcbin', 'demo-aggregated.trcxml'])('%s', (name) => {
  test('aggregated events give the same tree', () => {
    const read = readInput(golden(name));
    near(rowsOf(read, 'Call nodes'), expectedNodes(), 0);
    near(profileNodes(read), expectedProfile('selfNs'), 0);
    expect(read.decoder.facts().notes).toEqual([
      'The trace does not say whether the shortest and longest call include callees.',
    ]);
  });
});

describe('nine exits are missing, and one names a call that is not open', () => {
  const exits = messages.filter(({ id }) => id === 1016);
  const dropped = exits.filter((_, at) => at % 11 === 3);
  const stray: TraceMessage = { ...exits[20], values: { ...exits[20].values, Ticket: 9_999n } };
  const left = messages.flatMap((each) =>
    dropped.includes(each) ? [] : each === exits[20] ? [each, stray] : [each],
  );
  const events = left.flatMap(({ id, values }): CallEvent[] => {
    const number = (attribute: string): number => Number(values[attribute]);
    const common = { thread: number('Thread ID'), time: Number((values.Timestamp as bigint | undefined ?? 0n) - START) };
    if (id === 1010) return [{ kind: 'end', ...common }];
    if (id === 1016)
      return [{ kind: 'exit', ...common, ticket: number('Ticket'), cpu: number('Thread CPU time') }];
    if (id !== 1015) return [];
    const [ticket, method, depth] = ['Ticket', 'Method ID', 'Stack depth'].map(number);
    return [{ kind: 'entry', ...common, ticket, method, depth }];
  });
  const xml = new TextDecoder().decode(golden('demo-full.trcxml')).split('\n');
  const exitLines = xml.filter((line) => line.startsWith('<methodExit'));
  const lines = xml.flatMap((line) =>
    dropped.some((each) => exits.indexOf(each) === exitLines.indexOf(line))
      ? []
      : line === exitLines[20]
        ? [line, line.replace(/ticket="\d+"/, 'ticket="9999"')]
        : [line],
  );

  test.each([
    ['binary', writeTrace(left)],
    ['XML', new TextEncoder().encode(lines.join('\n'))],
  ])('%s', (_, bytes) => {
    expect(dropped).toHaveLength(9);
    const read = readInput(bytes);
    const found = [...rowsOf(read, 'Call nodes').values()].map((figures) => figures.slice(0, 5).join());
    expect(found.sort()).toEqual([...referenceCalls(events).values()].map((figures) => figures.join()).sort());
    const { notes } = read.decoder.facts();
    expect(notes.filter((note) => note.includes('1 exit of calls that were not open'))).toHaveLength(1);
    expect(notes.filter((note) => note.includes('without an exit'))).toHaveLength(1);
  });
});

test('what is unknown or more than the tables know is told', () => {
  const { decoder } = readInput(golden('demo-full-future.trcbin'));
  const { notes } = decoder.facts();
  expect(notes).toHaveLength(2);
  expect(notes[1]).toMatch(/^\d+ messages with further attributes, which are not read\.$/);
  expect(decoder.facts().skips).toEqual([]);
  expect(notes[0]).toMatch(/^\d+ messages of unknown types ignored: 7, 1500/);
});

test('a file that is cut keeps the 146 messages before', () => {
  const bytes = golden('demo-truncated.trcbin');
  const read = readInput(bytes);
  expect(read.decoder.records).toBe(146);
  expect(read.decoder.damage).toBeUndefined();
  const { accepted, pending } = read.decoder.bytes;
  expect(accepted + pending).toBe(bytes.length);
  expect(read.decoder.facts().notes.at(-1)).toMatch(/unfinished/);
  expect(read.decoder.facts().notes[0]).toBe(
    `The last message is incomplete: the file ends after ${pending} bytes of it.`,
  );
});

test('an XML file that is cut anywhere in its last element keeps what is before', () => {
  const whole = golden('demo-full.trcxml');
  const text = new TextDecoder('latin1').decode(whole);
  const last = text.lastIndexOf('<methodExit');
  for (let end = last + 1; end < text.indexOf('>', last); end++) {
    const read = readInput(whole.subarray(0, end));
    expect(read.decoder.bytes).toEqual({ accepted: last, skipped: 0, pending: end - last });
    expect(read.aggregator.sampleCount).toBe(97);
  }
});

test('monitors, collections, allocations, heap dumps and custom events are counted', () => {
  const bytes = golden('demo-thread-gc-heap.trcbin');
  const all = readTraceMessages(bytes);
  const value = (id: number, attribute: string): number =>
    Number(all.find((message) => message.id === id)?.values[attribute] ?? NaN);
  const between = (from: number, to: number): number => {
    const time = (id: number): bigint => all.find((message) => message.id === id)?.values.Timestamp as bigint;
    return Number(time(to) - time(from));
  };
  const post = 'demo.shop.Ledger$Entry.post';
  expect(table(readInput(bytes), 'Events').rows).toEqual([
    ['waiting for a monitor', post, 1, between(1034, 1035), undefined],
    ['waiting on a monitor', post, 1, between(1032, 1033), undefined],
    ['allocation', 'class 1', 1, undefined, value(1014, 'Size')],
    ['object freed', '', 1, undefined, undefined],
    ['garbage collection', '', 1, between(1023, 1027), value(1027, 'Used object space')],
    ['heap dump', 'dump-1', 1, undefined, undefined],
    ['GC root', 'JNI global', 1, undefined, undefined],
    ['object reference', '', 1, undefined, undefined],
    ['custom event', '', 1, undefined, '<probe value="1"/>'.length],
  ]);
});

test('all thirty messages are known, and counted by kind', () => {
  const ids = readTraceTables().map(({ id }) => id);
  const read = readInput(writeTrace(ids.map((id) => ({ id, values: {} }))));
  expect(table(read, 'Messages').rows).toEqual(readTraceTables().map(({ id, event }) => [event, String(id), 1]));
  expect(read.decoder.facts().notes.filter((note) => note.includes('unknown kinds'))).toEqual([]);
});
