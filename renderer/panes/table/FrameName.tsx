import type { ReactNode } from 'react';
import type { Row } from '../../profile-worker/pane-messages.ts';
import type { RowKind } from '../../../shared/engine/trees/keys.ts';
import { boldWidth, normalWidth } from './name-width.ts';
import { hiddenAddress, shownLabel, splitFrameLabel } from '../../../shared/text/format-frame.ts';

interface FrameNameProps {
  /** The match of the search is marked in the name. */
  readonly row: Pick<Row, 'label' | 'kind' | 'markedFrom' | 'markedTo'>;
  /** Available width, CSS pixels. */
  readonly width: number;
}

/**
 * A name shortened to its width: package dimmed, class and method emphasised, line number kept. Every name uses the
 * same elements, so a reused row only changes texts and creates no element.
 */
export function FrameName({ row, width }: FrameNameProps): ReactNode {
  const { label, kind, markedFrom: from, markedTo: to } = row;
  const isFrame = kind === 'frame' || kind === 'error';
  const range = from === undefined || to === undefined ? undefined : ([from, to] as const);
  const { before, name, after } = nameParts(label, kind, width, isFrame ? normalWidth : boldWidth);
  return (
    <span className="frame-name">
      <span className="frame-dim">{marked(before, range)}</span>
      {marked(name, range)}
      <span className="frame-dim">{marked(after, range)}</span>
    </span>
  );
}

/** Pieces of a label with matches marked; an ellipsis is marked when it replaces part of a match. */
function marked(pieces: readonly NamePiece[], range: readonly [number, number] | undefined): ReactNode {
  if (range === undefined) return pieces.map((piece) => piece.text).join('');
  return pieces.flatMap((piece, index) =>
    markPieces(piece, range).map(({ text, isMatch }, at) =>
      isMatch ? <mark key={`${index} ${at}`}>{text}</mark> : text,
    ),
  );
}

/** A piece of a name as it is shown. */
interface NamePiece {
  readonly text: string;
  /** The part of the label that it shows or, as an ellipsis, replaces: [from, to). */
  readonly from: number;
  readonly to: number;
}

/** A row's name as it is shown. */
interface NameParts {
  /** Dimmed: method id and package, or the ellipsis in their place. */
  readonly before: readonly NamePiece[];
  readonly name: readonly NamePiece[];
  /** The line or BCI. */
  readonly after: readonly NamePiece[];
}

/** Width of one character, CSS pixels. */
type WidthOf = (character: string) => number;

const ELLIPSIS = '…';
/** Share of the width for the end of a class and its method, when both do not fit completely. */
const TAIL_SHARE = 0.7;

/**
 * A name shortened to `width` CSS pixels. The most useful parts stay longest:
 *
 *   java.util.regex.Pattern$BranchConn.match:4871     all of it
 *   …regex.Pattern$BranchConn.match:4871              the end of the package
 *   …Pattern$BranchConn.match:4871
 *   Patter…Conn.match:4871                            the ends of class and method, and the line
 *
 *   com.shop.Cart$$Lambda$14….run                     the address of a hidden class is always cut
 *
 * Threads and errors keep both ends. Takes time for the
 * characters that fit, not for the length of the name.
 */
export function nameParts(label: string, kind: RowKind, width: number, widthOf: WidthOf): NameParts {
  const shown = shownLabel(label);
  if (!label.startsWith(shown)) {
    return {
      before: [],
      name: [
        {
          text: shown.slice(0, charactersThatFit(shown, 0, shown.length, width, widthOf)),
          from: 0,
          to: label.length,
        },
      ],
      after: [],
    };
  }
  if (kind !== 'frame') {
    return { before: [], name: bothEnds(label, 0, shown.length, width, 0.5, widthOf), after: [] };
  }
  const { id, package: path, name, position } = splitFrameLabel(label);
  const nameAt = id.length + path.length;
  const nameEnd = nameAt + name.length;
  const shownEnd = nameEnd + position.length;
  const after = pieces(label, nameEnd, shownEnd);
  const address = hiddenAddress(name);
  // An address tells nothing, also where it has space.
  const hasAddress = address.from !== address.to;
  if (!hasAddress && charactersThatFit(label, 0, shownEnd, width, widthOf) === shownEnd) {
    return { before: pieces(label, 0, nameAt), name: pieces(label, nameAt, nameEnd), after };
  }
  const forBoth = width - widthOfAll(id + position, widthOf);
  const shortened: readonly NamePiece[] = !hasAddress
    ? pieces(label, nameAt, nameEnd)
    : headAndTail(label, nameAt, address.from, nameAt + address.to, nameEnd);
  const forPackage =
    forBoth - shortened.reduce((sum, { text }) => sum + widthOfAll(text, widthOf, forBoth), 0);
  const packagePieces = endOfPackage(label, id.length, nameAt, forPackage, widthOf);
  if (packagePieces !== undefined) {
    return { before: [...pieces(label, 0, id.length), ...packagePieces], name: shortened, after };
  }
  // An address does not identify the class, so the tail is the method alone.
  const tailAt = hasAddress ? nameAt + address.to : undefined;
  const tailWidth = tailAt === undefined ? 0 : widthOfAll(label.slice(tailAt, nameEnd), widthOf, forBoth);
  const forHead = forBoth - tailWidth - widthOf(ELLIPSIS);
  const cut =
    tailAt === undefined || forHead < 0
      ? bothEnds(label, nameAt, nameEnd, forBoth, TAIL_SHARE, widthOf)
      : headAndTail(
          label,
          nameAt,
          charactersThatFit(label, nameAt, nameAt + address.from, forHead, widthOf),
          tailAt,
          nameEnd,
        );
  return { before: pieces(label, 0, id.length), name: cut, after };
}

