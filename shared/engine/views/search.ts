import { parseExpression } from '../../text/expression.ts';
import type { KeyTable } from '../trees/keys.ts';

/** A search whose text is valid. */
export interface ValidSearch {
  readonly text: string;
  readonly problem: undefined;
  /** The first matches in labels[from …]: where each begins and where it ends, -1 and -1 for none. */
  ranges(labels: readonly string[], from?: number): Int32Array;
}

/** A parsed search: `ranges`, or why the text is invalid. */
export type Search = ValidSearch | { readonly text: string; readonly problem: string };

/** Parses a search: `/…/` is a regular expression, any other text a substring. Both ignore case. '' matches nothing. */
export function parseSearch(text: string): Search {
  if (text.length > 2 && text.startsWith('/') && text.endsWith('/')) {
    const { expression, problem } = parseExpression(text.slice(1, -1), 'iu');
    return problem === undefined ? { text, problem, ranges: expression.ranges } : { text, problem };
  }
  const wanted = text.toLowerCase();
  const ranges = (labels: readonly string[], from = 0): Int32Array => {
    const found = new Int32Array(2 * (labels.length - from)).fill(-1);
    for (let at = from; wanted !== '' && at < labels.length; at++) {
      const start = labels[at].toLowerCase().indexOf(wanted);
      if (start >= 0) found.set([start, start + text.length], 2 * (at - from));
    }
    return found;
  };
  return { text, problem: undefined, ranges };
}

/** True if the search is neither empty nor invalid. */
export function isSearching(search: Search): search is ValidSearch {
  return search.text !== '' && search.problem === undefined;
}

/** key -> 1 if its label matches. */
export function matchingKeys(keys: KeyTable, search: Search): Uint8Array {
  if (!isSearching(search)) return new Uint8Array(keys.length);
  const ranges = search.ranges(keys.labels);
  return Uint8Array.from({ length: keys.length }, (_, key) => (ranges[2 * key] < 0 ? 0 : 1));
}

/** The names that match. */
export function namesFound(names: readonly string[], search: ValidSearch): readonly string[] {
  const ranges = search.ranges(names);
  return names.filter((_, at) => ranges[2 * at] >= 0);
}
