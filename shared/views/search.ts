import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { TimeColumn } from '../profile/time-column.ts';
import type { KeyTable } from './keys.ts';

/** What a search looks for: `matches`, or why the text is none. */
export type Search =
  | { readonly text: string; readonly problem: undefined; matches(label: string): boolean }
  | { readonly text: string; readonly problem: string };

/** `/…/` is a regular expression, anything else a text to be contained; neither minds the case. '' finds nothing. */
export function parseSearch(text: string): Search {
  if (text.length > 2 && text.startsWith('/') && text.endsWith('/')) {
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

/** key -> 1 when its label matches. */
export function matchingKeys(keys: KeyTable, search: Search): Uint8Array {
  const matching = new Uint8Array(keys.length);
  if (search.problem !== undefined || search.text === '') return matching;
  for (let key = 0; key < keys.length; key++) if (search.matches(keys.labels[key])) matching[key] = 1;
  return matching;
}

/** Samples with a match anywhere on their stack, each once, and their time. One forward sweep. */
export function matchedSamples(
  { nodes }: LeanProfile,
  keys: KeyTable,
  matching: Uint8Array,
): { readonly samples: number; readonly time: number } {
  const above = new Uint8Array(nodes.length);
  const time = new TimeColumn(1);
  let samples = 0;
  for (let node = 0; node < nodes.length; node++) {
    const parent = nodes.parent[node];
    if (parent === NONE) continue;
    if (above[parent] === 0 && matching[keys.ofFrame[nodes.frame[node]]] === 0) continue;
    above[node] = 1;
    samples += nodes.selfCount[node];
    time.addFrom(0, nodes.selfTime, node);
  }
  return { samples, time: time.ns[0] };
}
