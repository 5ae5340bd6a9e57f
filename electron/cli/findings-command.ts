import { findingsOf } from '../../shared/findings/find.ts';
import { findingsText } from '../../shared/findings/findings-text.ts';
import { printableJson } from '../../shared/text/printable.ts';
import { askProfile, questionOf } from './ask-profile.ts';
import { type CommandIo, type ExitStatus, writeMessage } from './command-io.ts';
import { COMMANDS } from './commands.ts';
import { readArguments } from './options.ts';
import { projectOf } from './project-of.ts';

/** Prints what is wrong in a profile, with how sure that is. */
export async function findingsCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.findings.options);
  const { json, project, frames, checks } = args.values;
  const known = projectOf(project);
  const question = questionOf('findings', args, { frames, keys: frames });
  const { read, view, emptied } = await askProfile({ ...question, wantsTimes: true }, io);
  const found = findingsOf({
    ...view.samples.recorded,
    facts: read.facts,
    project: known,
    only: checks,
  });
  io.stdout(json ? `${printableJson({ file: read.paths[0], ...found })}\n` : findingsText(found));
  for (const problem of read.problems) writeMessage(io, problem);
  if (emptied !== undefined) {
    writeMessage(io, emptied);
    return 1;
  }
  if (args.values['fail-on'] === undefined) return read.status;
  return found.findings.some(({ level }) => level === 'warn' || args.values['fail-on'] === 'info')
    ? 4
    : read.status;
}
