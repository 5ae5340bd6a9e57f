import { shareCertainty } from '../../shared/views/precision.ts';
import { formatCount, formatShare } from '../../shared/text/format-value.ts';
import { isMarked } from '../store/compare-actions.ts';
import { unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';

/** What the scope leaves out. */
export interface OutsideText {
  readonly count: string;
  /** `samples` */
  readonly counted: string;
  /** Of all that is not hidden. */
  readonly share: string;
  /** The interval of the share; undefined where it is not a matter of chance. */
  readonly certainty: string | undefined;
}

/** `1,387 samples outside (89.3 %)` */
export function outsideSentence({ count, counted, share }: OutsideText): string {
  return `${count} ${counted} outside (${share})`;
}

/** The log is marked, and all its samples are from before. */
export function hasNothingSinceMark(log: LogView): boolean {
  const { summary } = log;
  return (
    summary !== undefined &&
    isMarked(log) &&
    summary.outside.samples >= summary.samples - summary.hidden.samples
  );
}

/** Undefined where nothing is outside, or nothing is known yet. */
export function outsideText(log: LogView): OutsideText | undefined {
  const { summary } = log;
  if (summary === undefined) return undefined;
  const { samples, hidden } = summary;
  const outside = summary.outside.samples + summary.beyondZoom.samples;
  if (outside === 0) return undefined;
  const units = unitsOf(log);
  const all = samples - hidden.samples;
  return {
    count: formatCount(outside),
    counted: outside === 1 ? units.counted.one : units.counted.many,
    share: formatShare(outside, all, 1),
    certainty: shareCertainty(outside, all, units)?.text,
  };
}
