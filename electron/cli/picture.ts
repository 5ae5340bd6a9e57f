/** Pictures of drawings, made by resvg where it is installed beside Leanscope. */
import { CommandError } from './io/command-io.ts';
import { createRequire } from 'node:module';

/** The parts of `@resvg/resvg-js` that are used here. */
interface Drawing {
  render(): { asPng(): Uint8Array; readonly pixels: Uint8Array };
}
type Resvg = new (
  svg: string,
  options?: {
    readonly fitTo?: { readonly mode: 'zoom'; readonly value: number };
    readonly font?: { readonly loadSystemFonts: boolean };
  },
) => Drawing;

/** A picture has so many pixels in each direction for one of its drawing, so that texts are sharp. */
export const PICTURE_SCALE = 2;

/** A picture has no more pixels: 600 MB while it is drawn. */
const MOST_PIXELS = 150_000_000;

const FONTS = { loadSystemFonts: true };

/** The sentence for a machine that has no fonts. */
const NO_FONTS =
  'the picture has no texts, because this machine has no fonts: install some, such as fonts-dejavu';

/** Throws CommandError where resvg is not installed. */
export function loadResvg(): Resvg {
  try {
    return (createRequire(import.meta.url)('@resvg/resvg-js') as { readonly Resvg: Resvg }).Resvg;
  } catch {
    throw new CommandError(
      'pictures are drawn by resvg, which is not installed: npx -p leanscope -p @resvg/resvg-js leanscope …, or npm install @resvg/resvg-js beside leanscope; --format svg needs nothing',
    );
  }
}

/** A drawing as PNG, and what is to be said about it. Throws CommandError if it would be too large. */
export function pngOf(
  svg: string,
  NewDrawing: Resvg,
): { readonly png: Uint8Array; readonly notes: readonly string[] } {
  // The drawing says its size at its beginning: one that is too large takes minutes to be read.
  const [, ...size] = /<svg [^>]*? width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
  const [width, height] = size.map((pixels) => Math.ceil(Number(pixels) * PICTURE_SCALE));
  if (width * height > MOST_PIXELS)
    throw new CommandError(
      `the picture would have ${width} × ${height} pixels; --format svg has any size, --root draws a part`,
    );
  const drawing = new NewDrawing(svg, { fitTo: { mode: 'zoom', value: PICTURE_SCALE }, font: FONTS });
  return { png: drawing.render().asPng(), notes: hasFonts(NewDrawing) ? [] : [NO_FONTS] };
}

function hasFonts(NewDrawing: Resvg): boolean {
  const letter = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="8">M</text></svg>';
  return new NewDrawing(letter, { font: FONTS }).render().pixels.some((part) => part > 0);
}
