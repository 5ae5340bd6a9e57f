import type { ProfileView } from '../../../shared/engine/profile-view.ts';
import type { FrameKeys, TreeGrouping } from '../../../shared/engine/trees/grouping.ts';
import { ChartPane } from './chart-pane.ts';
import { FlamePane } from './flame-pane.ts';
import { Pane, type PaneContext, type Selected } from './pane.ts';
import type { PaneId, PaneRequest, Reveal, RowId, Selection } from '../pane-messages.ts';
import type { LinesSpec, PaneSpec } from '../pane-specs.ts';
import { OperationsPane } from './operations-pane.ts';
import { RowsPane } from './rows-pane.ts';
import { SpreadPane } from './spread-pane.ts';
import { DeferredPane } from './deferred-pane.ts';
import { SummaryPane } from './summary-pane.ts';

/** The lines of one method in the profile worker. The source itself is not here. */
class LinesPane extends Pane<LinesSpec> {
  refresh(): void {
    const { view, post } = this.context;
    post({ type: 'lines', pane: this.id, lines: view.lines(this.spec.method) });
  }
}

type SelectionRequest = Extract<
  PaneRequest,
  { readonly type: 'move' | 'expand' | 'find' | 'seek' | 'reveal' }
>;

/** The panes that look at one profile, and what is selected in all of them. */
export class Panes implements Iterable<Pane> {
  readonly #context: PaneContext;
  readonly #panes = new Map<PaneId, Pane>();
  /** `turn` of the last request that may have changed the selection. */
  #turn = 0;
  /** The panes' own rows for the selection, and its label, as the window knows them, as JSON. */
  #reported = '[{},null]';

  constructor(view: ProfileView, { post, recent, alone }: Pick<PaneContext, 'post' | 'recent' | 'alone'>) {
    this.#context = { view, post, recent, alone, known: undefined, isReading: false, selection: undefined };
  }

  [Symbol.iterator](): Iterator<Pane> {
    return this.#panes.values();
  }

