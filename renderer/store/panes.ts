import type { PaneEvent, PaneSpec, Reveal, RowId } from '../profile-worker/pane-messages.ts';

/**
 * The panes of a log and what they show. A further pane is a line here, its spec in `look.ts`, and a component; what it
 * shows, scrolls to and marks as selected is kept for it without more.
 */
export const PANES = {
  tree: { kind: 'rows', of: 'calls' },
  flat: { kind: 'rows', of: 'methods' },
  flame: { kind: 'flame', of: 'calls' },
} as const satisfies Readonly<Record<string, Pick<PaneSpec, 'kind' | 'of'>>>;

export type PaneId = keyof typeof PANES;

type OfKind<Kind extends PaneSpec['kind']> = {
  [Id in PaneId]: (typeof PANES)[Id]['kind'] extends Kind ? Id : never;
}[PaneId];
export type RowsPaneId = OfKind<'rows'>;
export type FlamePaneId = OfKind<'flame'>;

export const PANE_IDS = Object.keys(PANES) as PaneId[];

export type ShownRows = Extract<PaneEvent, { readonly type: 'rows' }>;
export type ShownFlame = Extract<PaneEvent, { readonly type: 'flame' }>;

interface AnyPaneView {
  /** The pane's own row for what is selected in the log; undefined where it has none. */
  readonly selected: RowId | undefined;
}

/** A pane of rows as the window has it. */
export interface RowsView extends AnyPaneView {
  /** What the mirror sent last. */
  readonly shown: ShownRows | undefined;
  /** All `shift`s of the rows so far: the pane scrolls by what it has not yet seen of it. */
  readonly shift: number;
  /** The rows to be scrolled to; a new object for every time. */
  readonly reveal: Pick<Reveal, 'at' | 'start'> | undefined;
}

export interface FlameView extends AnyPaneView {
  readonly shown: ShownFlame | undefined;
}

export type PaneViews = {
  readonly [Id in PaneId]: Id extends RowsPaneId ? RowsView : FlameView;
};

const NEW_ROWS: RowsView = { shown: undefined, shift: 0, reveal: undefined, selected: undefined };
const NEW_FLAME: FlameView = { shown: undefined, selected: undefined };

export const NEW_PANES = Object.fromEntries(
  PANE_IDS.map((id) => [id, PANES[id].kind === 'rows' ? NEW_ROWS : NEW_FLAME]),
) as PaneViews;

export function isRowsPane(id: string): id is RowsPaneId {
  return Object.hasOwn(PANES, id) && PANES[id as PaneId].kind === 'rows';
}

export function isFlamePane(id: string): id is FlamePaneId {
  return Object.hasOwn(PANES, id) && PANES[id as PaneId].kind === 'flame';
}

/** The views after an event about one of the panes, or the same when there is no such pane. */
export function withShown(panes: PaneViews, event: ShownRows | ShownFlame): PaneViews {
  const { pane } = event;
  if (event.type === 'rows' && isRowsPane(pane)) {
    const before = panes[pane];
    return { ...panes, [pane]: { ...before, shown: event, shift: before.shift + event.shift } };
  }
  if (event.type === 'flame' && isFlamePane(pane)) {
    return { ...panes, [pane]: { ...panes[pane], shown: event } };
  }
  return panes;
}

/** With these rows selected, in panes that are not named none. Views where nothing changes stay the same objects. */
export function withSelected(
  panes: PaneViews,
  rows: Readonly<Record<string, RowId | undefined>>,
  reveal: Reveal | undefined,
): PaneViews {
  const entries = PANE_IDS.map((id) => {
    const view = { ...panes[id], selected: rows[id] };
    if (reveal?.pane === id) return [id, { ...view, reveal: { at: reveal.at, start: reveal.start } }];
    return [id, view.selected === panes[id].selected ? panes[id] : view];
  });
  return Object.fromEntries(entries) as PaneViews;
}
