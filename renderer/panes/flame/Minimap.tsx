import { type PointerEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import { minimapPixels } from './minimap-pixels.ts';
import type { PixelLayout } from './pixel-layout.ts';

/** CSS pixels; as in flame.css. */
const WIDTH = 48;
/** Milliseconds without another graph after which the minimap is drawn. */
const REST_MS = 200;

interface MinimapProps {
  readonly pixels: PixelLayout;
  readonly scheme: ColourScheme;
  /** What the pane shows of the graph. */
  readonly scroller: RefObject<HTMLElement | null>;
}

interface Seen {
  /** CSS pixels. */
  readonly top: number;
  readonly height: number;
}

/** All levels of a graph that is deeper than its pane, and which of them the pane shows. Dragging scrolls. */
export function Minimap({ pixels, scheme, scroller }: MinimapProps): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [seen, setSeen] = useState<Seen>({ top: 0, height: 0 });
  const graphHeight = pixels.height / pixels.pixelRatio;
  const isDeep = seen.height > 0 && graphHeight > seen.height;
  const { theme, colourBy, searching } = scheme;

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const read = (): void =>
      setSeen({
        top:
          pixels.orientation === 'icicle'
            ? element.scrollTop
            : element.scrollHeight - element.clientHeight + element.scrollTop,
        height: element.clientHeight,
      });
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, [scroller, pixels]);

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!isDeep || canvas.current === null || context === null || context === undefined) return;
    // Waits until the flame graph is drawn and no longer changes.
    const timer = setTimeout(() => {
      const image = minimapPixels(pixels, { theme, colourBy, searching }, WIDTH, seen.height);
      context.canvas.width = image.width;
      context.canvas.height = image.height;
      context.putImageData(image, 0, 0);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [isDeep, pixels, theme, colourBy, searching, seen.height]);

  function scrollTo(event: PointerEvent<HTMLDivElement>): void {
    const element = scroller.current;
    const box = event.currentTarget.getBoundingClientRect();
    if (element === null || event.buttons === 0) return;
    const middle = ((event.clientY - box.top) / box.height) * graphHeight;
    const top = middle - seen.height / 2;
    element.scrollTo({ top: pixels.orientation === 'icicle' ? top : top - (graphHeight - seen.height) });
  }

  if (!isDeep) return null;
  return (
    <div
      className="flame-minimap"
      data-testid="flame-minimap"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        scrollTo(event);
      }}
      onPointerMove={scrollTo}
    >
      <canvas ref={canvas} />
      <div
        className="flame-minimap-seen"
        style={{
          top: `${(100 * seen.top) / graphHeight}%`,
          height: `${(100 * seen.height) / graphHeight}%`,
        }}
      />
    </div>
  );
}
