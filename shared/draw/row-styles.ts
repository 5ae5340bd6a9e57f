import { onlyIn } from '../engine/values/row-change.ts';
import { differenceStyle } from '../text/difference-colour.ts';
import { type ColourScheme, emphasised, type FrameStyle, frameStyle } from '../text/frame-colour.ts';
import { framesOfMethod, KIND_VALUES } from '../engine/views/flame-columns.ts';
import { StyledFrames } from '../engine/views/styled-frames.ts';
import type { PixelLayout } from './pixel-layout.ts';

/** A style with its colours as pixels of an image. */
export interface PixelStyle {
  readonly style: FrameStyle;
  readonly fill: number;
  readonly unhatched: number;
  readonly hatch: number;
  /** 0 for none. */
  readonly outline: number;
}

/**
 * The styles of the rows of a graph. A style is computed once for all rows with the same label and kind, or once per row
 * where colours depend on the row: a paint looks at thousands of rows, and an animation paints ten times.
 */
export class RowStyles {
  readonly #pixels: PixelLayout;
  readonly #scheme: ColourScheme;
  /**
   * Style of each label and kind, or of each row: 1 + index in `#styles`; 0: not yet computed. V8 makes `new Array(n)` a hash
   * table if n is large, and each look-up takes some 2 µs.
   */
  readonly #known: Uint32Array;
  readonly #styles: PixelStyle[] = [];
  readonly #frames: StyledFrames;

  constructor(pixels: PixelLayout, scheme: ColourScheme) {
    const { length, labels } = pixels.layout;
    this.#pixels = pixels;
    this.#scheme = scheme;
    this.#known = new Uint32Array(this.#isByLabel ? labels.length * KIND_VALUES : length);
    this.#frames = new StyledFrames(pixels.layout, scheme.colourBy, pixels.thread);
  }

  /** Whether these are the styles of a graph, wherever an animation has it. */
  isOf({ layout, thread }: PixelLayout, scheme: ColourScheme): boolean {
    return this.#pixels.layout === layout && this.#pixels.thread === thread && this.#scheme === scheme;
  }

  /** The rows that another selected method gives other styles; undefined if more is different in the other scheme. */
  changedBySelection(scheme: ColourScheme): readonly number[] | undefined {
    const { theme, colourBy, searching, selected } = this.#scheme;
    if (theme !== scheme.theme || colourBy !== scheme.colourBy || searching !== scheme.searching)
      return undefined;
    if (selected === scheme.selected) return [];
    const { layout } = this.#pixels;
    return [...framesOfMethod(layout, selected), ...framesOfMethod(layout, scheme.selected)];
  }

  at(row: number): PixelStyle {
    const { label, kind } = this.#pixels.layout;
    const slot = this.#isByLabel ? label[row] * KIND_VALUES + kind[row] : row;
    if (this.#known[slot] === 0) this.#known[slot] = this.#styles.push(pixelStyle(this.#styleOf(row)));
    return this.#styles[this.#known[slot] - 1];
  }

  #styleOf(row: number): FrameStyle {
    const frame = this.#frames.at(row);
    const { difference, totalCount, totalTime } = this.#pixels.layout;
    if (difference === undefined || frame.kind === 'block' || frame.kind === 'all')
      return frameStyle(frame, this.#scheme);
    const { level, hasBoth } = difference;
    const only = onlyIn(
      { base: difference.baseTotalCount[row], next: totalCount[row] },
      { base: difference.baseTotalTime[row], next: totalTime[row] },
    );
    const style = differenceStyle(this.#scheme.theme, level[row], hasBoth ? only : undefined);
    return emphasised(style, frame, this.#scheme);
  }

  get #isByLabel(): boolean {
    return this.#scheme.colourBy === 'package' && this.#pixels.layout.difference === undefined;
  }
}

const pixelStyles = new WeakMap<FrameStyle, PixelStyle>();

/** Equal styles are mostly the same object: their colours are converted once. */
export function pixelStyle(style: FrameStyle): PixelStyle {
  let found = pixelStyles.get(style);
  if (found === undefined) {
    const { fill, unhatched, hatch, outline } = style;
    found = {
      style,
      fill: colourBits(fill),
      unhatched: colourBits(unhatched),
      hatch: colourBits(hatch),
      outline: outline === undefined ? 0 : colourBits(outline),
    };
    pixelStyles.set(style, found);
  }
  return found;
}

/** `#rrggbb` as a pixel of an image, opaque: bytes red, green, blue, alpha in memory. */
export function colourBits(colour: string): number {
  const rgb = parseInt(colour.slice(1), 16);
  const bytes = new Uint8Array([rgb >> 16, rgb >> 8, rgb, 255]);
  return new Uint32Array(bytes.buffer)[0];
}
