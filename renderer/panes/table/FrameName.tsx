import type { ReactNode } from 'react';
import type { RowKind } from '../../profile-worker/pane-messages.ts';
import { markPieces, matchRange } from './match-range.ts';
import { type NamePiece, nameParts } from './name-parts.ts';
import { boldWidth, normalWidth } from './name-width.ts';

interface FrameNameProps {
  readonly label: string;
  readonly kind: RowKind;
  /** What is looked for; where it occurs is marked. */
  readonly search: string;
  /** CSS pixels that there are for it. */
  readonly width: number;
}

/**
 * A name that fits: the package is dimmed, class and method stand out, the line stays. The elements are the same ones
 * whatever the name: a row that takes over another's place changes texts, and creates nothing.
 */
export function FrameName({ label, kind, search, width }: FrameNameProps): ReactNode {
  const isFrame = kind === 'frame' || kind === 'error';
  const range = isFrame ? matchRange(label, search) : undefined;
  const { before, name, after } = nameParts(label, kind, width, isFrame ? normalWidth : boldWidth);
  return (
    <span className="frame-name">
      <span className="frame-dim">{marked(before, range)}</span>
      {marked(name, range)}
      <span className="frame-dim">{marked(after, range)}</span>
    </span>
  );
}

/** Pieces of a label, with what matches of it marked: an ellipsis, where it stands for a part of the match. */
function marked(pieces: readonly NamePiece[], range: readonly [number, number] | undefined): ReactNode {
  if (range === undefined) return pieces.map((piece) => piece.text).join('');
  return pieces.flatMap((piece, index) =>
    markPieces(piece, range).map(({ text, isMatch }, at) =>
      isMatch ? <mark key={`${index} ${at}`}>{text}</mark> : text,
    ),
  );
}
