const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const BLANKS = ' \t\n\r';
const WORDS = ['true', 'false', 'null'] as const;

/**
 * The index of the first character at which a text is not JSON; its length if it ends too early, or is JSON. The engine's
 * parser is faster and is used first, but most of its messages do not contain a position.
 */
export function jsonErrorAt(text: string): number {
  /** The end of each open list and object. */
  const open: (']' | '}')[] = [];
  let at = endOfBlanks(text, 0);
  let expects: 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' = 'value';
  for (;;) {
    const character = text.charAt(at);
    const isEnd = character !== '' && character === open.at(-1);
    if (isEnd && (expects === 'comma or end' || expects === 'value or end' || expects === 'key or end')) {
      open.pop();
      at++;
      expects = 'comma or end';
    } else if (expects === 'comma or end') {
      if (character !== ',' || open.length === 0) return at;
      at++;
      expects = open.at(-1) === '}' ? 'key' : 'value';
    } else if (expects === 'colon') {
      if (character !== ':') return at;
      at++;
      expects = 'value';
    } else if (character === '"') {
      at = endOfCharacters(text, at + 1);
      if (text.charAt(at) !== '"') return at;
      at++;
      expects = expects.startsWith('key') ? 'colon' : 'comma or end';
    } else if (expects.startsWith('key')) {
      return at;
    } else if (character === '[' || character === '{') {
      open.push(character === '[' ? ']' : '}');
      at++;
      expects = character === '[' ? 'value or end' : 'key or end';
    } else {
      const end = endOf(NUMBER, text, at);
      const word = WORDS.find((each) => text.startsWith(each, at));
      if (end === at && word === undefined) return at;
      at = word === undefined ? end : at + word.length;
      expects = 'comma or end';
    }
    at = endOfBlanks(text, at);
  }
}

/** The end of the match at `at`; `at` if there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The index of the quote that ends a string, or of the first character that a string cannot contain. */
function endOfCharacters(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== '"' && text.charCodeAt(at) >= 0x20) {
    const next = text.charAt(at) === '\\' ? endOf(ESCAPE, text, at) : at + 1;
    if (next === at) break;
    at = next;
  }
  return at;
}

function endOfBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANKS.includes(text.charAt(at))) at++;
  return at;
}
