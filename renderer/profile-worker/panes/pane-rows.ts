import { type SortableRows, type Values, NO_VALUES } from '../../../shared/engine/columns/column.ts';
import type { MethodRef, ProfileQuery, RowsOf } from '../../../shared/engine/query.ts';
import { assert } from '../../../shared/assert.ts';
import { NONE } from '../../../shared/profile/columns.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import { formatCount } from '../../../shared/text/format-value.ts';
import type { TreeGrouping } from '../../../shared/engine/trees/grouping.ts';
import type { KeyTable } from '../../../shared/engine/trees/keys.ts';
import {
  depthOf,
  displayLabel,
  type RowTree,
  threadOf,
  sameRow,
} from '../../../shared/engine/trees/row-tree.ts';
import type { RowValues } from '../../../shared/engine/values/row-sums.ts';
import { KEEP_ALL, keptMethods, keptOnEitherSide, rowsKept } from '../../../shared/engine/views/filter.ts';
import { type Match, rowsAboveMatches, type SearchMatches } from '../../../shared/engine/views/search.ts';
import { hotPath } from '../../../shared/engine/views/heaviest-below.ts';
import type { RowTimes } from '../../../shared/engine/views/row-times.ts';
import { type DisplayedRows, NO_ROWS, OpenRows } from '../../../shared/engine/views/open-rows.ts';
import type { SortOrder } from '../../../shared/engine/views/sort-order.ts';
import type { PaneContext } from './pane.ts';
import type { CopiedPart, Expansion, Row, RowId, Selection, WholeOfShares } from '../pane-messages.ts';
import type { RowsSpec } from '../pane-specs.ts';
import { type Copy, copiedRows, frameLocation } from './copied-text.ts';
import { findCall, type LeftOut, leftOut, type NoMatch } from './no-match.ts';
import { heaviestCallOf, rowForSelection } from './selected-row.ts';

/** Limit of 'Expand all below', rows. */
const MAX_OPENED = 100_000;

/** The share of a row that is opened by 'Expand to 5 %'. */
const HEAVY = 0.05;

/** With fewer samples the hot path may still become another one. */
const FEW_SAMPLES = 1_000;

/** A row to select, and the first row of the path to it, both by number. */
export interface Target {
  readonly row: number;
  readonly start: number;
}

/** Computed once per state of the profile and of the settings. */
interface State {
  readonly of: RowsOf;
  readonly grouping: TreeGrouping;
  readonly sums: RowValues;
  /** The sums of the rows that are shown: all, or those that pass the filter and what is above them. */
  readonly shownSums: RowValues;
  readonly tree: RowTree;
  readonly profile: LeanProfile;
  /** The tree's when its rows were displayed. */
  readonly numbering: number;
  readonly sort: SortOrder;
  /** Samples per second of late, of methods. */
  readonly rates: SortableRows['rates'];
  readonly areThreadsApart: boolean;
  /** row -> value that shares are computed from. */
  readonly weight: ArrayLike<number>;
  readonly byTime: boolean;
  readonly isFiltered: boolean;
  /** The tree opens along the hot path, and chains of single rows of the call tree are one row. */
  readonly opensHotPath: boolean;
  readonly leftOut: LeftOut;
  /** key -> 1 when it matches; undefined without a search, and so are `matches` and `above`. */
  readonly matching: Uint8Array | undefined;
  readonly matches: SearchMatches | undefined;
  /** row -> 1 when something below it matches. */
  readonly above: Uint8Array | undefined;
}

/**
 * The content of a pane of rows: the rows of a tree that are not hidden in a closed one. Methods are a tree, too, whose rows
 * neither open nor close, which a search narrows and whose ids last. Numbers of rows are valid until the next `refresh`.
 */
export class PaneRows {
  displayed: DisplayedRows = NO_ROWS;
  /** The largest of each value; in a tree, an upper bound for self values. As of the last `refresh`. */
  largest = NO_VALUES;

