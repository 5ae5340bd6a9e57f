import { NONE } from '../../shared/profile/columns.ts';
import type { CallTree } from '../../shared/views/call-tree.ts';
import { formatCount } from '../../shared/text/format-value.ts';
import { keepsAll, keptRows } from '../../shared/views/filter.ts';
import { findRow, rowsAboveMatches } from '../../shared/views/find-row.ts';
import type { ThreadGrouping } from '../../shared/views/grouping.ts';
import { type DisplayedRows, OpenRows } from '../../shared/views/open-rows.ts';
import type { SortOrder } from '../../shared/views/sort-order.ts';
import type { MirroredViews } from './mirrored-views.ts';
import type { MirrorRequest, RowId, TreeRow } from './mirror-messages.ts';
import type { Post } from './post.ts';
import { type Anchor, anchorOf, INITIAL_WINDOW, type RowWindow, shiftTo } from './row-window.ts';
import { matchesOf, type SharedView } from './shared-view.ts';

/** 'Expand all below' stops here: what nobody can read need not be shown. */
const MAX_OPENED = 100_000;

type Move = Extract<MirrorRequest, { type: 'treeMove' }>['to'];
type Expansion = Extract<MirrorRequest, { type: 'treeExpand' }>['how'];

/** What the tree pane computes once per state of the profile and of the settings. */
interface TreeState {
  readonly tree: CallTree;
  readonly renumbered: number;
  readonly kept: Uint8Array | undefined;
  readonly matching: Uint8Array | undefined;
  readonly above: Uint8Array | undefined;
}

/** The call tree pane's half in the mirror: which rows are open, selected and on screen. */
export class TreePane {
  active = false;
  threads: ThreadGrouping = 'name';
  sort: SortOrder = { by: 'totalCount', descending: true };
  hold = false;

  readonly #views: MirroredViews;
  readonly #post: Post;
  readonly #open = new OpenRows();
  #state: TreeState | undefined;
  #displayed: DisplayedRows = { rows: new Int32Array(0), depths: new Int32Array(0), inOrder: true };
  readonly #window: RowWindow = { ...INITIAL_WINDOW };
  #selected: RowId | undefined;
  #anchor: Anchor<RowId> | undefined;

  constructor(views: MirroredViews, post: Post) {
    this.#views = views;
    this.#post = post;
  }

  /**
   * Brings the pane up to the state of the views and shows it. Rows on screen stay where they are, and keep their
   * order while it is held, unless they are to `sort`.
   */
  refresh(view: SharedView, sort = false): void {
    const before = this.#state;
    const { tree, renumbered } = this.#views.tree({ threads: this.threads, frames: view.frames });
    if (before !== undefined && (before.tree !== tree || before.renumbered !== renumbered)) {
      this.#open.regroup(tree);
      if (this.#selected !== undefined) this.#selected = tree.firstNode[tree.rowOf(this.#selected)];
    }
    const matching = matchesOf(view, tree.keys);
    this.#state = {
      tree,
      renumbered,
      kept: keepsAll(view.filter) ? undefined : keptRows(tree, view.filter),
      matching,
      above: matching === undefined ? undefined : rowsAboveMatches(tree, matching),
    };
    const anchor = this.#anchor;
    this.#display(sort);
    const anchorRow = anchor === undefined ? undefined : tree.find(anchor.id);
    const place = anchorRow === undefined ? -1 : this.#displayed.rows.indexOf(anchorRow);
    const shift = shiftTo(this.#window, anchor, place);
    this.#window.from += shift;
    this.#show({ shift });
  }

  setWindow(from: number, count: number, turn: number): void {
    this.#window.from = from;
    this.#window.count = count;
    this.#window.turn = turn;
    this.#show({});
  }

  select(row: RowId | undefined): void {
    this.#selected = row;
    this.#show({});
  }

  /** Selects a row that another pane names, opening what hides it. */
  reveal(row: RowId): void {
    const state = this.#shown();
    const found = state?.tree.find(row);
    if (state !== undefined && found !== undefined) this.#select(state.tree, found);
  }

  move(to: Move, page: number): void {
    const state = this.#shown();
    const { rows, depths } = this.#displayed;
    if (state === undefined || rows.length === 0) return;
    const { tree } = state;
    const at = this.#selectedAt();
    const go = (place: number): void => {
      const row = rows[Math.max(0, Math.min(rows.length - 1, place))];
      this.#selected = tree.firstNode[row];
      this.#show({ reveal: true });
    };
    if (at < 0) {
      go(to === 'last' ? rows.length - 1 : 0);
      return;
    }
    const row = rows[at];
    const isOpen = this.#isOpen(tree, row, depths[at]);
    switch (to) {
      case 'up':
        return go(at - 1);
      case 'down':
        return go(at + 1);
      case 'pageUp':
        return go(at - page);
      case 'pageDown':
        return go(at + page);
      case 'first':
        return go(0);
      case 'last':
        return go(rows.length - 1);
      case 'parentOrCollapse':
        if (isOpen) return this.expand(tree.firstNode[row], 'collapse');
        return go(Math.max(rows.indexOf(tree.rows.parent[row]), depths[at] === 0 ? at : 0));
      case 'childOrExpand':
        if (!isOpen) return this.expand(tree.firstNode[row], 'expand');
        return go(at + 1);
    }
  }

  /** Of a row, or of the selected one; where none is, the hot path begins at the heaviest thread. */
  expandRow(row: RowId | undefined, how: Expansion): void {
    const id = row ?? this.#selected;
    if (id !== undefined) this.expand(id, how);
    else if (how === 'hot') this.#expandHottest();
  }

  expand(id: RowId, how: Expansion): void {
    const state = this.#shown();
    if (state === undefined) return;
    const { tree } = state;
    const row = tree.find(id);
    if (row === undefined) return;
    switch (how) {
      case 'toggle':
        return this.expand(id, this.#isOpen(tree, row, depthOf(tree, row)) ? 'collapse' : 'expand');
      case 'expand':
        this.#open.open(tree, row);
        break;
      case 'collapse':
        this.#open.close(tree, row);
        break;
      case 'all':
        if (!this.#open.openAll(tree, row, MAX_OPENED)) {
          const most = formatCount(MAX_OPENED);
          this.#post({
            type: 'notice',
            text: `Only ${most} rows were opened, those nearest to the top; open a row further down for more.`,
          });
        }
        break;
      case 'collapseAll':
        this.#open.closeAll(tree, row);
        break;
      case 'hot':
        this.#select(tree, this.#hottestBelow(state, row));
        return;
    }
    this.#display();
    this.#show({});
  }

