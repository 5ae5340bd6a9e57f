import type { Values } from '../../../shared/engine/columns/column.ts';
import type { Measure } from '../../../shared/engine/columns/column.ts';
import { cellOf } from '../../../shared/engine/columns/columns.ts';
import type { MethodLines } from '../../../shared/engine/query.ts';
import { useMemo } from 'react';
import { shownMetric, unitsOf, wholeOfRows } from '../../store/state/selectors.ts';
import { useWindow } from '../../store/state/window-store.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { NO_SUMMARY } from '../table/rows.ts';

interface ValueText {
  /** Empty for zero. */
  readonly text: string;
  /** `Self 12, 3.40 %`; empty for zero. */
  readonly spoken: string;
  /** Share of the largest value, 0 to 1. */
  readonly bar: number;
}

const NOTHING: ValueText = { text: '', spoken: '', bar: 0 };

/** The self or total value of a line, in the metric of the window. */
export function valueText(values: Values | undefined, measure: Measure, of: 'self' | 'total'): ValueText {
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

/** Numbers as in the methods; bars refer to the largest line of the file. */
export function useLineMeasure(log: LogView, lines: MethodLines | undefined): Measure {
  const metric = useWindow((state) => shownMetric(log, state.preferences));
  const units = unitsOf(log);
  return useMemo(() => {
    const all = lines?.files[0].lines ?? [];
    const most = (of: 'selfCount' | 'totalCount' | 'selfTime' | 'totalTime'): number =>
      all.reduce((largest, line) => Math.max(largest, line[of]), 0);
    return {
      metric,
      units,
      whole: wholeOfRows(log.summary ?? NO_SUMMARY),
      largest: {
        selfCount: most('selfCount'),
        totalCount: most('totalCount'),
        selfTime: most('selfTime'),
        totalTime: most('totalTime'),
      },
    };
  }, [metric, units, log.summary, lines]);
}
