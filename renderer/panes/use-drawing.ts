import { type RefObject, useLayoutEffect, useRef } from 'react';
import { isDark } from '../store/selectors.ts';
import { useWindow } from '../store/window-store.ts';
import { usePixelRatio } from './use-pixel-ratio.ts';

/** What is drawn on. */
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
