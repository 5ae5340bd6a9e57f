import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { HEATMAP_SCALES, type HeatmapColumns } from '../../../shared/engine/views/heatmap-columns.ts';

interface Scrolling {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly heatmap: HeatmapColumns;
  /** CSS pixels. */
  readonly columnWidth: number;
  readonly width: number;
  readonly onScroll: (left: number) => void;
}

/**
 * Keeps what is looked at on screen: another scale shows the same time in the middle, and while the newest column is
 * visible, newer ones are, too.
 */
export function useHeatmapScroll({ scroller, heatmap, columnWidth, width, onScroll }: Scrolling): void {
  const { scale, length } = heatmap;
  const before = useRef({ scale, length, columnWidth });
  useLayoutEffect(() => {
    const element = scroller.current;
    const was = before.current;
    before.current = { scale, length, columnWidth };
    if (element === null) return;
    if (was.scale !== scale || was.columnWidth !== columnWidth) {
      const middle = (element.scrollLeft + width / 2) / was.columnWidth;
      const time = middle * HEATMAP_SCALES[was.scale].squareNs * HEATMAP_SCALES[was.scale].rows;
      const column = time / (HEATMAP_SCALES[scale].squareNs * HEATMAP_SCALES[scale].rows);
      element.scrollTo({ left: column * columnWidth - width / 2 });
    } else if (was.length < length && element.scrollLeft + width >= (was.length - 1) * columnWidth) {
      element.scrollTo({ left: length * columnWidth });
    }
    onScroll(element.scrollLeft);
  }, [scroller, scale, length, columnWidth, width, onScroll]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScrolled = (): void => onScroll(element.scrollLeft);
    /** There is nothing to scroll to above and below. */
    const onWheel = (event: WheelEvent): void => {
      if (event.deltaX !== 0 || event.ctrlKey || element.scrollWidth <= element.clientWidth) return;
      event.preventDefault();
      element.scrollBy({ left: event.deltaY });
    };
    element.addEventListener('scroll', onScrolled, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      element.removeEventListener('scroll', onScrolled);
      element.removeEventListener('wheel', onWheel);
    };
  }, [scroller, onScroll]);
}

/** Scrolls as little as shows a column. */
export function showColumn(scroller: HTMLElement | null, column: number, columnWidth: number): void {
  if (scroller === null) return;
  const left = column * columnWidth;
  if (left < scroller.scrollLeft) scroller.scrollLeft = left;
  else if (left + columnWidth > scroller.scrollLeft + scroller.clientWidth)
    scroller.scrollLeft = left + columnWidth - scroller.clientWidth;
}
