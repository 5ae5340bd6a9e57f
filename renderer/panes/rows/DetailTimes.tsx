import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { PATTERN_MEANINGS, timePattern } from '../../../shared/views/time-pattern.ts';
import type { LogView } from '../../store/window-state.ts';
import { isDark } from '../../store/selectors.ts';
import { useWindow } from '../../store/window-store.ts';
import { drawTimes } from '../table/draw-times.ts';
import { usePixelRatio } from '../use-pixel-ratio.ts';

/** CSS pixels; as in detail.css. */
const WIDTH = 72;
const HEIGHT = 14;

/** When the method that is shown had its samples, as a drawing and in a word. */
export function DetailTimes({ log }: { readonly log: Pick<LogView, 'methodTimes'> }): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pixelRatio = usePixelRatio();
  const dark = useWindow(isDark);
  const { methodTimes } = log;
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (element === null || context === null || context === undefined || methodTimes === undefined) return;
    element.width = Math.round(WIDTH * pixelRatio);
    element.height = Math.round(HEIGHT * pixelRatio);
    context.scale(pixelRatio, pixelRatio);
    drawTimes(context, methodTimes.counts, { left: 0, top: 0, width: WIDTH, height: HEIGHT });
  }, [methodTimes, pixelRatio, dark]);
  if (methodTimes === undefined) return null;
  const pattern = timePattern(methodTimes.counts);
  const meaning = pattern === undefined ? '' : ` ${PATTERN_MEANINGS[pattern]}`;
  return (
    <span
      className="detail-times"
      data-testid="detail-times"
      data-tip={`When the method has samples, over the time range.${meaning}`}
    >
      <canvas ref={canvas} aria-hidden="true" />
      {pattern}
    </span>
  );
}
