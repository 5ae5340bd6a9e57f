import { type ReactNode, useCallback } from 'react';
import { drawTimes } from './table/draw-times.ts';
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
