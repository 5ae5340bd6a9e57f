import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react';
import { fittingItems, type RowItem } from './fitting.ts';
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
 * `data-rest-rank` is the rank of the rest of its width. Where an element with `data-listed` does not fit, there is the
 * one with `data-more`, which lists them.
 *
 * Hidden elements keep their size, out of the flow, so that they can be measured; they take no focus.
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

/** Hides what does not fit. Returns how many chips these are. */
function fit(row: HTMLElement, gap: number): number {
  const items = itemsOf(row);
  const labels = items.map((item) => items.findIndex((other) => other !== item && other.contains(item)));
  const widths = items.map((item) => item.getBoundingClientRect().width + elidedWidth(item) + gap);
  // A shown label is part of the width of the item that it is in.
  for (const [at, inside] of labels.entries()) {
    if (inside >= 0 && !items[at].hasAttribute('data-unfit')) widths[inside] -= widths[at];
  }
  const sized = items.map(({ dataset }, at): RowItem => {
    const rank = Number(dataset.rank);
    if (dataset.least === undefined) return { width: widths[at], rank };
    const least = { width: Number(dataset.least) + gap, restRank: Number(dataset.restRank) };
    return { width: widths[at], rank, least };
  });
  const space = row.clientWidth + gap;
  const isMore = (at: number): boolean => items[at].dataset.more !== undefined;
  const isListed = (at: number): boolean => items[at].dataset.listed !== undefined;
  let fits = fittingItems(
    sized.map((item, at) => (isMore(at) ? { ...item, width: 0 } : item)),
    space,
  );
  if (fits.every((isFitting, at) => isFitting || !isListed(at)))
    fits = fits.map((isFitting, at) => isFitting && !isMore(at));
  else fits = fittingItems(sized, space);
  for (const [at, item] of items.entries()) {
    item.toggleAttribute('data-unfit', !fits[at]);
    if (item.dataset.least !== undefined)
      item.style.minWidth = `${Math.min(widths[at] - gap, Number(item.dataset.least))}px`;
  }
  return items.filter(({ dataset }, at) => dataset.listed === 'chip' && !fits[at]).length;
}

/** CSS pixels of texts in an item that are elided, rounded up. */
function elidedWidth(item: HTMLElement): number {
  if (item.dataset.least === undefined) return 0;
  return [...item.querySelectorAll('.elided-head')]
    .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    .reduce((sum, width) => (width > 0 ? sum + width + 1 : sum), 0);
}
