/** The commands `top` and `tree`, which print for people where the samples are. */
import type { OutputSink } from '../../shared/export/export-input.ts';
import { exportHeaviestTree } from '../../shared/export/heaviest-tree.ts';
import { exportTop } from '../../shared/export/top.ts';
import { type AskedProfile, askProfile, questionOf, requireSamples } from './ask-profile.ts';
import { type CommandIo, type ExitStatus, writeMessage } from './command-io.ts';
import { COMMANDS } from './commands.ts';
import { readArguments } from './options.ts';
import { writeOutput } from './output.ts';

/** Prints the hottest methods, or what else is asked for. */
export async function topCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.top.options);
  const { group, by, limit, metric, filter, output } = args.values;
  const asked = requireSamples(await askProfile(questionOf('top', args), io));
  return writeTable(asked, output, io, (sink) => {
    const rows = { hideErrors: args.values['hide-errors'], contains: filter };
    const options = { group, by, limit, metric, filter: rows, units: asked.read.facts.units };
    for (const hint of exportTop(asked.profile, options, sink)) writeMessage(io, hint);
  });
}

/** Prints the heaviest part of the call tree. */
export async function treeCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.tree.options);
  const { limit, threads, metric, output } = args.values;
  const asked = requireSamples(await askProfile(questionOf('tree', args), io));
  return writeTable(asked, output, io, (sink) =>
    exportHeaviestTree(asked.profile, { limit, threads, metric, units: asked.read.facts.units }, sink),
  );
}

async function writeTable(
  { read: { paths, problems, status } }: AskedProfile,
  output: string | undefined,
  io: CommandIo,
  write: (sink: OutputSink) => void,
): Promise<ExitStatus> {
  await writeOutput(output, paths, io, write);
  for (const problem of problems) writeMessage(io, problem);
  return status;
}