  reset(closed: boolean): void {
    const state = this.#shown();
    if (state === undefined) return;
    this.#open.reset(state.tree, closed);
    this.#display();
    this.#show({ reveal: true });
  }

  find(direction: 1 | -1): void {
    const state = this.#shown();
    if (state?.matching === undefined || state.above === undefined) return;
    const { tree, matching, above } = state;
    const children = (row: number): readonly number[] => this.#children(state, row);
    const from = this.#selected === undefined ? NONE : tree.rowOf(this.#selected);
    let found = findRow(tree, matching, above, children, from, direction);
    // Past the last match the search goes on from the other end.
    if (found === NONE && from !== NONE) found = findRow(tree, matching, above, children, NONE, direction);
    if (found !== NONE) this.#select(tree, found);
  }

  /** Nobody acts on rows that are not shown, and their tree may be given back already. */
  #shown(): TreeState | undefined {
    return this.active ? this.#state : undefined;
  }

  #select(tree: CallTree, row: number): void {
    this.#open.openAbove(tree, row);
    this.#selected = tree.firstNode[row];
    this.#display();
    this.#show({ reveal: true });
  }

  #expandHottest(): void {
    const state = this.#shown();
    if (state === undefined) return;
    const { parent } = state.tree.rows;
    const root = heaviest(
      state.tree,
      this.#displayed.rows.filter((row) => parent[row] === NONE),
    );
    if (root !== NONE) this.#select(state.tree, this.#hottestBelow(state, root));
  }

  /** Down the heaviest children, to where at least half of the weight is the row's own. */
  #hottestBelow(state: TreeState, from: number): number {
    const { tree } = state;
    let row = from;
    for (;;) {
      const hottest = heaviest(tree, this.#children(state, row));
      if (hottest === NONE || tree.rows.selfCount[row] * 2 > tree.totals.count[row]) return row;
      row = hottest;
    }
  }

  #children(state: TreeState, row: number): number[] {
    return this.#open.children(state.tree, row, this.sort, state.kept, this.#isHeld());
  }

  #isOpen(tree: CallTree, row: number, depth: number): boolean {
    return tree.firstChild(row) !== NONE && this.#open.isOpen(tree, row, depth);
  }

  /** Who has selected a row is reading, and so is who has the pointer on one. */
  #isHeld(): boolean {
    return this.hold || this.#selected !== undefined;
  }

  #display(sort = false): void {
    const state = this.#state;
    if (state === undefined) return;
    this.#displayed = this.#open.display(state.tree, this.sort, state.kept, this.#isHeld() && !sort);
  }

  #selectedAt(): number {
    const state = this.#state;
    if (state === undefined || this.#selected === undefined) return -1;
    return this.#displayed.rows.indexOf(state.tree.rowOf(this.#selected));
  }

  #show({ shift = 0, reveal = false }: { readonly shift?: number; readonly reveal?: boolean }): void {
    const state = this.#state;
    if (!this.active || state === undefined) return;
    const { from, count, turn } = this.#window;
    const { rows, depths } = this.#displayed;
    const end = Math.min(from + count, rows.length);
    const selectedAt = this.#selectedAt();
    this.#anchor = anchorOf(this.#window, rows.length, selectedAt, (at) => state.tree.firstNode[rows[at]]);
    const shown: TreeRow[] = [];
    for (let at = Math.max(from, 0); at < end; at++) shown.push(this.#row(state, rows[at], depths[at]));
    this.#post({
      type: 'treeRows',
      total: rows.length,
      from,
      rows: shown,
      turn,
      shift,
      selected: this.#selected,
      selectedAt,
      reveal,
      inOrder: this.#displayed.inOrder,
    });
  }

  #row({ tree, matching, above }: TreeState, row: number, depth: number): TreeRow {
    const key = tree.rows.frame[row];
    const expanded = this.#isOpen(tree, row, depth);
    return {
      id: tree.firstNode[row],
      kind: tree.kind(row),
      label: tree.label(row),
      depth,
      expandable: tree.firstChild(row) !== NONE,
      expanded,
      selfCount: tree.rows.selfCount[row],
      totalCount: tree.totals.count[row],
      selfTime: tree.rows.selfTime.ns[row],
      totalTime: tree.totals.time.ns[row],
      match: key >= 0 && matching?.[key] === 1,
      matchBelow: !expanded && above?.[row] === 1,
    };
  }
}

function depthOf(tree: CallTree, row: number): number {
  let depth = 0;
  for (let up = tree.rows.parent[row]; up !== NONE; up = tree.rows.parent[up]) depth++;
  return depth;
}

/** The one of most samples, the first of several; NONE of none. */
function heaviest({ totals: { count } }: CallTree, rows: Iterable<number>): number {
  let found = NONE;
  for (const row of rows) if (found === NONE || count[row] > count[found]) found = row;
  return found;
}
