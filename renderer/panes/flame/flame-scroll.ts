import { type Band, bandSeen, type PixelLayout } from './pixel-layout.ts';

/**
 * What a scroller shows of a flame graph, as the browser told it last. Asking an element where it is makes the browser lay
 * the page out at once, in the middle of the changes for a new picture, and a second time when they are complete.
 */
export class FlameScroll {
  readonly #scroller: HTMLElement;
  readonly #onChange: () => void;
  readonly #observer: ResizeObserver;
  /** CSS pixels that the root's end of the picture is out of sight. */
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

  /** The part of a graph that can be seen, device pixels; also before the browser has scrolled within a lower one. */
  bandOf(pixels: PixelLayout): Band {
    const { pixelRatio } = pixels;
    return bandSeen(pixels, this.#fromRoot * pixelRatio, this.#height * pixelRatio);
  }

  /** CSS pixels that can be seen. */
  get height(): number {
    return this.#height;
  }

  /** To the root's end. */
  toRoot(): void {
    if (this.#fromRoot === 0) return;
    this.#scroller.scrollTop = 0;
    this.#fromRoot = 0;
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
