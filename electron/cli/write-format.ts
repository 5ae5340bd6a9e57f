import type { OutputSink } from '../../shared/export/byte-sink.ts';
import type { ExportBudget } from '../../shared/export/export-budget.ts';
import type { ExportFormatId } from '../../shared/export/export-formats.ts';
import { ExportRefusal } from '../../shared/export/export-refusal.ts';
import { type ExportInput, writeExport } from '../../shared/export/write-export.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { Metric } from '../../shared/values/metric.ts';
import type { RowValues } from '../../shared/values/row-sums.ts';
import { flameWeights } from '../../shared/views/flame-measures.ts';
import type { RowFilter } from '../../shared/views/filter.ts';
import { isSearching } from '../../shared/views/search.ts';
import type { SortOrder } from '../../shared/views/sort-order.ts';
import type { Recursion, ThreadGrouping } from '../../shared/trees/grouping.ts';
import { KeyTable } from '../../shared/trees/keys.ts';
import type { Question } from './ask-profile.ts';
import { CommandError, didYouMean, inputName } from './command-io.ts';

/** What is written. */
export type WrittenProfile = Required<
  Pick<ExportInput, 'profile' | 'units' | 'facts' | 'outside' | 'range' | 'timeline'>
>;

/** What is written, and how. */
export interface ExportRequest extends Question {
  readonly format: ExportFormatId;
  /** Undefined: to standard output. */
  readonly out: string | undefined;
  readonly threads: ThreadGrouping;
  readonly recursion: Recursion;
  readonly order: SortOrder;
  /** For timeline. */
  readonly buckets: number;
  readonly isMeasured: boolean;
  readonly filter: RowFilter;
  /** For callers and callees: a key. */
  readonly method: string;
  readonly root: string | undefined;
  readonly theme: 'light' | 'dark';
  readonly orientation: 'flame' | 'icicle';
  readonly width: number;
  readonly title: string;
  /** For hprof: the number of frames that are kept of a deeper stack; undefined: all. */
  readonly depth: number | undefined;
  readonly budget: ExportBudget;
}

/** Writes the requested format. Returns notes on what was left out or rounded, one line each. */
export function writeFormat(
  written: WrittenProfile,
  request: ExportRequest,
  sink: OutputSink,
  budget: ExportBudget,
): readonly string[] {
  const { root, query } = request;
  const { metric, keys: frames, search } = query;
  const drawing = {
    ...request,
    search: isSearching(search) ? search : undefined,
    colourBy: 'package' as const,
    root: (sums: RowValues) =>
      root === undefined ? undefined : { row: heaviestRow(sums, root, { metric, path }), run: undefined },
  };
  const path = request.input.paths[0];
  const name = inputName(path);
  try {
    return writeExport(request.format, { ...request, frames, metric, ...written, drawing }, sink, budget).map(
      (note) => `${name}: ${note}`,
    );
  } catch (error) {
    if (!(error instanceof ExportRefusal)) throw error;
    throw new CommandError(`${name}: ${error.message}${adviceFor(error.reason, written.profile, request)}`);
  }
}

function adviceFor(reason: ExportRefusal['reason'], profile: LeanProfile, request: ExportRequest): string {
  switch (reason) {
    case 'unknown method':
      return ` (--frames ${request.query.frames})${nearestKeys(profile, request)}`;
    case 'too many samples':
      return '; --format hprof-text holds more';
    case 'no times':
    case 'too large':
      return '';
  }
}

function nearestKeys(profile: LeanProfile, { method, query: { frames } }: ExportRequest): string {
  const keys = new KeyTable(profile, frames);
  keys.update();
  return didYouMean(method, keys.labels) || '; --format flat lists the keys';
}

/** The widest row with a key. Throws CommandError if there is none. */
export function heaviestRow(
  sums: RowValues,
  label: string,
  { metric, path }: { readonly metric: Metric; readonly path: string },
): number {
  const { tree } = sums;
  const weights = flameWeights(sums, metric);
  let heaviest: number | undefined;
  for (let row = 0; row < tree.length; row++) {
    if (tree.label(row) !== label) continue;
    if (heaviest === undefined || weights[row] > weights[heaviest]) heaviest = row;
  }
  if (heaviest === undefined) {
    throw new CommandError(
      `${inputName(path)}: has no frame with the key '${label}'; --format flat lists the keys`,
    );
  }
  return heaviest;
}
