import type { ProfileQuery } from '../../shared/engine/query.ts';
import { assert } from '../../shared/assert.ts';
import { NONE } from '../../shared/profile/columns.ts';
import type { Match } from '../../shared/engine/views/find-row.ts';
import { ConditionTest } from '../../shared/engine/views/row-conditions.ts';
import type { FlatProfile } from '../../shared/engine/views/flat-profile.ts';
import type { RowTimes } from '../../shared/engine/views/row-times.ts';
import type { KeyTable } from '../../shared/engine/trees/keys.ts';
import { heldOrder, rowOrder, rowsToMove } from '../../shared/engine/views/sort-order.ts';
import type { PaneContext } from './pane.ts';
import type { ComparedFlat } from '../../shared/engine/profile-view.ts';
import type { Row, RowId, RowsSpec, Selection } from './pane-messages.ts';
import { frameLocation } from './copied-text.ts';
import { timesOfMethods } from './row-times.ts';
import { keysOf } from './find-call.ts';
import { lineIdOf } from '../../shared/engine/method-ids.ts';
import { type LeftOut, leftOut, noMatch, NOTHING_LEFT_OUT } from './no-match.ts';
import { type Copy, type DisplayedRows, NO_SEARCH, type NoMatch, type RowSource } from './row-source.ts';
import { baseValues, largestValues, NO_VALUES } from './largest-values.ts';

const NOTHING: DisplayedRows = { rows: new Int32Array(0), depths: new Int32Array(0), displaced: 0 };

/**
 * Methods, wherever they were called from: the keys of a flat profile. A search narrows them to what matches. The lines of
 * a split method are below it.
 */
export class MethodRows implements RowSource {
  displayed = NOTHING;
  largest = NO_VALUES;

  readonly #context: PaneContext;
  #flat: FlatProfile | undefined;
  /** What its values are compared with. */
  #compared: ComparedFlat | undefined;
  /** Those that `displayed` names: a name that comes late gives the flat profile others. */
  #keys: KeyTable | undefined;
  /** key -> 1 when it matches; undefined without a search. */
  #matching: Uint8Array | undefined;
  /** Of a match that is not displayed: only the filter of rows leaves it out. */
  #isFiltered: (key: number) => boolean = () => false;
  #leftOut: LeftOut = NOTHING_LEFT_OUT;
  #withRates = false;
  /** What `displayed` was made from: its order may be held as long as this stays. */
  #madeFor = '';

  constructor(context: PaneContext) {
    this.#context = context;
  }

  refresh(query: ProfileQuery, spec: RowsSpec, hold: boolean): boolean {
    const { sort } = spec;
    const flat = this.#context.view.flat(query.keys);
    const compared = this.#context.view.comparedFlat(query.keys);
    const { labels, methodOf } = flat.keys;
    const matching = this.#context.view.matches(flat.keys)?.matching;
    const sides = compared === undefined ? [flat] : [flat, compared.base];
    const ofBoth = compared && {
      base: { columns: compared.base, whole: compared.base.whole },
      next: { columns: flat, whole: flat.whole },
    };
    const tests = sides.map((side) =>
      query.where.length === 0 ? undefined : new ConditionTest(query.where, side.whole, ofBoth),
    );
    const isThere = (key: number): boolean => sides.some((side) => side.isShown(key));
    // A method that passes in one of the two sides of a comparison is shown.
    const passes = (key: number): boolean =>
      sides.some((side, at) => side.isShown(key) && tests[at]?.passes(side, key, key, labels[key]) !== false);
    const lines = linesOf(flat, isThere);
    const isFound = (key: number): boolean =>
      matching === undefined ||
      matching[key] === 1 ||
      lines.get(key)?.some((line) => matching[line] === 1) === true;
    const keys: number[] = [];
    for (let key = 0; key < flat.length; key++) {
      if (methodOf[key] === key && passes(key) && isFound(key)) keys.push(key);
    }
    const { selfCount, totalCount, selfTime, totalTime } = flat;
    const { recent } = this.#context;
    this.#withRates = spec.of === 'methods' && spec.withRates === true;
    const rates = this.#withRates ? (key: number) => recent.ratesOf(flat.keys, key) : undefined;
    const order = rowOrder(
      { selfCount, totalCount, selfTime, totalTime, label: (key) => labels[key], rates, compared },
      sort,
    );
    keys.sort(order);
    for (const below of lines.values()) below.sort(order);
    const ordered = withLines(keys, lines);
    const madeFor = JSON.stringify([query.search.text, sort, query.where]);
    const isComparable = madeFor === this.#madeFor;
    const isHeld = hold && isComparable && this.#keys === flat.keys;
    const rows = isHeld ? heldRows(this.displayed, keys, lines) : ordered;
    this.#flat = flat;
    this.#compared = compared;
    this.#keys = flat.keys;
    this.#madeFor = madeFor;
    this.#matching = matching;
    this.#isFiltered = query.where.length === 0 ? () => false : isThere;
    this.#leftOut = leftOut(query, this.#context.view);
    this.largest = largestValues(keys, selfCount, totalCount, selfTime.ns, totalTime.ns);
    this.displayed = {
      rows: Int32Array.from(rows),
      depths: Int32Array.from(rows, (key) => (methodOf[key] === key ? 0 : 1)),
      displaced: isHeld ? rowsToMove(rows, ordered) : 0,
    };
    return isComparable;
  }

