import { type Expression, parseExpression } from '../../../shared/text/expression.ts';

/** Where a search matches in a label, as [start, end); undefined where it does not or is no valid expression. */
export function matchRange(label: string, search: string): readonly [number, number] | undefined {
  if (search === '') return undefined;
  if (search.length > 2 && search.startsWith('/') && search.endsWith('/')) {
    const found = compiled(search.slice(1, -1))?.find(label);
    return found === undefined || found[0] === found[1] ? undefined : found;
  }
  const start = label.toLowerCase().indexOf(search.toLowerCase());
  return start < 0 ? undefined : [start, start + search.length];
}

let last: { readonly source: string; readonly expression: Expression | undefined } | undefined;

/** The same expression serves all rows on screen. The mirror reports an invalid one. */
function compiled(source: string): Expression | undefined {
  if (last?.source !== source) last = { source, expression: parseExpression(source, 'iu').expression };
  return last.expression;
}

export interface TextPiece {
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
