import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import { isBlock } from '../../../shared/engine/views/flame-columns.ts';
import {
  blockStyle,
  filledHeight,
  filledWidth,
  hatchOf,
  isHatchable,
  outlineWidth,
  surfaceOf,
} from '../../../shared/draw/frame-look.ts';
import { type PixelLayout, columnLeft } from '../../../shared/draw/pixel-layout.ts';
import { colourBits, pixelStyle, type PixelStyle, type RowStyles } from '../../../shared/draw/row-styles.ts';

/**
 * The pixels of an image that blocks of narrow frames fill, level by level. A block fills its columns from its own level up, so
 * one number a column is enough: how far up it is filled by the levels so far. A root that is a block is drawn like a
 * frame, and is not among them.
 */
export class BlockCells {
  readonly #pixels: PixelLayout;
  readonly #width: number;
  /** column -> the lowest level above that holds nothing; and the lowest above that holds no match. */
  readonly #filledTo: Int32Array;
  readonly #matchTo: Int32Array;
  /** The first level whose blocks are not yet in `#filledTo`. */
  #next = 0;
  /** Highest number in `#filledTo`. */
  #highest = 0;

  /** `width`: columns of the image. */
  constructor(pixels: PixelLayout, width = pixels.width) {
    this.#pixels = pixels;
    this.#width = width;
    this.#filledTo = new Int32Array(width);
    this.#matchTo = new Int32Array(width);
  }

