import type { ReactNode } from 'react';
import type { Interval } from '../../../shared/engine/views/timeline-columns.ts';
import { axisLabels } from './timeline-geometry.ts';

/** Least distance between labels, CSS pixels. */
const LABEL_WIDTH = 72;

/** Round times below what is drawn linear in time; none is cut off at the right. `width`: CSS pixels. */
export function AxisLabels({
  shown,
  width,
}: {
  readonly shown: Interval;
  readonly width: number;
}): ReactNode {
  const xOf = (time: number): number => ((time - shown.from) / (shown.to - shown.from)) * width;
  return axisLabels(shown, LABEL_WIDTH / width)
    .filter(({ time }) => xOf(time) <= width - LABEL_WIDTH / 2)
    .map(({ time, text }) => (
      <span key={time} style={{ left: xOf(time) }}>
        {text}
      </span>
    ));
}
