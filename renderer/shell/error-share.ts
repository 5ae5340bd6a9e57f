import { formatShare } from '../../shared/text/format-value.ts';
import { shareCertainty } from '../../shared/views/precision.ts';
import { errorSamples, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';

export interface ErrorShare {
  readonly errors: number;
  readonly share: string;
  /** How exactly the share is known. */
  readonly certainty: string | undefined;
}

/** Samples without a stack, and their share of all; undefined where there are none. */
export function errorShare(log: LogView, isHidden: boolean): ErrorShare | undefined {
  const { status, summary } = log;
  const known = errorSamples({ status });
  const hidden = summary?.hidden.samples ?? 0;
  // While they are hidden, the number that the panes leave out.
  const errors = isHidden && hidden > 0 ? hidden : known;
  if (errors === 0 || status === undefined) return undefined;
  const all = errors === known ? status.samples : (summary?.samples ?? 0);
  return {
    errors,
    share: formatShare(errors, all, 1),
    certainty: shareCertainty(errors, all, unitsOf(log))?.text,
  };
}
