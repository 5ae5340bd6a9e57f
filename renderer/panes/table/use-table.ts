import { type MouseEvent, type RefObject, useCallback, useMemo, useState } from 'react';
import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import type { Metric } from '../../../shared/values/metric.ts';
import type { ProfileSummary } from '../../profile-worker/mirror-messages.ts';
import type { SortOrder } from '../../profile-worker/pane-messages.ts';
import { askRows } from '../../store/actions.ts';
import type { RowsPaneId } from '../../store/panes.ts';
import { shownMetric, shownSort, unitsOf } from '../../store/selectors.ts';
import { useWindow } from '../../store/window-store.ts';
import type { PaneLog } from '../pane-log.ts';
import { useWidth } from '../use-width.ts';
import { type Column, fittingColumns, nameWidthBeside } from './columns.ts';
import { NO_SUMMARY } from './rows.ts';

/** A row's menu, and where it opens, in CSS pixels of the window. */
export interface RowMenu<Row> {
  readonly row: Row;
  readonly x: number;
  readonly y: number;
}

/** What tree and flat list have in common: columns that fit, sums to relate to, a menu, rows asked for by window. */
export interface Table<Row> {
  readonly columns: readonly Column[];
  /** CSS pixels for a row's name; the columns follow. */
  readonly nameWidth: number;
  readonly metric: Metric;
  readonly units: ProfileUnits;
  readonly whole: ProfileSummary;
  readonly sort: SortOrder;
  readonly onWindow: (from: number, count: number) => void;
  readonly menu: RowMenu<Row> | undefined;
  readonly closeMenu: () => void;
  /** Opens a row's menu below an element of it. */
  readonly openMenuAt: (row: Row, element: Element) => void;
  /** Opens it where the pointer is. */
  readonly openMenuFor: (row: Row, event: MouseEvent) => void;
}

/** `header` is the pane's, as wide as the rows: that decides which columns fit. */
export function useTable<Row>(
  log: PaneLog,
  pane: RowsPaneId,
  header: RefObject<HTMLDivElement | null>,
): Table<Row> {
  const width = useWidth(header);
  const units = unitsOf(log);
  const metric = useWindow((state) => shownMetric(log, state.preferences.metric));
  const preferredSort = useWindow(({ preferences }) =>
    pane === 'tree' ? preferences.treeSort : preferences.flatSort,
  );
  const sort = shownSort(log, preferredSort);
  const [menu, setMenu] = useState<RowMenu<Row>>();
  const closeMenu = useCallback(() => setMenu(undefined), []);
  const openMenuFor = useCallback((row: Row, event: MouseEvent) => {
    event.preventDefault();
    setMenu({ row, x: event.clientX, y: event.clientY });
  }, []);
  const onWindow = useCallback(
    (from: number, count: number) => askRows(log.key, pane, from, count),
    [log.key, pane],
  );
  const whole = log.summary ?? NO_SUMMARY;
  const columns = useMemo(
    () => fittingColumns(width, metric, units, pane === 'tree' ? 'total' : 'self'),
    [width, metric, units, pane],
  );
  return {
    columns,
    nameWidth: nameWidthBeside(columns, width),
    metric,
    units,
    whole,
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
