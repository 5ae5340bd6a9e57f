import type { LineValues } from '../../../shared/engine/views/line-sums.ts';
import type { Measure } from '../../../shared/engine/columns/column.ts';
import { cellOf } from '../../../shared/engine/columns/columns.ts';

export interface ValueText {
  /** Empty for zero. */
  readonly text: string;
  /** `Self 12, 3.40 %`; empty for zero. */
  readonly spoken: string;
  /** Share of the largest value, 0 to 1. */
  readonly bar: number;
}

const NOTHING: ValueText = { text: '', spoken: '', bar: 0 };

/** The self or total value of a line, in the metric of the window. */
export function valueText(values: LineValues | undefined, measure: Measure, of: 'self' | 'total'): ValueText {
  if (values === undefined) return NOTHING;
  const amount = cellOf(measure.metric === 'time' ? `${of}Time` : `${of}Count`, values, measure);
  if (amount.text === '') return NOTHING;
  const share = cellOf(`${of}Share`, values, measure);
  return {
    text: amount.text,
    spoken: `${of === 'self' ? 'Self' : 'Total'} ${amount.text}, ${share.text} %`,
    bar: Math.max(0, share.bar ?? 0),
  };
}
