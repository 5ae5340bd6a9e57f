import type { TreeOf, ProfileQuery } from '../../shared/engine/query.ts';
import { assert } from '../../shared/assert.ts';
import { NONE } from '../../shared/profile/columns.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import { formatCount } from '../../shared/text/format-value.ts';
import type { TreeGrouping } from '../../shared/engine/trees/grouping.ts';
import type { KeyTable } from '../../shared/engine/trees/keys.ts';
import { displayLabel, type RowTree, threadOf } from '../../shared/engine/trees/row-tree.ts';
import { sameRow } from '../../shared/engine/trees/same-row.ts';
import type { RowValues } from '../../shared/engine/values/row-sums.ts';
import { KEEP_ALL } from '../../shared/engine/views/filter.ts';
import { FilteredRows } from '../../shared/engine/views/filtered-rows.ts';
import { type Match, rowsAboveMatches } from '../../shared/engine/views/find-row.ts';
import { heaviestBelow } from '../../shared/engine/views/heaviest-below.ts';
import type { RowTimes } from '../../shared/engine/views/row-times.ts';
import { OpenRows } from '../../shared/engine/views/open-rows.ts';
import type { SortOrder } from '../../shared/engine/views/sort-order.ts';
import type { PaneContext } from './pane.ts';
import type {
  CopiedPart,
  Expansion,
  Row,
  RowId,
  RowsSpec,
  Selection,
  WholeOfShares,
} from './pane-messages.ts';
import { frameLocation, rowsText } from './copied-text.ts';
import { findCall } from './find-call.ts';
import { type LeftOut, leftOut } from './no-match.ts';
import { timesOfCalls, timesOfMethodTree } from './row-times.ts';
import type { Copy, DisplayedRows, NoMatch, RowSource, Target } from './row-source.ts';
import { baseValues, largestValues, NO_VALUES } from './largest-values.ts';

/** Limit of 'Expand all below', rows. */
const MAX_OPENED = 100_000;

/** Rows of a subtree that are copied as text. */
const MOST_COPIED = 2_000;
/** The hot path ends above rows that have less of everything. */
const LEAST_HOT_SHARE = 0.01;

type TreeSpec = Exclude<RowsSpec, { readonly of: 'methods' }>;

/** Computed once per state of the profile and of the settings. */
interface State {
  readonly of: TreeOf;
  readonly grouping: TreeGrouping;
  readonly sums: RowValues;
  /** The sums of the rows that are shown: all, or those that pass the filter and what is above them. */
  readonly shownSums: RowValues;
  readonly tree: RowTree;
  readonly profile: LeanProfile;
  /** The tree's when its rows were displayed. */
  readonly numbering: number;
  readonly sort: SortOrder;
  readonly areThreadsApart: boolean;
  /** row -> value that shares are computed from. */
  readonly weight: ArrayLike<number>;
  readonly byTime: boolean;
  readonly leftOut: LeftOut;
  /** key -> 1 when it matches; undefined without a search, and so is `above`. */
  readonly matching: Uint8Array | undefined;
  /** row -> 1 when something below it matches. */
  readonly above: Uint8Array | undefined;
}

/** The rows of a call tree, or of a tree of callers or callees, that are not hidden in a closed one. */
export class CallRows implements RowSource<TreeSpec> {
  displayed: DisplayedRows = { rows: new Int32Array(0), depths: new Int32Array(0), displaced: 0 };
  largest = NO_VALUES;

  readonly #context: PaneContext;
  #open: OpenRows;
  /** What the open rows belong to, in a tree whose rows have ids of their own. */
  #openOf: { readonly keys: KeyTable; readonly root: number } | undefined;
  readonly #openDepth: number;
  #state: State | undefined;

  constructor(context: PaneContext, of: TreeOf) {
    this.#context = context;
    // Bottom-up, all methods are roots.
    this.#openDepth = of === 'bottom-up' ? 0 : 1;
    this.#open = new OpenRows(this.#openDepth);
  }

