import { INITIAL_QUERY, type ProfileQuery } from '../../../shared/engine/query.ts';
import { NONE } from '../../../shared/profile/columns.ts';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import type { FrameKeys, TreeGrouping } from '../../../shared/engine/trees/grouping.ts';
import { whyNotHere } from './no-match.ts';
import { Pane, type PaneContext, type Selected } from './pane.ts';
import {
  type Expansion,
  type Move,
  type PaneId,
  type PaneRequest,
  type RowsReveal,
  type Row,
  type RowId,
  type Selection,
  placeAfter,
} from '../pane-messages.ts';
import type { RowsSpec } from '../pane-specs.ts';
import { PaneRows, type Target } from './pane-rows.ts';

/** The part of a list that is on screen, as the window last asked for it. */
interface RowWindow {
  from: number;
  count: number;
  /** Number of the request, echoed with the rows. */
  turn: number;
}

/** Rows that a window shows at first, until it says how many fit. */
const INITIAL_WINDOW: RowWindow = { from: 0, count: 60, turn: 0 };

/** The row that keeps its place on screen when rows are added or removed around it, and its position among all rows. */
interface Anchor {
  readonly id: RowId;
  readonly at: number;
}

/** The selected row, if it is on screen; else the row at the top, but not of a window at the very top. */
function anchorOf(
  { from, count }: RowWindow,
  total: number,
  selectedAt: number,
  idAt: (at: number) => RowId,
): Anchor | undefined {
  const selectionShows = selectedAt >= from && selectedAt < from + count;
  if (!selectionShows && (from === 0 || from >= total)) return undefined;
  const at = selectionShows ? selectedAt : from;
  return { id: idAt(at), at };
}

/** By how many rows the window must move so that its anchor keeps its place on screen. `place`: where it is now, or -1. */
function shiftTo({ from }: RowWindow, anchor: Anchor | undefined, place: number): number {
  return anchor === undefined || place < 0 ? 0 : Math.max(place - anchor.at, -from);
}

type CopyRequest = Extract<PaneRequest, { readonly type: 'copy' }>;

/** A pane of rows, whatever the rows are: the part on screen, what stays in its place, moves by key. */
export class RowsPane extends Pane<RowsSpec> {
  readonly #source: PaneRows;
  readonly #window: RowWindow = { ...INITIAL_WINDOW };
  #anchor: Anchor | undefined;
  #wasRefreshed = false;
  /** The row that was revealed for a selection of other rows. */
  #followed: { readonly selection: Selection; readonly id: RowId } | undefined;
  /** As of the last `refresh`. */
  #query: ProfileQuery = INITIAL_QUERY;

  constructor(id: PaneId, spec: RowsSpec, context: PaneContext) {
    super(id, spec, context);
    this.#source = new PaneRows(context, spec.of);
  }

  override grouping(frames: FrameKeys): TreeGrouping | undefined {
    const { of, threads = 'all' } = this.spec;
    return of === 'methods' ? undefined : { threads, frames };
  }

  refresh(query: ProfileQuery, sort: boolean): void {
    const anchor = this.#anchor;
    const isComparable = this.#source.refresh(query, this.spec, this.#isHeld && !sort);
    this.#wasRefreshed = true;
    this.#query = query;
    const row = anchor === undefined || !isComparable ? undefined : this.#source.rowOf(anchor.id);
    const shift = shiftTo(this.#window, anchor, row === undefined ? -1 : this.#placeOf(row));
    this.#window.from += shift;
    this.#show(shift);
  }

  setWindow(from: number, count: number, turn: number): void {
    this.#window.from = from;
    this.#window.count = count;
    this.#window.turn = turn;
    this.#show(0);
  }

  override selectedRow(): RowId | undefined {
    const row = this.#wasRefreshed ? this.#selectedRow() : undefined;
    return row === undefined ? undefined : this.#source.idOf(row);
  }

  /** The place of the selected row, unless it is in a closed one. */
  selectedReveal(): RowsReveal | undefined {
    const at = this.#isShown ? this.#selectedAt() : -1;
    return at < 0 ? undefined : { kind: 'rows', pane: this.id, at, start: at };
  }

  /** The row for what is selected, in this pane or in another. */
  #selectedRow(): number | undefined {
    const { selection } = this.context;
    if (selection === undefined) return undefined;
    const followed = this.#followed;
    const isFollowed = followed?.selection.of === selection.of && followed.selection.id === selection.id;
    return this.#source.rowFor(selection) ?? (isFollowed ? this.#source.rowOf(followed.id) : undefined);
  }

