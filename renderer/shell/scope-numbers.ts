import { shareCertainty } from '../../shared/engine/columns/precision.ts';
import { formatShare } from '../../shared/text/format-value.ts';
import { samplesInScope, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';

interface ErrorShare {
  readonly errors: number;
  readonly share: string;
  /** How exactly the share is known. */
  readonly certainty: string | undefined;
}

/**
 * Samples in scope without a stack, and their share of all in scope, as the panes count them; undefined where the scope has
 * none. While some are hidden, it is known also where the scope has none, so that they can be shown again.
 */
export function errorShare(log: LogView, isHidden: boolean): ErrorShare | undefined {
  const { summary } = log;
  if (summary === undefined) return undefined;
  const { errors, hidden } = summary;
  if (errors === 0 && !(isHidden && hidden.samples > 0)) return undefined;
  const all = samplesInScope(summary);
  return {
    errors,
    share: formatShare(errors, all, 1),
    certainty: shareCertainty(errors, all, unitsOf(log))?.text,
  };
}
