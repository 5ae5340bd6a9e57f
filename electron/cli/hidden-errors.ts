import type { RowFilter } from '../../shared/views/filter.ts';
import type { OptionSpecs } from './arguments.ts';

/** The canonical texts of Honest Profiler. */
const REFERENCE_FORMATS: readonly string[] = ['flat', 'tree'];

export const HIDE_ERRORS_OPTION: OptionSpecs[string] = {
  help: 'leave out samples whose stack AsyncGetCallTrace could not walk, and threads without a name; flat, tree: only their rows, and sums stay as in Honest Profiler',
};

/**
 * Whether the samples of hidden errors are left out, and not only their rows: of what people read, as in the window, and
 * of all shares. The canonical texts are those of Honest Profiler, whose filters never change a sum.
 */
export function leavesErrorsOut({ hideErrors }: RowFilter, format: string): boolean {
  return hideErrors && !REFERENCE_FORMATS.includes(format);
}
