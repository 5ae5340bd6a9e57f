import { type PointerEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import type { PixelLayout } from '../../../shared/draw/pixel-layout.ts';
import { isBlock } from '../../../shared/engine/views/flame-columns.ts';
import { BlockCells } from './level-pixels.ts';
import { blockStyle, surfaceOf } from '../../../shared/draw/frame-look.ts';
import { colourBits, pixelStyle, RowStyles } from '../../../shared/draw/row-styles.ts';

/** CSS pixels; as in flame.css. */
const WIDTH = 48;

interface MinimapProps {
  readonly pixels: PixelLayout;
  readonly scheme: ColourScheme;
  /** The element that scrolls the graph. */
  readonly scroller: RefObject<HTMLElement | null>;
}

/** The visible part of the scroller's content, CSS pixels. */
interface Seen {
  /** 0 at the root; negative where the root is at the bottom. */
  readonly scrollTop: number;
  readonly height: number;
}

/** All levels of a graph that is deeper than its pane, and which of them the pane shows. Dragging scrolls. */
export function Minimap({ pixels, scheme, scroller }: MinimapProps): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [seen, setSeen] = useState<Seen>({ scrollTop: 0, height: 0 });
  const graphHeight = pixels.height / pixels.pixelRatio;
  const isDeep = pixels.width > 0 && seen.height > 0 && graphHeight > seen.height;
  const seenFrom =
    pixels.orientation === 'icicle' ? seen.scrollTop : graphHeight - seen.height + seen.scrollTop;

  // Before the first paint, so that the minimap appears with the graph.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const read = (): void => setSeen({ scrollTop: element.scrollTop, height: element.clientHeight });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, [scroller]);

  // Later pictures are drawn in the frame that has the graph. Drawn before it they would prolong the task that shows an
  // answer; drawn after it all of an answer would be on screen one frame later.
  const hasPicture = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const element = canvas.current;
    if (!isDeep || element === null) return;
    const draw = (): void => drawOn(element, minimapPixels(pixels, scheme, WIDTH, seen.height));
    if (hasPicture.current !== element) {
      hasPicture.current = element;
      return draw();
    }
    const drawing = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(drawing);
  }, [isDeep, pixels, scheme, seen.height]);

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
          top: `${(100 * seenFrom) / graphHeight}%`,
          height: `${(100 * seen.height) / graphHeight}%`,
        }}
      />
    </div>
  );
}

function drawOn(canvas: HTMLCanvasElement, image: ImageData): void {
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}

/**
 * A whole graph in `width` × `height` pixels, without labels, hatches and gaps. Each level is drawn once, as a line.
 * O(rows + pixel columns of blocks + levels × width + pixels).
 */
export function minimapPixels(
  pixels: PixelLayout,
  scheme: ColourScheme,
  width: number,
  height: number,
): ImageData {
  const { layout, left, right, orientation } = pixels;
  const { levels, levelStart } = layout;
  const image = new ImageData(width, Math.max(1, Math.round(height)));
  const target = new Uint32Array(image.data.buffer);
  const surface = colourBits(surfaceOf(scheme));
  const plainBlock = pixelStyle(blockStyle(false, scheme)).unhatched;
  const matchBlock = pixelStyle(blockStyle(true, scheme)).unhatched;
  const styles = new RowStyles(pixels, scheme);
  const cells = new BlockCells(pixels, width);
  const line = new Uint32Array(width);
  const scale = width / pixels.width;
  const y = (level: number): number =>
    Math.round((orientation === 'icicle' ? level / levels : 1 - level / levels) * image.height);

  target.fill(surface);
  for (let level = 0; level < levels; level++) {
    line.fill(surface);
    cells.visit(level, (from, to, match) => line.fill(match ? matchBlock : plainBlock, from, to));
    const first = level + 1 < levelStart.length ? levelStart[level] : 0;
    const end = level + 1 < levelStart.length ? levelStart[level + 1] : 0;
    // From the right: where several frames are in one pixel the last one is seen, and the others need no style.
    let free = width;
    for (let row = end - 1; row >= first && free > 0; row--) {
      if ((isBlock(layout, row) && row > 0) || right[row] <= left[row]) continue;
      const from = Math.floor(left[row] * scale);
      if (from >= free) continue;
      const to = Math.min(free, Math.floor((right[row] - 1) * scale) + 1);
      const { unhatched } = styles.at(row);
      for (let x = from; x < to; x++) line[x] = unhatched;
      free = from;
    }
    const top = Math.min(y(level), y(level + 1));
    const bottom = Math.min(image.height, Math.max(top + 1, y(level), y(level + 1)));
    for (let at = top; at < bottom; at++) target.set(line, at * width);
  }
  return image;
}
