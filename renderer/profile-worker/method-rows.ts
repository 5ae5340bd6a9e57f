import { assert } from '../../shared/assert.ts';
import { NONE } from '../../shared/profile/columns.ts';
import type { Match } from '../../shared/views/find-row.ts';
import { ConditionTest } from '../../shared/views/row-conditions.ts';
import type { FlatProfile } from '../../shared/views/flat-profile.ts';
import type { KeyTable } from '../../shared/trees/keys.ts';
import { heldOrder, isSameOrder, rowOrder } from '../../shared/views/sort-order.ts';
import type { PaneContext } from './pane.ts';
import type { Row, RowId, RowsSpec, Selection } from './pane-messages.ts';
import { frameLocation } from './copied-text.ts';
import { type Copy, type DisplayedRows, NO_SEARCH, type NoMatch, type RowSource } from './row-source.ts';
import { largestValues, NO_VALUES } from './largest-values.ts';
import type { SharedView } from './shared-view.ts';

const NOTHING: DisplayedRows = { rows: new Int32Array(0), depths: new Int32Array(0), inOrder: true };

/** Methods, wherever they were called from: the keys of a flat profile. A search narrows them to what matches. */
export class MethodRows implements RowSource {
  displayed = NOTHING;
  largest = NO_VALUES;

  readonly #context: PaneContext;
  #flat: FlatProfile | undefined;
  /** Those that `displayed` names: a name that comes late gives the flat profile others. */
  #keys: KeyTable | undefined;
  /** By a search: every displayed method matches. */
  #isNarrowed = false;
  /** What `displayed` was made from: its order may be held as long as this stays. */
  #madeFor = '';

  constructor(context: PaneContext) {
    this.#context = context;
  }

  refresh(view: SharedView, { sort }: RowsSpec, hold: boolean): boolean {
    const flat = this.#context.views.flat(view.frames);
    const { labels } = flat.keys;
    const matching = this.#context.views.matches(flat.keys)?.matching;
    const filter = view.where.length === 0 ? undefined : new ConditionTest(view.where, flat.whole);
    const keys: number[] = [];
    for (let key = 0; key < flat.length; key++) {
      if (flat.totalCount[key] === 0 || filter?.passes(flat, key, key, labels[key]) === false) continue;
      if (matching === undefined || matching[key] === 1) keys.push(key);
    }
    const { selfCount, totalCount, selfTime, totalTime } = flat;
    keys.sort(rowOrder({ selfCount, totalCount, selfTime, totalTime, label: (key) => labels[key] }, sort));
    const madeFor = JSON.stringify([view.search.text, sort, view.where]);
    const isComparable = madeFor === this.#madeFor;
    const isHeld = hold && isComparable && this.#keys === flat.keys;
    const rows = Int32Array.from(isHeld ? heldOrder(this.displayed.rows, keys) : keys);
    this.#flat = flat;
    this.#keys = flat.keys;
    this.#madeFor = madeFor;
    this.#isNarrowed = matching !== undefined;
    this.largest = largestValues(keys, selfCount, totalCount, selfTime.ns, totalTime.ns);
    this.displayed = { rows, depths: new Int32Array(rows.length), inOrder: isSameOrder(rows, keys) };
    return isComparable;
  }

  display(): void {
    // Nothing opens or closes.
  }

  idOf(row: number): RowId {
    return this.#context.views.idOfFrame(this.#shown.keys.firstFrame[row]);
  }

  rowOf(id: RowId): number | undefined {
    return this.#shown.keys.keyOf(this.#context.views.frameOf(id));
  }

  rowFor(selection: Selection): number | undefined {
    const { of, id, kind } = selection;
    if (of === 'methods') return this.rowOf(id);
    if (of === 'calls') return this.#shown.keys.keyOf(this.#context.views.frameOfNode(id));
    if (kind !== 'frame' && kind !== 'error') return undefined;
    return this.#context.views.keyOfMethod(selection, this.#shown.keys);
  }

  describe(row: number, depth: number): Row {
    const flat = this.#shown;
    const { labels, isError } = flat.keys;
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
      match: this.#isNarrowed,
      matchBelow: false,
    };
  }

  /** Nothing is below a method. */
  copy(row: number): Copy {
    const { keys } = this.#shown;
    const { profile } = this.#context.views;
    const text = frameLocation(profile, keys.firstFrame[row], keys.grouping) ?? keys.labels[row];
    return { text, note: undefined };
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

  /** Every displayed method matches, in display order. */
  find(from: number | undefined, direction: 1 | -1): Match | NoMatch {
    const { rows } = this.displayed;
    if (!this.#isNarrowed) return { problem: NO_SEARCH };
    const total = rows.length;
    if (total === 0) return { problem: 'No method matches the search.' };
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
