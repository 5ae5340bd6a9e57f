/** The project file `.leanscope.json`: which code is the team's own, and which findings it knows. */
import type { FindingsProject, Thresholds } from './finding.ts';

export const PROJECT_FILE = '.leanscope.json';

/** A project file that cannot be used. The message names the place, what was found there and what was expected. */
export class ProjectFileError extends Error {
  override readonly name = 'ProjectFileError';
}

/** Names of properties and numbers of elements, from the outermost. */
type Place = readonly (string | number)[];

/**
 * Reads a project file. `ids`: of all checks. Throws ProjectFileError.
 *
 *   {
 *     "own": ["com.acme."],
 *     "sources": ["shop/src/main/java"],
 *     "thresholds": {"F1": {"info": 20, "warn": 50}},
 *     "suppress": [{"id": "F15", "key": "com.acme.Audit.log", "why": "it is an audit log"}]
 *   }
 */
export function readProjectFile(text: string, ids: readonly string[]): FindingsProject {
  const reader: Reader = new Reader(text.replace(/^\uFEFF/, ''));
  const root = reader.fields(reader.root, [], ['own', 'sources', 'suppress', 'thresholds']);
  const anyId = `one of ${ids.join(', ')}`;
  const { thresholds = {} } = root;
  const known = Object.entries(reader.fields(thresholds, ['thresholds'], ids));
  return {
    own: reader.texts(root.own, ['own']),
    sources: reader.texts(root.sources, ['sources']),
    thresholds: Object.fromEntries(
      known.map(([id, value]) => [id, reader.thresholds(value, ['thresholds', id])]),
    ),
    suppress: reader.list(root.suppress, ['suppress']).map((each, at) => {
      const place = ['suppress', at];
      const { id, key, why } = reader.fields(each, place, ['id', 'key', 'why']);
      if (typeof id !== 'string' || !ids.includes(id)) reader.refuse([...place, 'id'], id, anyId);
      if (typeof why !== 'string' || why.trim() === '')
        reader.refuse([...place, 'why'], why, 'a reason, as text');
      if (key !== undefined && typeof key !== 'string')
        reader.refuse([...place, 'key'], key, 'a class and method, as text');
      return { id, why, ...(key !== undefined && { key }) };
    }),
  };
}

/** Reads values of the file, and refuses those that are not expected at their place. */
class Reader {
  readonly root: unknown;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    try {
      this.root = JSON.parse(text);
    } catch (error) {
      const position = /position (\d+)/.exec(String(error))?.[1];
      const before = text.slice(0, position === undefined ? text.length : Number(position)).split('\n');
      const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
      throw new ProjectFileError(`${place}: found no valid JSON, expected an object in JSON`);
    }
  }

  fields(value: unknown, place: Place, known: readonly string[]): Readonly<Record<string, unknown>> {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      this.refuse(place, value, 'an object');
    const entries = Object.entries(value);
    const unknown = entries.find(([name]) => !known.includes(name));
    if (unknown !== undefined) this.refuse([...place, unknown[0]], unknown[1], `only ${known.join(', ')}`);
    return Object.fromEntries(entries);
  }

  list(value: unknown, place: Place): readonly unknown[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) this.refuse(place, value, 'a list');
    return value;
  }

  texts(value: unknown, place: Place): readonly string[] {
    return this.list(value, place).map((each, at) => {
      if (typeof each !== 'string' || each === '')
        this.refuse([...place, at], each, 'a text that is not empty');
      return each;
    });
  }

  /** Per cent in the file, fractions in the answer. */
  thresholds(value: unknown, place: Place): Partial<Thresholds> {
    const { info, warn } = this.fields(value, place, ['info', 'warn']);
    const fraction = (of: unknown, name: string): number | undefined => {
      if (of === undefined) return undefined;
      if (typeof of !== 'number' || !(of >= 0 && of <= 100))
        this.refuse([...place, name], of, 'a number of per cent, 0 to 100');
      return of / 100;
    };
    const [least, most] = [fraction(info, 'info'), fraction(warn, 'warn')];
    return { ...(least !== undefined && { info: least }), ...(most !== undefined && { warn: most }) };
  }

  refuse(place: Place, found: unknown, expected: string): never {
    const json = found === undefined ? 'nothing' : JSON.stringify(found);
    const short = json.length > 60 ? `${json.slice(0, 60)}…` : json;
    const path = place.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
    throw new ProjectFileError(
      `line ${lineOf(this.#text, place)}: ${path === '' ? 'the whole file' : path.slice(1)}: found ${short}, expected ${expected}`,
    );
  }
}

/** The line of a value in a text that is JSON, or of what it should be in. */
function lineOf(text: string, place: Place): number {
  const open: { readonly isList: boolean; at: string | number }[] = [];
  /** Where the value begins, and how much of its place is known to be there. */
  let [found, depth] = [0, -1];
  let isName = false;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const inner = open.at(-1);
    if (token === '}' || token === ']') open.pop();
    else if (token === ',' && inner?.isList === true) inner.at = Number(inner.at) + 1;
    else if (token === ',') isName = true;
    else if (token === ':') isName = false;
    else if (isName && inner !== undefined) inner.at = String(JSON.parse(token));
    else {
      const matches = open.length <= place.length && open.every(({ at }, level) => at === place[level]);
      if (matches && open.length > depth) [found, depth] = [index, open.length];
      if (token === '{' || token === '[') open.push({ isList: token === '[', at: token === '[' ? 0 : '' });
      isName = token === '{';
    }
    if (token === '}' || token === ']') isName = false;
  }
  return text.slice(0, found).split('\n').length;
}
