import { chosenText } from '../facts/choice.ts';
import type { LogFacts } from '../facts/log-facts.ts';
import { NONE } from '../profile/columns.ts';
import { int64Text } from '../profile/int64.ts';
import { type LeanProfile, nodesWithValues } from '../profile/lean-profile.ts';
import { hasValues } from '../profile/self-table.ts';
import { countText } from '../text/format-value.ts';
import { printableJson } from '../text/printable.ts';
import type { SampleSum } from '../engine/values/self-values.ts';
import type { TimeBounds } from '../engine/values/time-range.ts';
import type { ExportInput } from './export-input.ts';
import { LineWriter, type TextSink } from './text-sink.ts';

export type JsonInput = Pick<ExportInput, 'profile' | 'title' | 'units' | 'facts' | 'outside' | 'range'>;

/** Incremented when a reader of the previous version would misread a file. */
const VERSION = 1;
/** Numbers of a column in one line. */
const NUMBERS_IN_LINE = 4096;

/**
 * The profile as JSON for other programs, described with its schema in docs/json.md: threads, methods, frames, call
 * nodes and self values, each row with the number of its place. Only call nodes with samples or time are written, and only the
 * threads, methods and frames that they need. Call nodes and self values are columns, because there may be millions:
 * objects would be four times as large. 64-bit numbers are strings of digits.
 *
 * The text is written in pieces. Besides the profile, it needs nine bytes a call node.
 */
export function writeJson({ profile, title, units, facts, outside, range }: JsonInput, sink: TextSink): void {
  const { threads, methods, frames, nodes, selfValues } = profile;
  const written = writtenRows(profile);
  const columns = 2 * written.nodes.length + 3 * written.selfRows.length;
  const objects = written.threads.length + written.methods.length + written.frames.length;
  const writer = new LineWriter(sink, objects + Math.ceil(columns / NUMBERS_IN_LINE) + 20);
  const { rowOfMethod, rowOfFrame, rowOfNode } = written;

  writer.line(`{"schema":"leanscope-profile","version":${VERSION},"name":${printableJson(title)},`);
  writer.line(`"units":${printableJson({ counted: units.counted, value: units.value ?? null })},`);
  writer.line(`"facts":${printableJson(facts === undefined ? null : factsOf(facts))},`);
  writer.line(`"scope":${outside === undefined ? 'null' : scopeText(profile, outside, range?.bounds)},`);
  writeRows(writer, 'threads', written.threads, (thread) => ({
    id: int64Text(threads.idHi[thread], threads.idLo[thread]),
    name: threads.name[thread] ?? null,
    root: rowOfNode[threads.root[thread]],
  }));
  writeRows(writer, 'methods', written.methods, (method) => {
    const names = methods.names[method];
    return {
      id: int64Text(methods.idHi[method], methods.idLo[method]),
      class: names?.className ?? null,
      method: names?.methodName ?? null,
      file: names?.file ?? null,
    };
  });
  writeRows(writer, 'frames', written.frames, (frame) => ({
    method: rowOfMethod[frames.method[frame]],
    line: frames.line[frame],
    bci: frames.bci[frame],
  }));
  writer.line(`"nodes":{"length":${written.nodes.length},`);
  writeColumn(writer, 'parent', written.nodes, (node) => {
    const up = nodes.parent[node];
    return String(up === NONE ? NONE : rowOfNode[up]);
  });
  writer.line(',');
  writeColumn(writer, 'frame', written.nodes, (node) =>
    String(nodes.frame[node] < 0 ? NONE : rowOfFrame[nodes.frame[node]]),
  );
  writer.line(`},"selfValues":{"length":${written.selfRows.length},`);
  writeColumn(writer, 'node', written.selfRows, (self) => String(rowOfNode[selfValues.node[self]]));
  writer.line(',');
  writeColumn(writer, 'samples', written.selfRows, (self) => countText(selfValues.count[self]));
  writer.line(',');
  if (units.value === undefined) writer.line('"value":null');
  else writeColumn(writer, 'value', written.selfRows, (self) => `"${selfValues.time.text(self)}"`);
  writer.line('}}');
  writer.flush();
}

/** The rows of each table that are written, in their order, and the numbers that they get. */
interface WrittenRows {
  readonly threads: readonly number[];
  readonly methods: Int32Array;
  readonly frames: Int32Array;
  readonly nodes: Int32Array;
  readonly selfRows: readonly number[];
  readonly rowOfMethod: Int32Array;
  readonly rowOfFrame: Int32Array;
  readonly rowOfNode: Int32Array;
}