  /**
   * Calls `visit` for the areas of a level from left to right. `connectedWidth` is the width of all areas that this one is
   * connected with. Levels are visited in ascending order; some may be left out.
   */
  visit(
    level: number,
    visit: (left: number, right: number, match: boolean, connectedWidth: number) => void,
  ): void {
    const highest = Math.min(level, this.#pixels.layout.levelStart.length - 2);
    while (this.#next <= highest) this.#add(this.#next++);
    if (this.#highest <= level) return;
    const filledTo = this.#filledTo;
    const matchTo = this.#matchTo;
    const width = this.#width;
    for (let from = 0; from < width; from++) {
      if (filledTo[from] <= level) continue;
      let to = from + 1;
      while (to < width && filledTo[to] > level) to++;
      const connectedWidth = to - from;
      while (from < to) {
        const left = from;
        const match = matchTo[left] > level;
        while (from < to && matchTo[from] > level === match) from++;
        visit(left, from, match, connectedWidth);
      }
    }
  }

  #add(level: number): void {
    const pixels = this.#pixels;
    const { layout, right } = pixels;
    const { columnStart, columnTop, columnMatch, levelStart } = layout;
    const filledTo = this.#filledTo;
    const matchTo = this.#matchTo;
    const scale = this.#width / pixels.width;
    for (let block = levelStart[level]; block < levelStart[level + 1]; block++) {
      if (!isBlock(layout, block)) continue;
      const end = columnStart[block + 1];
      let x = columnStart[block] < end ? columnLeft(pixels, block, columnStart[block]) : 0;
      for (let at = columnStart[block]; at < end; at++) {
        const nextX = at + 1 < end ? columnLeft(pixels, block, at + 1) : right[block];
        const top = columnTop[at];
        const last = nextX > x ? Math.floor((nextX - 1) * scale) : -1;
        for (let column = Math.floor(x * scale); column <= last; column++) {
          if (filledTo[column] < top) filledTo[column] = top;
          if (columnMatch[at] === 1 && matchTo[column] < top) matchTo[column] = top;
        }
        if (top > this.#highest) this.#highest = top;
        x = nextX;
      }
    }
  }
}

/**
 * The pixels of some levels of a flame graph, without labels. A level is one line of colours, repeated; hatches repeat
 * after a few lines, and only the upper and lower edges of outlines are drawn for themselves. So a level costs its rows
 * and a few lines of pixels, and copies of these.
 */
export class LevelPixels {
  readonly #pixels: PixelLayout;
  readonly #styles: RowStyles;
  readonly #surface: number;
  readonly #plainBlock: PixelStyle;
  readonly #matchBlock: PixelStyle;
  readonly #blocks: BlockCells;
  /** Colours of one line, and of the hatch over it; 0 where there is none. */
  readonly #line: Uint32Array;
  readonly #hatch: Uint32Array;

  constructor(pixels: PixelLayout, scheme: ColourScheme, styles: RowStyles) {
    this.#pixels = pixels;
    this.#styles = styles;
    this.#surface = colourBits(surfaceOf(scheme));
    this.#plainBlock = pixelStyle(blockStyle(false, scheme));
    this.#matchBlock = pixelStyle(blockStyle(true, scheme));
    this.#line = new Uint32Array(pixels.width);
    this.#hatch = new Uint32Array(pixels.width);
    this.#blocks = new BlockCells(pixels);
  }

  /**
   * Writes a level into the pixels of an image that is as wide as the graph and as high as a level. Levels are written in
   * ascending order; some may be left out.
   */
  fill(image: Uint32Array, level: number): void {
    const { layout, left, right, width, levelHeight } = this.#pixels;
    this.#line.fill(this.#surface);
    this.#hatch.fill(0);
    let isHatched = this.#fillBlocks(level);
    const outlined: number[] = [];
    const hasRows = level < layout.levelStart.length - 1;
    const end = hasRows ? layout.levelStart[level + 1] : 0;
    for (let row = hasRows ? layout.levelStart[level] : 0; row < end; row++) {
      // The root may be a zoomed block; it is drawn like a frame.
      if ((isBlock(layout, row) && row > 0) || right[row] <= left[row]) continue;
      const style = this.#styles.at(row);
      isHatched = this.#fillFrame(row, style, isHatched);
      if (style.outline !== 0 && outlineWidth(this.#pixels, row) > 0) {
        this.#fillSides(row, style.outline);
        outlined.push(row);
      }
    }
    const height = filledHeight(this.#pixels);
    image.set(this.#line);
    repeatLines(image, width, 1, isHatched ? Math.min(height, hatchOf(this.#pixels).period) : height);
    if (isHatched) this.#fillHatch(image, height);
    for (const row of outlined) this.#fillEdges(image, height, row);
    image.fill(this.#surface, height * width, levelHeight * width);
  }

  /** True when something is hatched. */
  #fillBlocks(level: number): boolean {
    let isHatched = false;
    this.#blocks.visit(level, (left, right, match, connectedWidth) => {
      const style = match ? this.#matchBlock : this.#plainBlock;
      const isWide = isHatchable(this.#pixels, connectedWidth);
      fillRun(this.#line, isWide ? style.fill : style.unhatched, left, right);
      if (!isWide) return;
      this.#hatch.fill(style.hatch, left, right);
      isHatched = true;
    });
    return isHatched;
  }

  /** `isHatched`: something in the level is. True when something is now. */
  #fillFrame(row: number, { style, fill, unhatched, hatch }: PixelStyle, isHatched: boolean): boolean {
    const { left, right } = this.#pixels;
    const from = left[row];
    const isWide = style.hatched && isHatchable(this.#pixels, right[row] - from);
    const filled = from + filledWidth(this.#pixels, row);
    fillRun(this.#line, isWide ? fill : unhatched, from, filled);
    if (isWide || isHatched) fillRun(this.#hatch, isWide ? hatch : 0, from, filled);
    return isWide || isHatched;
  }

  /** The left and the right line of an outline: they are in every line of the level. */
  #fillSides(row: number, outline: number): void {
    const { left } = this.#pixels;
    const thick = outlineWidth(this.#pixels, row);
    const to = left[row] + filledWidth(this.#pixels, row);
    for (const from of [left[row], to - thick]) {
      fillRun(this.#line, outline, from, from + thick);
      fillRun(this.#hatch, 0, from, from + thick);
    }
  }

  /** The upper and the lower line of an outline. */
  #fillEdges(image: Uint32Array, height: number, row: number): void {
    const { left, width } = this.#pixels;
    const { outline } = this.#styles.at(row);
    const thick = outlineWidth(this.#pixels, row);
    const from = left[row];
    const to = from + filledWidth(this.#pixels, row);
    for (let y = 0; y < thick; y++) {
      fillRun(image, outline, y * width + from, y * width + to);
      const below = (height - 1 - y) * width;
      fillRun(image, outline, below + from, below + to);
    }
  }

  /** Hatches the first lines of an image and repeats them. */
  #fillHatch(image: Uint32Array, height: number): void {
    const { width } = this.#pixels;
    const hatch = this.#hatch;
    const { period, line } = hatchOf(this.#pixels);
    for (let y = 0; y < Math.min(period, height); y++) {
      for (let start = -y; start < width; start += period) {
        const end = Math.min(width, start + line);
        for (let x = Math.max(0, start); x < end; x++) if (hatch[x] !== 0) image[y * width + x] = hatch[x];
      }
    }
    repeatLines(image, width, period, height);
  }
}

/** Repeats the first `period` lines of an image until it has `height` lines. */
function repeatLines(image: Uint32Array, width: number, period: number, height: number): void {
  for (let lines = period; lines < height; lines *= 2)
    image.copyWithin(lines * width, 0, Math.min(lines, height - lines) * width);
}

/** Shorter runs are filled faster without a call. */
const SHORT_RUN = 16;

function fillRun(target: Uint32Array, value: number, from: number, to: number): void {
  if (to - from > SHORT_RUN) target.fill(value, from, to);
  else for (let at = from; at < to; at++) target[at] = value;
}
