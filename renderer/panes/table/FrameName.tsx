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

/** A name in parts: the package steps back, class and method stand out. */
export function FrameName({ label, kind, search }: FrameNameProps): ReactNode {
  const range = kind === 'frame' || kind === 'error' ? matchRange(label, search) : undefined;
  return (
    <span className="frame-name">
      {partsOf(label, kind).map(({ from, text, className }) => (
        <span key={from} className={className}>
          {markPieces(text, from, range).map((piece, at) =>
            piece.marked ? <mark key={at}>{piece.text}</mark> : piece.text,
          )}
        </span>
      ))}
    </span>
  );
}

interface Part {
  /** Its place in the label. */
  readonly from: number;
  readonly text: string;
  readonly className: string | undefined;
}

function partsOf(label: string, kind: RowKind): readonly Part[] {
  if (kind !== 'frame') return [{ from: 0, text: label, className: undefined }];
  const { id, package: path, name, position } = splitFrameLabel(label);
  const nameAt = id.length + path.length;
  return [
    { from: 0, text: id, className: 'frame-dim' },
    { from: id.length, text: path, className: 'frame-dim' },
    { from: nameAt, text: name, className: 'frame-strong' },
    { from: nameAt + name.length, text: position, className: 'frame-dim' },
  ].filter((part) => part.text !== '');
}