  readonly #context: PaneContext;
  #open: OpenRows;
  /** The owner of the open rows, in a tree whose rows have ids of their own. */
  #openOf: { readonly keys: KeyTable; readonly root: number } | undefined;
  readonly #openDepth: number;
  #state: State | undefined;
  /** The view for which the hot path was opened, and its samples. */
  #hotFor = '';
  #hotSamples = 0;
  /** The method whose callers or callees these are. */
  #hotMethod: string | undefined;
  /** The state that methods were displayed for: their order may be held as long as it stays. */
  #madeFor = '';

  constructor(context: PaneContext, of: RowsOf) {
    this.#context = context;
    // Bottom-up, all methods are roots.
    this.#openDepth = of === 'bottom-up' ? 0 : 1;
    this.#open = new OpenRows(this.#openDepth);
  }

  /** True when rows on display before and after have one meaning, so that one of them can stay in its place. */
  refresh(query: ProfileQuery, spec: RowsSpec, hold: boolean): boolean {
    const { of, sort, method, threads = 'all' } = spec;
    const { view, recent } = this.#context;
    const before = this.#state;
    const grouping = { threads, frames: query.keys };
    const sums = view.rows(of, grouping, method);
    const { tree } = sums;
    const hasLastingIds = of === 'calls' || of === 'methods';
    const isSame = hasLastingIds || this.#isOfSame(tree);
    if (!isSame) this.#follow(tree);
    else if (of !== 'methods' && before !== undefined) {
      if (before.tree !== tree || before.numbering !== tree.numbering) this.#open.regroup(tree);
    }
    const matches = view.matches(tree.keys);
    const matching = matches?.matching;
    const { where, search, metric } = query;
    const byTime = metric === 'time';
    this.#state = {
      of,
      grouping,
      sums,
      tree,
      sort,
      byTime,
      matches,
      matching,
      shownSums: this.#filtered(query, of, sums, matching),
      profile: view.profile,
      numbering: tree.numbering,
      rates: spec.withRates === true ? (key) => recent.ratesOf(tree.keys, key) : undefined,
      areThreadsApart: threads !== 'all',
      weight: byTime ? sums.totalTime.ns : sums.totalCount,
      isFiltered: where.length > 0,
      opensHotPath: spec.opensHotPath === true,
      leftOut: leftOut(query, view),
      above: of === 'methods' || matching === undefined ? undefined : rowsAboveMatches(sums, matching),
    };
    const madeFor = of === 'methods' ? JSON.stringify([search, sort, where]) : '';
    const isComparable = isSame && madeFor === this.#madeFor;
    this.#madeFor = madeFor;
    if (this.#shown.opensHotPath) this.#followHotPath(query, method);
    this.#display(hold && isComparable);
    this.largest = this.#largest();
    return isComparable;
  }

