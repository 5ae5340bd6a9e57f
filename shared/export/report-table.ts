/** Tables of reports about what changed. */
import type { SharePart } from '../engine/comparison/method-changes.ts';
import { alignedLines } from '../text/aligned-lines.ts';
import type { TextTable } from '../text/markdown.ts';

/** Most methods in a list of a report for people. */
export const MOST_METHODS = 30;
/** Smaller differences would be shown as 0.00, and are counted only. */
export const LEAST_DIFFERENCE = 0.000_05;

export const PART_TITLES: Readonly<Record<SharePart, string>> = {
  self: 'Self: the method itself',
  total: 'Total: the method and what it called',
};

/** The table as aligned text. */
export function tableLines({ header, rows }: TextTable): readonly string[] {
  return alignedLines([header, ...rows], (column) => column < header.length - 1);
}
