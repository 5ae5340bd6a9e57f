import type { Metric } from '../../../shared/engine/values/metric.ts';
import { useMemo, useState } from 'react';
import { prefer } from '../../store/actions.ts';
import {
  clampedWidth,
  type ColumnLayout,
  comparedColumns,
  type SizedColumn,
  usualColumns,
  withMoved,
  withShown,
  withWidth,
} from '../../store/column-layout.ts';
import { PANES, type RowsPaneId } from '../../store/panes.ts';
import { tableName } from '../../store/preferences.ts';
import { useWindow } from '../../store/window-store.ts';
import type { ColumnId } from '../../../shared/engine/columns/column.ts';
import { layoutTable, type ShownColumn, type TableLayout } from './columns.ts';

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

export interface TriedWidth {
  readonly id: SizedColumn;
  readonly width: number;
}

/** `width` is the table's, CSS pixels. */
export function useColumns(
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
    const layout = stored ?? (isCompared ? comparedColumns(first) : usualColumns(first, metric));
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
      resize: (id, to) => keep(table, withWidth(layout, id, clampedWidth(to))),
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
