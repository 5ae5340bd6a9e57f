import { type RefObject, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { isDark } from '../store/state/selectors.ts';
import { useWindow } from '../store/state/window-store.ts';

/** The size of the surface of a drawing. */
export interface DrawingSize {
  /** Device pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly pixelRatio: number;
  readonly theme: 'light' | 'dark';
}

/**
 * The ref of a canvas of `width` × `height` CSS pixels, which is as sharp as the screen. It is drawn anew, before the next
 * paint, with another `draw`, size, pixel ratio or theme; the context then is as at its start, in device pixels. `draw`
 * has to stay the same function as long as it would draw the same.
 */
export function useDrawing(
  width: number,
  height: number,
  draw: (context: CanvasRenderingContext2D, size: DrawingSize) => void,
): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pixelRatio = usePixelRatio();
  const theme = useWindow(isDark) ? 'dark' : 'light';
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (element === null || context === null || context === undefined) return;
    const size = { width: Math.round(width * pixelRatio), height: Math.round(height * pixelRatio) };
    element.width = size.width;
    element.height = size.height;
    draw(context, { ...size, pixelRatio, theme });
  }, [width, height, draw, pixelRatio, theme]);
  return canvas;
}

/** Inner width of an element, CSS pixels; 0 until it is laid out. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null) return;
    const observer = new ResizeObserver(() => setWidth(watched.clientWidth));
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** Device pixels per CSS pixel; changes when the page is zoomed or the window moves to another screen. */
export function usePixelRatio(): number {
  return useSyncExternalStore(watch, () => window.devicePixelRatio);
}

/** A media query matches one ratio, so each change registers a query for the new one. */
function watch(changed: () => void): () => void {
  let query: MediaQueryList;
  function ask(): void {
    query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    query.addEventListener('change', answer, { once: true });
  }
  function answer(): void {
    ask();
    changed();
  }
  ask();
  return () => query.removeEventListener('change', answer);
}
