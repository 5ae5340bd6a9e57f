import { type RefObject, useEffect, useRef } from 'react';
import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import { zoomTimeline } from '../../store/actions/time-actions.ts';
import { panned, ZOOM_STEP, zoomed } from './timeline-geometry.ts';

interface WheelActions {
  /** Around a share of the width. */
  readonly zoom: (factor: number, share: number) => void;
  /** By a share of the width. */
  readonly pan: (share: number) => void;
}

/**
 * The wheel zooms at the pointer; sideways, or with Shift, it moves in time. `scrolls`: the element scrolls, so that only
 * the wheel with Ctrl zooms. React's own wheel handlers are passive.
 */
export function useTimeWheel(
  element: RefObject<HTMLElement | null>,
  actions: WheelActions,
  scrolls = false,
): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    function onWheel(event: WheelEvent): void {
      const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
      const sideways = event.deltaX !== 0 ? event.deltaX : event.shiftKey ? event.deltaY : 0;
      if (sideways !== 0 && !event.ctrlKey) latest.current.pan(sideways / width);
      else if (event.ctrlKey || !scrolls)
        latest.current.zoom(ZOOM_STEP ** (event.deltaY / 100), (event.clientX - left) / width);
      else return;
      event.preventDefault();
    }
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [element, scrolls]);
}

/** The actions of the wheel over a drawing on the axis of the timeline. */
export function wheelOnAxis(columns: TimelineColumns): WheelActions {
  const { from, to } = columns.shown;
  return {
    zoom: (factor, share) => zoomTimeline(zoomed(columns, factor, from + share * (to - from))),
    pan: (share) => zoomTimeline(panned(columns, share * (to - from))),
  };
}
