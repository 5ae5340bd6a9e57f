import { type ReactNode, useCallback } from 'react';
import { type DrawingSize, useDrawing } from './use-drawing.ts';

interface TimesDrawingProps {
  /** Numbers of samples in equal parts of the time. */
  readonly counts: ArrayLike<number>;
  /** CSS pixels, as in its style sheet. */
  readonly width: number;
  readonly height: number;
  readonly className?: string;
}

/** When something has its samples. The colours are those of its style. */
export function TimesDrawing({ counts, width, height, className }: TimesDrawingProps): ReactNode {
  const draw = useCallback(
    (context: CanvasRenderingContext2D, { pixelRatio }: DrawingSize) => {
      context.scale(pixelRatio, pixelRatio);
      drawTimes(context, counts, { left: 0, top: 0, width, height });
    },
    [counts, width, height],
  );
  return <canvas ref={useDrawing(width, height, draw)} className={className} aria-hidden="true" />;
}

/** CSS pixels. */
interface TimesBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Draws numbers of samples as columns, the largest as high as the box. The colours are those of the canvas's style. */
export function drawTimes(
  context: CanvasRenderingContext2D,
  counts: ArrayLike<number>,
  { left, top, width, height }: TimesBox,
): void {
  const style = getComputedStyle(context.canvas);
  let most = 0;
  for (let part = 0; part < counts.length; part++) most = Math.max(most, counts[part]);
  const step = width / counts.length;
  context.fillStyle = style.caretColor;
  context.fillRect(left, top + height - 1, width, 1);
  context.fillStyle = style.color;
  for (let part = 0; part < counts.length; part++) {
    if (counts[part] === 0) continue;
    const from = Math.round(left + part * step);
    const to = Math.max(from + 1, Math.round(left + (part + 1) * step) - 1);
    // A single sample can be seen.
    const size = Math.max(2, (counts[part] / most) * height);
    context.fillRect(from, top + height - size, to - from, size);
  }
}