function writtenRows(profile: LeanProfile): WrittenRows {
  const { threads, methods, frames, nodes, selfValues } = profile;
  const rowsWhere = (length: number, test: (row: number) => boolean): number[] =>
    Array.from({ length }, (_, row) => row).filter(test);
  const selfRows = rowsWhere(selfValues.length, (self) => hasValues(selfValues, self));
  const threadRows = rowsWhere(threads.length, (thread) => threads.root[thread] !== NONE);
  const isNode = nodesWithValues(
    profile,
    selfValues,
    threadRows.map((thread) => threads.root[thread]),
  );
  const isFrame = new Uint8Array(frames.length);
  for (let node = 0; node < nodes.length; node++)
    if (isNode[node] === 1 && nodes.parent[node] !== NONE) isFrame[nodes.frame[node]] = 1;
  const isMethod = new Uint8Array(methods.length);
  for (let frame = 0; frame < frames.length; frame++)
    if (isFrame[frame] === 1) isMethod[frames.method[frame]] = 1;
  const [methodRows, rowOfMethod] = numbered(isMethod);
  const [frameRows, rowOfFrame] = numbered(isFrame);
  const [nodeRows, rowOfNode] = numbered(isNode);
  return {
    threads: threadRows,
    methods: methodRows,
    frames: frameRows,
    nodes: nodeRows,
    selfRows,
    rowOfMethod,
    rowOfFrame,
    rowOfNode,
  };
}

/** The marked rows, and row -> its number among them. */
function numbered(isMarked: Uint8Array): readonly [rows: Int32Array, numberOf: Int32Array] {
  const rows = new Int32Array(isMarked.reduce((sum, mark) => sum + mark, 0));
  const numberOf = new Int32Array(isMarked.length).fill(NONE);
  for (let row = 0, next = 0; row < isMarked.length; row++) {
    if (isMarked[row] === 0) continue;
    rows[next] = row;
    numberOf[row] = next++;
  }
  return [rows, numberOf];
}

/** `"name":[…],`, one object in each line. */
function writeRows(
  writer: LineWriter,
  name: string,
  rows: ArrayLike<number>,
  objectOf: (row: number) => object,
): void {
  writer.line(`"${name}":[`);
  for (let at = 0; at < rows.length; at++)
    writer.line(`${printableJson(objectOf(rows[at]))}${at + 1 < rows.length ? ',' : ''}`);
  writer.line('],');
}

/** `"name":[…]`. */
function writeColumn(
  writer: LineWriter,
  name: string,
  rows: ArrayLike<number>,
  textOf: (row: number) => string,
): void {
  writer.line(`"${name}":[`);
  for (let from = 0; from < rows.length; from += NUMBERS_IN_LINE) {
    const to = Math.min(rows.length, from + NUMBERS_IN_LINE);
    const texts: string[] = [];
    for (let at = from; at < to; at++) texts.push(textOf(rows[at]));
    writer.line(`${texts.join()}${to < rows.length ? ',' : ''}`);
  }
  writer.line(']');
}

function scopeText({ selfValues }: LeanProfile, outside: SampleSum, range: TimeBounds | undefined): string {
  let samples = 0;
  for (let self = 0; self < selfValues.length; self++) samples += selfValues.count[self];
  const times = JSON.stringify(range === undefined ? null : rangeObject(range));
  return `{"samples":${countText(samples)},"outside":${countText(outside.samples)},"range":${times}}`;
}

function rangeObject({ from, to, except }: TimeBounds): object {
  return {
    from: from?.toString() ?? null,
    to: to?.toString() ?? null,
    ...(except && { except: rangeObject(except) }),
  };
}

/** Names as in `summary --json`. */
function factsOf(facts: LogFacts): object {
  const { acceptedBytes, skippedBytes, pendingBytes, spanNs, damage, choices } = facts;
  return {
    format: facts.format ?? null,
    bytes: acceptedBytes + skippedBytes + pendingBytes,
    acceptedBytes,
    skippedBytes,
    pendingBytes,
    samples: facts.samples,
    errorSamples: facts.errorSamples,
    spanSeconds: spanNs === undefined ? null : spanNs / 1e9,
    backwardSteps: facts.backwardSteps ?? null,
    deepestStack: facts.deepestStack,
    truncated: facts.truncated ?? null,
    gaps: facts.gaps ?? null,
    unnamedMethods: facts.unnamedMethods,
    damage: damage ?? null,
    choices: choices.map((choice) => ({ id: choice.id, name: choice.name, value: chosenText(choice) })),
    notes: [...facts.skips, ...facts.notes],
    notRecorded: facts.notRecorded,
    tables: facts.tables.filter(({ isPrivate }) => isPrivate !== true),
    series: facts.series.map(({ id, kind, name, log, first, at, values }) => ({
      id,
      kind,
      log: log ?? null,
      first,
      at,
      values,
      ...(name === undefined ? {} : { name }),
    })),
  };
}
