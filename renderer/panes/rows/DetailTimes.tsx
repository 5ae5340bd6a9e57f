import { type ReactNode, useCallback } from 'react';
import { PATTERN_MEANINGS, PATTERN_TEXTS, timePattern } from '../../../shared/engine/views/time-pattern.ts';
import type { LogView } from '../../store/window-state.ts';
import { drawTimes } from '../table/draw-times.ts';
import { type DrawingSize, useDrawing } from '../use-drawing.ts';

/** CSS pixels; as in detail.css. */
const WIDTH = 72;
const HEIGHT = 14;

/** When the method that is shown had its samples, as a drawing and in a word. */
export function DetailTimes({ log }: { readonly log: Pick<LogView, 'methodTimes' | 'baseline'> }): ReactNode {
  const { methodTimes, baseline } = log;
  const draw = useCallback(
    (context: CanvasRenderingContext2D, { pixelRatio }: DrawingSize) => {
      if (methodTimes === undefined) return;
      context.scale(pixelRatio, pixelRatio);
      drawTimes(context, methodTimes.counts, { left: 0, top: 0, width: WIDTH, height: HEIGHT });
    },
    [methodTimes],
  );
  const canvas = useDrawing(WIDTH, HEIGHT, draw);
  if (methodTimes === undefined) return null;
  const pattern = timePattern(methodTimes.counts);
  const without = baseline === undefined ? '' : ', without those of the baseline';
  const meaning = pattern === undefined ? '' : ` ${PATTERN_MEANINGS[pattern]}`;
  return (
    <span
      className="detail-times"
      data-testid="detail-times"
      data-tip={`When the method has samples, over the time range${without}.${meaning}`}
    >
      <canvas ref={canvas} aria-hidden="true" />
      {pattern && PATTERN_TEXTS[pattern]}
    </span>
  );
}
