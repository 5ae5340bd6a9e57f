import type { ColourScheme, FrameStyle } from '../../../shared/text/frame-colour.ts';
import { isBlock, matchesAt } from '../../../shared/views/flame-columns.ts';
import {
  blockStyle,
  filledHeight,
  filledWidth,
  hatchOf,
  outlineWidth,
  styleOf,
  surfaceOf,
} from './frame-style.ts';
import { columnLeft, type PixelLayout } from './pixel-layout.ts';

/** Contents of a block in one pixel column of a level. */
const NOTHING = 0;
const FRAMES = 1;
const MATCHES = 2;

/**
 * The pixels of some levels of a flame graph, without labels. Every level is one line of colours, repeated, with the lines
 * of hatches and outlines over it: a level costs its pixels and its rows, however many of either there are.
 */
export class LevelPixels {
  readonly #pixels: PixelLayout;
  readonly #scheme: ColourScheme;
  readonly #from: number;
  /** What blocks have in the columns of each level, level by level. */
  readonly #blocks: Uint8Array;
  /** Colours of one line, and of the hatch over it; 0 where there is none. */
  readonly #line: Uint32Array;
  readonly #hatch: Uint32Array;

  /** Levels `from` to `to`, that not included. O(blocks + pixel columns of blocks up to `to`). */
  constructor(pixels: PixelLayout, scheme: ColourScheme, from: number, to: number) {
    this.#pixels = pixels;
    this.#scheme = scheme;
    this.#from = from;
    this.#line = new Uint32Array(pixels.width);
    this.#hatch = new Uint32Array(pixels.width);
    this.#blocks = blockCells(pixels, from, to);
  }

  /** Writes a level into the pixels of an image that is as wide as the graph and as high as a level. */
  fill(image: Uint32Array, level: number): void {
    const { layout, left, width, levelHeight } = this.#pixels;
    const scheme = this.#scheme;
    const surface = colourBits(surfaceOf(scheme));
    const line = this.#line.fill(surface);
    this.#hatch.fill(0);
    let isHatched = this.#fillBlocks(level);
    const outlined: number[] = [];
    const hasRows = level < layout.levelStart.length - 1;
    const end = hasRows ? layout.levelStart[level + 1] : 0;
    for (let row = hasRows ? layout.levelStart[level] : 0; row < end; row++) {
      // The root may be a zoomed block; it is drawn like a frame.
      if (isBlock(layout, row) && row > 0) continue;
      isHatched = this.#fillFrame(row) || isHatched;
      if (matchesAt(layout, row) && outlineWidth(this.#pixels, row) > 0) outlined.push(row);
    }
    const height = filledHeight(this.#pixels);
    for (let y = 0; y < height; y++) image.set(line, y * width);
    image.fill(surface, height * width, levelHeight * width);
    if (isHatched) this.#fillHatch(image, height);
    for (const row of outlined) {
      const { outline = '' } = styleOf(this.#pixels, row, scheme);
      const bits = colourBits(outline);
      const thick = outlineWidth(this.#pixels, row);
      const right = left[row] + filledWidth(this.#pixels, row);
      for (let y = 0; y < height; y++) {
        const at = y * width;
        if (y < thick || y >= height - thick) {
          image.fill(bits, at + left[row], at + right);
          continue;
        }
        image.fill(bits, at + left[row], at + left[row] + thick);
        image.fill(bits, at + right - thick, at + right);
      }
    }
  }

  #fillBlocks(level: number): boolean {
    const { width } = this.#pixels;
    const cells = this.#blocks;
    const at = (level - this.#from) * width;
    const plain = blockStyle(false, this.#scheme);
    const match = blockStyle(true, this.#scheme);
    const [plainFill, plainHatch] = [colourBits(plain.fill), colourBits(plain.hatch)];
    const [matchFill, matchHatch] = [colourBits(match.fill), colourBits(match.hatch)];
    let isHatched = false;
    for (let x = 0; x < width; x++) {
      const cell = cells[at + x];
      if (cell === NOTHING) continue;
      isHatched = true;
      this.#line[x] = cell === MATCHES ? matchFill : plainFill;
      this.#hatch[x] = cell === MATCHES ? matchHatch : plainHatch;
    }
    return isHatched;
  }

  /** True when it is hatched. */
  #fillFrame(row: number): boolean {
    const { left, right } = this.#pixels;
    const from = left[row];
    const to = right[row];
    if (to <= from) return false;
    const style: FrameStyle = styleOf(this.#pixels, row, this.#scheme);
    const filled = from + filledWidth(this.#pixels, row);
    this.#line.fill(colourBits(style.fill), from, filled);
    this.#hatch.fill(style.hatched ? colourBits(style.hatch) : 0, from, filled);
    return style.hatched;
  }

  #fillHatch(image: Uint32Array, height: number): void {
    const { width } = this.#pixels;
    const { period, line } = hatchOf(this.#pixels);
    for (let y = 0; y < height; y++) {
      for (let start = -(y % period); start < width; start += period) {
        const end = Math.min(width, start + line);
        for (let x = Math.max(0, start); x < end; x++)
          if (this.#hatch[x] !== 0) image[y * width + x] = this.#hatch[x];
      }
    }
  }
}

/** See `#blocks`; a root that is a block is not among them. */
function blockCells(pixels: PixelLayout, from: number, to: number): Uint8Array {
  const { layout, width } = pixels;
  const { columnStart, columnTop, columnMatch, levelStart } = layout;
  const cells = new Uint8Array(Math.max(0, to - from) * width);
  const levels = Math.min(to, levelStart.length - 1);
  for (let level = 0; level < levels; level++) {
    for (let block = levelStart[level]; block < levelStart[level + 1]; block++) {
      const last = columnStart[block + 1];
      for (let at = columnStart[block]; at < last; at++) {
        if (columnTop[at] <= from) continue;
        const x = columnLeft(pixels, block, at);
        const end = at + 1 < last ? columnLeft(pixels, block, at + 1) : pixels.right[block];
        const kind = columnMatch[at] === 1 ? MATCHES : FRAMES;
        const top = Math.min(columnTop[at], to);
        for (let reached = Math.max(level, from); reached < top; reached++) {
          const line = (reached - from) * width;
          for (let column = x; column < end; column++)
            if (cells[line + column] < kind) cells[line + column] = kind;
        }
      }
    }
  }
  return cells;
}

const bits = new Map<string, number>();

/** `#rrggbb` as a pixel of an image, opaque: bytes red, green, blue, alpha in memory. */
export function colourBits(colour: string): number {
  let value = bits.get(colour);
  if (value === undefined) {
    const rgb = parseInt(colour.slice(1), 16);
    const bytes = new Uint8Array([rgb >> 16, rgb >> 8, rgb, 255]);
    value = new Uint32Array(bytes.buffer)[0];
    bits.set(colour, value);
  }
  return value;
}
