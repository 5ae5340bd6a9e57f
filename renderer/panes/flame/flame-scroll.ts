import { type Band, bandSeen, type PixelLayout } from '../../../shared/draw/pixel-layout.ts';

/** Shown on either side of a level that is scrolled to. */
const LEVELS_AROUND = 3;

/**
 * The visible part of a flame graph, from the browser's last events. Reading an element's position forces a layout,
 * once in the middle of the changes for a new graph and again when they are complete.
 */
export class FlameScroll {
  readonly #scroller: HTMLElement;
  readonly #onChange: () => void;
  readonly #observer: ResizeObserver;
  /** CSS pixels between the root and the visible part. */
  #fromRoot: number;
  /** CSS pixels that can be seen. */
  #height: number;

  constructor(scroller: HTMLElement, onChange: () => void) {
    this.#scroller = scroller;
    this.#onChange = onChange;
    this.#fromRoot = Math.abs(scroller.scrollTop);
    this.#height = scroller.clientHeight;
    scroller.addEventListener('scroll', this.#onScroll, { passive: true });
    this.#observer = new ResizeObserver(([{ contentRect }]) => {
      this.#height = contentRect.height;
      onChange();
    });
    this.#observer.observe(scroller);
  }

  /**
   * Visible band of a graph, device pixels; correct even before the browser has limited the scroll position for a lower
   * graph.
   */
  bandOf(pixels: PixelLayout): Band {
    const { pixelRatio } = pixels;
    return bandSeen(pixels, this.#fromRoot * pixelRatio, this.#height * pixelRatio);
  }

  /** CSS pixels that can be seen. */
  get height(): number {
    return this.#height;
  }

  /** Scrolls to the root. */
  toRoot(): void {
    if (this.#fromRoot === 0) return;
    this.#scroller.scrollTop = 0;
    this.#fromRoot = 0;
  }

  /** Whether a level can be seen completely. */
  sees(level: number, { levelHeight, pixelRatio }: PixelLayout): boolean {
    const height = levelHeight / pixelRatio;
    const from = level * height - this.#fromRoot;
    return from >= 0 && from + height <= this.#height;
  }

  /** Scrolls as little as shows a level and `LEVELS_AROUND` more. */
  toLevel(level: number, { levelHeight, pixelRatio, orientation }: PixelLayout): void {
    const height = levelHeight / pixelRatio;
    const first = (level - LEVELS_AROUND) * height;
    const end = (level + 1 + LEVELS_AROUND) * height;
    const wanted = first < this.#fromRoot ? first : Math.max(this.#fromRoot, end - this.#height);
    this.#fromRoot = Math.max(0, wanted);
    this.#scroller.scrollTop = orientation === 'icicle' ? this.#fromRoot : -this.#fromRoot;
  }

  end(): void {
    this.#scroller.removeEventListener('scroll', this.#onScroll);
    this.#observer.disconnect();
  }

  readonly #onScroll = (): void => {
    // A pane that is scrolled from its bottom counts downwards from 0.
    this.#fromRoot = Math.abs(this.#scroller.scrollTop);
    this.#onChange();
  };
}
