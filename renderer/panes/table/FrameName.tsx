import type { ReactNode } from 'react';
import { splitFrameLabel } from '../../../shared/text/format-frame.ts';
import type { RowKind } from '../../mirror/mirror-messages.ts';
import { markPieces, matchRange } from './match-range.ts';

interface FrameNameProps {
  readonly label: string;
  readonly kind: RowKind;
  /** What is looked for; where it occurs is marked. */
  readonly search: string;
}

/**
 * A name in parts: the package steps back, class and method stand out. The elements are the same ones whatever the name:
 * a row that takes over another's place changes texts, and makes nothing.
 */
export function FrameName({ label, kind, search }: FrameNameProps): ReactNode {
  const range = kind === 'frame' || kind === 'error' ? matchRange(label, search) : undefined;
  const { before, name, after } = partsOf(label, kind);
  return (
    <span className="frame-name">
      <span className="frame-dim">{marked(before, 0, range)}</span>
      {marked(name, before.length, range)}
      {after !== '' && <span className="frame-dim">{marked(after, before.length + name.length, range)}</span>}
    </span>
  );
}

interface Parts {
  readonly before: string;
  readonly name: string;
  readonly after: string;
}

function partsOf(label: string, kind: RowKind): Parts {
  if (kind !== 'frame') return { before: '', name: label, after: '' };
  const { id, package: path, name, position } = splitFrameLabel(label);
  return { before: id + path, name, after: position };
}

/** `text`, which begins at `from` of a label, with what matches of it marked. */
function marked(text: string, from: number, range: readonly [number, number] | undefined): ReactNode {
  if (range === undefined) return text;
  return markPieces(text, from, range).map((piece, at) =>
    piece.marked ? <mark key={at}>{piece.text}</mark> : piece.text,
  );
}