/** The last parts of a package, label[from, to), that fit `width`; undefined where not even an ellipsis does. */
function endOfPackage(
  label: string,
  from: number,
  to: number,
  width: number,
  widthOf: WidthOf,
): readonly NamePiece[] | undefined {
  if (width < 0) return undefined;
  if (charactersThatFit(label, from, to, width, widthOf) === to - from) return pieces(label, from, to);
  const forParts = width - widthOf(ELLIPSIS);
  if (forParts < 0) return undefined;
  let shownFrom = to;
  for (let at = to; at > from;) {
    at = Math.max(label.lastIndexOf('.', at - 2), label.lastIndexOf('/', at - 2)) + 1;
    if (at <= from || widthOfAll(label.slice(at, to), widthOf, forParts) > forParts) break;
    shownFrom = at;
  }
  return [{ text: ELLIPSIS, from, to: shownFrom }, ...pieces(label, shownFrom, to)];
}

function pieces(label: string, from: number, to: number): NamePiece[] {
  return from === to ? [] : [{ text: label.slice(from, to), from, to }];
}

/** label[from, to) in `width`: whole, or its end in up to `tailShare` of that, an ellipsis, and its beginning. */
function bothEnds(
  label: string,
  from: number,
  to: number,
  width: number,
  tailShare: number,
  widthOf: WidthOf,
): NamePiece[] {
  if (charactersThatFit(label, from, to, width, widthOf) === to - from) return pieces(label, from, to);
  const free = width - widthOf(ELLIPSIS);
  let tailAt = to;
  let tailWidth = 0;
  for (;;) {
    // Not between the halves of a surrogate pair.
    const step = /[\uDC00-\uDFFF]/.test(label.charAt(tailAt - 1)) && tailAt - 2 >= from ? 2 : 1;
    const next = tailWidth + widthOf(label.slice(tailAt - step, tailAt));
    if (tailAt - step <= from || next > free * tailShare) break;
    tailAt -= step;
    tailWidth = next;
  }
  const head = charactersThatFit(label, from, tailAt, free - tailWidth, widthOf);
  return headAndTail(label, from, head, tailAt, to);
}

/** The first `head` characters of label[from, to), an ellipsis, and what begins at `tailAt`. */
function headAndTail(label: string, from: number, head: number, tailAt: number, to: number): NamePiece[] {
  return [
    ...pieces(label, from, from + head),
    { text: ELLIPSIS, from: from + head, to: tailAt },
    ...pieces(label, tailAt, to),
  ];
}

/** The number of code units of label[from, to) that fit, in whole characters. */
function charactersThatFit(label: string, from: number, to: number, width: number, widthOf: WidthOf): number {
  let sum = 0;
  let at = from;
  while (at < to) {
    const character = String.fromCodePoint(label.codePointAt(at) ?? 0);
    sum += widthOf(character);
    if (sum > width) break;
    at += character.length;
  }
  return Math.min(at, to) - from;
}

/** Width of a text; measuring stops once it exceeds `enough`. */
function widthOfAll(text: string, widthOf: WidthOf, enough = Infinity): number {
  let sum = 0;
  for (const character of text) {
    sum += widthOf(character);
    if (sum > enough) break;
  }
  return sum;
}

interface TextPiece {
  readonly text: string;
  readonly isMatch: boolean;
}

/**
 * A piece of a label, [from, to), split at the edges of the match. A piece whose text is shorter than its part of the
 * label (an ellipsis) is never split.
 */
export function markPieces(
  { text, from, to }: { readonly text: string; readonly from: number; readonly to: number },
  [matchStart, matchEnd]: readonly [number, number],
): readonly TextPiece[] {
  if (text.length !== to - from) return [{ text, isMatch: matchStart < to && matchEnd > from }];
  const start = Math.min(Math.max(matchStart - from, 0), text.length);
  const end = Math.min(Math.max(matchEnd - from, 0), text.length);
  return [
    { text: text.slice(0, start), isMatch: false },
    { text: text.slice(start, end), isMatch: true },
    { text: text.slice(end), isMatch: false },
  ].filter((piece) => piece.text !== '');
}
