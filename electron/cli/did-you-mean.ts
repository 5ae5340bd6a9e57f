import { nearestTexts } from '../../shared/text/nearest-texts.ts';

const MOST_SUGGESTIONS = 3;

/** `; did you mean 'summary'?` for a word that is none of `known`; empty where none of these is like it. `prefix`: that of all known words. */
export function didYouMean(wanted: string, known: readonly string[], prefix = ''): string {
  const nearest = nearestTexts(known, wanted, MOST_SUGGESTIONS).map((text) => `'${prefix}${text}'`);
  return nearest.length === 0 ? '' : `; did you mean ${nearest.join(' or ')}?`;
}
