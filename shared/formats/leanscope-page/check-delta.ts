import { deltaFits } from '../../delta/apply-delta.ts';
import type { DeltaCursor, ProfileDelta, SampleDelta } from '../../delta/profile-delta.ts';

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
