import { type LabelWidths, labelWidths, remembered } from '../../../shared/draw/frame-label.ts';

/** CSS pixels: the small size of tokens.css. */
const FONT_SIZE = 11;

/** The labels' font as drawn on a canvas, glyph by glyph, so that widths add up and both painters place text alike. */
export interface LabelFont extends LabelWidths {
  /** CSS pixels. */
  readonly size: number;
  /** Sets the font of a context. */
  readonly applyTo: (context: CanvasRenderingContext2D) => void;
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
    return {
      ...labelWidths((text) => text.length * 0.6 * FONT_SIZE),
      size: FONT_SIZE,
      applyTo,
      baselineIn: () => 13,
    };
  applyTo(context);
  const { fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText('x');
  const ascent = Math.round(fontBoundingBoxAscent);
  const descent = Math.round(fontBoundingBoxDescent);
  const glyphWidth = remembered((character) => context.measureText(character).width);
  return {
    ...labelWidths((text) => {
      let sum = 0;
      for (const character of text) sum += glyphWidth(character);
      return sum;
    }),
    size: FONT_SIZE,
    applyTo,
    baselineIn: (lineHeight) => Math.floor((lineHeight - ascent - descent) / 2) + ascent,
  };
}
