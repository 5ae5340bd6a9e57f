import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECK_IDS } from '../../shared/findings/check-list.ts';
import { type FindingsProject, NO_PROJECT } from '../../shared/findings/finding.ts';
import { PROJECT_FILE, ProjectFileError, readProjectFile } from '../../shared/findings/project-file.ts';
import { errnoOf } from '../source/source-error.ts';
import { CommandError } from './command-io.ts';

/** The project file that is named, or that of the working directory if there is one. Throws CommandError. */
export function projectOf(given: string | undefined): FindingsProject {
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
