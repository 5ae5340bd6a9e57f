import { type ColourTheme, frameStyle } from '../../../shared/text/frame-colour.ts';
import type { FlameRow } from '../../profile-worker/pane-messages.ts';
import type { FlamePicture } from './flame-picture.ts';
import type { LabelWidths } from './label-font.ts';

/** CSS pixels. Narrower frames have no label. */
const LEAST_LABELLED = 35;
export const LABEL_MARGIN = 4;
/** Beyond these the advances of single glyphs do not add up to the text's: it is clipped to its frame. */
export const PLAIN = /^[ -\u02ff\u2026]*$/;
/** Narrower frames touch each other: a gap would take a third of them. */
const LEAST_GAPPED = 3;
/** Narrower remainder blocks have no dashed edge. */
const LEAST_EDGED = 5;

/** How a picture looks besides where everything is. */
export interface FlameLook {
  readonly theme: ColourTheme;
  /** A search is on: what does not match steps back. */
  readonly searching: boolean;
}

export type LabelTone = 'label' | 'dimmedLabel' | 'remainderLabel';

export function fillOf(row: FlameRow, { theme, searching }: FlameLook): string {
  return frameStyle(row, { theme, colourBy: 'package', searching }).fill;
}

export function labelToneOf(row: FlameRow, { searching }: FlameLook): LabelTone {
  if (row.kind === 'remainder') return 'remainderLabel';
  return searching && !row.match ? 'dimmedLabel' : 'label';
}

/** What is filled of a frame: the rest, one device pixel or what is nearest to a CSS pixel, sets it off. */
export function filledWidth(picture: FlamePicture, row: number): number {
  const width = picture.right[row] - picture.left[row];
  return width < LEAST_GAPPED ? width : width - gap(picture);
}

export function filledHeight(picture: FlamePicture): number {
  return picture.levelHeight - gap(picture);
}

function gap({ pixelRatio }: FlamePicture): number {
  return Math.max(1, Math.round(pixelRatio)) / pixelRatio;
}

export function isEdged({ rows, left, right }: FlamePicture, row: number): boolean {
  return rows[row].kind === 'remainder' && right[row] - left[row] >= LEAST_EDGED;
}

/** The longest form of the label that fits the frame, its method cut where even that does not; empty for none. */
export function labelOf({ rows, left, right }: FlamePicture, row: number, widths: LabelWidths): string {
  const width = right[row] - left[row];
  if (width < LEAST_LABELLED) return '';
  const room = width - 2 * LABEL_MARGIN;
  const forms = widths.formsOf(rows[row].label);
  const form = forms.find((each) => each.width <= room);
  return form === undefined ? cut(forms[forms.length - 1].text, room, widths.widthOf) : form.text;
}

function cut(text: string, room: number, widthOf: LabelWidths['widthOf']): string {
  let length = 0;
  let width = widthOf('…');
  for (const character of text) {
    width += widthOf(character);
    if (width > room) break;
    length += character.length;
  }
  return length === 0 ? '' : `${text.slice(0, length)}…`;
}
