import type { ContextTable } from '../../profile/context-table.ts';
import { NONE } from '../../profile/columns.ts';
import { isExpression } from '../../scope/filters.ts';
import { keysMeant, OPERATION, parseCondition } from '../../scope/context-condition.ts';
import { sampleSpan, type SampleTable } from '../../profile/sample-table.ts';
import type { ContextScope, NsSpan } from '../../scope/scope.ts';
import { parseExpression } from '../../text/expression.ts';

/** Keys of the attributes of contexts, `operation` first; none without contexts. */
export function contextKeys(contexts: ContextTable | undefined): readonly string[] {
  if (contexts === undefined || contexts.length === 0) return [];
  const { keys, texts } = contexts;
  return [OPERATION, ...Array.from(keys, (each) => texts[each]).filter((each) => each !== OPERATION)];
}

/** Context -> the text of an attribute, its own or that of a context around it; NONE where there is none. O(attributes). */
export function valuesOfKey(table: ContextTable, { order, parent }: ContextOrder, asked: string): Int32Array {
  if (asked === OPERATION) return table.name.slice(0, table.length);
  const isKey = new Uint8Array(table.texts.length);
  for (const key of keysMeant(contextKeys(table), asked)) {
    if (key === OPERATION) return table.name.slice(0, table.length);
    isKey[table.find(key)] = 1;
  }
  const values = new Int32Array(table.length);
  for (const row of order) {
    let value = parent[row] === NONE ? NONE : values[parent[row]];
    for (let at = table.attributesFrom(row); at < table.attributesEnd[row]; at++)
      if (isKey[table.key[at]] === 1) value = table.value[at];
    values[row] = value;
  }
  return values;
}

/** Context of the samples -> 1 if it is in the scope. O(contexts), a sort for the slowest, O(samples) for when they began. */
export function contextsInScope(
  samples: SampleTable,
  order: ContextOrder,
  { where, took, began, slower }: ContextScope,
): Uint8Array<ArrayBuffer> {
  const { contexts: table } = samples;
  const isIn = new Uint8Array(table.length).fill(1);
  for (const text of where) {
    const condition = parseCondition(text);
    const values = condition && valuesOfKey(table, order, condition.key);
    const isWanted = condition && textsWanted(table, condition.value);
    for (let row = 0; row < isIn.length; row++)
      if (values === undefined || values[row] === NONE || isWanted?.[values[row]] !== 1) isIn[row] = 0;
  }
  const { from, to } = table;
  if (took !== undefined) keepSpan(isIn, took, (row) => to[row] - from[row]);
  if (began !== undefined) {
    const first = firstOf(samples);
    keepSpan(isIn, began, (row) => from[row] - first);
  }
  if (slower !== undefined) keepSlowest(table, isIn, slower);
  return isIn;
}

/** ns from the origin of contexts to the earliest sample. O(samples). */
export function firstOf(samples: SampleTable): number {
  const { origin = 0n } = samples.contexts;
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

/** Contexts that are open at once, among which the one around another is looked for. Programs nest a few dozen. */
const MOST_OPEN = 64;

/**
 * Contexts by thread and start, each after the one that it is inside. A context is inside another one of its thread that begins
 * no later and ends no earlier; of several, it is inside the one that began last.
 *
 *   row        0 [4, 6)   1 [0, 9)   2 [5, 12)      order   1 0 2
 *   parent     1          NONE       NONE           2 is not inside 1: it ends later
 */
export class ContextOrder {
  /** Place -> row. */
  order = new Int32Array(0);
  /** Row -> the row that it is inside; NONE. */
  parent = new Int32Array(0);

  /** Takes in what the table has gained: O(n log n), because a context comes after those inside it. */
  update({ length, thread, from, to }: ContextTable): void {
    if (length === this.order.length) return;
    this.order = Int32Array.from({ length }, (_, row) => row).sort(
      (a, b) => thread[a] - thread[b] || from[a] - from[b] || to[b] - to[a] || a - b,
    );
    this.parent = new Int32Array(length).fill(NONE);
    const open = new Int32Array(MOST_OPEN);
    let opened = 0;
    let last = NONE;
    for (const row of this.order) {
      if (thread[row] !== last) opened = 0;
      last = thread[row];
      while (opened > 0 && to[open[opened - 1]] <= from[row] && to[open[opened - 1]] < to[row]) opened--;
      let at = opened - 1;
      while (at >= 0 && to[open[at]] < to[row]) at--;
      if (at >= 0) this.parent[row] = open[at];
      if (opened === MOST_OPEN) open.copyWithin(0, 1, opened--);
      open[opened++] = row;
    }
  }
}