  /** Opens what hides the row for something that was selected elsewhere; in the call tree, the heaviest call of a method. */
  follow(selection: Selection): RowsReveal | undefined {
    const { of } = this.spec;
    if (!this.#isShown || selection.kind === 'block' || of === 'callers' || of === 'callees')
      return undefined;
    const row =
      this.#source.rowFor(selection) ?? (of === 'calls' ? this.#source.heaviestCallOf(selection) : undefined);
    if (row === undefined) return undefined;
    this.#followed = { selection, id: this.#source.idOf(row) };
    if (this.#placeOf(row) < 0) {
      this.#source.openAbove(row);
      this.#displayAndShow();
    }
    const at = this.#placeOf(row);
    return at < 0 ? undefined : { kind: 'rows', pane: this.id, at, start: at };
  }

  override selectionChanged(): void {
    if (this.active && this.#wasRefreshed) this.#anchor = this.#currentAnchor();
  }

  move(to: Move, page: number): Selected | undefined {
    const { rows } = this.#source.displayed;
    if (!this.#isShown || rows.length === 0) return undefined;
    const at = this.#selectedAt();
    const isOpen = at >= 0 && this.#source.isOpen(rows[at]);
    if (at >= 0 && to === 'parentOrCollapse') {
      if (isOpen) return this.#expandRow(rows[at], 'collapse');
      let parent = this.#source.parentOf(rows[at]);
      // Only the first row of a folded chain is on display.
      while (parent !== NONE && this.#placeOf(parent) < 0) parent = this.#source.parentOf(parent);
      return this.#selectAt(parent === NONE ? at : this.#placeOf(parent));
    }
    if (at >= 0 && to === 'childOrExpand' && !isOpen) return this.#expandRow(rows[at], 'expand');
    return this.#selectAt(placeAfter(to === 'childOrExpand' ? 'down' : to, at, page, rows.length));
  }

  /** Opens or closes a row, or the selected one, as `how` says. */
  expand(id: RowId | undefined, how: Expansion): Selected | undefined {
    if (!this.#isShown) return undefined;
    const row = id === undefined ? this.#selectedRow() : this.#source.rowOf(id);
    return row === undefined && how !== 'hot' ? undefined : this.#expandRow(row, how);
  }

  reset(closed: boolean): void {
    if (!this.#isShown) return;
    this.#source.reset(closed);
    this.#displayAndShow();
  }

  find(direction: 1 | -1, method: RowId | undefined): Selected | undefined {
    if (!this.#isShown) return undefined;
    // From the heaviest on, where the selection is one of other rows.
    const isOwn = this.context.selection?.of === this.spec.of;
    const found = this.#source.find(isOwn ? this.#selectedRow() : undefined, direction, method);
    if ('problem' in found) {
      this.#notify(found.problem);
      return undefined;
    }
    const { row, position, total } = found;
    const selected = this.#select({ row, start: row });
    return selected && { ...selected, match: { position, total } };
  }

  /** See the request of this name. */
  seek(text: string, step: 0 | 1 | -1): Selected | undefined {
    if (!this.#isShown) return undefined;
    const { rows, depths } = this.#source.displayed;
    const wanted = text.toLowerCase();
    const selected = this.#selectedAt();
    const first = selected < 0 ? 0 : selected + step;
    const direction = step < 0 ? -1 : 1;
    for (let steps = 0; steps < rows.length; steps++) {
      const at = (first + direction * steps + 2 * rows.length) % rows.length;
      const { label } = this.#source.describe(rows[at], depths[at]);
      if (!shownLabel(label).toLowerCase().includes(wanted)) continue;
      this.context.post({ type: 'sought', pane: this.id, text, found: true });
      return this.#selectAt(at);
    }
    this.context.post({ type: 'sought', pane: this.id, text, found: false });
    return undefined;
  }

  copy({ row: id, what, units, whole }: CopyRequest): void {
    const row = this.#isShown ? this.#source.rowOf(id) : undefined;
    if (row !== undefined)
      this.context.post({ type: 'copied', ...this.#source.copy(row, what, units, whole) });
  }

  /** Selects the row that stands for something that another pane names, opening what hides it. */
  reveal(selection: Selection): Selected | undefined {
    if (!this.#isShown) return undefined;
    const row = this.#source.rowFor(selection);
    const selected = row === undefined ? undefined : this.#select({ row, start: row });
    if (selected === undefined)
      this.#notify(whyNotHere(selection, this.spec.of, this.#query, this.context.view));
    return selected;
  }

  #notify(text: string): void {
    this.context.post({ type: 'notice', text });
  }

  /** Requests for hidden rows are ignored: their tree may be freed already. */
  get #isShown(): boolean {
    return this.active && this.#wasRefreshed;
  }

  /** A selected row, or a pointer on a row, means that the user is reading. */
  get #isHeld(): boolean {
    return this.hold || this.context.selection?.of === this.spec.of;
  }

  #expandRow(row: number | undefined, how: Expansion): Selected | undefined {
    const found = this.#source.expand(row, how);
    this.#displayAndShow();
    return found && this.#select(found);
  }

  #select({ row, start }: Target): Selected | undefined {
    if (this.#placeOf(row) < 0) {
      this.#source.openAbove(row);
      this.#displayAndShow();
    }
    const at = this.#placeOf(row);
    return at < 0 ? undefined : this.#selectionAt(at, this.#placeOf(start));
  }

  #selectAt(at: number): Selected {
    return this.#selectionAt(at, at);
  }

  #selectionAt(at: number, start: number): Selected {
    const { rows, depths } = this.#source.displayed;
    const { id, label, kind } = this.#source.describe(rows[at], depths[at]);
    return {
      selection: { of: this.spec.of, id, label, kind },
      reveal: { kind: 'rows', pane: this.id, at, start },
    };
  }

  #displayAndShow(): void {
    this.#source.display(this.#isHeld);
    this.#show(0);
  }

  #selectedAt(): number {
    const row = this.#selectedRow();
    return row === undefined ? -1 : this.#placeOf(row);
  }

  #placeOf(row: number): number {
    return this.#source.displayed.rows.indexOf(row);
  }

  #currentAnchor(): Anchor | undefined {
    const { rows } = this.#source.displayed;
    return anchorOf(this.#window, rows.length, this.#selectedAt(), (at) => this.#source.idOf(rows[at]));
  }

  #show(shift: number): void {
    if (!this.#isShown) return;
    const { from, count, turn } = this.#window;
    const { rows, depths, places, siblings, displaced } = this.#source.displayed;
    this.#anchor = this.#currentAnchor();
    const end = Math.min(from + count, rows.length);
    const shown: Row[] = [];
    for (let at = Math.max(from, 0); at < end; at++) {
      const row = this.#source.describe(rows[at], depths[at]);
      shown.push(this.spec.of === 'methods' ? row : { ...row, place: places[at], siblings: siblings[at] });
    }
    this.context.post({
      type: 'rows',
      pane: this.id,
      total: rows.length,
      from,
      rows: shown,
      largest: this.#source.largest,
      turn,
      shift,
      displaced,
    });
    if (this.spec.withTimes === true) this.#showTimes(rows.subarray(Math.max(from, 0), end));
  }

  /** After the rows themselves, which do not wait for it. */
  #showTimes(rows: Int32Array): void {
    const counts = this.#source.timesOf(rows);
    if (counts === undefined) return;
    const ids = Array.from(rows, (row) => this.#source.idOf(row));
    this.context.post({ type: 'times', pane: this.id, ids, counts });
  }
}
