import { type MouseEvent, type RefObject, useCallback, useMemo, useState } from 'react';
import type { Row } from '../../profile-worker/pane-messages.ts';
import type { SortOrder } from '../../../shared/engine/views/sort-order.ts';
import {
  type Values,
  type Measure,
  type ColumnId,
  NO_VALUES,
} from '../../../shared/engine/columns/column.ts';
import { prefer } from '../../store/actions/actions.ts';
import type { ComparedWhole, CompareBy } from '../../../shared/engine/values/row-change.ts';
import { PANES, type RowsPaneId } from '../../store/panes/panes.ts';
import {
  chanceOfSides,
  hasSampleTimes,
  mayGrow,
  shareReference,
  shownMetric,
  shownSort,
  unitsOf,
  wholeOfRows,
  shownCompareBy,
} from '../../store/state/selectors.ts';
import { useWindow, services } from '../../store/state/window-store.ts';
import { useWidth } from '../use-drawing.ts';
import { columnsOf, layoutTable, type ShownColumn, type TableLayout } from './columns.ts';
import { NO_SUMMARY } from './rows.ts';
import type { Metric } from '../../../shared/engine/values/metric.ts';
import { type SizedColumn, usualColumns, withMoved, withShown, withWidth } from './column-layout.ts';
import { tableName, type ColumnLayout } from '../../store/state/preferences.ts';
import type { ChanceInCounts } from '../../../shared/profile/profile-units.ts';
import type { LogView } from '../../store/state/window-state.ts';

/** A row's menu, and where it opens, in CSS pixels of the window. */
interface RowMenu {
  readonly row: Row;
  readonly x: number;
  readonly y: number;
}

/** The common state of all panes of rows. */
export interface Table {
  readonly columns: Columns;
  readonly measure: Measure;
  readonly sort: SortOrder;
  readonly onWindow: (from: number, count: number) => void;
  readonly menu: RowMenu | undefined;
  readonly closeMenu: () => void;
  /** Opens a row's menu below an element of it. */
  readonly openMenuAt: (row: Row, element: Element) => void;
  /** Opens it where the pointer is. */
  readonly openMenuFor: (row: Row, event: MouseEvent) => void;
}

/** `header` is the pane's, as wide as the rows: that decides which columns fit. */
export function useTable(log: LogView, pane: RowsPaneId, header: RefObject<HTMLDivElement | null>): Table {
  const width = useWidth(header);
  const units = unitsOf(log);
  const preferences = useWindow((state) => state.preferences);
  const metric = shownMetric(log, preferences);
  const sort = shownSort(log, preferences, pane);
  const [menu, setMenu] = useState<RowMenu>();
  const closeMenu = useCallback(() => setMenu(undefined), []);
  const openMenuFor = useCallback((row: Row, event: MouseEvent) => {
    event.preventDefault();
    setMenu({ row, x: event.clientX, y: event.clientY });
  }, []);
  const onWindow = useCallback(
    (from: number, count: number) => services().mirrors.postRows(log.key, pane, from, count),
    [log.key, pane],
  );
  const whole = useMemo(() => wholeOfRows(log.summary ?? NO_SUMMARY), [log.summary]);
  const largest = useSameValues(log.panes[pane].shown?.largest ?? NO_VALUES);
  const compared = useCompared(log, metric);
  const measure = useMemo(
    () => ({ metric, units, whole, largest, compared }),
    [metric, units, whole, largest, compared],
  );
  const hidesSome = (log.summary?.hidden.samples ?? 0) > 0;
  const of = shareReference(log.summary ?? NO_SUMMARY);
  const hasRates = PANES[pane].of === 'methods' && mayGrow(log);
  const hasTimes = hasSampleTimes(log);
  const available = useMemo(
    () => columnsOf({ units, metric, samples: whole.samples, hidesSome, of, hasRates, hasTimes, compared }),
    [compared, units, metric, whole, hidesSome, of, hasRates, hasTimes],
  );
  return {
    columns: useColumns(pane, width, available, compared !== undefined, metric),
    measure,
    sort,
    onWindow,
    menu,
    closeMenu,
    openMenuAt(row, below) {
      const box = below.getBoundingClientRect();
      setMenu({ row, x: box.left + 40, y: box.bottom });
    },
    openMenuFor,
  };
}

