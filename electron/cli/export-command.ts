import type { OutputSink } from '../../shared/export/byte-sink.ts';
import { profileInScope } from '../../shared/scope/scoped-profile.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import { parseArguments } from './arguments.ts';
import { type CommandIo, type ExitStatus, writeMessage } from './command-io.ts';
import { EXPORT_OPTIONS, type ExportRequest, exportRequest } from './export-request.ts';
import { writeOutput } from './output.ts';
import { readProfile } from './read-profile.ts';
import { writeFormat } from './write-format.ts';
import { writeGzipped } from './write-gzipped.ts';

export async function exportCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = parseArguments(argv, EXPORT_OPTIONS);
  const request = exportRequest(args);
  const { profile: source, units, problems, status } = await readForExport(request, io);
  const { profile } = profileInScope(source, request.scope, request.frames);
  const out = args.value('-o');
  const write = (sink: OutputSink): readonly string[] => writeFormat(profile, units, request, sink);
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
  { paths, chosen }: ExportRequest,
  io: CommandIo,
): Promise<{
  profile: LeanProfile;
  units: ProfileUnits;
  problems: readonly string[];
  status: ExitStatus;
}> {
  const read = await readProfile(paths, chosen, io);
  const { units } = read.reader.facts();
  return { profile: read.aggregator.profile, units, problems: read.problems, status: read.status };
}
