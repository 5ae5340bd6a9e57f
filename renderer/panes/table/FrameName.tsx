import type { ReactNode } from 'react';
import { splitFrameLabel } from '../../../shared/text/format-frame.ts';
import type { RowKind } from '../../mirror/mirror-messages.ts';

/** A name in parts: the package steps back, class and method stand out. */
export function FrameName({ label, kind }: { readonly label: string; readonly kind: RowKind }): ReactNode {
  if (kind !== 'frame') return <span className="frame-name">{label}</span>;
  const { id, package: path, name, position } = splitFrameLabel(label);
  return (
    <span className="frame-name">
      {id !== '' && <span className="frame-dim">{id}</span>}
      {path !== '' && <span className="frame-dim">{path}</span>}
      <span className="frame-strong">{name}</span>
      {position !== '' && <span className="frame-position">{position}</span>}
    </span>
  );
}
