import type { OutputSink } from '../../shared/export/byte-sink.ts';
import { isEmptyScope } from '../../shared/scope/scope.ts';
import { profileInScope } from '../../shared/scope/scoped-profile.ts';
import { boundsOf } from '../../shared/scope/time-range.ts';
import { UNBOUNDED } from '../../shared/values/time-range.ts';
import { parseArguments } from './arguments.ts';
import { type CommandIo, type ExitStatus, writeMessage } from './command-io.ts';
import { EXPORT_OPTIONS, type ExportRequest, exportRequest } from './export-request.ts';
import { writeOutput } from './output.ts';
import { type ReadProfile, readProfile } from './read-profile.ts';
import { rangeIn, requireSampleTimes } from './time-options.ts';
import { type WrittenProfile, writeFormat } from './write-format.ts';
import { writeGzipped } from './write-gzipped.ts';

export async function exportCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = parseArguments(argv, EXPORT_OPTIONS);
  const request = exportRequest(args);
  const { written, problems, status } = await readForExport(request, io);
  const out = args.value('-o');
  const write = (sink: OutputSink): readonly string[] => writeFormat(written, request, sink);
  writeOutput(out, request.paths, io, (sink) => {
    // Readers of pprof accept gzipped and uncompressed files. The name of the output file selects one of them.
    const isGzipped = request.format === 'pprof' && out?.endsWith('.gz') === true;
    const notes = isGzipped ? writeGzipped(sink, write) : write(sink);
    for (const note of notes) writeMessage(io, note);
  });
  for (const problem of problems) writeMessage(io, problem);
  return status;
}

async function readForExport(
  { paths, chosen, format, frames, buckets, ...request }: ExportRequest,
  io: CommandIo,
): Promise<Pick<ReadProfile, 'problems' | 'status'> & { readonly written: WrittenProfile }> {
  const isTimeline = format === 'timeline';
  const read = await readProfile(paths, chosen, io, { samples: isTimeline || request.range !== undefined });
  const { reader, aggregator, files, problems, status } = read;
  const scope = { ...request.scope, range: rangeIn(request.range, read) };
  if (isTimeline) requireSampleTimes('--format timeline', read);
  const source = aggregator.profile;
  const { profile, outside, isOutside } = profileInScope(source, scope, frames);
  const { samples } = source;
  const bounds =
    scope.range === undefined || samples === undefined ? UNBOUNDED : boundsOf(scope.range, samples);
  return {
    written: {
      profile,
      units: reader.facts().units,
      facts: files.at(-1)?.input.facts(),
      outside: isEmptyScope(scope) ? undefined : outside,
      timeline: samples && { samples, bounds, isOutside, buckets },
    },
    problems,
    status,
  };
}