  refresh(query: ProfileQuery, spec: TreeSpec, hold: boolean): boolean {
    const { of, threads, sort } = spec;
    const method = 'method' in spec ? spec.method : undefined;
    const before = this.#state;
    const grouping = { threads, frames: query.keys };
    const sums = this.#context.view.rows(of, grouping, method);
    const { tree } = sums;
    const isSame = of === 'calls' || this.#isOfSame(tree);
    if (!isSame) this.#follow(tree);
    else if (before !== undefined && (before.tree !== tree || before.numbering !== tree.numbering)) {
      this.#open.regroup(tree);
    }
    const matching = this.#context.view.matches(tree.keys)?.matching;
    this.#state = {
      of,
      grouping,
      sums,
      shownSums:
        query.where.length === 0 ? sums : new FilteredRows(sums, { ...KEEP_ALL, where: query.where }),
      tree,
      profile: this.#context.view.profile,
      numbering: tree.numbering,
      sort,
      areThreadsApart: threads !== 'all',
      byTime: query.metric === 'time',
      weight: query.metric === 'time' ? sums.totalTime.ns : sums.totalCount,
      leftOut: leftOut(query, this.#context.view),
      matching,
      above: matching === undefined ? undefined : rowsAboveMatches(sums, matching),
    };
    this.display(hold && isSame);
    // No row has more than its thread. A self value is drawn as a part of a total, so one scale serves both.
    const { rows, depths } = this.displayed;
    const { totalCount: count, totalTime: time } = sums;
    this.largest = largestValues(
      rows.filter((_, at) => depths[at] === 0),
      count,
      count,
      time.ns,
      time.ns,
    );
    return isSame;
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

  display(hold: boolean): void {
    const { shownSums, sort } = this.#shown;
    this.displayed = this.#open.display(shownSums, sort, hold);
  }

  idOf(row: number): RowId {
    return this.#shown.tree.idOf(row);
  }

  rowOf(id: RowId): number | undefined {
    const row = this.#shown.tree.rowOf(id);
    return row === NONE ? undefined : row;
  }

  rowFor(selection: Selection): number | undefined {
    const { tree, of } = this.#shown;
    const { kind, label } = selection;
    if (kind === 'block') return undefined;
    if (selection.of === of) {
      const row = this.rowOf(selection.id);
      // The row of a tree of another method may have the same id.
      return row === undefined || of === 'calls' || displayLabel(tree, row) === label ? row : undefined;
    }
    if (of !== 'bottom-up' || kind === 'thread' || kind === 'all') return undefined;
    const key = this.#context.view.keyOfMethod(selection, tree.keys);
    return tree.roots().find((root) => tree.key[root] === key);
  }

  describe(row: number, depth: number): Row {
    const { sums, tree, areThreadsApart, matching, above } = this.#shown;
    const key = tree.key[row];
    const expanded = this.isOpen(row, depth);
    const up = tree.parent[row];
    return {
      id: tree.idOf(row),
      kind: tree.kind(row),
      label: displayLabel(tree, row),
      thread: areThreadsApart ? threadOf(tree, row) : undefined,
      depth,
      expandable: this.#hasRowsBelow(row),
      expanded,
      selfCount: sums.selfCount[row],
      totalCount: sums.totalCount[row],
      selfTime: sums.selfTime.ns[row],
      totalTime: sums.totalTime.ns[row],
      ...baseValues(sums.compared?.base, row),
      ...(up === NONE ? {} : { parentCount: sums.totalCount[up], parentTime: sums.totalTime.ns[up] }),
      match: key >= 0 && matching?.[key] === 1,
      matchBelow: !expanded && above?.[row] === 1,
    };
  }

  timesOf(rows: ArrayLike<number>): RowTimes | undefined {
    const { of, grouping, tree } = this.#shown;
    const { view } = this.#context;
    if (of === 'calls') return timesOfCalls(view, grouping, rows);
    // A method that is not in scope has no rows.
    return tree.length === 0 ? undefined : timesOfMethodTree(view, of, grouping, tree.key[0], rows);
  }

  openAbove(row: number): void {
    this.#open.openAbove(this.#shown.tree, row);
  }

  parentOf(row: number): number {
    return this.#shown.tree.parent[row];
  }

  isOpen(row: number, depth = depthOf(this.#shown.tree, row)): boolean {
    return this.#hasRowsBelow(row) && this.#open.isOpen(this.#shown.tree, row, depth);
  }

  #hasRowsBelow(row: number): boolean {
    const { tree, shownSums } = this.#shown;
    let child = tree.firstChild(row);
    while (child !== NONE && !shownSums.isShown(child)) child = tree.nextSibling(child);
    return child !== NONE;
  }

  expand(row: number | undefined, how: Expansion): Target | undefined {
    if (how === 'hot') return this.#hotPath(row ?? this.#heaviestRoot());
    assert(row !== undefined, 'only the hot path begins where no row is named');
    const { tree } = this.#shown;
    switch (how) {
      case 'toggle':
        return this.expand(row, this.isOpen(row) ? 'collapse' : 'expand');
      case 'expand':
        this.#open.open(tree, row);
        break;
      case 'collapse':
        this.#open.close(tree, row);
        break;
      case 'all':
        if (!this.#open.openAll(tree, row, MAX_OPENED)) this.#tellOpened();
        break;
      case 'collapseAll':
        this.#open.closeAll(tree, row);
        break;
    }
    return undefined;
  }

  reset(closed: boolean): void {
    this.#open.reset(this.#shown.tree, closed);
  }

  copy(row: number, what: CopiedPart, units: ProfileUnits, whole: WholeOfShares): Copy {
    const { of, tree, weight, byTime } = this.#shown;
    if (what === 'location') {
      const { view } = this.#context;
      const { profile } = view;
      const key = tree.key[row];
      const ofKey = key < 0 ? NONE : tree.keys.firstFrame[key];
      const frame = of === 'calls' ? view.frameOfNode(tree.idOf(row)) : ofKey;
      return {
        text: frameLocation(profile, frame, key >= 0 && tree.keys.isPosition(key)) ?? displayLabel(tree, row),
        note: undefined,
      };
    }
    const taken = heaviestBelow(tree, weight, row, MOST_COPIED + 1);
    // The last one that was taken is the lightest: nothing that was taken is below it.
    const last = [...taken].at(MOST_COPIED);
    const isCut = last !== undefined && taken.delete(last);
    const rows = this.#inDisplayOrder(row, taken);
    const note = `Only the ${formatCount(MOST_COPIED)} heaviest rows were copied.`;
    const text = rowsText(rows, { ...whole, byTime }, units);
    return isCut ? { text: `${text}\n${note}`, note } : { text, note: undefined };
  }

  /** Depth first, siblings as they are sorted. */
  #inDisplayOrder(top: number, taken: ReadonlySet<number>): Row[] {
    const described: Row[] = [];
    const waiting = [{ row: top, depth: depthOf(this.#shown.tree, top) }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { row, depth } = next;
      described.push(this.describe(row, depth));
      const children = this.#children(row).filter((child) => taken.has(child));
      for (const child of children.reverse()) waiting.push({ row: child, depth: depth + 1 });
    }
    return described;
  }

  find(from: number | undefined, direction: 1 | -1, method: RowId | undefined): Match | NoMatch {
    const { sums, shownSums, tree } = this.#shown;
    const isShown = (row: number): boolean => shownSums.isShown(row);
    const isUnfiltered = sums === shownSums ? undefined : (row: number): boolean => sums.isShown(row);
    const key = method === undefined ? undefined : this.#context.view.keyOfMethodRow(method, tree.keys);
    return findCall({ ...this.#shown, isShown, isUnfiltered }, from, direction, key);
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

  #heaviestRoot(): number {
    const { parent } = this.#shown.tree;
    return this.#heaviest(this.displayed.rows.filter((row) => parent[row] === NONE));
  }

  /**
   * Down the heaviest children, to where the path forks, because no child has more than half of the weight, or is too
   * light to matter. Errors, which it does not go by, are not in that weight. Where it ends is opened, so that the fork
   * can be seen.
   */
  #hotPath(start: number): Target | undefined {
    if (start === NONE) return undefined;
    const { tree, weight } = this.#shown;
    const least = LEAST_HOT_SHARE * this.#wholeWeight();
    let row = start;
    for (;;) {
      const children = this.#children(row);
      const child = this.#heaviest(children);
      const errors = children.filter((each) => tree.kind(each) === 'error');
      const rest = errors.reduce((sum, each) => sum - weight[each], weight[row]);
      if (child === NONE || weight[child] * 2 <= rest || weight[child] < least) break;
      row = child;
    }
    this.#open.open(tree, row);
    return { row, start };
  }

  #wholeWeight(): number {
    const { tree, weight } = this.#shown;
    return tree.roots().reduce((sum, root) => sum + weight[root], 0);
  }

  /** The heaviest, on a tie the first; NONE of none. Error rows are skipped: they cannot be optimised. */
  #heaviest(rows: Iterable<number>): number {
    const { tree, weight } = this.#shown;
    let found = NONE;
    for (const row of rows) {
      if (tree.kind(row) !== 'error' && (found === NONE || weight[row] > weight[found])) found = row;
    }
    return found;
  }

  /** In display order, whether displayed or not. */
  #children(row: number): number[] {
    const { shownSums, sort } = this.#shown;
    return this.#open.children(shownSums, row, sort, true);
  }
}

function depthOf(tree: RowTree, row: number): number {
  let depth = 0;
  for (let up = tree.parent[row]; up !== NONE; up = tree.parent[up]) depth++;
  return depth;
}
