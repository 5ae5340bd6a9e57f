let context: CanvasRenderingContext2D | null | undefined;
/** Character -> its width, CSS pixels, by weight. Names are made of some hundred of them. */
const widths = { normal: new Map<string, number>(), bold: new Map<string, number>() };

type NameWeight = keyof typeof widths;

/**
 * Width of a character in a table's row, CSS pixels. A name is at most as wide as the sum: kerning only makes it
 * narrower. The font is the page's, which is there before any row; a browser without a canvas finds that all fits.
 */
export function characterWidth(character: string, weight: NameWeight): number {
  const known = widths[weight];
  let width = known.get(character);
  if (width === undefined) {
    context ??= document.createElement('canvas').getContext('2d');
    if (context !== null) {
      const { fontSize, fontFamily } = getComputedStyle(document.body);
      context.font = `${weight === 'bold' ? '600 ' : ''}${fontSize} ${fontFamily}`;
    }
    width = context?.measureText(character).width ?? 0;
    known.set(character, width);
  }
  return width;
}

export const normalWidth = (character: string): number => characterWidth(character, 'normal');
export const boldWidth = (character: string): number => characterWidth(character, 'bold');
