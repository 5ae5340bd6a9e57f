import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { TimeColumn } from '../profile/time-column.ts';
import type { SelfValues } from '../values/self-values.ts';
import type { KeyTable } from '../trees/keys.ts';

/** A parsed search: `matches`, or why the text is invalid. */
export type Search =
  | { readonly text: string; readonly problem: undefined; matches(label: string): boolean }
  | { readonly text: string; readonly problem: string };

/** `/…/` is a regular expression, any other text a substring; both ignore case. '' matches nothing. */
export function parseSearch(text: string): Search {
  if (text.length > 2 && text.startsWith('/') && text.endsWith('/')) {
    if (repeatsRepetition(text)) {
      return { text, problem: 'a repetition of a repetition, such as (a+)+, could take for ever' };
    }
    try {
      const expression = new RegExp(text.slice(1, -1), 'iu');
      return { text, problem: undefined, matches: (label) => expression.test(label) };
    } catch (error) {
      return { text, problem: error instanceof Error ? error.message : String(error) };
    }
  }
  const wanted = text.toLowerCase();
  return {
    text,
    problem: undefined,
    matches: (label) => wanted !== '' && label.toLowerCase().includes(wanted),
  };
}

/**
 * True when a group that repeats without bound is itself repeated without bound. On a name that almost matches, a
 * backtracking engine tries every way to divide the name, which takes exponential time.
 */
function repeatsRepetition(expression: string): boolean {
  /** For each open group, the outermost first: whether something in it repeats without bound. */
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

/** key -> 1 when its label matches. */
export function matchingKeys(keys: KeyTable, search: Search): Uint8Array {
  const matching = new Uint8Array(keys.length);
  if (search.problem !== undefined || search.text === '') return matching;
  for (let key = 0; key < keys.length; key++) if (search.matches(keys.labels[key])) matching[key] = 1;
  return matching;
}

/** Samples with a match anywhere on their stack, each once, and their time. One forward sweep; O(nodes). */
export function matchedSamples(
  { nodes }: LeanProfile,
  values: SelfValues,
  keys: KeyTable,
  matching: Uint8Array,
): { readonly samples: number; readonly time: number } {
  const above = new Uint8Array(nodes.length);
  const time = new TimeColumn(1);
  let samples = 0;
  for (let node = 0; node < nodes.length; node++) {
    const parent = nodes.parent[node];
    if (parent === NONE) continue;
    if (above[parent] === 1 || matching[keys.ofFrame[nodes.frame[node]]] === 1) above[node] = 1;
  }
  for (let self = 0; self < values.length; self++) {
    if (above[values.node[self]] === 0) continue;
    samples += values.count[self];
    time.addFrom(0, values.time, self);
  }
  return { samples, time: time.ns[0] };
}
