import { type RefObject, useEffect, useRef } from 'react';

/** CSS pixels of scrolling that make one step of zoom. */
const STEP = 60;
/** Milliseconds between two steps: the time that an animation takes. */
const PAUSE_MS = 150;

/**
 * Calls `zoom` for a turn of the wheel with Ctrl held, which is also a pinch on a touchpad. React's own wheel handlers are
 * passive, and could not keep the browser from zooming the page.
 */
export function useZoomWheel(
  element: RefObject<HTMLElement | null>,
  zoom: (event: WheelEvent, isIn: boolean) => void,
): void {
  const latest = useRef(zoom);
  useEffect(() => {
    latest.current = zoom;
  });
  useEffect(() => {
    const target = element.current?.parentElement;
    if (target === null || target === undefined) return;
    let turned = 0;
    let steppedAt = -Infinity;
    function onWheel(event: WheelEvent): void {
      if (!event.ctrlKey) return;
      event.preventDefault();
      // A change of direction starts the count again.
      turned = Math.sign(turned) === -Math.sign(event.deltaY) ? event.deltaY : turned + event.deltaY;
      const now = performance.now();
      if (Math.abs(turned) < STEP || now - steppedAt < PAUSE_MS) return;
      steppedAt = now;
      const isIn = turned < 0;
      turned = 0;
      latest.current(event, isIn);
    }
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [element]);
}
