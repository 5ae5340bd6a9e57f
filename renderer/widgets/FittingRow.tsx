import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { fittingItems } from './fitting.ts';
import './fitting-row.css';

interface FittingRowProps {
  readonly className: string;
  /** CSS pixels between items, as in CSS. */
  readonly gap: number;
  readonly children: ReactNode;
}

/**
 * A row of elements with a `data-rank`. Those that do not fit are hidden, the highest rank first, so that nothing is cut
 * in the middle. A label in a button may have a higher rank of its own: without it the
 * button has only its icon.
 *
 * Hidden elements keep their size, out of the flow, so that they can be measured; they take no focus.
 */
export function FittingRow({ className, gap, children }: FittingRowProps): ReactNode {
  const row = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = row.current;
    if (element === null) return;
    // Called after layout: sizes cost nothing to read.
    const sizes = new ResizeObserver(() => fit(element, gap));
    const observe = (): void => {
      sizes.disconnect();
      sizes.observe(element);
      for (const item of itemsOf(element)) sizes.observe(item);
    };
    const items = new MutationObserver(observe);
    items.observe(element, { childList: true, subtree: true });
    observe();
    fit(element, gap);
    return () => {
      sizes.disconnect();
      items.disconnect();
    };
  }, [gap]);

  return (
    <div ref={row} className={`fitting-row ${className}`}>
      {children}
    </div>
  );
}

function itemsOf(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('[data-rank]')];
}

function fit(row: HTMLElement, gap: number): void {
  const items = itemsOf(row);
  const labels = items.map((item) => items.findIndex((other) => other !== item && other.contains(item)));
  const widths = items.map((item) => item.offsetWidth + gap);
  // A shown label is part of the width of the item that it is in.
  for (const [at, inside] of labels.entries()) {
    if (inside >= 0 && !items[at].hasAttribute('data-unfit')) widths[inside] -= widths[at];
  }
  const fits = fittingItems(
    items.map(({ dataset }, at) => ({ width: widths[at], rank: Number(dataset.rank) })),
    row.clientWidth + gap,
  );
  for (const [at, item] of items.entries()) item.toggleAttribute('data-unfit', !fits[at]);
}
