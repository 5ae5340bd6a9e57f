import {
  HEATMAP_SCALE_NAMES,
  type HeatmapScaleName,
  isPossibleScale,
} from '../../../shared/engine/views/heatmap-columns.ts';
import type { SegmentedChoice } from '../../widgets/SegmentedControl.tsx';

const TEXTS: Readonly<Record<HeatmapScaleName, { readonly text: string; readonly hint: string }>> = {
  fine: { text: '20 ms', hint: 'A column is a second' },
  middle: { text: '250 ms', hint: 'A column is 15 seconds' },
  coarse: { text: '5 s', hint: 'A column is five minutes: a day fits' },
};

const TOO_LONG = 'The log is too long: it would have more columns than a browser can show';

/** The times of a square to choose from. `last`: of the latest sample, ns; undefined until it is known. */
export function scaleChoices(last: number | undefined): readonly SegmentedChoice<HeatmapScaleName>[] {
  return HEATMAP_SCALE_NAMES.map((value) => {
    const { text, hint } = TEXTS[value];
    const disabled = last !== undefined && !isPossibleScale(last, value);
    return { value, text, hint: disabled ? TOO_LONG : hint, disabled };
  });
}

/** The next coarser (1) or finer (-1) scale; undefined if there is none that can be shown. */
export function nextScale(last: number, from: HeatmapScaleName, step: 1 | -1): HeatmapScaleName | undefined {
  const at = HEATMAP_SCALE_NAMES.indexOf(from) + step;
  const next = at < 0 ? undefined : HEATMAP_SCALE_NAMES.at(at);
  return next !== undefined && isPossibleScale(last, next) ? next : undefined;
}
