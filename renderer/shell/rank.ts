/** The rank of a name for what was typed, the best is the lowest; undefined: it does not match. */
export function rankOf(typed: string, name: string): number | undefined {
  const text = name.toLowerCase();
  let rank = 0;
  for (const word of typed.toLowerCase().split(' ')) {
    if (word === '') continue;
    const cost = rankOfWord(word, text);
    if (cost === undefined) return undefined;
    rank += cost;
  }
  return rank;
}

/** Begins of words come before middles of words; letters that are left out, and first letters of several words, come last. */
function rankOfWord(word: string, text: string): number | undefined {
  const at = text.indexOf(word);
  if (at === 0) return 0;
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: each }) => each);
  if (at > 0) return words.some((each) => each.startsWith(word)) ? 1 : 3;
  if (words.some((each) => each.startsWith(word[0]) && isIn(word, each))) return 6;
  return isIn(word, words.map(([first]) => first).join('')) ? 6 : undefined;
}

/** Whether all letters are in a text, in their order. */
function isIn(letters: string, text: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
