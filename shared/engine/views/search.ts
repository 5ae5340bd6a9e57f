import { parseExpression } from '../../text/expression.ts';
import type { KeyTable } from '../trees/keys.ts';

/** A search whose text is valid. */
export interface ValidSearch {
  readonly text: string;
  readonly problem: undefined;
  matches(label: string): boolean;
}

/** A parsed search: `matches`, or why the text is invalid. */
export type Search = ValidSearch | { readonly text: string; readonly problem: string };

/** Parses a search: `/…/` is a regular expression, any other text a substring. Both ignore case. '' matches nothing. */
export function parseSearch(text: string): Search {
  if (text.length > 2 && text.startsWith('/') && text.endsWith('/')) {
    const { expression, problem } = parseExpression(text.slice(1, -1), 'iu');
    if (problem !== undefined) return { text, problem };
    return { text, problem, matches: (label) => expression.test(label) };
  }
  const wanted = text.toLowerCase();
  return {
    text,
    problem: undefined,
    matches: (label) => wanted !== '' && label.toLowerCase().includes(wanted),
  };
}

/** True if the search is neither empty nor invalid. */
export function isSearching(search: Search): search is ValidSearch {
  return search.text !== '' && search.problem === undefined;
}

/** key -> 1 if its label matches. */
export function matchingKeys(keys: KeyTable, search: Search): Uint8Array {
  const matching = new Uint8Array(keys.length);
  if (!isSearching(search)) return matching;
  for (let key = 0; key < keys.length; key++) if (search.matches(keys.labels[key])) matching[key] = 1;
  return matching;
}
