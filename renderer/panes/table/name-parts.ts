import { splitFrameLabel } from '../../../shared/text/format-frame.ts';
import type { RowKind } from '../../profile-worker/mirror-messages.ts';

/** A row's name as it is shown. */
export interface NameParts {
  /** What steps back: the package, or what stands in for it. */
  readonly before: string;
  readonly name: string;
  /** The position, which steps back too. */
  readonly after: string;
  /** Characters of the label before `name`; `before` is these unless the package is left out. */
  readonly nameAt: number;
}

/** The package is left out where there is not `room` for the whole label, CSS pixels: the method is what is looked for. */
export function nameParts(
  label: string,
  kind: RowKind,
  room: number,
  widthOf: (text: string) => number,
): NameParts {
  if (kind !== 'frame') return { before: '', name: label, after: '', nameAt: 0 };
  const { id, package: path, name, position } = splitFrameLabel(label);
  const fits = path === '' || widthOf(label) <= room;
  return { before: id + (fits ? path : '…'), name, after: position, nameAt: id.length + path.length };
}
