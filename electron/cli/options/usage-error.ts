import { nearestTexts } from '../../../shared/text/nearest-texts.ts';

/** The command line is invalid. The message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * `; did you mean 'summary'?` for a word that is none of `known`; empty where none of these is like it. `prefix`: that of
 * all known words.
 */
export function didYouMean(wanted: string, known: readonly string[], prefix = ''): string {
  const nearest = nearestTexts(known, wanted).map((text) => `'${prefix}${text}'`);
  return nearest.length === 0 ? '' : `; did you mean ${nearest.join(' or ')}?`;
}
