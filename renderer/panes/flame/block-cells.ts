import { isBlock } from '../../../shared/engine/views/flame-columns.ts';
import { columnLeft, type PixelLayout } from '../../../shared/draw/pixel-layout.ts';

/**
 * What the blocks of narrow frames fill of an image, level by level. A block fills its columns from its own level up, so
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
