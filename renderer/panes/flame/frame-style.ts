import {
  type ColourScheme,
  type FrameStyle,
  frameStyle,
  FLAME_TONES,
} from '../../../shared/text/frame-colour.ts';
import { isBlock, kindAt, labelAt } from '../../../shared/views/flame-columns.ts';
import type { LabelWidths } from './label-font.ts';
import type { PixelLayout } from './pixel-layout.ts';

/** CSS pixels. */
export const LABEL_MARGIN = 4;
/** CSS pixels. Narrower frames have no label. */
const LEAST_LABELLED = 35;
/** Characters. A label that is cut to less says nothing. */
const LEAST_LABEL = 4;
/**
 * Characters whose advances add up to the width of a text. A label with any other character is clipped to its frame.
 */
export const PLAIN = /^[ -\u02ff\u2026\u2212]*$/;
/** CSS pixels. Narrower frames touch each other: a gap would take a third of them. */
const LEAST_GAPPED = 3;
/** CSS pixels. Narrower matches have no outline, only the tint. */
const LEAST_OUTLINED = 4;

/** How blocks of narrow frames are drawn, in pixel columns that hold a match and in others. */
export function blockStyle(match: boolean, scheme: ColourScheme): FrameStyle {
  return frameStyle({ label: '', kind: 'block', match }, scheme);
}

export function surfaceOf({ theme }: ColourScheme): string {
  return FLAME_TONES[theme].surface;
}

/** Device pixels that a frame leaves free at its right and its lower edge. */
export function gapOf({ pixelRatio }: PixelLayout): number {
  return Math.max(1, Math.round(pixelRatio));
}

/** Device pixels that are filled of a frame. */
export function filledWidth(pixels: PixelLayout, row: number): number {
  const width = pixels.right[row] - pixels.left[row];
  const hasGap = width >= LEAST_GAPPED * pixels.pixelRatio && !isBlock(pixels.layout, row);
  return hasGap ? width - gapOf(pixels) : width;
}

/** Device pixels that are filled of a level. */
export function filledHeight(pixels: PixelLayout): number {
  return pixels.levelHeight - gapOf(pixels);
}

/** Device pixels of the outline of a match; 0 where it does not fit. */
export function outlineWidth(pixels: PixelLayout, row: number): number {
  const hasSpace = pixels.right[row] - pixels.left[row] >= LEAST_OUTLINED * pixels.pixelRatio;
  return hasSpace ? gapOf(pixels) : 0;
}

/** CSS pixels. Narrower areas are not hatched: of the lines there would be dots only. */
const LEAST_HATCHED = 12;

/** Whether an area of so many device pixels is wide enough for a hatch. */
export function isHatchable({ pixelRatio }: PixelLayout, width: number): boolean {
  return width >= LEAST_HATCHED * pixelRatio;
}

/** Diagonal lines, device pixels: one of `line` pixels every `period`, counted from the upper left corner of a level. */
export function hatchOf({ pixelRatio }: PixelLayout): { readonly period: number; readonly line: number } {
  return { period: Math.round(6 * pixelRatio), line: Math.max(1, Math.round(1.5 * pixelRatio)) };
}

/** The longest form of the label that fits the frame, its method cut where even that does not; empty for none. */
export function labelOf(
  { layout, left, right, pixelRatio }: PixelLayout,
  row: number,
  widths: LabelWidths,
): string {
  const width = (right[row] - left[row]) / pixelRatio;
  if (width < LEAST_LABELLED) return '';
  const sign = signOf(layout, row);
  const space = width - 2 * LABEL_MARGIN;
  if (sign === '') return fitLabel(labelAt(layout, row), space, widths);
  const label = fitLabel(labelAt(layout, row), space - widths.widthOf(sign[0]) - widths.widthOf(' '), widths);
  return label === '' ? '' : sign + label;
}

/** Says without colours how a frame of a comparison differs. */
function signOf(layout: PixelLayout['layout'], row: number): string {
  const level = kindAt(layout, row) === 'all' ? 0 : (layout.difference?.level[row] ?? 0);
  return level === 0 ? '' : level > 0 ? '+ ' : '\u2212 ';
}

function fitLabel(label: string, space: number, widths: LabelWidths): string {
  const forms = widths.formsOf(label);
  const form = forms.find((each) => each.width <= space);
  return form === undefined ? cut(forms[forms.length - 1].text, space, widths.widthOf) : form.text;
}

function cut(text: string, space: number, widthOf: LabelWidths['widthOf']): string {
  let length = 0;
  let characters = 0;
  let width = widthOf('…');
  for (const character of text) {
    width += widthOf(character);
    if (width > space) break;
    length += character.length;
    characters++;
  }
  return characters < LEAST_LABEL ? '' : `${text.slice(0, length)}…`;
}
