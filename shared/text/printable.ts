/**
 * Characters that a terminal, an editor or a browser interprets instead of drawing them: C0 and C1 controls, line and
 * paragraph separators, marks that change the direction of text, and halves of surrogate pairs.
 */
const INTERPRETED = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Text that comes from a file, or the name of a file, as one line in which every character is visible:
 * `a\x1b[31m.hpl`. All such text passes through here before it reaches a terminal, a page or a text export. Applying it
 * twice changes nothing.
 */
export function printable(text: string): string {
  return text.replace(INTERPRETED, (character) => escaped(character.charCodeAt(0)));
}

function escaped(code: number): string {
  // A byte of a file name that is not UTF-8: see electron/source/system-path.ts.
  const byte = code >= 0xdc80 && code <= 0xdcff ? code & 0xff : code;
  return byte < 0x100
    ? `\\x${byte.toString(16).padStart(2, '0')}`
    : `\\u${byte.toString(16).padStart(4, '0')}`;
}

/** A value as one line of JSON in which such characters are escapes, so that it parses to the same value. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(
    INTERPRETED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
