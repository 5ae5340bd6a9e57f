/** An item of a row that may be left out where there is no space for it. */
export interface RowItem {
  /** CSS pixels, with what separates it from its neighbour. */
  readonly width: number;
  /** Items of a higher rank are left out first. 0: never left out. */
  readonly rank: number;
}

/** Index -> whether the item fits in `space` CSS pixels. If one does not fit, all of a higher rank are left out too. */
export function fittingItems(items: readonly RowItem[], space: number): readonly boolean[] {
  const fits = items.map(() => false);
  let free = space;
  const byRank = [...items.keys()].sort((a, b) => items[a].rank - items[b].rank);
  for (const at of byRank) {
    const { width, rank } = items[at];
    if (rank > 0 && width > free) break;
    fits[at] = true;
    free -= width;
  }
  return fits;
}
