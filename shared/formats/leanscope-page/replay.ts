import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import { MADE_ID_HI } from '../../profile/method-table.ts';
import type { SampleTable } from '../../profile/sample-table.ts';
import { deltaFits } from '../../delta/apply-delta.ts';
import type { DeltaCursor, ProfileDelta, SampleDelta } from '../../delta/profile-delta.ts';

/** Gives a sink all that a profile has: threads, call nodes, and samples, with their times where these are known. */
export function replay(profile: LeanProfile, sink: SampleSink): void {
  const nodeOf = replayNodes(profile, sink);
  const { samples, selfValues } = profile;
  const counted = samples === undefined ? undefined : replaySamples(profile, samples, nodeOf, sink);
  if (counted !== undefined) sink.takenAt(undefined, 0);
  for (let row = 0; row < selfValues.length && !sink.isFull; row++) {
    const count = selfValues.count[row] - (counted?.count[row] ?? 0);
    const value = selfValues.time.exact(row) - (counted?.value[row] ?? 0n);
    if (count !== 0 || value !== 0n) sink.samplesAt(nodeOf[selfValues.node[row]], count, shortest(value));
  }
}

/** Node of the profile -> node of the sink. */
function replayNodes({ threads, methods, frames, nodes }: LeanProfile, sink: SampleSink): Int32Array {
  const threadIds = uniqueIds(threads);
  const methodIds = uniqueIds(methods);
  for (let row = 0; row < threads.length && !sink.isFull; row++) {
    const thread = sink.thread(threadIds.hi[row], threadIds.lo[row]);
    const name = threads.name[row];
    if (name !== undefined) sink.nameThread(thread, name);
  }
  for (let row = 0; row < methods.length && !sink.isFull; row++) {
    const method = sink.method(methodIds.hi[row], methodIds.lo[row]);
    const names = methods.names[row];
    if (names !== undefined) sink.defineMethod(method, names);
  }
  const nodeOf = new Int32Array(nodes.length).fill(NONE);
  const depth = new Int32Array(nodes.length);
  for (let node = 0; node < nodes.length && !sink.isFull; node++) {
    const parent = nodes.parent[node];
    const frame = nodes.frame[node];
    if (parent === NONE) {
      nodeOf[node] = sink.root(sink.thread(threadIds.hi[~frame], threadIds.lo[~frame]));
      continue;
    }
    depth[node] = depth[parent] + 1;
    const method = frames.method[frame];
    nodeOf[node] = sink.callee(
      nodeOf[parent],
      depth[node],
      methodIds.hi[method],
      methodIds.lo[method],
      frames.line[frame],
      frames.bci[frame],
    );
  }
  return nodeOf;
}

interface CountedSamples {
  readonly count: Float64Array;
  readonly value: readonly bigint[];
}

/** Returns what the samples have added to each row of the SelfTable. */
function replaySamples(
  { selfValues }: LeanProfile,
  samples: SampleTable,
  nodeOf: Int32Array,
  sink: SampleSink,
): CountedSamples {
  const count = new Float64Array(selfValues.length);
  const value = new Array<bigint>(selfValues.length).fill(0n);
  const { length, self, valueSelf = self, at } = samples;
  for (let row = 0; row < length && !sink.isFull; row++) {
    const exact = samples.value.exact(row);
    const node = nodeOf[selfValues.node[self[row]]];
    sink.takenAt(samples.origin ?? 0n, at.bigints?.get(row) ?? at.ns[row]);
    sink.sampleAt(node, shortest(exact), nodeOf[selfValues.node[valueSelf[row]]]);
    count[self[row]]++;
    value[valueSelf[row]] += exact;
  }
  return { count, value };
}

/** Merged logs may have the same ids for different threads and methods: those after the first get another one. */
function uniqueIds({ length, idHi, idLo }: LeanProfile['threads'] | LeanProfile['methods']): {
  readonly hi: Int32Array;
  readonly lo: Int32Array;
} {
  const hi = idHi.slice(0, length);
  const lo = idLo.slice(0, length);
  const known = new Set<string>();
  for (let row = 0; row < length; row++) {
    if (known.has(`${hi[row]}:${lo[row]}`)) {
      hi[row] = MADE_ID_HI + 1;
      lo[row] = row;
    }
    known.add(`${hi[row]}:${lo[row]}`);
  }
  return { hi, lo };
}

