import type { ColumnId } from '../../../shared/engine/columns/column.ts';
import type { Metric } from '../../../shared/engine/values/metric.ts';
import { columnWithId } from '../../../shared/engine/columns/columns.ts';
import { clampedWidth, type ColumnLayout } from '../../store/state/preferences.ts';

/** Anything with a width: a column of numbers, or `name`. */
export type SizedColumn = string;

/**
 * Columns that nobody has arranged: totals first in a tree, self values first in a list of methods. The first share has its
 * bar beside the names. In a list of methods by samples, the total share is the second: a method that only calls others has a
 * number in a narrow list, too. By time, or whatever a sample stands for, these values come first, and counts are what there
 * may be no space for. `compared`: while something is compared.
 */
const USUAL: Readonly<Record<Metric | 'compared', Readonly<Record<'total' | 'self', readonly ColumnId[]>>>> =
  {
    samples: {
      total: ['totalShare', 'totalCount', 'selfCount', 'selfShare', 'totalTime', 'selfTime'],
      self: ['selfShare', 'totalShare', 'selfCount', 'totalCount', 'selfTime', 'totalTime'],
    },
    time: {
      total: ['totalShare', 'totalTime', 'selfTime', 'selfShare', 'totalCount', 'selfCount'],
      self: ['selfShare', 'selfTime', 'totalShare', 'totalTime', 'selfCount', 'totalCount'],
    },
    compared: {
      total: ['totalChange', 'totalBase', 'totalNew', 'selfChange', 'selfBase', 'selfNew'],
      self: ['selfChange', 'selfBase', 'selfNew', 'totalChange', 'totalBase', 'totalNew'],
    },
  };

/** Default columns of a tree, or of a list of methods. */
export function usualColumns(first: 'total' | 'self', by: Metric | 'compared' = 'samples'): ColumnLayout {
  return { shown: USUAL[by][first], widths: {} };
}

/**
 * Shows the column as the last one, or hides it; the only visible column stays. The column of times becomes the second:
 * as the last one it would rarely have space. Shares of the other metric come behind those of the metric in use.
 */
export function withShown(layout: ColumnLayout, id: ColumnId, isShown: boolean): ColumnLayout {
  const others = layout.shown.filter((each) => each !== id);
  if (!isShown) return others.length === 0 ? layout : { ...layout, shown: others };
  if (layout.shown.includes(id)) return layout;
  const place = columnWithId(id)?.shownAt?.(others) ?? others.length;
  return { ...layout, shown: others.toSpliced(place, 0, id) };
}

/** Moves the column in front of another one; undefined: to the end. */
export function withMoved(layout: ColumnLayout, id: ColumnId, before: ColumnId | undefined): ColumnLayout {
  if (id === before) return layout;
  const others = layout.shown.filter((each) => each !== id);
  const at = before === undefined ? others.length : others.indexOf(before);
  if (at < 0) return layout;
  return { ...layout, shown: [...others.slice(0, at), id, ...others.slice(at)] };
}

export function withWidth(layout: ColumnLayout, id: SizedColumn, width: number): ColumnLayout {
  return { ...layout, widths: { ...layout.widths, [id]: clampedWidth(width) } };
}
