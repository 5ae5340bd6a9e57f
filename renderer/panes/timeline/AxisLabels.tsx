import type { ReactNode } from 'react';
import type { Interval } from '../../../shared/engine/views/timeline-columns.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { axisLabels, dayTimeOf } from './timeline-geometry.ts';

/** Least distance between labels, CSS pixels. */
const LABEL_WIDTH = 72;

/** Round times below what is drawn linear in time; none is cut off at the right. `width`: CSS pixels. */
export function AxisLabels({
  shown,
  first,
  width,
}: {
  readonly shown: Interval;
  /** When the earliest sample was taken. */
  readonly first: string;
  readonly width: number;
}): ReactNode {
  const dayTime = useDayTime(first);
  const xOf = (time: number): number => ((time - shown.from) / (shown.to - shown.from)) * width;
  return axisLabels(shown, LABEL_WIDTH / width, dayTime)
    .filter(({ time }) => xOf(time) <= width - LABEL_WIDTH / 2)
    .map(({ time, text }) => (
      <span key={time} style={{ left: xOf(time) }}>
        {text}
      </span>
    ));
}

/** See `dayTimeOf`. */
export function useDayTime(first: string | undefined): number | undefined {
  const clock = useWindow(({ preferences }) => preferences.clock);
  return first === undefined ? undefined : dayTimeOf(first, clock);
}

export interface OutsideRangeProps {
  /** Shares of the width that the range leaves out on the left and on the right. */
  readonly outside: readonly [left: number, right: number];
  /** CSS pixels. */
  readonly width: number;
}

/** Dims what is outside of the time range. */
export function OutsideRange({ outside: [left, right], width }: OutsideRangeProps): ReactNode {
  return (
    <div className="timeline-dimmed" style={{ width }}>
      <div className="timeline-outside" style={{ left: 0, width: left * width }} />
      <div className="timeline-outside" style={{ right: 0, width: right * width }} />
    </div>
  );
}