/** The sums of both sides of a comparison; undefined: see `comparedWholeOf`. */
export function useCompared(log: LogView, metric: Metric): ComparedWhole | undefined {
  const by = useWindow(({ preferences }) => preferences.compareBy);
  const isSampled = useWindow((state) => chanceOfSides(state, log).isSampled);
  const isDependent = useWindow((state) => chanceOfSides(state, log).isDependent);
  return useMemo(
    () => comparedWholeOf(log, metric, by, { isSampled, isDependent }),
    [log, metric, by, isSampled, isDependent],
  );
}

/** Returns the first of equal objects, because each message brings a new one. */
function useSameValues({ selfCount, totalCount, selfTime, totalTime }: Values): Values {
  return useMemo(
    () => ({ selfCount, totalCount, selfTime, totalTime }),
    [selfCount, totalCount, selfTime, totalTime],
  );
}

/** The columns of a table, and the user's changes to them, which are stored for the next window. */
export interface Columns extends TableLayout {
  /** All that the file has numbers for, shown or not. */
  readonly available: ReadonlyMap<ColumnId, ShownColumn>;
  readonly isShown: (id: ColumnId) => boolean;
  readonly show: (ids: readonly ColumnId[], isShown: boolean) => void;
  /** In front of another column; undefined: behind all. */
  readonly move: (id: ColumnId, before: ColumnId | undefined) => void;
  readonly resize: (id: SizedColumn, width: number) => void;
  /** While an edge is dragged: applied but not stored. undefined: the drag was cancelled. */
  readonly tryWidth: (tried: TriedWidth | undefined) => void;
  /** Whether anything differs from the default. */
  readonly isChanged: boolean;
  readonly reset: () => void;
}

interface TriedWidth {
  readonly id: SizedColumn;
  readonly width: number;
}

/** `width` is the table's, CSS pixels. */
function useColumns(
  pane: RowsPaneId,
  width: number,
  available: ReadonlyMap<ColumnId, ShownColumn>,
  isCompared: boolean,
  metric: Metric,
): Columns {
  const table = tableName(pane, isCompared);
  const stored = useWindow((state) => state.preferences.columns[table]);
  const [tried, tryWidth] = useState<TriedWidth>();
  return useMemo(() => {
    const isTree = PANES[pane].of !== 'methods';
    const first = isTree ? 'total' : 'self';
    const layout = stored ?? usualColumns(first, isCompared ? 'compared' : metric);
    const shown = tried === undefined ? layout : withWidth(layout, tried.id, tried.width);
    return {
      ...layoutTable(width, shown, available, isTree ? 'tree' : 'list'),
      available,
      isShown: (id) => layout.shown.includes(id),
      show: (ids, isShown) =>
        keep(
          table,
          ids.reduce((changed, id) => withShown(changed, id, isShown), layout),
        ),
      move: (id, before) => keep(table, withMoved(layout, id, before)),
      resize: (id, to) => keep(table, withWidth(layout, id, to)),
      tryWidth,
      isChanged: stored !== undefined,
      reset: () => keep(table, undefined),
    };
  }, [pane, table, isCompared, metric, stored, tried, width, available]);
}

/** undefined: back to the defaults. */
function keep(table: string, layout: ColumnLayout | undefined): void {
  prefer({ columns: { ...useWindow.getState().preferences.columns, [table]: layout } });
}

/** The sums of both sides; undefined: nothing is compared, or the worker has not answered yet. `chance`: see `chanceOfSides`. */
export function comparedWholeOf(
  log: LogView,
  metric: Metric,
  compareBy: CompareBy,
  chance: Required<ChanceInCounts>,
): ComparedWhole | undefined {
  const sides = log.baseline && log.summary?.compared;
  if (sides === undefined) return undefined;
  const { base, next, seconds } = sides;
  const samples = { base: base.samples, next: next.samples };
  const by = shownCompareBy(log, { compareBy });
  const whole = metric === 'samples' ? samples : { base: base.time, next: next.time };
  const scale =
    by === 'share' ? whole : by === 'rate' && seconds !== undefined ? seconds : { base: 1, next: 1 };
  return { by, samples, seconds, scale: { metric, ...scale }, ...chance };
}
