import type { ContextTable } from '../../profile/context-table.ts';
import { NONE } from '../../profile/columns.ts';
import { isExpression } from '../../scope/filters.ts';
import { keysMeant, OPERATION, parseCondition } from '../../scope/context-condition.ts';
import { sampleSpan, type SampleTable } from '../../profile/sample-table.ts';
import type { ContextScope, NsSpan } from '../../scope/scope.ts';
import { parseExpression } from '../../text/expression.ts';
import type { Contexts } from './contexts.ts';

/** Whether a file tells of contexts, or its calls are some. */
export function hasContexts(samples: SampleTable | undefined): samples is SampleTable {
  return samples !== undefined && (samples.contexts.length > 0 || (samples.areCalls && samples.length > 0));
}

/** Keys of the attributes of contexts, `operation` first, which is all that calls have; none without contexts. */
export function contextKeys(samples: SampleTable | undefined): readonly string[] {
  return hasContexts(samples) ? keysOf(samples.contexts) : [];
}

function keysOf({ keys, texts }: ContextTable): readonly string[] {
  return [OPERATION, ...Array.from(keys, (each) => texts[each]).filter((each) => each !== OPERATION)];
}

/** Context -> the text of an attribute, its own or that of a context around it; NONE where there is none. O(attributes). */
export function valuesOfKey({ table, order, parent }: Contexts, asked: string): Int32Array {
  const meant = keysMeant(keysOf(table), asked);
  if (meant.includes(OPERATION)) return table.name.slice(0, table.length);
  const values = new Int32Array(table.length).fill(NONE);
  if (meant.length === 0) return values;
  const isKey = new Uint8Array(table.texts.length);
  for (const key of meant) isKey[table.find(key)] = 1;
  for (const row of order) {
    if (parent[row] !== NONE) values[row] = values[parent[row]];
    for (let at = table.attributesFrom(row); at < table.attributesEnd[row]; at++)
      if (isKey[table.key[at]] === 1) values[row] = table.value[at];
  }
  return values;
}

/** Context of the samples -> 1 if it is in the scope. O(contexts), a sort for the slowest, O(samples) for when they began. */
export function contextsInScope(
  samples: SampleTable,
  contexts: Contexts,
  { where, took, began, slower }: ContextScope,
): Uint8Array<ArrayBuffer> {
  const { table } = contexts;
  const isIn = new Uint8Array(table.length).fill(1);
  for (const text of where) {
    const condition = parseCondition(text);
    const values = condition && valuesOfKey(contexts, condition.key);
    const isWanted = condition && textsWanted(table, condition.value);
    for (let row = 0; row < isIn.length; row++)
      if (values === undefined || values[row] === NONE || isWanted?.[values[row]] !== 1) isIn[row] = 0;
  }
  const { from, to } = table;
  if (took !== undefined) keepSpan(isIn, took, (row) => to[row] - from[row]);
  if (began !== undefined) {
    const first = firstOf(samples, table);
    keepSpan(isIn, began, (row) => from[row] - first);
  }
  if (slower !== undefined) keepSlowest(table, isIn, slower);
  return isIn;
}

/** ns from the origin of contexts to the earliest sample. O(samples). */
export function firstOf(samples: SampleTable, { origin = 0n }: ContextTable): number {
  return Number((sampleSpan(samples)?.first ?? origin) - origin);
}

function keepSpan(
  isIn: Uint8Array,
  { from = -Infinity, to = Infinity }: NsSpan,
  valueOf: (row: number) => number,
): void {
  for (let row = 0; row < isIn.length; row++) {
    const value = valueOf(row);
    if (value < from || value >= to) isIn[row] = 0;
  }
}

/** Text -> 1 if it is the value, or matches the expression. */
function textsWanted(table: ContextTable, value: string): Uint8Array {
  const { texts } = table;
  const isWanted = new Uint8Array(texts.length);
  if (isExpression(value)) {
    const matching = parseExpression(value.slice(1, -1), 'u').expression?.among(texts);
    for (const text of matching ?? []) isWanted[table.find(text)] = 1;
  } else if (table.find(value) >= 0) isWanted[table.find(value)] = 1;
  return isWanted;
}

/**
 * Keeps the slowest contexts of each operation, at least one, and all that last as long as one of them: with 99, one in a
 * hundred.
 */
function keepSlowest({ from, to, name }: ContextTable, isIn: Uint8Array, slower: number): void {
  const ofName = new Map<number, number[]>();
  for (let row = 0; row < isIn.length; row++) {
    if (isIn[row] === 0) continue;
    const durations = ofName.get(name[row]);
    if (durations === undefined) ofName.set(name[row], [to[row] - from[row]]);
    else durations.push(to[row] - from[row]);
  }
  const least = new Map<number, number>();
  for (const [of, durations] of ofName) {
    const sorted = Float64Array.from(durations).sort();
    const kept = Math.max(1, Math.round((sorted.length * (100 - slower)) / 100));
    least.set(of, sorted[Math.max(0, sorted.length - kept)]);
  }
  for (let row = 0; row < isIn.length; row++)
    if (to[row] - from[row] < (least.get(name[row]) ?? 0)) isIn[row] = 0;
}
