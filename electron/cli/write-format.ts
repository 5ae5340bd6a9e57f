import type { OutputSink } from '../../shared/export/byte-sink.ts';
import type { ExportBudget } from '../../shared/export/export-budget.ts';
import { ExportRefusal } from '../../shared/export/export-refusal.ts';
import { type ExportInput, writeExport } from '../../shared/export/write-export.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { RowValues } from '../../shared/values/row-sums.ts';
import { flameWeights } from '../../shared/views/flame-measures.ts';
import { KeyTable } from '../../shared/trees/keys.ts';
import { CommandError } from './command-io.ts';
import { didYouMean } from './did-you-mean.ts';
import type { ExportRequest } from './export-request.ts';
import { inputName } from './input-name.ts';

/** What is written. */
export type WrittenProfile = Required<
  Pick<ExportInput, 'profile' | 'units' | 'facts' | 'outside' | 'range' | 'timeline'>
>;

/** Writes the requested format. Returns notes on what was left out or rounded, one line each. */
export function writeFormat(
  written: WrittenProfile,
  request: ExportRequest,
  sink: OutputSink,
  budget: ExportBudget,
): readonly string[] {
  const { root } = request;
  const drawing = {
    ...request,
    colourBy: 'package' as const,
    root: (sums: RowValues) =>
      root === undefined ? undefined : { row: heaviestRow(sums, root, request), run: undefined },
  };
  const name = inputName(request.path);
  try {
    return writeExport(request.format, { ...request, ...written, drawing }, sink, budget).map(
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
      return ` (--frames ${request.frames})${nearestKeys(profile, request)}`;
    case 'too many samples':
      return '; --format hprof-text holds more';
    case 'no times':
    case 'too large':
      return '';
  }
}

function nearestKeys(profile: LeanProfile, { method, frames }: ExportRequest): string {
  const keys = new KeyTable(profile, frames);
  keys.update();
  return didYouMean(method, keys.labels) || '; --format flat lists the keys';
}

/** The widest row with a key. Throws CommandError if there is none. */
export function heaviestRow(
  sums: RowValues,
  label: string,
  { metric, path }: Pick<ExportRequest, 'metric' | 'path'>,
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
