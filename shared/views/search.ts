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

/** A regular expression, or why the text is none or could take for ever. */
export function parseExpression(
  text: string,
  flags: string,
):
  | { readonly expression: RegExp; readonly problem: undefined }
  | { readonly expression: undefined; readonly problem: string } {
  if (repeatsRepetition(text)) {
    return {
      expression: undefined,
      problem: 'a repetition of a repetition, such as (a+)+, could take for ever',
    };
  }
  try {
    return { expression: new RegExp(text, flags), problem: undefined };
  } catch (error) {
    return { expression: undefined, problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * True if a group that contains an unlimited repetition is itself repeated without limit. On a name that almost matches,
 * a backtracking engine tries every way to divide the name, which takes exponential time.
 */
function repeatsRepetition(expression: string): boolean {
  /** For each open group, the outermost first: whether it contains an unlimited repetition. */
  const open = [false];
  let inClass = false;
  for (let at = 0; at < expression.length; at++) {
    const character = expression[at];
    if (character === '\\') at++;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') open.push(false);
    else if (character === ')') {
      const repeats = open.length > 1 && open.pop() === true;
      const isRepeated = /^(?:[*+]|\{\d*,\})/.test(expression.slice(at + 1));
      if (repeats && isRepeated) return true;
      if (repeats) open[open.length - 1] = true;
    } else if (character === '*' || character === '+' || /^\{\d*,\}/.test(expression.slice(at))) {
      open[open.length - 1] = true;
    }
  }
  return false;
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
