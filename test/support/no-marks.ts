import type { TimelineMarks } from '../../shared/engine/views/timeline-columns.ts';

/** Marks of samples of which all count, and none is an error, a match or selected. */
export const NO_MARKS: TimelineMarks = {
  isOutside: undefined,
  isError: undefined,
  isMatch: undefined,
  isSelected: undefined,
};
