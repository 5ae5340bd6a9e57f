import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECK_IDS } from '../../shared/findings/check-list.ts';
import { type FindingsProject, NO_PROJECT } from '../../shared/findings/finding.ts';
import { findingsText } from '../../shared/findings/findings-text.ts';
import { PROJECT_FILE, ProjectFileError, readProjectFile } from '../../shared/findings/project-file.ts';
import { printableJson } from '../../shared/text/printable.ts';
import { errnoOf } from '../source/source-error.ts';
import { askProfile, questionOf } from './ask-profile.ts';
import { CommandError, type CommandIo, type ExitStatus, writeMessage } from './command-io.ts';
import { COMMANDS } from './commands.ts';
import { readArguments } from './options.ts';

/** Prints what is wrong in a profile, with how sure that is. */
export async function findingsCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.findings.options);
  const { json, project, frames, checks } = args.values;
  const known = projectOf(project);
  const question = questionOf('findings', args, { frames, keys: frames });
  const { read, view, emptied } = await askProfile({ ...question, wantsTimes: true }, io);
  const found = view.findings({ facts: read.facts, project: known, only: checks });
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

/** The project file that is named, or that of the working directory if there is one. Throws CommandError. */
function projectOf(given: string | undefined): FindingsProject {
  const path = given ?? join('.', PROJECT_FILE);
  try {
    return readProjectFile(readFileSync(path, 'utf8'), CHECK_IDS);
  } catch (error) {
    if (given === undefined && errnoOf(error) === 'ENOENT') return NO_PROJECT;
    if (error instanceof ProjectFileError) throw new CommandError(`${path}: ${error.message}`);
    throw new CommandError(
      `${path}: cannot be read (${errnoOf(error) ?? 'unknown error'}); name another with --project`,
    );
  }
}
