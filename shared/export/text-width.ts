/** Advance widths of DejaVu Sans, the widest of the fonts that the SVG asks for, in em, by class of character. */
const NARROW = 0.37;
const COMMON = 0.635;
const CAPITAL = 0.72;
const WIDE = 0.99;

const ELLIPSIS = '\u2026';

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

/** Width of a text in em, an upper estimate; measures no further than `enough`. */
export function textWidth(text: string, enough = Infinity): number {
  let width = 0;
  for (let at = 0; at < text.length && width <= enough; at++) width += characterWidth(text.charCodeAt(at));
  return width;
}

/**
 * The longest beginning of a text that fits into `maxWidth` em, with an ellipsis when something is missing; '' when not
 * even two characters fit. Never cuts a surrogate pair or a grapheme.
 */
export function fitText(text: string, maxWidth: number): string {
  if (textWidth(text, maxWidth) <= maxWidth) return text;
  const left = maxWidth - WIDE;
  let width = 0;
  let end = 0;
  for (const { segment, index } of graphemes(text)) {
    width += textWidth(segment);
    if (width > left) break;
    end = index + segment.length;
  }
  return end < 2 ? '' : text.slice(0, end) + ELLIPSIS;
}

let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): Iterable<Intl.SegmentData> {
  // Locale 'en' and not the machine's: an export is the same bytes everywhere.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
