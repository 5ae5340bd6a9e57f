/** The project file `.leanscope.json`: which code is the team's own, and which findings it knows. */
import type { FindingsProject } from './finding.ts';

export const PROJECT_FILE = '.leanscope.json';

/** A project file that cannot be used. The message names the place, what was found there and what was expected. */
export class ProjectFileError extends Error {
  override readonly name = 'ProjectFileError';
}

/**
 * Reads a project file. `ids`: of all checks. Throws ProjectFileError.
 *
 *   {"own": ["com.acme."], "suppress": [{"id": "F15", "key": "com.acme.Audit.log", "why": "it is an audit log"}]}
 */
export function readProjectFile(text: string, ids: readonly string[]): FindingsProject {
  const root = fields(parsed(text), '', ['own', 'sources', 'suppress']);
  texts(root.sources, 'sources');
  return {
    own: texts(root.own, 'own'),
    suppress: list(root.suppress, 'suppress').map((each, at) => {
      const place = `suppress[${at}]`;
      const { id, key, why } = fields(each, place, ['id', 'key', 'why']);
      if (typeof id !== 'string' || !ids.includes(id)) refuse(`${place}.id`, id, `one of ${ids.join(', ')}`);
      if (typeof why !== 'string' || why.trim() === '') refuse(`${place}.why`, why, 'a reason, as text');
      if (key !== undefined && typeof key !== 'string')
        refuse(`${place}.key`, key, 'a class and method, as text');
      return { id, why, ...(key !== undefined && { key }) };
    }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    const before = text.slice(0, position === undefined ? text.length : Number(position)).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw new ProjectFileError(`${place}: found no valid JSON, expected an object in JSON`);
  }
}

function fields(value: unknown, place: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(place, value, 'an object');
  const entries = Object.entries(value);
  const unknown = entries.find(([name]) => !known.includes(name));
  if (unknown !== undefined)
    refuse(`${place === '' ? '' : `${place}.`}${unknown[0]}`, unknown[1], `only ${known.join(', ')}`);
  return Object.fromEntries(entries);
}

function list(value: unknown, place: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) refuse(place, value, 'a list');
  return value;
}

function texts(value: unknown, place: string): readonly string[] {
  return list(value, place).map((each, at) => {
    if (typeof each !== 'string' || each === '') refuse(`${place}[${at}]`, each, 'a text that is not empty');
    return each;
  });
}

function refuse(place: string, found: unknown, expected: string): never {
  const json = found === undefined ? 'nothing' : JSON.stringify(found);
  const short = json.length > 60 ? `${json.slice(0, 60)}…` : json;
  throw new ProjectFileError(
    `${place === '' ? 'the whole file' : place}: found ${short}, expected ${expected}`,
  );
}
