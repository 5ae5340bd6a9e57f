import type {
  FlameReveal,
  PaneEvent,
  PaneSpec,
  Reveal,
  RowId,
  RowsReveal,
} from '../profile-worker/pane-messages.ts';

/**
 * The panes of a log. A further pane needs a line here, a spec in `look.ts` and a component; its rows, scroll position
 * and selected row are stored without further code.
 */
export const PANES = {
  tree: { kind: 'rows', of: 'calls' },
  flat: { kind: 'rows', of: 'methods' },
  bottomUp: { kind: 'rows', of: 'bottom-up' },
  callers: { kind: 'rows', of: 'callers' },
  callees: { kind: 'rows', of: 'callees' },
  flame: { kind: 'flame', of: 'calls' },
  bottomUpFlame: { kind: 'flame', of: 'bottom-up' },
  callersFlame: { kind: 'flame', of: 'callers' },
  calleesFlame: { kind: 'flame', of: 'callees' },
  source: { kind: 'lines', of: 'methods' },
  heatmap: { kind: 'heatmap', of: 'calls' },
  chart: { kind: 'chart', of: 'calls' },
} as const satisfies Readonly<Record<string, Pick<PaneSpec, 'kind' | 'of'>>>;

export type PaneId = keyof typeof PANES;

type OfKind<Kind extends PaneSpec['kind']> = {
  [Id in PaneId]: (typeof PANES)[Id]['kind'] extends Kind ? Id : never;
}[PaneId];
export type RowsPaneId = OfKind<'rows'>;
export type FlamePaneId = OfKind<'flame'>;
export type LinesPaneId = OfKind<'lines'>;
export type HeatmapPaneId = OfKind<'heatmap'>;

/** The graphs of callers and callees: each shows a part of what flows through one method. */
export type HalfPaneId = 'callersFlame' | 'calleesFlame';

export const PANE_IDS = Object.keys(PANES) as PaneId[];

export type ShownRows = Extract<PaneEvent, { readonly type: 'rows' }>;
export type ShownTimes = Extract<PaneEvent, { readonly type: 'times' }>;
export type ShownFlame = Extract<PaneEvent, { readonly type: 'flame' }>;
export type ShownLines = Extract<PaneEvent, { readonly type: 'lines' }>;
export type ShownChart = Extract<PaneEvent, { readonly type: 'chart' }>;
export type ShownHeatmap = Extract<PaneEvent, { readonly type: 'heatmap' }>;

interface AnyPaneView {
  /** The pane's own row for what is selected in the log; undefined where it has none. */
  readonly selected: RowId | undefined;
}

/** The window's state of a pane of rows. */
export interface RowsView extends AnyPaneView {
  /** The mirror's last message. */
  readonly shown: ShownRows | undefined;
  /** When its rows have their samples, where a column shows it; of the last message or the one before. */
  readonly times: ShownTimes | undefined;
  /** Sum of all `shift`s so far: the pane scrolls by the part that it has not applied. */
  readonly shift: number;
  /** The rows to scroll to; a new object for each request. */
  readonly reveal: RowsReveal | undefined;
}

export interface FlameView extends AnyPaneView {
  readonly shown: ShownFlame | undefined;
  /** The zoom in which to scroll to the selected frame; a new object for each request. */
  readonly reveal: FlameReveal | undefined;
}

export interface LinesView extends AnyPaneView {
  readonly shown: ShownLines | undefined;
}

export interface HeatmapPaneView extends AnyPaneView {
  readonly shown: ShownHeatmap | undefined;
}

export interface ChartView extends AnyPaneView {
  readonly shown: ShownChart | undefined;
}

interface ViewOfKind {
  readonly rows: RowsView;
  readonly flame: FlameView;
  readonly lines: LinesView;
  readonly heatmap: HeatmapPaneView;
  readonly chart: ChartView;
}

export type PaneViews = { readonly [Id in PaneId]: ViewOfKind[(typeof PANES)[Id]['kind']] };

const NEW_ROWS: RowsView = {
  shown: undefined,
  times: undefined,
  shift: 0,
  reveal: undefined,
  selected: undefined,
};
const NEW_FLAME: FlameView = { shown: undefined, reveal: undefined, selected: undefined };
const NEW_OTHER = { shown: undefined, selected: undefined };
const NEW: ViewOfKind = {
  rows: NEW_ROWS,
  flame: NEW_FLAME,
  lines: NEW_OTHER,
  heatmap: NEW_OTHER,
  chart: NEW_OTHER,
};

export const NEW_PANES = Object.fromEntries(PANE_IDS.map((id) => [id, NEW[PANES[id].kind]])) as PaneViews;

export function isRowsPane(id: string): id is RowsPaneId {
  return Object.hasOwn(PANES, id) && PANES[id as PaneId].kind === 'rows';
}

export function isFlamePane(id: string): id is FlamePaneId {
  return Object.hasOwn(PANES, id) && PANES[id as PaneId].kind === 'flame';
}

export function isHalf(id: string): id is HalfPaneId {
  return id === 'callersFlame' || id === 'calleesFlame';
}

/** The views after an event about one of the panes, or the same when there is no such pane. */
export function withShown(
  panes: PaneViews,
  event: ShownRows | ShownTimes | ShownFlame | ShownLines | ShownHeatmap | ShownChart,
): PaneViews {
  const { pane } = event;
  if (event.type === 'times' && isRowsPane(pane))
    return { ...panes, [pane]: { ...panes[pane], times: event } };
  if (event.type === 'rows' && isRowsPane(pane)) {
    const before = panes[pane];
    return { ...panes, [pane]: { ...before, shown: event, shift: before.shift + event.shift } };
  }
  if (event.type === 'flame' && isFlamePane(pane)) {
    return { ...panes, [pane]: { ...panes[pane], shown: event } };
  }
  if (event.type === 'lines' && pane === 'source') {
    return { ...panes, source: { ...panes.source, shown: event } };
  }
  if (event.type === 'chart' && pane === 'chart') {
    return { ...panes, chart: { ...panes.chart, shown: event } };
  }
  if (event.type === 'heatmap' && pane === 'heatmap') {
    return { ...panes, heatmap: { ...panes.heatmap, shown: event } };
  }
  return panes;
}

/** The views with these rows selected; panes that are not named have none. Unchanged views stay the same objects. */
export function withSelected(
  panes: PaneViews,
  rows: Readonly<Record<string, RowId | undefined>>,
  reveal: Reveal | undefined,
): PaneViews {
  const entries = PANE_IDS.map((id) => {
    const view = { ...panes[id], selected: rows[id] };
    if (reveal?.pane === id && reveal.kind === PANES[id].kind) return [id, { ...view, reveal }];
    return [id, view.selected === panes[id].selected ? panes[id] : view];
  });
  return Object.fromEntries(entries) as PaneViews;
}
