import type { FindingsProject } from '../../shared/findings/finding.ts';
import { ProjectFileError } from '../../shared/findings/project-file.ts';
import { readProjectOf } from '../host/project-of.ts';
import { CommandError } from './io/command-io.ts';

/** The project file that is named, or that of the working directory if there is one. Throws CommandError. */
export function projectOf(given: string | undefined): FindingsProject {
  try {
    return readProjectOf(given);
  } catch (error) {
    throw error instanceof ProjectFileError ? new CommandError(error.message) : error;
  }
}
