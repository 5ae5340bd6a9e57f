import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react';
import './fitting-row.css';

interface FittingRowProps {
  readonly className: string;
  /** CSS pixels between items, as in CSS. */
  readonly gap: number;
  readonly children: ReactNode;
}

const LeftOut = createContext(0);

/** Items with `data-listed="chip"` of the row around a component that do not fit. */
export const useLeftOut = (): number => useContext(LeftOut);

/**
 * A row of elements with a `data-rank`. Those that do not fit are hidden, the highest rank first, so that nothing is cut
 * in the middle. A label in a button may have a higher rank of its own: without it the
 * button has only its icon. An element with `data-least`, CSS pixels, may be that narrow, by elided texts in it;
 * `data-rest-rank` is the rank of the rest of its width, up to `data-most`. Where an element with `data-listed` does not
 * fit, there is the one with `data-more`, which lists them: it takes that many CSS pixels where it says how many of those
 * with `data-listed="chip"` do not fit, otherwise `data-bare`.
 *
 * Hidden elements keep their size, out of the flow, so that they can be measured; they take no focus. From one that is
 * hidden the focus goes to the list of what does not fit, and from there to what is listed when all of it fits.
 */
export function FittingRow({ className, gap, children }: FittingRowProps): ReactNode {
  const row = useRef<HTMLDivElement>(null);
  const [leftOut, setLeftOut] = useState(0);

  useLayoutEffect(() => {
    const element = row.current;
    if (element === null) return;
    // Called after layout: sizes cost nothing to read.
    const sizes = new ResizeObserver(() => setLeftOut(fit(element, gap)));
    const observe = (): void => {
      sizes.disconnect();
      sizes.observe(element);
      for (const item of itemsOf(element)) sizes.observe(item);
    };
    const items = new MutationObserver(observe);
    items.observe(element, { childList: true, subtree: true });
    observe();
    setLeftOut(fit(element, gap));
    return () => {
      sizes.disconnect();
      items.disconnect();
    };
  }, [gap]);

  return (
    <div ref={row} className={`fitting-row ${className}`}>
      <LeftOut value={leftOut}>{children}</LeftOut>
    </div>
  );
}

function itemsOf(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('[data-rank]')];
}

/** Hides or shortens what does not fit. Returns how many chips are hidden. */
function fit(row: HTMLElement, gap: number): number {
  const items = itemsOf(row);
  const sized = measured(items, gap);
  const widths = fittedWidths(sized, row.getBoundingClientRect().width + gap);
  for (const [at, item] of items.entries()) {
    const isWhole = widths[at] === sized[at].width && widths[at] < mostOf(item) + gap;
    item.toggleAttribute('data-unfit', widths[at] === 0);
    item.style.maxWidth = isWhole || widths[at] === 0 ? '' : `${widths[at] - gap}px`;
  }
  keepFocus(row);
  return items.filter(({ dataset }, at) => dataset.listed === 'chip' && widths[at] === 0).length;
}

/** Before the browser takes the focus from an element that was hidden. */
function keepFocus(row: HTMLElement): void {
  const focused = document.activeElement;
  if (focused === null || !row.contains(focused) || isSeen(focused)) return;
  const [list, listed, all] = ['[data-more] button', '[data-listed] button', 'button'].map((selector) => [
    ...row.querySelectorAll<HTMLElement>(selector),
  ]);
  [...list, ...listed, ...all].find(isSeen)?.focus();
}

function isSeen(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true });
}

/** The width of each item while all of it is shown, however much is shown now. */
function measured(items: readonly HTMLElement[], gap: number): readonly RowItem[] {
  const labels = items.map((item) => items.findIndex((other) => other !== item && other.contains(item)));
  const widths = items.map((item) => item.getBoundingClientRect().width + elidedWidth(item));
  for (const [at, inside] of labels.entries()) {
    if (inside < 0) continue;
    // A label brings the gap before it. Both are part of the width of its item while it is shown.
    widths[at] += Number.parseFloat(getComputedStyle(items[at].parentElement ?? items[at]).columnGap) || 0;
    if (!items[at].hasAttribute('data-unfit')) widths[inside] -= widths[at];
  }
  return items.map((item, at): RowItem => {
    const { dataset } = item;
    // The present text of the list depends on the items that did not fit before.
    const whole = dataset.more === undefined ? Math.min(widths[at], mostOf(item)) : Number(dataset.more);
    const width = whole + (labels[at] < 0 ? gap : 0);
    const least =
      dataset.least === undefined
        ? undefined
        : { width: Number(dataset.least) + gap, restRank: Number(dataset.restRank) };
    return {
      width,
      rank: Number(dataset.rank),
      least,
      listed: dataset.listed === undefined ? undefined : dataset.listed === 'chip' ? 'counted' : 'uncounted',
      bare: dataset.bare === undefined ? undefined : Number(dataset.bare) + gap,
    };
  });
}

/** The width beyond which an item is shortened, CSS pixels. */
function mostOf({ dataset }: HTMLElement): number {
  return Number(dataset.most ?? Infinity);
}

/** CSS pixels of texts in an item that are elided, and of its width that they are given in vain: then negative. */
function elidedWidth(item: HTMLElement): number {
  if (item.dataset.least === undefined) return 0;
  const text = document.createRange();
  return [...item.querySelectorAll('.elided-head')].reduce((sum, head) => {
    text.selectNodeContents(head);
    return sum + text.getBoundingClientRect().width - head.getBoundingClientRect().width;
  }, 0);
}

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