  /**
   * These panes for another profile: nothing is open. `isSameRun`: its call nodes and frames have the numbers that they
   * had before, so that a selection and a zoom that name them stay.
   */
  restarted(view: ProfileView, isSameRun: boolean): Panes {
    const panes = new Panes(view, this.#context);
    panes.known = this.#context.known;
    const { selection } = this.#context;
    if (isSameRun && (selection?.of === 'calls' || selection?.of === 'methods'))
      panes.#context.selection = selection;
    for (const { id, spec, active, hold } of this) {
      const keepsZoom = isSameRun && (spec.of === 'calls' || spec.of === 'bottom-up');
      const hasZoom = spec.kind === 'flame' || spec.kind === 'chart';
      const pane = panes.#open(id, hasZoom && !keepsZoom ? { ...spec, zoom: undefined } : spec);
      pane.active = active;
      pane.hold = hold;
    }
    for (const pane of this) pane.active = false;
    panes.#turn = this.#turn;
    return panes;
  }

  /** The pane whose content has changed; undefined where none has. */
  declare(id: PaneId, spec: PaneSpec | undefined): Pane | undefined {
    const before = this.#panes.get(id);
    if (spec === undefined) {
      if (before !== undefined) before.active = false;
      return undefined;
    }
    const isSame = before?.spec.kind === spec.kind && before.spec.of === spec.of;
    if (before !== undefined && !isSame) before.active = false;
    const pane = isSame ? before : this.#open(id, spec);
    pane.spec = spec;
    pane.active = true;
    return pane;
  }

  get(id: PaneId): Pane | undefined {
    return this.#panes.get(id);
  }

  /** The profile as it is looked at from now on; panes show it when they are refreshed. */
  set view(view: ProfileView) {
    this.#context.view = view;
  }

  set known(known: PaneContext['known']) {
    this.#context.known = known;
  }

  set isReading(isReading: boolean) {
    this.#context.isReading = isReading;
  }

  /** All of the log is here. */
  endReading(): void {
    this.isReading = false;
    for (const pane of this) {
      if (pane instanceof SummaryPane) pane.keepOrder();
      if (pane instanceof DeferredPane && pane.active) pane.refresh();
    }
  }

  /** The property by which scopes and joins tell threads apart: the id where a pane does. */
  get threads(): 'name' | 'id' {
    const isById = [...this].some(({ spec }) => 'threads' in spec && spec.threads === 'id');
    return isById ? 'id' : 'name';
  }

  get selection(): Selection | undefined {
    return this.#context.selection;
  }

  hold(id: PaneId | undefined): void {
    for (const pane of this) pane.hold = pane.id === id;
  }

  /** A pane of rows; undefined for one that was never declared. */
  rows(id: PaneId): RowsPane | undefined {
    const pane = this.#panes.get(id);
    return pane instanceof RowsPane ? pane : undefined;
  }

  /** The trees that the panes on screen need. */
  shownGroupings(frames: FrameKeys): readonly TreeGrouping[] {
    return [...this].flatMap((pane) => (pane.active ? (pane.grouping(frames) ?? []) : []));
  }

  /** `from`: the pane in which it was selected. */
  select(selection: Selection | undefined, turn: number, from?: PaneId): void {
    this.#context.selection = selection;
    this.#answer(turn, undefined, selection, from);
  }

  /** Runs a request that may change the selection, and always reports the selection to the window. */
  request(request: SelectionRequest): void {
    const selected = this.#selectedBy(request);
    if (selected !== undefined) this.#context.selection = selected.selection;
    this.#answer(request.turn, selected, selected?.selection, selected?.reveal.pane);
  }

  /**
   * Reports the selection to the window if its rows, or its label in this grouping, have changed after a refresh. Where
   * `areOther` rows are shown than before, as in another scope, its rows are scrolled to.
   */
  reportSelected(frames: FrameKeys, areOther = false): void {
    const { selection } = this.#context;
    if (selection !== undefined && [...this].some(({ active }) => active))
      this.#context.selection = this.#regrouped(selection, frames);
    const reveals = areOther
      ? [...this].flatMap((pane) => (pane instanceof RowsPane ? (pane.selectedReveal() ?? []) : []))
      : [];
    if (reveals.length > 0 || JSON.stringify(this.#toReport()) !== this.#reported)
      this.#report(undefined, reveals);
  }

  /** A selection with the label that its method has in this grouping. */
  #regrouped(selection: Selection, frames: FrameKeys): Selection {
    const { of, id, kind } = selection;
    if (kind !== 'frame' && kind !== 'error') return selection;
    // The rows of other trees have ids only within a grouping.
    if (of !== 'methods' && of !== 'calls') return selection;
    const { view } = this.#context;
    const keys = view.keys(frames);
    const key = of === 'methods' ? view.keyOfMethodRow(id, keys) : keys.keyOf(view.frameOfNode(id));
    return key === undefined ? selection : { ...selection, label: keys.labels[key] };
  }

  #toReport(): readonly [Record<PaneId, RowId | undefined>, string | undefined] {
    return [this.#selectedRows(), this.#context.selection?.label];
  }

  #selectedBy(request: SelectionRequest): Selected | undefined {
    const any = this.#panes.get(request.pane);
    if (request.type === 'find') {
      const searched = any instanceof FlamePane || any instanceof RowsPane ? any : undefined;
      return searched?.find(request.direction, request.method);
    }
    const pane = this.rows(request.pane);
    switch (request.type) {
      case 'move':
        return pane?.move(request.to, request.page);
      case 'expand':
        return pane?.expand(request.row, request.how);
      case 'seek':
        return pane?.seek(request.text, request.step);
      case 'reveal':
        return pane?.reveal(request.selection);
    }
  }

  /** `followed`: what was selected just now, and is revealed in all panes but the one that it was selected in. */
  #answer(
    turn: number,
    selected: Selected | undefined,
    followed: Selection | undefined,
    from: PaneId | undefined,
  ): void {
    this.#turn = turn;
    const reveals: Reveal[] = selected === undefined ? [] : [selected.reveal];
    for (const pane of this) {
      if (followed === undefined || !(pane instanceof RowsPane) || pane.id === from) continue;
      const reveal = pane.follow(followed);
      if (reveal !== undefined) reveals.push(reveal);
    }
    for (const pane of this) pane.selectionChanged();
    this.#report(selected, reveals);
  }

  #report(selected: Selected | undefined, reveals: readonly Reveal[]): void {
    const { selection, post } = this.#context;
    const [rows] = this.#toReport();
    this.#reported = JSON.stringify(this.#toReport());
    post({ type: 'selected', turn: this.#turn, selection, rows, reveals, match: selected?.match });
  }

  #selectedRows(): Record<PaneId, RowId | undefined> {
    const rows: Record<PaneId, RowId | undefined> = {};
    for (const pane of this) if (pane.active) rows[pane.id] = pane.selectedRow();
    return rows;
  }

  #open(id: PaneId, spec: PaneSpec): Pane {
    const pane = openPane(id, spec, this.#context);
    this.#panes.set(id, pane);
    return pane;
  }
}

/** Creates the pane for a spec. New kinds of panes are added here. */
function openPane(id: PaneId, spec: PaneSpec, context: PaneContext): Pane {
  if (spec.kind === 'flame') return new FlamePane(id, spec, context);
  if (spec.kind === 'lines') return new LinesPane(id, spec, context);
  if (spec.kind === 'chart') return new ChartPane(id, spec, context);
  if (spec.kind === 'operations') return new OperationsPane(id, spec, context);
  if (spec.kind === 'answer') return new SummaryPane(id, spec, context);
  if (spec.kind === 'spread') return new SpreadPane(id, spec, context);
  return new RowsPane(id, spec, context);
}
