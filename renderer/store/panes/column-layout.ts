import type { ColumnId } from '../../../shared/engine/columns/column.ts';
import { COLUMNS } from '../../../shared/engine/columns/column-list.ts';
import type { Metric } from '../../../shared/engine/values/metric.ts';
import { columnWithId } from '../../../shared/engine/columns/columns.ts';

/** Anything with a width: a column of numbers, or `name`. */
export type SizedColumn = string;

/** The columns of a table, as the user arranged them. */
export interface ColumnLayout {
  /** From left to right, behind the names; at least one. Columns that are not listed are not shown. */
  readonly shown: readonly ColumnId[];
  /** Widths set by the user, CSS pixels. */
  readonly widths: Readonly<Partial<Record<SizedColumn, number>>>;
}

/** Limits of a column's width, CSS pixels. */
export const LEAST_COLUMN_WIDTH = 48;
const MOST_COLUMN_WIDTH = 2000;

/**
 * Default columns: totals first in a tree, self values first in a list of methods. The first share has its bar beside the
 * names. In a list of methods by samples, the total share is the second: a method that only calls others has a number in a
 * narrow list, too. By time, or whatever a sample stands for, these values come first, and counts are what there may be no
 * space for.
 */
export function usualColumns(first: 'total' | 'self', metric: Metric = 'samples'): ColumnLayout {
  if (metric === 'time') {
    const shown: readonly ColumnId[] =
      first === 'total'
        ? ['totalShare', 'totalTime', 'selfTime', 'selfShare', 'totalCount', 'selfCount']
        : ['selfShare', 'selfTime', 'totalShare', 'totalTime', 'selfCount', 'totalCount'];
    return { shown, widths: {} };
  }
  const shown: readonly ColumnId[] =
    first === 'total'
      ? ['totalShare', 'totalCount', 'selfCount', 'selfShare', 'totalTime', 'selfTime']
      : ['selfShare', 'totalShare', 'selfCount', 'totalCount', 'selfTime', 'totalTime'];
  return { shown, widths: {} };
}

/** The columns while something is compared. */
export function comparedColumns(first: 'total' | 'self'): ColumnLayout {
  const shown: readonly ColumnId[] =
    first === 'total'
      ? ['totalChange', 'totalBase', 'totalNew', 'selfChange', 'selfBase', 'selfNew']
      : ['selfChange', 'selfBase', 'selfNew', 'totalChange', 'totalBase', 'totalNew'];
  return { shown, widths: {} };
}

/** The user wants to see how much methods grew of late. */
export function showsRates(layout: ColumnLayout | undefined): boolean {
  return layout?.shown.some((id) => columnWithId(id)?.group === 'rates') === true;
}

/** The user wants to see when rows have their samples. */
export function showsTimes(layout: ColumnLayout | undefined): boolean {
  return layout?.shown.some((id) => columnWithId(id)?.group === 'times') === true;
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

export function clampedWidth(width: number): number {
  return Math.round(Math.min(Math.max(width, LEAST_COLUMN_WIDTH), MOST_COLUMN_WIDTH));
}

/** Reads a stored layout; undefined for anything else. Invalid entries in it are left out. */
export function readColumnLayout(value: unknown): ColumnLayout | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { shown, widths } = value as { readonly shown?: unknown; readonly widths?: unknown };
  if (!Array.isArray(shown)) return undefined;
  const known = shown.filter(
    (id): id is ColumnId => typeof id === 'string' && columnWithId(id) !== undefined,
  );
  if (known.length === 0) return undefined;
  const read: Partial<Record<SizedColumn, number>> = {};
  if (typeof widths === 'object' && widths !== null) {
    for (const id of ['name', ...COLUMNS.map(({ id }) => id)]) {
      const width = (widths as Readonly<Record<string, unknown>>)[id];
      if (typeof width === 'number' && Number.isFinite(width)) read[id] = clampedWidth(width);
    }
  }
  return { shown: [...new Set(known)], widths: read };
}
