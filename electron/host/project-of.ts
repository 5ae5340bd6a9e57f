import { readFileSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { CHECK_IDS } from '../../shared/findings/check-list.ts';
import { type FindingsProject, NO_PROJECT } from '../../shared/findings/finding.ts';
import { PROJECT_FILE, ProjectFileError, readProjectFile } from '../../shared/findings/project-file.ts';
import { errnoOf } from '../source/source-error.ts';

/**
 * The project file that is named, or that of the working directory if there is one. Its folders of sources are paths from
 * here. Throws ProjectFileError.
 */
export function readProjectOf(given: string | undefined): FindingsProject {
  const path = given ?? join('.', PROJECT_FILE);
  try {
    const project = readProjectFile(readFileSync(path, 'utf8'), CHECK_IDS);
    return { ...project, sources: project.sources.map((folder) => sourcesIn(dirname(path), folder)) };
  } catch (error) {
    if (given === undefined && errnoOf(error) === 'ENOENT') return NO_PROJECT;
    throw new ProjectFileError(
      error instanceof ProjectFileError
        ? `${path}: ${error.message}`
        : `${path}: cannot be read (${errnoOf(error) ?? 'unknown error'}); name another with --project`,
    );
  }
}

/** A folder below that of the project file: one that came with somebody's repository opens no others. */
function sourcesIn(base: string, folder: string): string {
  const path = join(base, folder);
  let below: string;
  try {
    below = relative(realpathSync(base), realpathSync(path));
  } catch {
    throw new ProjectFileError(`sources: ${folder} does not exist`);
  }
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below))
    throw new ProjectFileError(`sources: ${folder} is outside of the folder of the project file`);
  return path;
}
