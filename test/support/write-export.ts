import type { OutputSink, ExportInput } from '../../shared/export/export-input.ts';
import {
  EXPORT_FORMAT_IDS,
  type ExportFormatId,
  loadExport,
  type WriteExport,
} from '../../shared/export/export-formats.ts';

const WRITERS = new Map<ExportFormatId, WriteExport>();
for (const id of EXPORT_FORMAT_IDS) WRITERS.set(id, await loadExport(id));

/** Writes a profile. Returns what was left out or rounded. */
export function writeExport(format: ExportFormatId, input: ExportInput, sink: OutputSink): readonly string[] {
  return WRITERS.get(format)!(input, sink);
}
