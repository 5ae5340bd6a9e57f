import type { ReactNode } from 'react';

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
