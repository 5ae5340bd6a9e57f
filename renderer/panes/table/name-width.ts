const context = document.createElement('canvas').getContext('2d');
/** Character -> its width, CSS pixels. Names are made of some hundred of them. */
const widths = new Map<string, number>();

/**
 * Width of a name in a table's row, CSS pixels: the sum of its characters, a hair more than what kerned text takes. The
 * font is the page's, which is there before any row; a browser without a canvas finds that everything fits.
 */
export function nameWidth(name: string): number {
  let sum = 0;
  for (const character of name) {
    let width = widths.get(character);
    if (width === undefined) {
      if (widths.size === 0 && context !== null) {
        const { fontSize, fontFamily } = getComputedStyle(document.body);
        context.font = `${fontSize} ${fontFamily}`;
      }
      width = context?.measureText(character).width ?? 0;
      widths.set(character, width);
    }
    sum += width;
  }
  return sum;
}