  display(): void {
    // Nothing opens or closes.
  }

  idOf(row: number): RowId {
    const { firstFrame, methodOf } = this.#shown.keys;
    const frame = this.#context.view.idOfFrame(firstFrame[row]);
    return methodOf[row] === row ? frame : lineIdOf(frame);
  }

  rowOf(id: RowId): number | undefined {
    return this.#context.view.keyOfMethodRow(id, this.#shown.keys);
  }

  rowFor(selection: Selection): number | undefined {
    const { of, id, kind } = selection;
    if (of === 'methods') return this.rowOf(id);
    if (of === 'calls') return this.#shown.keys.keyOf(this.#context.view.frameOfNode(id));
    if (kind !== 'frame' && kind !== 'error') return undefined;
    return this.#context.view.keyOfMethod(selection, this.#shown.keys);
  }

  describe(row: number, depth: number): Row {
    const flat = this.#shown;
    const { labels, isError } = flat.keys;
    const rates = this.#withRates ? this.#context.recent.ratesOf(flat.keys, row) : undefined;
    return {
      id: this.idOf(row),
      kind: isError[row] ? 'error' : 'frame',
      label: labels[row],
      thread: undefined,
      depth,
      expandable: false,
      expanded: false,
      selfCount: flat.selfCount[row],
      totalCount: flat.totalCount[row],
      selfTime: flat.selfTime.ns[row],
      totalTime: flat.totalTime.ns[row],
      ...baseValues(this.#compared?.base, row),
      match: this.#matching?.[row] === 1,
      ...(rates === undefined ? {} : { selfRate: rates.self, totalRate: rates.total }),
      matchBelow: false,
    };
  }

  copy(row: number): Copy {
    const { keys } = this.#shown;
    const { profile } = this.#context.view;
    const text = frameLocation(profile, keys.firstFrame[row], keys.isPosition(row)) ?? keys.labels[row];
    return { text, note: undefined };
  }

  timesOf(rows: ArrayLike<number>): RowTimes | undefined {
    return timesOfMethods(this.#context.view, this.#shown.keys.grouping, rows);
  }

  openAbove(): void {
    // Nothing hides a method.
  }

  parentOf(): number {
    return NONE;
  }

  isOpen(): boolean {
    return false;
  }

  expand(): undefined {
    return undefined;
  }

  reset(): void {
    // As with `display`.
  }

  /** In display order. */
  find(from: number | undefined, direction: 1 | -1): Match | NoMatch {
    const matching = this.#matching;
    if (matching === undefined) return { problem: NO_SEARCH };
    const rows = this.displayed.rows.filter((row) => matching[row] === 1);
    const total = rows.length;
    if (total === 0) {
      const matches = keysOf(matching);
      return noMatch(matches, this.#shown.keys, matches.some(this.#isFiltered), this.#leftOut);
    }
    const start = from === undefined ? -1 : rows.indexOf(from);
    const isFirst = start < 0;
    const at = isFirst ? (direction === 1 ? 0 : total - 1) : (start + direction + total) % total;
    return { row: rows[at], position: at + 1, total };
  }

  get #shown(): FlatProfile {
    assert(this.#flat !== undefined, 'rows are asked for after they were computed');
    return this.#flat;
  }
}

/** Split method -> those of its lines that are there, in no order. */
function linesOf({ keys }: FlatProfile, isThere: (key: number) => boolean): ReadonlyMap<number, number[]> {
  const lines = new Map<number, number[]>();
  if (!keys.hasLines) return lines;
  for (const [key, method] of keys.methodOf.entries()) {
    if (method === key || !isThere(key)) continue;
    const known = lines.get(method);
    if (known === undefined) lines.set(method, [key]);
    else known.push(key);
  }
  return lines;
}

/** Every method with its lines below it. */
function withLines(methods: readonly number[], lines: ReadonlyMap<number, readonly number[]>): number[] {
  return methods.flatMap((method) => [method, ...(lines.get(method) ?? [])]);
}

/** The same, in the order in which they are displayed; what is new follows, methods last and lines below their methods. */
function heldRows(
  { rows }: DisplayedRows,
  methods: readonly number[],
  lines: ReadonlyMap<number, readonly number[]>,
): number[] {
  const held = new Map([...lines].map(([method, below]) => [method, heldOrder(rows, below)]));
  return withLines(heldOrder(rows, methods), held);
}
