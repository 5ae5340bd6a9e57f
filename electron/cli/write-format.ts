import type { OutputSink } from '../../shared/export/byte-sink.ts';
import { exportCollapsed } from '../../shared/export/collapsed.ts';
import { exportCsv } from '../../shared/export/csv.ts';
import { exportFlameSvg } from '../../shared/export/flame-svg.ts';
import { exportFlat } from '../../shared/export/flat.ts';
import { exportHprofBinary, MOST_HPROF_SAMPLES } from '../../shared/export/hprof-binary.ts';
import { exportHprofText } from '../../shared/export/hprof-text.ts';
import { HprofTraces } from '../../shared/export/hprof-traces.ts';
import { exportLean } from '../../shared/export/lean.ts';
import { exportMethodTree } from '../../shared/export/method-tree.ts';
import { exportSpeedscope } from '../../shared/export/speedscope.ts';
import { exportPprof } from '../../shared/export/pprof.ts';
import { callTreeOf, exportTree } from '../../shared/export/tree.ts';
import { exportTrcbin } from '../../shared/export/trcbin.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import { formatQuantity } from '../../shared/text/format-value.ts';
import { nearestTexts } from '../../shared/text/nearest-texts.ts';
import type { RowSums } from '../../shared/values/row-sums.ts';
import { keepsAll, keptRows } from '../../shared/views/filter.ts';
import { flameWeights } from '../../shared/views/flame-measures.ts';
import { KeyTable } from '../../shared/trees/keys.ts';
import { CommandError } from './command-io.ts';
import type { ExportRequest } from './export-request.ts';
import { inputName, printable } from './printable.ts';

/** So many keys are offered to who named one that is not there. */
const NEAREST_KEYS = 3;

/** Writes the view that is asked for. Returns what the reader of the output should know besides it. */
export function writeFormat(
  profile: LeanProfile,
  units: ProfileUnits,
  request: ExportRequest,
  sink: OutputSink,
): string | undefined {
  const { format, frames, threads, recursion, metric, filter } = request;
  const grouping = { threads, frames };
  switch (format) {
    case 'lean':
      exportLean(profile, sink);
      return undefined;
    case 'flat':
      exportFlat(profile, { frames, recursion, filter }, sink);
      return undefined;
    case 'csv':
      exportCsv(profile, { frames, recursion, filter, metric, units }, sink);
      return undefined;
    case 'tree':
      exportTree(profile, { grouping, filter }, sink);
      return undefined;
    case 'callers':
    case 'callees': {
      const { method } = request;
      const options = { direction: format, method, grouping, recursion, filter };
      if (!exportMethodTree(profile, options, sink)) throw unknownMethod(profile, request);
      return undefined;
    }
    case 'collapsed': {
      const leftOut = exportCollapsed(profile, { grouping, metric, filter }, sink);
      if (leftOut === 0) return undefined;
      return `${inputName(request.path)}: ${formatQuantity(leftOut, 'stack')} left out: no positive time`;
    }
    case 'speedscope': {
      const leftOut = exportSpeedscope(
        profile,
        { units, name: request.path === '-' ? 'standard input' : request.title },
        sink,
      );
      if (leftOut === 0) return undefined;
      return `${inputName(request.path)}: ${formatQuantity(leftOut, 'stack')} left out: no positive weight`;
    }
    case 'hprof': {
      const traces = new HprofTraces(profile, request.depth);
      if (traces.total > MOST_HPROF_SAMPLES) throw tooManySamples(traces.total, request);
      exportHprofBinary(traces, sink);
      return undefined;
    }
    case 'hprof-text':
      exportHprofText(new HprofTraces(profile, request.depth), sink);
      return undefined;
    case 'trcbin': {
      const notes: string[] = [];
      const rounded = exportTrcbin(profile, sink);
      if (rounded > 0) notes.push(`${formatQuantity(rounded, 'count')} rounded: calls are whole`);
      if (units.value?.unit === 'bytes') notes.push('its bytes are written where a trace has nanoseconds');
      return notes.length === 0 ? undefined : `${inputName(request.path)}: ${notes.join('; ')}`;
    }
    case 'pprof': {
      const rounded = exportPprof(profile, units, sink);
      if (rounded === 0) return undefined;
      return `${inputName(request.path)}: ${formatQuantity(rounded, 'count')} rounded: samples are whole`;
    }
    case 'svg': {
      const sums = callTreeOf(profile, grouping);
      exportFlameSvg(
        {
          sums,
          metric,
          units,
          zoom: request.root === undefined ? undefined : heaviestRow(sums, request.root, request),
          search: request.search,
          kept: keepsAll(filter) ? undefined : keptRows(sums, filter),
          theme: request.theme,
          orientation: request.orientation,
          title: request.title,
          width: request.width,
        },
        sink,
      );
      return undefined;
    }
  }
}

function tooManySamples(total: number, { path }: ExportRequest): CommandError {
  const most = formatQuantity(MOST_HPROF_SAMPLES, 'sample');
  return new CommandError(
    `${inputName(path)}: has ${formatQuantity(total, 'sample')}, and hprof holds at most ${most}; --format hprof-text holds more`,
  );
}

function unknownMethod(profile: LeanProfile, { path, method, frames }: ExportRequest): CommandError {
  const keys = new KeyTable(profile, frames);
  keys.update();
  const nearest = nearestTexts(keys.labels, method, NEAREST_KEYS).map((key) => `'${printable(key)}'`);
  const advice =
    nearest.length > 0 ? `did you mean ${nearest.join(' or ')}?` : '--format flat lists the keys';
  return new CommandError(
    `${inputName(path)}: has no method with the key '${printable(method)}' (--frames ${frames}); ${advice}`,
  );
}

function heaviestRow(sums: RowSums, label: string, { metric, path }: ExportRequest): number {
  const { tree } = sums;
  const weights = flameWeights(sums, metric);
  let heaviest: number | undefined;
  for (let row = 0; row < tree.length; row++) {
    if (tree.label(row) !== label) continue;
    if (heaviest === undefined || weights[row] > weights[heaviest]) heaviest = row;
  }
  if (heaviest === undefined) {
    throw new CommandError(
      `${inputName(path)}: has no frame with the key '${printable(label)}'; --format flat lists the keys`,
    );
  }
  return heaviest;
}
