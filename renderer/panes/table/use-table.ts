import { type MouseEvent, type RefObject, useCallback, useMemo, useState } from 'react';
import type { Row, SortOrder, Values } from '../../profile-worker/pane-messages.ts';
import { askRows } from '../../store/actions.ts';
import { PANES, type RowsPaneId } from '../../store/panes.ts';
import {
  areSidesDependent,
  areSidesSampled,
  comparedWholeOf,
  hasSampleTimes,
  mayGrow,
  shareReference,
  shownMetric,
  shownSort,
  sortsOf,
  unitsOf,
  wholeOfRows,
} from '../../store/selectors.ts';
import { useWindow } from '../../store/window-store.ts';
import type { PaneLog } from '../pane-log.ts';
import { useWidth } from '../use-width.ts';
import type { Measure } from '../../../shared/engine/columns/column.ts';
import { columnsOf } from './columns.ts';
import { NO_SUMMARY } from './rows.ts';
import { type Columns, useColumns } from './use-columns.ts';

/** A row's menu, and where it opens, in CSS pixels of the window. */
export interface RowMenu {
  readonly row: Row;
  readonly x: number;
  readonly y: number;
}

/** What all panes of rows have in common. */
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

const NO_VALUES: Values = { selfCount: 0, totalCount: 0, selfTime: 0, totalTime: 0 };

/** `header` is the pane's, as wide as the rows: that decides which columns fit. */
export function useTable(log: PaneLog, pane: RowsPaneId, header: RefObject<HTMLDivElement | null>): Table {
  const width = useWidth(header);
  const units = unitsOf(log);
  const metric = useWindow((state) => shownMetric(log, state.preferences));
  const preferredSort = useWindow(({ preferences }) => sortsOf(preferences, log)[pane]);
  const metrics = useWindow(({ preferences }) => preferences.metrics);
  const sort = shownSort(log, { metrics }, preferredSort);
  const [menu, setMenu] = useState<RowMenu>();
  const closeMenu = useCallback(() => setMenu(undefined), []);
  const openMenuFor = useCallback((row: Row, event: MouseEvent) => {
    event.preventDefault();
    setMenu({ row, x: event.clientX, y: event.clientY });
  }, []);
  const onWindow = useCallback(
    (from: number, count: number) => askRows(log.key, pane, from, count),
    [log.key, pane],
  );
  const sharesOf = useWindow((state) => state.preferences.sharesOf);
  const whole = useMemo(() => wholeOfRows(log.summary ?? NO_SUMMARY, sharesOf), [log.summary, sharesOf]);
  const ofParent = sharesOf === 'parent';
  const largest = useSameValues(log.panes[pane].shown?.largest ?? NO_VALUES);
  const by = useWindow(({ preferences }) => preferences.compareBy);
  const sampled = useWindow((state) => areSidesSampled(state, log));
  const dependent = useWindow((state) => areSidesDependent(state, log));
  const compared = useMemo(
    () => comparedWholeOf(log, metric, by, sampled, dependent),
    [log, metric, by, sampled, dependent],
  );
  const measure = useMemo(
    () => ({ metric, units, whole, ofParent, largest, compared }),
    [metric, units, whole, ofParent, largest, compared],
  );
  const hidesSome = (log.summary?.hidden.samples ?? 0) > 0;
  const of = shareReference(log.summary ?? NO_SUMMARY, sharesOf, PANES[pane].of);
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

/** Returns the first of equal objects, because each message brings a new one. */
function useSameValues({ selfCount, totalCount, selfTime, totalTime }: Values): Values {
  return useMemo(
    () => ({ selfCount, totalCount, selfTime, totalTime }),
    [selfCount, totalCount, selfTime, totalTime],
  );
}
