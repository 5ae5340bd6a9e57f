import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react';
import { fittedWidths, type RowItem } from './fitting.ts';
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

/** What each item takes while all of it is shown, whatever of it is shown now. */
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
    // What the list says now depends on what did not fit before.
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
