import { useEffect, useRef } from 'react';
import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import { zoomTimeline } from '../../store/time-actions.ts';
import { panned, shownInterval, ZOOM_STEP, zoomed } from './timeline-geometry.ts';

/** The wheel zooms at the pointer; sideways, or with Shift, it scrolls. React's own wheel handlers are passive. */
export function useTimelineWheel(
  layer: { readonly current: HTMLElement | null },
  columns: TimelineColumns,
  timeAt: (x: number) => number,
): void {
  const latest = useRef({ columns, timeAt });
  useEffect(() => {
    latest.current = { columns, timeAt };
  });
  useEffect(() => {
    const element = layer.current;
    if (element === null) return;
    function onWheel(event: WheelEvent): void {
      const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
      const { columns: now, timeAt: at } = latest.current;
      event.preventDefault();
      const sideways = event.deltaX !== 0 ? event.deltaX : event.shiftKey ? event.deltaY : 0;
      if (sideways !== 0) {
        const shown = shownInterval(now);
        zoomTimeline(panned(now, ((shown.to - shown.from) * sideways) / width));
      } else {
        zoomTimeline(zoomed(now, ZOOM_STEP ** (event.deltaY / 100), at(event.clientX - left)));
      }
    }
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [layer]);
}
