export const MOST_SUGGESTIONS = 3;

/**
 * The texts most similar to `wanted`, best first, as suggestions for a mistyped or incomplete name. Similarity is the
 * share of common pairs of characters (Dice's coefficient), ignoring case; the first and the last one are pairs, too, so
 * that of a short word with two letters exchanged something is left. Texts that contain `wanted` come first; texts
 * with little in common are left out.
 */
export function nearestTexts(texts: readonly string[], wanted: string): readonly string[] {
  const wantedPairs = pairsOf(wanted);
  return texts
    .map((text) => ({ text, likeness: likeness(text, wanted, wantedPairs) }))
    .filter(({ likeness }) => likeness > 0.3)
    .sort((a, b) => b.likeness - a.likeness || (a.text < b.text ? -1 : 1))
    .slice(0, MOST_SUGGESTIONS)
    .map(({ text }) => text);
}

function likeness(text: string, wanted: string, wantedPairs: ReadonlyMap<string, number>): number {
  const lower = text.toLowerCase();
  let shared = 0;
  for (const [pair, times] of pairsOf(text)) shared += Math.min(times, wantedPairs.get(pair) ?? 0);
  const dice = (2 * shared) / Math.max(1, text.length + wanted.length + 2);
  return dice + (wanted !== '' && lower.includes(wanted.toLowerCase()) ? 1 : 0);
}

function pairsOf(text: string): ReadonlyMap<string, number> {
  const lower = `\n${text.toLowerCase()}\n`;
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < lower.length; at++) {
    const pair = lower.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}