function shortest(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Checks a delta that somebody may have made by hand, before it is applied: rows that it refers to exist, callers come
 * before what they call, and numbers are such. Throws RangeError with the column, the row and the value.
 */
export function checkDelta(delta: ProfileDelta, at: DeltaCursor): void {
  const { base, to } = delta;
  if (!deltaFits(delta, 0, at)) throw new RangeError('a delta does not begin where the one before it ended');
  inRange('frames.method', delta.frames.method, 0, to.methods);
  inRange('nodes.frame', delta.nodes.frame, 0, Math.max(to.frames, 1));
  checkParents(delta);
  inRange('selfValues.node', delta.selfValues.node, 0, to.nodes);
  numbers('selfValues.count', delta.selfValues.count, isCount);
  numbers('selfValues.ns', delta.selfValues.ns, Number.isInteger);
  if (delta.changed.row.length > 0) throw new RangeError('changed rows, although nothing was there');
  texts('threadNames', delta.threadNames, to.threads);
  texts('threadGroups', delta.threadGroups, to.threads);
  for (const [row, { file, className, methodName }] of delta.methodNames)
    texts(
      'methodNames',
      [file, className, methodName].map((text) => [row, text] as const),
      to.methods,
    );
  decimals('bigintTimes', delta.bigintTimes, to.selfValues);
  if (delta.samples !== undefined) checkSamples(delta.samples, to.selfValues, to.samples - base.samples);
}

/** Each node that is not in `reparented` is called by the one before it. */
function checkParents({ base, to, reparented: { node, parent }, nodes }: ProfileDelta): void {
  if (to.nodes > 0 && base.nodes === 0 && (node.at(0) !== 0 || parent[0] >= 0))
    throw new RangeError('nodes[0] is no root of a thread');
  inRange('reparented.node', node, base.nodes, to.nodes);
  for (let at = 0; at < node.length; at++) {
    if (at > 0 && node[at] <= node[at - 1]) throw outOf('reparented.node', at, node[at]);
    if (parent[at] >= node[at] || ~parent[at] >= to.threads) throw outOf('reparented.parent', at, parent[at]);
    if (parent[at] >= 0 && to.frames === 0) throw outOf('nodes.frame', at, nodes.frame[at]);
  }
}

/** `final`: rows that never change; the last sample of a log that grows is none of them. */
function checkSamples(samples: SampleDelta, selfRows: number, final: number): void {
  const { origin, at, self, valueSelf, value, bigintAts, bigintValues, provisional, contexts } = samples;
  if (origin !== undefined) decimals('samples.origin', [[0, origin]], 1);
  // A page has samples in scope, and nothing else of its log.
  if (contexts !== undefined) throw outOf('samples.contexts', 0, contexts.thread.length);
  const { length } = self;
  if (length !== final + provisional || !(provisional >= 0)) throw outOf('samples.length', 0, length);
  if (at.length !== length) throw outOf('samples.at', 0, at.length);
  if (value.length !== length && value.length !== 1) throw outOf('samples.value', 0, value.length);
  inRange('samples.self', self, 0, selfRows);
  if (valueSelf !== undefined) inRange('samples.valueSelf', valueSelf, 0, selfRows);
  numbers('samples.at', at, Number.isInteger);
  numbers('samples.value', value, Number.isInteger);
  decimals('samples.bigintAts', bigintAts, length);
  decimals('samples.bigintValues', bigintValues, length);
}

type Column = Int32Array | Uint32Array | Uint16Array | Float64Array;
type Texts = readonly (readonly [row: number, text: unknown])[];

function inRange(name: string, column: Column, least: number, end: number): void {
  for (let row = 0; row < column.length; row++)
    if (!(column[row] >= least && column[row] < end)) throw outOf(name, row, column[row]);
}

function numbers(name: string, column: Column, isValid: (value: number) => boolean): void {
  for (let row = 0; row < column.length; row++)
    if (!isValid(column[row])) throw outOf(name, row, column[row]);
}

function isCount(value: number): boolean {
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

function texts(name: string, list: Texts, end: number, isValid = /^/): void {
  for (const [row, text] of list) {
    if (!Number.isInteger(row) || row < 0 || row >= end) throw outOf(name, row, 'its row');
    if (typeof text !== 'string' || !isValid.test(text)) throw outOf(name, row, text);
  }
}

function decimals(name: string, list: Texts, end: number): void {
  texts(name, list, end, /^-?\d{1,40}$/);
}

function outOf(name: string, row: number, value: unknown): RangeError {
  return new RangeError(`${name}[${row}] is ${String(value)}`);
}
