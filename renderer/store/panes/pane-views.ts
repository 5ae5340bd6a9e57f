import { columnWithId } from '../../../shared/engine/columns/columns.ts';
import { type FlameZoom, isSameZoom } from '../../../shared/engine/query.ts';
import type {
  FlameReveal,
  PaneEvent,
  Reveal,
  RowId,
  RowsReveal,
} from '../../profile-worker/pane-messages.ts';
import type { PaneSpec, SpreadSpec } from '../../profile-worker/pane-specs.ts';
import type { SortOrder } from '../../../shared/engine/views/sort-order.ts';
import type { Metric } from '../../../shared/engine/values/metric.ts';
import { isFlamePane, type HalfPaneId, isOfKind, isRowsPane, PANE_IDS, type PaneId, PANES } from './panes.ts';

/** A message of a mirror for one pane. */
type PaneContent = Extract<PaneEvent, { readonly pane: string }>;
/** The content of a pane of a kind: the message has its name. */
type Shown<Kind extends PaneSpec['kind']> = Extract<PaneContent, { readonly type: Kind }>;
export type ShownTimes = Extract<PaneContent, { readonly type: 'times' }>;
export type ShownFlame = Shown<'flame'>;
export type ShownChart = Shown<'chart'>;
export type ShownOperations = Shown<'operations'>;
export type ShownAnswer = Shown<'answer'>;
export type ShownSpread = Shown<'spread'>;

/** The window's state of a pane. */
interface AnyView<Kind extends PaneSpec['kind']> {
  /** The mirror's last message. */
  readonly shown?: Shown<Kind> | undefined;
  /** The pane's own row for what is selected in the log; undefined where it has none. */
  readonly selected?: RowId | undefined;
}

interface RowsView extends AnyView<'rows'> {
  /** When its rows have their samples, where a column shows it; of the last message or the one before. */
  readonly times?: ShownTimes | undefined;
  /** Sum of all `shift`s so far: the pane scrolls by the part that it has not applied. */
  readonly shift: number;
  /** The rows to scroll to; a new object for each request. */
  readonly reveal?: RowsReveal | undefined;
}

interface FlameView extends AnyView<'flame'> {
  /** The zoom in which to scroll to the selected frame; a new object for each request. */
  readonly reveal?: FlameReveal | undefined;
}

/** The zoom of the whole graph is a part of the log's scope; the graphs of callers and callees have one each. */
interface HalfView extends FlameView {
  readonly zoom?: FlameZoom | undefined;
}

/** The order of a list, by one of its columns. */
export interface ListSort {
  readonly by: string;
  readonly descending: boolean;
}

interface ChartView extends AnyView<'chart'> {
  /** The threads that are wanted, as `Scope.threads`; undefined: the one with most samples. */
  readonly only?: readonly string[] | undefined;
}

interface SpreadView extends AnyView<'spread'> {
  /** The parts that are wanted; undefined, or not among those that the log has: the first of these. */
  readonly parts?: SpreadSpec['parts'] | undefined;
  /** The parts that the log had when these were chosen; undefined: until the pane has been shown. */
  readonly known?: readonly SpreadSpec['parts'][] | undefined;
  readonly by: SpreadSpec['by'];
  readonly isOfCall: boolean;
}

interface OperationsView extends AnyView<'operations'> {
  /** The attribute whose values are rows; undefined: the names of operations. */
  readonly by?: string | undefined;
  readonly sort: ListSort;
  /** The name of its selected row, which the picture of durations marks. */
  readonly marked?: string | undefined;
}

interface MoreOfKind {
  readonly spread: SpreadView;
  readonly rows: RowsView;
  readonly flame: FlameView;
  readonly chart: ChartView;
  readonly operations: OperationsView;
}

/** Only kinds that keep more than their content are named. */
type ViewOfKind<Kind extends PaneSpec['kind']> = Kind extends keyof MoreOfKind
  ? MoreOfKind[Kind]
  : AnyView<Kind>;

export type PaneViews = {
  readonly [Id in PaneId]: Id extends HalfPaneId ? HalfView : ViewOfKind<(typeof PANES)[Id]['kind']>;
};

const NEW_OF_KIND: Partial<Record<PaneSpec['kind'], object>> = {
  rows: { shift: 0 },
  spread: { by: 'self', isOfCall: false },
  operations: { sort: { by: 'samples', descending: true } },
} satisfies Partial<MoreOfKind>;

export const NEW_PANES = Object.fromEntries(
  PANE_IDS.map((id) => [id, NEW_OF_KIND[PANES[id].kind] ?? {}]),
) as PaneViews;

/** The views with all callers and callees shown. */
export function withoutHalfZooms(panes: PaneViews): PaneViews {
  const { callersFlame, calleesFlame } = panes;
  if (callersFlame.zoom === undefined && calleesFlame.zoom === undefined) return panes;
  return {
    ...panes,
    callersFlame: { ...callersFlame, zoom: undefined },
    calleesFlame: { ...calleesFlame, zoom: undefined },
  };
}

/** The views with other threads in the chart. */
export function withChartThreads(panes: PaneViews, only: readonly string[] | undefined): PaneViews {
  return { ...panes, chart: { ...panes.chart, only } };
}

/** The views after a message for one of the panes, or the same where no pane of its kind has the id. */
export function withShown(panes: PaneViews, event: PaneContent): PaneViews {
  const { pane: id, type } = event;
  if (isRowsPane(id) && type === 'times') return { ...panes, [id]: { ...panes[id], times: event } };
  if (isRowsPane(id) && type === 'rows') {
    const before = panes[id];
    return { ...panes, [id]: { ...before, shown: event, shift: before.shift + event.shift } };
  }
  if (isFlamePane(id) && type === 'flame') {
    const before = panes[id];
    return { ...panes, [id]: { ...before, shown: withSameZoom(before.shown, event) } };
  }
  return isOfKind(id, type) ? { ...panes, [id]: { ...panes[id], shown: event } } : panes;
}

/** Each message has a zoom of its own; the pane scrolls to the root where it gets another object. */
function withSameZoom(before: ShownFlame | undefined, news: ShownFlame): ShownFlame {
  return isSameZoom(before?.zoom, news.zoom) ? { ...news, zoom: before?.zoom } : news;
}

/** The views with these rows selected; panes that are not named have none. Unchanged views stay the same objects. */
export function withSelected(
  panes: PaneViews,
  rows: Readonly<Record<string, RowId | undefined>>,
  reveals: readonly Reveal[],
): PaneViews {
  const entries = PANE_IDS.map((id) => {
    const view = { ...panes[id], selected: rows[id] };
    const reveal = reveals.find((each) => each.pane === id && each.kind === PANES[id].kind);
    if (reveal !== undefined) return [id, { ...view, reveal }];
    return [id, view.selected === panes[id].selected ? panes[id] : view];
  });
  return Object.fromEntries(entries) as PaneViews;
}

/** An order with its value changed to the metric: samples to time, or vice versa. */
export function sortedBy(metric: Metric, sort: SortOrder): SortOrder {
  const { part, group } = columnWithId(sort.by) ?? {};
  // Columns of a comparison are by the metric, whichever that is.
  if (part === undefined || group === 'compared') return sort;
  return { ...sort, by: metric === 'time' ? `${part}Time` : `${part}Count` };
}

/** An order by the other one of the two values: samples or time. */
export function withOtherValue(sort: SortOrder): SortOrder {
  return sortedBy(sort.by.endsWith('Count') ? 'time' : 'samples', sort);
}
