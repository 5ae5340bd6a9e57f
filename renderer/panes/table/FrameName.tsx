import type { ReactNode } from 'react';
import type { RowKind } from '../../profile-worker/mirror-messages.ts';
import { markPieces, matchRange } from './match-range.ts';
import { nameParts } from './name-parts.ts';
import { nameWidth } from './name-width.ts';

interface FrameNameProps {
  readonly label: string;
  readonly kind: RowKind;
  /** What is looked for; where it occurs is marked. */
  readonly search: string;
  /** CSS pixels that there are for it. */
  readonly room: number;
}

/**
 * A name in parts: the package steps back, class and method stand out; where there is no room for both, the package is
 * left out, and what still does not fit is cut at its end. The elements are the same ones whatever the name:
 * a row that takes over another's place changes texts, and makes nothing.
 */
export function FrameName({ label, kind, search, room }: FrameNameProps): ReactNode {
  const range = kind === 'frame' || kind === 'error' ? matchRange(label, search) : undefined;
  const { before, name, after, nameAt } = nameParts(label, kind, room, nameWidth);
  return (
    <span className="frame-name">
      <span className="frame-dim">{before.length === nameAt ? marked(before, 0, range) : before}</span>
      {marked(name, nameAt, range)}
      {after !== '' && <span className="frame-dim">{marked(after, nameAt + name.length, range)}</span>}
    </span>
  );
}

/** `text`, which begins at `from` of a label, with what matches of it marked. */
function marked(text: string, from: number, range: readonly [number, number] | undefined): ReactNode {
  if (range === undefined) return text;
  return markPieces(text, from, range).map((piece, at) =>
    piece.marked ? <mark key={at}>{piece.text}</mark> : piece.text,
  );
}
