import type { MethodLines } from '../../../shared/engine/query.ts';
import { useMemo } from 'react';
import { shownMetric, unitsOf, wholeOfRows } from '../../store/selectors.ts';
import { useWindow } from '../../store/window-store.ts';
import type { PaneLog } from '../pane-log.ts';
import type { Measure } from '../../../shared/engine/columns/column.ts';
import { NO_SUMMARY } from '../table/rows.ts';

/** Numbers as in the methods; bars refer to the largest line of the file. */
export function useLineMeasure(log: PaneLog, lines: MethodLines | undefined): Measure {
  const metric = useWindow((state) => shownMetric(log, state.preferences));
  const sharesOf = useWindow((state) => state.preferences.sharesOf);
  const units = unitsOf(log);
  return useMemo(() => {
    const all = lines?.files[0].lines ?? [];
    const most = (of: 'selfCount' | 'totalCount' | 'selfTime' | 'totalTime'): number =>
      all.reduce((largest, line) => Math.max(largest, line[of]), 0);
    return {
      metric,
      units,
      whole: wholeOfRows(log.summary ?? NO_SUMMARY, sharesOf),
      largest: {
        selfCount: most('selfCount'),
        totalCount: most('totalCount'),
        selfTime: most('selfTime'),
        totalTime: most('totalTime'),
      },
    };
  }, [metric, units, sharesOf, log.summary, lines]);
}
