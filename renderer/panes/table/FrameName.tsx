import type { ReactNode } from 'react';
import type { Row } from '../../profile-worker/pane-messages.ts';
import { markPieces, type NamePiece, nameParts } from './name-parts.ts';
import { boldWidth, normalWidth } from './name-width.ts';

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
