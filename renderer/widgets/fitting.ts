/** An item of a row that may be left out where there is no space for it. */
export interface RowItem {
  /** CSS pixels at which nothing of it is shortened, with what separates it from its neighbour. */
  readonly width: number;
  /** Items of a higher rank are left out first. 0: never left out. */
  readonly rank: number;
  /** An item that can be narrower: the width that `rank` is of, and the rank of the rest of its width. */
  readonly least?: { readonly width: number; readonly restRank: number } | undefined;
  /** It is in the list that the item with `bare` opens; `counted`: which says how many of these do not fit. */
  readonly listed?: 'counted' | 'uncounted' | undefined;
  /** An item that is there only where one that is listed does not fit: its width where it has nothing to count. */
  readonly bare?: number | undefined;
}

/**
 * Index -> width of the item in `space` CSS pixels; 0: it does not fit. If one does not fit, or must be narrower, all of a
 * higher rank are left out. Depends on nothing else: a row shows the same, whatever its width was before.
 */
export function fittedWidths(items: readonly RowItem[], space: number): readonly number[] {
  const withList = (widthOf: (bare: number) => number): readonly number[] =>
    fitted(
      items.map((item) => (item.bare === undefined ? item : { ...item, width: widthOf(item.bare) })),
      space,
    );
  const withoutList = withList(() => 0);
  if (items.every(({ listed }, at) => listed === undefined || withoutList[at] > 0)) return withoutList;
  const withBare = withList((bare) => bare);
  return items.every(({ listed }, at) => listed !== 'counted' || withBare[at] > 0)
    ? withBare
    : fitted(items, space);
}

function fitted(items: readonly RowItem[], space: number): readonly number[] {
  const widths = items.map(() => 0);
  let free = space;
  const claims = items.flatMap((item, at) => [
    { at, width: leastOf(item), rank: item.rank },
    ...(restOf(item) > 0 ? [{ at, width: restOf(item), rank: item.least?.restRank ?? 0 }] : []),
  ]);
  for (const { at, width, rank } of claims.sort((a, b) => a.rank - b.rank)) {
    if (rank > 0 && width > free) break;
    widths[at] += width;
    free -= width;
  }
  return stretched(items, widths, free);
}

const leastOf = ({ width, least }: RowItem): number => Math.min(width, least?.width ?? width);
const restOf = (item: RowItem): number => item.width - leastOf(item);

/** Gives those that are shortened equal parts of what is free, and of what others of them were given already. */
function stretched(items: readonly RowItem[], widths: readonly number[], free: number): readonly number[] {
  const stretching = items
    .map((item, at) => ({ at, least: leastOf(item), rest: restOf(item) }))
    .filter(({ at, rest }) => rest > 0 && widths[at] > 0)
    .sort((a, b) => a.rest - b.rest);
  const result = [...widths];
  let spare = stretching.reduce((sum, { at, least }) => sum + widths[at] - least, Math.max(0, free));
  for (const [done, { at, least, rest }] of stretching.entries()) {
    const part = Math.min(rest, spare / (stretching.length - done));
    // Not the sum of the two, which may be a little less than the whole.
    result[at] = part < rest ? least + part : items[at].width;
    spare -= part;
  }
  return result;
}
