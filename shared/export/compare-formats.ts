import { assert } from '../assert.ts';
import type { OutputSink } from './byte-sink.ts';
import { COMPARE_FORMATS, type CompareFormat } from './compare-list.ts';
import { ExportBudget } from './export-budget.ts';
import { menuGroups } from './export-formats.ts';
import type { WrittenComparison } from './written-comparison.ts';

export type CompareFormatId = (typeof COMPARE_FORMATS)[number]['id'];

export const COMPARE_FORMAT_IDS: readonly CompareFormatId[] = COMPARE_FORMATS.map(({ id }) => id);

export function compareFormat(id: CompareFormatId): CompareFormat {
  const format: CompareFormat | undefined = COMPARE_FORMATS.find((each) => each.id === id);
  assert(format !== undefined, 'each id is that of a format');
  return format;
}

/** Writes a comparison. Returns where it stopped if `budget` is spent, as a phrase. Throws ExportRefusal as `WriteExport`. */
export type WriteComparison = (
  comparison: WrittenComparison,
  sink: OutputSink,
  budget?: ExportBudget,
) => string | undefined;

export async function loadComparison(id: CompareFormatId): Promise<WriteComparison> {
  const format = compareFormat(id);
  const write = await format.load();
  return (comparison, sink, budget = new ExportBudget()) => {
    budget.spend(format, sink, (limited) => write(comparison, limited));
    return budget.stopped;
  };
}

/** The formats in the window's menu. */
export const COMPARE_MENU = menuGroups(COMPARE_FORMATS).flat();
