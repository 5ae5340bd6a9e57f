import { labelForms } from '../text/format-frame.ts';
import { kindAt, labelAt } from '../engine/views/flame-columns.ts';
import type { PixelLayout } from './pixel-layout.ts';

/** CSS pixels between the edge of a frame and its label. */
export const LABEL_MARGIN = 4;
/** CSS pixels. Narrower frames have no label. */
const LEAST_LABELLED = 35;
/** Characters. A label that is cut to less says nothing. */
const LEAST_LABEL = 4;
/** Characters whose advances add up to the width of a text, and each of which is a grapheme. */
export const PLAIN = /^[ -\u02ff\u2026\u2212]*$/;
const ELLIPSIS = '\u2026';

/** Width of a text in some font; the unit is the caller's. */
type TextWidth = (text: string) => number;

interface LabelForm {
  readonly text: string;
  /** CSS pixels. */
  readonly width: number;
}

/** Widths of a label in the font of a painter. */
export interface LabelWidths {
  /** Width of any text, CSS pixels. */
  readonly widthOf: TextWidth;
  /** The forms of a label, longest first; none is empty. */
  readonly formsOf: (label: string) => readonly LabelForm[];
}

/** Most labels occur in every layout: each is split and measured once. `safe` is applied before a label is split. */
export function labelWidths(widthOf: TextWidth, safe?: (label: string) => string): LabelWidths {
  return {
    widthOf,
    formsOf: remembered((label) =>
      labelForms(safe?.(label) ?? label)
        .filter((text) => text !== '')
        .map((text) => ({ text, width: widthOf(text) })),
    ),
  };
}

/** The longest form of the label that fits the frame, its method cut where even that does not; empty for none. */
export function labelOf(
  { layout, left, right, pixelRatio }: PixelLayout,
  row: number,
  widths: LabelWidths,
): string {
  const width = (right[row] - left[row]) / pixelRatio;
  if (width < LEAST_LABELLED) return '';
  const level = kindAt(layout, row) === 'all' ? 0 : (layout.difference?.level[row] ?? 0);
  // Says without colours how a frame of a comparison differs.
  const sign = level === 0 ? '' : level > 0 ? '+ ' : '\u2212 ';
  const space = width - 2 * LABEL_MARGIN;
  const room = sign === '' ? space : space - widths.widthOf(sign[0]) - widths.widthOf(' ');
  const forms = widths.formsOf(labelAt(layout, row));
  // The dots in the name of a thread separate nothing.
  const allowed = kindAt(layout, row) === 'thread' ? forms.slice(0, 1) : forms;
  const form =
    allowed.find((each) => each.width <= room)?.text ??
    cutText(allowed.at(-1)?.text ?? '', room, widths.widthOf, LEAST_LABEL);
  return form === '' ? '' : sign + form;
}

/**
 * The beginning of a text with an ellipsis, as much as fits into `space`; empty if that is less than `least` characters.
 * A text is cut only between graphemes.
 */
export function cutText(text: string, space: number, widthOf: TextWidth, least: number): string {
  let length = 0;
  let characters = 0;
  let width = widthOf(ELLIPSIS);
  for (const character of PLAIN.test(text) ? text : graphemes(text)) {
    width += widthOf(character);
    if (width > space) break;
    length += character.length;
    characters++;
  }
  return characters < least ? '' : text.slice(0, length) + ELLIPSIS;
}

let segmenter: Intl.Segmenter | undefined;

function* graphemes(text: string): Generator<string> {
  // One locale for all machines, so that an export has the same bytes everywhere.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** Most texts in the cache. */
const MOST = 8192;

/** Caches a function of a text; a full cache is emptied. */
export function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      if (known.size === MOST) known.clear();
      known.set(text, (value = compute(text)));
    }
    return value;
  };
}
