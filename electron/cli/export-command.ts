import type { OutputSink } from '../../shared/export/byte-sink.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import { parseArguments } from './arguments.ts';
import type { RangesSetup } from '../ranges/ranges-setup.ts';
import type { CommandIo, ExitStatus } from './command-io.ts';
import { EXPORT_OPTIONS, type ExportRequest, exportRequest } from './export-request.ts';
import { writeOutput } from './output.ts';
import { packed } from './packed.ts';
import { readProfile } from './read-profile.ts';
import { writeFormat } from './write-format.ts';

export async function exportCommand(
  argv: readonly string[],
  io: CommandIo,
  rangesSetup: RangesSetup,
): Promise<ExitStatus> {
  const args = parseArguments(argv, EXPORT_OPTIONS);
  const request = exportRequest(args);
  const { profile, units, problems, status } = await readForExport(request, io, rangesSetup);
  const out = args.value('-o');
  const write = (sink: OutputSink): readonly string[] => writeFormat(profile, units, request, sink);
  writeOutput(out, request.paths, io, (sink) => {
    // Readers of pprof accept both gzipped and unpacked files; the file name selects which one is written.
    const isPacked = request.format === 'pprof' && out?.endsWith('.gz') === true;
    const notes = isPacked ? packed(sink, write) : write(sink);
    for (const note of notes) io.stderr(`${note}\n`);
  });
  for (const problem of problems) io.stderr(`${problem}\n`);
  return status;
}

async function readForExport(
  { paths, chosen }: ExportRequest,
  io: CommandIo,
  rangesSetup: RangesSetup,
): Promise<{
  profile: LeanProfile;
  units: ProfileUnits;
  problems: readonly string[];
  status: ExitStatus;
}> {
  const read = await readProfile(paths, chosen, io, rangesSetup);
  const { units } = read.reader.facts();
  return { profile: read.aggregator.profile, units, problems: read.problems, status: read.status };
}