  #filtered(query: ProfileQuery, of: RowsOf, sums: RowValues, matching: Uint8Array | undefined): RowValues {
    const { where, keys } = query;
    if (of !== 'methods')
      return where.length === 0 ? sums : rowsKept(sums, keptOnEitherSide(sums, { ...KEEP_ALL, where }));
    if (where.length === 0 && matching === undefined) return sums;
    const { view } = this.#context;
    const sides = { base: view.comparedFlat(keys), next: view.flat(keys) };
    return rowsKept(sums, keptMethods(sides, { ...KEEP_ALL, where }, matching));
  }

  /** No row of a tree has more than its thread. A self value is drawn as a part of a total, so one scale serves both. */
  #largest(): Values {
    const { of, sums, tree } = this.#shown;
    const { rows, depths } = this.displayed;
    const { totalCount, totalTime } = sums;
    const { selfCount, selfTime } = of === 'methods' ? sums : { selfCount: totalCount, selfTime: totalTime };
    // Bars are for comparing what can be made faster.
    const compared = rows.filter((row, at) => depths[at] === 0 && !tree.keys.isNoStack(tree.key[row]));
    const most = (column: ArrayLike<number>): number =>
      compared.reduce((largest, row) => Math.max(largest, column[row]), 0);
    return {
      selfCount: most(selfCount),
      totalCount: most(totalCount),
      selfTime: most(selfTime.ns),
      totalTime: most(totalTime.ns),
    };
  }

  /** Rows have other ids now: those that are open or selected are found again, unless the tree is of another method. */
  #follow(tree: RowTree): void {
    const context = this.#context;
    const before = this.#state;
    const to = { profile: context.view.profile, tree };
    const rowFor = (id: RowId): number => {
      const row = before === undefined ? NONE : before.tree.rowOf(id);
      return before === undefined || row === NONE ? NONE : sameRow(before, row, to);
    };
    const isOther = tree.hasOneRoot && (tree.length === 0 || rowFor(0) === NONE);
    if (before === undefined || isOther) {
      this.#open = new OpenRows(this.#openDepth);
      return;
    }
    const selected = before.of === context.selection?.of ? this.rowFor(context.selection) : undefined;
    const row = selected === undefined ? NONE : sameRow(before, selected, to);
    if (context.selection !== undefined && row !== NONE)
      context.selection = { ...context.selection, id: tree.idOf(row), label: displayLabel(tree, row) };
    this.#open.renumber((id) => {
      const found = rowFor(id);
      return found === NONE ? undefined : tree.idOf(found);
    });
  }

  /** Whether rows have the ids that they had, and remembers the tree. */
  #isOfSame(tree: RowTree): boolean {
    const before = this.#openOf;
    this.#openOf = { keys: tree.keys, root: tree.hasOneRoot && tree.length > 0 ? tree.key[0] : NONE };
    return before?.keys === this.#openOf.keys && before.root === this.#openOf.root;
  }

  /** Computes the displayed rows after a row was opened or closed. */
  display(hold: boolean): void {
    if (this.#shown.of !== 'methods') this.#display(hold);
  }

  #display(hold: boolean): void {
    const { of, shownSums, sort, rates, opensHotPath } = this.#shown;
    // The nearest caller of a method is what is looked for, also where it is the only one.
    this.displayed = this.#open.display(shownSums, sort, hold, opensHotPath && of === 'calls', rates);
  }

  /**
   * Opens the tree along the hot path, anew in another scope, but not for a zoom. While a log is read the path moves with it;
   * later only until there are enough samples to tell, and not while a row of the tree is selected.
   */
  #followHotPath(
    { keys, scope, hidesErrors, where, metric }: ProfileQuery,
    method: MethodRef | undefined,
  ): void {
    const { of, tree, grouping, sums } = this.#shown;
    const samples = tree.roots().reduce((sum, row) => sum + sums.totalCount[row], 0);
    const madeFor = JSON.stringify([keys, scope, hidesErrors, where, metric, grouping]);
    if (this.#hotMethod !== method?.label) this.#hotSamples = 0;
    this.#hotMethod = method?.label;
    const isSame = madeFor === this.#hotFor && this.#hotSamples > 0;
    const { isReading, selection } = this.#context;
    const mayMove = isReading || (this.#hotSamples < FEW_SAMPLES && samples >= 2 * this.#hotSamples);
    if (samples === 0 || (isSame && !mayMove)) return;
    this.#hotFor = madeFor;
    if (this.#hotSamples > 0 && selection?.of === of) return;
    this.#hotSamples = samples;
    const path = this.#hotPathFrom(undefined);
    if (path !== undefined) this.#open.openHotPath(tree, path.row);
  }

  idOf(row: number): RowId {
    return this.#shown.tree.idOf(row);
  }

  /** undefined for a row that is not there (any more). */
  rowOf(id: RowId): number | undefined {
    const row = this.#shown.tree.rowOf(id);
    return row === NONE ? undefined : row;
  }

  /** The heaviest call of a method that another pane names; undefined where there is none. O(rows). */
  heaviestCallOf(selection: Selection): number | undefined {
    return heaviestCallOf(this.#shown, this.#context.view, selection);
  }

  /** The row that stands for what is selected, in whatever pane it was selected. */
  rowFor(selection: Selection): number | undefined {
    return rowForSelection(this.#shown, this.#context.view, selection);
  }

  describe(row: number, depth: number): Row {
    const { sums, tree, areThreadsApart, matching, matches, above, rates } = this.#shown;
    const key = tree.key[row];
    const expanded = this.isOpen(row, depth);
    const rate = rates?.(row);
    const fold = this.displayed.folded.get(row);
    const marked = key >= 0 ? matches?.rangeOf(key) : undefined;
    const base = sums.compared?.base;
    return {
      id: tree.idOf(row),
      kind: tree.kind(row),
      label: displayLabel(tree, row),
      thread: areThreadsApart ? threadOf(tree, row) : undefined,
      depth,
      ...(fold === undefined ? {} : { folded: fold.count, foldedTo: tree.label(fold.last) }),
      expandable: this.#hasRowsBelow(row),
      expanded,
      selfCount: sums.selfCount[row],
      totalCount: sums.totalCount[row],
      selfTime: sums.selfTime.ns[row],
      totalTime: sums.totalTime.ns[row],
      ...(base === undefined
        ? {}
        : {
            baseSelfCount: base.selfCount[row],
            baseTotalCount: base.totalCount[row],
            baseSelfTime: base.selfTime.ns[row],
            baseTotalTime: base.totalTime.ns[row],
          }),
      match: key >= 0 && matching?.[key] === 1,
      markedFrom: marked?.[0],
      markedTo: marked?.[1],
      ...(rate === undefined ? {} : { selfRate: rate.self, totalRate: rate.total }),
      matchBelow: !expanded && above?.[row] === 1,
    };
  }

  /** When rows have their samples; undefined where that is not known. */
  timesOf(rows: ArrayLike<number>): RowTimes | undefined {
    const { of, grouping, tree } = this.#shown;
    const { view } = this.#context;
    // A method that is not in scope has no rows.
    return tree.length === 0 ? undefined : view.timesOfRows(of, grouping, rows, tree.key[0]);
  }

  /** Opens what hides a row. */
  openAbove(row: number): void {
    this.#open.reveal(this.#shown.tree, row);
  }

  /** NONE for a row at the top. */
  parentOf(row: number): number {
    return this.#shown.tree.parent[row];
  }

  isOpen(row: number, depth = depthOf(this.#shown.tree, row)): boolean {
    if (this.displayed.folded.has(row)) return false;
    return this.#hasRowsBelow(row) && this.#open.isOpen(this.#shown.tree, row, depth);
  }

  #hasRowsBelow(row: number): boolean {
    const { of, tree, shownSums } = this.#shown;
    if (of === 'methods') return false;
    let child = tree.firstChild(row);
    while (child !== NONE && !shownSums.isShown(child)) child = tree.nextSibling(child);
    return child !== NONE;
  }

  /** Opens or closes; returns what is to be selected then. `row` may be undefined for 'hot': from the heaviest on. */
  expand(row: number | undefined, how: Expansion): Target | undefined {
    if (this.#shown.of === 'methods') return undefined;
    if (how === 'hot') return this.#hotPath(row);
    assert(row !== undefined, 'only the hot path begins where no row is named');
    const { tree } = this.#shown;
    switch (how) {
      case 'toggle':
        return this.expand(row, this.isOpen(row) ? 'collapse' : 'expand');
      case 'expand':
        for (let each = this.displayed.folded.get(row)?.last ?? row; ; each = tree.parent[each]) {
          this.#open.open(tree, each);
          if (each === row) break;
        }
        break;
      case 'collapse':
        this.#open.close(tree, row);
        break;
      case 'all':
        if (!this.#open.openAll(tree, row, MAX_OPENED)) this.#tellOpened();
        break;
      case 'heavy': {
        const { weight } = this.#shown;
        const whole = tree.roots().reduce((sum, root) => sum + weight[root], 0);
        // What is light is seen as a row, and not opened.
        this.#open.openAll(tree, row, MAX_OPENED, (each) => weight[each] >= HEAVY * whole);
        break;
      }
      case 'collapseAll':
        this.#open.closeAll(tree, row);
        break;
    }
    return undefined;
  }

  reset(closed: boolean): void {
    if (this.#shown.of === 'methods') return;
    this.#open.reset(this.#shown.tree, closed);
    const path = closed || !this.#shown.opensHotPath ? undefined : this.#hotPathFrom(undefined);
    if (path !== undefined) this.#open.openHotPath(this.#shown.tree, path.row);
  }

  copy(row: number, what: CopiedPart, units: ProfileUnits, whole: WholeOfShares): Copy {
    const { of, tree, weight, byTime } = this.#shown;
    if (what === 'subtree' && of !== 'methods')
      return copiedRows(weight, row, { ...whole, byTime }, units, {
        tree,
        below: (each) => this.#children(each),
        describe: (each, depth) => this.describe(each, depth),
      });
    const { view } = this.#context;
    const key = tree.key[row];
    const ofKey = key < 0 ? NONE : tree.keys.firstFrame[key];
    const frame = of === 'calls' ? view.frameOfNode(tree.idOf(row)) : ofKey;
    const location = frameLocation(view.profile, frame, key >= 0 && tree.keys.isPosition(key));
    return { text: location ?? displayLabel(tree, row), note: undefined };
  }

  /** The next or previous match after a row, the heaviest first, methods as they are displayed. */
  find(from: number | undefined, direction: 1 | -1, method: RowId | undefined): Match | NoMatch {
    const { of, sums, shownSums, isFiltered, tree } = this.#shown;
    const isShown = (row: number): boolean => shownSums.isShown(row);
    const isUnfiltered = isFiltered ? (row: number): boolean => sums.isShown(row) : undefined;
    const key = method === undefined ? undefined : this.#context.view.keyOfMethodRow(method, tree.keys);
    const weight = of === 'methods' ? this.#displayOrder() : this.#shown.weight;
    return findCall({ ...this.#shown, weight, isShown, isUnfiltered }, from, direction, key);
  }

  /** row -> a number that is the larger the further up it is displayed. */
  #displayOrder(): ArrayLike<number> {
    const order = new Int32Array(this.#shown.tree.length);
    for (const [at, row] of this.displayed.rows.entries()) order[row] = -at;
    return order;
  }

  get #shown(): State {
    assert(this.#state !== undefined, 'rows are asked for after they were computed');
    return this.#state;
  }

  #tellOpened(): void {
    const most = formatCount(MAX_OPENED);
    this.#context.post({
      type: 'notice',
      text: `Only the first ${most} rows were expanded. Expand a row further down for more.`,
    });
  }

  /** It is opened where it ends, so that the fork can be seen. */
  #hotPath(from: number | undefined): Target | undefined {
    const path = this.#hotPathFrom(from);
    if (path !== undefined) this.#open.reveal(this.#shown.tree, path.row, true);
    return path;
  }

  #hotPathFrom(from: number | undefined): Target | undefined {
    const { tree, weight, shownSums } = this.#shown;
    const roots = tree.roots().filter((row) => shownSums.isShown(row));
    return hotPath(tree, weight, from ?? roots, (row) => this.#children(row));
  }

  /** In display order, whether displayed or not. */
  #children(row: number): number[] {
    const { shownSums, sort } = this.#shown;
    return this.#open.children(shownSums, row, sort, true);
  }
}
