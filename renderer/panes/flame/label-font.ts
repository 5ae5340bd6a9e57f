import type { TextWidth } from './frame-dress.ts';

/** CSS pixels; as in flame.css. */
const FONT_SIZE = 11.5;

/** The labels' font as a canvas sets it; glyph by glyph, so that widths add up and every painter sets equal text. */
export interface LabelFont {
  /** Writes with this font from now on. */
  readonly applyTo: (context: CanvasRenderingContext2D) => void;
  readonly widthOf: TextWidth;
  /** CSS pixels from the top of a line box to the base line. */
  readonly baselineIn: (lineHeight: number) => number;
}

export function labelFont(element: HTMLElement): LabelFont {
  const font = `${FONT_SIZE}px ${getComputedStyle(element).fontFamily}`;
  const applyTo = (context: CanvasRenderingContext2D): void => {
    context.font = font;
    context.fontKerning = 'none';
    context.textRendering = 'geometricPrecision';
  };
  const context = document.createElement('canvas').getContext('2d');
  if (context === null)
    return { applyTo, widthOf: (text) => text.length * 0.6 * FONT_SIZE, baselineIn: () => 13 };
  applyTo(context);
  const widths = new Map<string, number>();
  const { fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText('x');
  const ascent = Math.round(fontBoundingBoxAscent);
  const descent = Math.round(fontBoundingBoxDescent);
  return {
    applyTo,
    widthOf: (text) => {
      let sum = 0;
      for (const character of text) {
        let width = widths.get(character);
        if (width === undefined) {
          ({ width } = context.measureText(character));
          widths.set(character, width);
        }
        sum += width;
      }
      return sum;
    },
    baselineIn: (lineHeight) => Math.floor((lineHeight - ascent - descent) / 2) + ascent,
  };
}
