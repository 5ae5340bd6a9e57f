import { cutText } from '../draw/frame-label.ts';

/** Widths of characters in em, in DejaVu Sans, the widest of the fonts in the SVG. Similar characters have one width. */
const NARROW = 0.37;
const COMMON = 0.635;
const CAPITAL = 0.72;
const WIDE = 0.99;

function characterWidth(code: number): number {
  if (code > 0x2fff) return code < 0xd800 || code > 0xfaff ? WIDE * 1.02 : WIDE;
  if (code > 0x7e) return code < 0x300 ? CAPITAL : WIDE;
  switch (String.fromCharCode(code)) {
    case ' ':
    case '.':
    case ',':
    case ':':
    case ';':
    case "'":
    case '|':
    case '!':
    case '(':
    case ')':
    case '[':
    case ']':
    case '/':
    case 'i':
    case 'j':
    case 'l':
    case 'f':
    case 't':
    case 'r':
    case 'I':
    case 'J':
      return NARROW;
    case 'm':
    case 'w':
    case 'M':
    case 'W':
    case '@':
    case '%':
      return WIDE;
    case '<':
    case '>':
    case '=':
    case '+':
    case '#':
    case '~':
      return 0.84;
    default:
      return code >= 0x41 && code <= 0x5a ? CAPITAL : COMMON;
  }
}

/** Width of a text in em, at least as wide as it is drawn. Stops measuring when it exceeds `enough`. */
export function textWidth(text: string, enough = Infinity): number {
  let width = 0;
  for (let at = 0; at < text.length && width <= enough; at++) width += characterWidth(text.charCodeAt(at));
  return width;
}

/**
 * Cuts a text to fit into `maxWidth` em, with an ellipsis if it was cut; '' if not even two characters fit. Cuts only
 * between graphemes.
 */
export function fitText(text: string, maxWidth: number): string {
  return textWidth(text, maxWidth) <= maxWidth ? text : cutText(text, maxWidth, textWidth, 2);
}
