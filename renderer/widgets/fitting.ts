/** An item of a row that may be left out where there is no space for it. */
export interface RowItem {
  /** CSS pixels, with what separates it from its neighbour. */
  readonly width: number;
  /** Items of a higher rank are left out first. 0: never left out. */
  readonly rank: number;
  /** An item that can be narrower: the width that `rank` is of, and the rank of the rest of its width. */
  readonly least?: { readonly width: number; readonly restRank: number };
}

/**
 * Index -> whether the item fits in `space` CSS pixels, perhaps narrower. If one does not fit, or must be narrower, all of
 * a higher rank are left out.
 */
export function fittingItems(items: readonly RowItem[], space: number): readonly boolean[] {
  const fits = items.map(() => false);
  let free = space;
  const claims = items.flatMap(({ width, rank, least }, at) =>
    least === undefined || least.width >= width
      ? [{ at, width, rank }]
      : [
          { at, width: least.width, rank },
          { at, width: width - least.width, rank: least.restRank },
        ],
  );
  for (const { at, width, rank } of claims.sort((a, b) => a.rank - b.rank)) {
    if (rank > 0 && width > free) break;
    fits[at] = true;
    free -= width;
  }
  return fits;
}
