import { type RefObject, useEffect, useRef } from 'react';

/** A zoom by 100 pixels of the wheel. */
const ZOOM_STEP = 1.5;

interface WheelActions {
  /** Around a share of the width. */
  readonly zoom: (factor: number, share: number) => void;
  /** By a share of the width. */
  readonly pan: (share: number) => void;
}

/**
 * The wheel with Ctrl zooms at the pointer; sideways, or with Shift, it moves in time; otherwise it scrolls, as in a
 * flame graph. React's own wheel handlers are passive.
 */
export function useChartWheel(element: RefObject<HTMLElement | null>, actions: WheelActions): void {
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
      if (event.ctrlKey)
        latest.current.zoom(ZOOM_STEP ** (event.deltaY / 100), (event.clientX - left) / width);
      else if (sideways !== 0) latest.current.pan(sideways / width);
      else return;
      event.preventDefault();
    }
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [element]);
}
