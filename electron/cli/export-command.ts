import type { TimelineMeasured } from '../../shared/export/timeline.ts';
import type { LogFacts } from '../../shared/facts/log-facts.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { SAMPLE_KINDS, SelfGroups } from '../../shared/views/self-groups.ts';
import { exportFormat } from '../../shared/export/export-formats.ts';
import type { OutputSink } from '../../shared/export/byte-sink.ts';
import { isEmptyScope } from '../../shared/scope/scope.ts';
import { profileInScope } from '../../shared/scope/scoped-profile.ts';
import { boundsOf, namedBounds } from '../../shared/scope/time-range.ts';
import { UNBOUNDED } from '../../shared/values/time-range.ts';
import { withoutErrors } from '../../shared/values/values-without-errors.ts';
import { parseArguments } from './arguments.ts';
import { CommandError, type CommandIo, type ExitStatus, writeMessage } from './command-io.ts';
import { emptyScopeText } from './empty-scope.ts';
import { leavesErrorsOut } from './hidden-errors.ts';
import { EXPORT_OPTIONS, type ExportRequest, exportRequest } from './export-request.ts';
import { writeOutput } from './output.ts';
import { readContents } from './read-merged.ts';
import type { ProfileContents } from './read-profile.ts';
import { rangeIn, requireSampleTimes } from './time-options.ts';
import { type WrittenProfile, writeFormat } from './write-format.ts';
import { writeGzipped } from './write-gzipped.ts';

export async function exportCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = parseArguments(argv, EXPORT_OPTIONS);
  const request = exportRequest(args);
  const { written, problems, status, emptied } = await readForExport(request, io);
  // Its rows are all that such a format has.
  if (emptied !== undefined && exportFormat(request.format).rows !== undefined)
    throw new CommandError(emptied);
  const out = args.value('-o');
  const write = (sink: OutputSink): readonly string[] => writeFormat(written, request, sink, request.budget);
  writeOutput(out, request.paths, io, (sink) => {
    // Readers of pprof accept gzipped and uncompressed files. The name of the output file selects one of them.
    const isGzipped = request.format === 'pprof' && out?.endsWith('.gz') === true;
    const notes = isGzipped ? writeGzipped(sink, write) : write(sink);
    for (const note of notes) writeMessage(io, note);
  });
  for (const problem of emptied === undefined ? problems : [...problems, emptied]) writeMessage(io, problem);
  return request.budget.stopped === undefined ? status : 3;
}

async function readForExport(
  { paths, chosen, format, frames, buckets, isMeasured, ...request }: ExportRequest,
  io: CommandIo,
): Promise<
  Pick<ProfileContents, 'problems' | 'status'> & {
    readonly written: WrittenProfile;
    /** See `emptyScopeText`. */
    readonly emptied: string | undefined;
  }
> {
  const isTimeline = format === 'timeline';
  const samples = exportFormat(format).usesTimes === true || request.range !== undefined;
  const read = await readContents(paths, chosen, io, { samples, merge: request.merge });
  const { profile: source, facts, problems, status } = read;
  const scope = { ...request.scope, range: rangeIn(request.range, read) };
  if (isTimeline) requireSampleTimes('--format timeline', read);
  const narrow = leavesErrorsOut(request.filter, format) ? withoutErrors(source) : undefined;
  const inScope = profileInScope(source, scope, frames, narrow);
  const { profile, outside, isOutside } = inScope;
  const bounds =
    scope.range === undefined || source.samples === undefined
      ? UNBOUNDED
      : boundsOf(scope.range, source.samples);
  return {
    written: {
      profile,
      units: facts.units,
      facts,
      outside: isEmptyScope(scope) ? undefined : outside,
      range: namedBounds(scope.range, source.samples),
      timeline: source.samples && {
        samples: source.samples,
        bounds,
        isOutside,
        buckets,
        measured: isMeasured ? measuredOf(source, facts) : undefined,
      },
    },
    problems,
    status,
    emptied: emptyScopeText(paths[0], source, scope, frames, inScope),
  };
}

function measuredOf(profile: LeanProfile, { series, gaps }: LogFacts): TimelineMeasured {
  const error = SAMPLE_KINDS.indexOf('error');
  const isError = new SelfGroups(profile).kinds().map((kind) => (kind === error ? 1 : 0));
  return { series, isError, leastGapNs: gaps?.leastNs };
}
