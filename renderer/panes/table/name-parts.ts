import { splitFrameLabel } from '../../../shared/text/format-frame.ts';
import type { RowKind } from '../../profile-worker/pane-messages.ts';

/** A piece of a name as it is shown. */
export interface NamePiece {
  readonly text: string;
  /** The part of the label that it shows or, where it is an ellipsis, stands for: [from, to). */
  readonly from: number;
  readonly to: number;
}

/** A row's name as it is shown. */
export interface NameParts {
  /** Dimmed: method id and package, or what stands for them. */
  readonly before: readonly NamePiece[];
  readonly name: readonly NamePiece[];
  /** The line or BCI. */
  readonly after: readonly NamePiece[];
}

/** Width of one character, CSS pixels. */
export type WidthOf = (character: string) => number;

const ELLIPSIS = '…';
/** What the end of a class and its method may take of a name that is too long, when more of both would not fit. */
const TAIL_SHARE = 0.7;

/**
 * A name that fits `width` CSS pixels. What people look for stays longest:
 *
 *   java.util.regex.Pattern$BranchConn.match:4871     all of it
 *   …regex.Pattern$BranchConn.match:4871              the end of the package
 *   …Pattern$BranchConn.match:4871
 *   Patter…Conn.match:4871                            the ends of class and method, and the line
 *
 * Threads and names without a class keep both ends. Costs the characters that fit, however long the name is.
 */
export function nameParts(label: string, kind: RowKind, width: number, widthOf: WidthOf): NameParts {
  if (kind !== 'frame') {
    const to = label.length;
    return { before: [], name: bothEnds(label, 0, to, width, 0.5, widthOf), after: [] };
  }
  const { id, package: path, name, position } = splitFrameLabel(label);
  const packageAt = id.length;
  const nameAt = packageAt + path.length;
  const after = pieces(label, nameAt + name.length, nameAt + name.length + position.length);
  const shownEnd = nameAt + name.length + position.length;
  if (charactersThatFit(label, 0, shownEnd, width, widthOf) === shownEnd) {
    return { before: pieces(label, 0, nameAt), name: pieces(label, nameAt, nameAt + name.length), after };
  }

  const withoutPackage = width - widthOfAll(id + position, widthOf) - (path === '' ? 0 : widthOf(ELLIPSIS));
  const left = withoutPackage - widthOfAll(name, widthOf, withoutPackage);
  if (left >= 0) {
    // As many of the package's last parts as fit.
    let from = nameAt;
    for (let at = nameAt; at > packageAt;) {
      at = label.lastIndexOf('.', at - 2) + 1;
      if (at <= packageAt || widthOfAll(label.slice(at, nameAt), widthOf, left) > left) break;
      from = at;
    }
    const dropped = from > packageAt ? [{ text: ELLIPSIS, from: packageAt, to: from }] : [];
    return {
      before: [...pieces(label, 0, packageAt), ...dropped, ...pieces(label, from, nameAt)],
      name: pieces(label, nameAt, nameAt + name.length),
      after,
    };
  }
  const forName = width - widthOfAll(id + position, widthOf);
  return {
    before: pieces(label, 0, packageAt),
    name: bothEnds(label, nameAt, nameAt + name.length, forName, TAIL_SHARE, widthOf),
    after,
  };
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
  const headEnd = from + charactersThatFit(label, from, tailAt, free - tailWidth, widthOf);
  return [
    ...pieces(label, from, headEnd),
    { text: ELLIPSIS, from: headEnd, to: tailAt },
    ...pieces(label, tailAt, to),
  ];
}

/** How many code units of label[from, to) fit, in whole characters. */
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

/** Width of a text; no more of it is looked at than `enough`. */
function widthOfAll(text: string, widthOf: WidthOf, enough = Infinity): number {
  let sum = 0;
  for (const character of text) {
    sum += widthOf(character);
    if (sum > enough) break;
  }
  return sum;
}
