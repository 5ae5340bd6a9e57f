import { type Band, CanvasPainter } from './canvas-painter.ts';
import type { FlamePicture } from './flame-picture.ts';
import type { FlameLook } from './frame-dress.ts';
import { type LabelFont, labelFont } from './label-font.ts';
import type { SettledPainter } from './settled-painter.ts';
import { inIdleSlices } from './slices.ts';

/** Milliseconds without a change after which a picture is at rest. */
const QUIET_MS = 300;

interface Drawing {
  readonly picture: FlamePicture;
  readonly look: FlameLook;
}

/**
 * A picture of a flame graph in an element, without pointer, keys or state of its own: two painters draw the same
 * picture with the same pixels, so nothing that the pane does depends on which one is on screen.
 *
 *   draw ─▶ moving ──── 300 ms without a change ────▶ settling ───── all tiles drawn ─────▶ settled
 *     ▲     a canvas, drawn in the next frame         d3-flame-graph, below the canvas,     the canvas is gone
 *     │                                               a tile whenever nothing else happens
 *     └────────────────────────────── draw ─────────────────┴──────────────────────────────────┘
 *
 * `data-painter` of the element says where it is. A picture that another is about to follow stays with the canvas: while
 * a log is caught up, drawing each of them a second time takes a tenth of the window's time.
 */
export class FlameChart {
  readonly #element: HTMLElement;
  readonly #scroller: HTMLElement;
  readonly #font: LabelFont;
  readonly #moving: CanvasPainter;
  /** Loaded when a picture first comes to rest: the window shows its first one without it. */
  #settled: SettledPainter | undefined;
  #drawing: Drawing | undefined;
  #frame = 0;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #endSlices = (): void => undefined;

  /** Draws into `element`, of which `scroller` shows a part. */
  constructor(element: HTMLElement, scroller: HTMLElement) {
    this.#element = element;
    this.#scroller = scroller;
    this.#font = labelFont(element);
    this.#moving = new CanvasPainter(this.#font);
    element.append(this.#moving.element);
    scroller.addEventListener('scroll', this.#onScroll, { passive: true });
  }

  /** The element has the picture's height at once; the picture is drawn in the next frame. `passing`: it never settles. */
  draw(picture: FlamePicture, look: FlameLook, passing: boolean): void {
    this.#drawing = { picture, look };
    this.#element.style.height = `${picture.height}px`;
    clearTimeout(this.#quiet);
    this.#endSlices();
    if (!passing) this.#quiet = setTimeout(() => void this.#settle(), QUIET_MS);
    this.#paintNext();
  }

  destroy(): void {
    this.#scroller.removeEventListener('scroll', this.#onScroll);
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#quiet);
    this.#endSlices();
    this.#drawing = undefined;
    this.#element.replaceChildren();
  }

  readonly #onScroll = (): void => {
    if (this.#drawing === undefined || this.#element.dataset.painter === 'settled') return;
    if (this.#moving.needsMore(this.#visible(), this.#drawing.picture.height)) this.#paintNext();
  };

  #paintNext(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      if (this.#drawing === undefined) return;
      this.#moving.draw(this.#drawing.picture, this.#drawing.look, this.#visible());
      this.#element.dataset.painter = 'moving';
    });
  }

  #visible(): Band {
    const top = this.#scroller.getBoundingClientRect().top - this.#element.getBoundingClientRect().top;
    return { top, bottom: top + this.#scroller.clientHeight };
  }

  async #settle(): Promise<void> {
    const drawing = this.#drawing;
    if (this.#settled === undefined) {
      const { SettledPainter } = await import('./settled-painter.ts');
      if (this.#drawing === undefined) return;
      this.#settled ??= new SettledPainter(this.#font);
      this.#element.prepend(this.#settled.element);
    }
    // Something has changed while the painter was loaded: it will come to rest again.
    if (drawing === undefined || drawing !== this.#drawing) return;
    this.#element.dataset.painter = 'settling';
    this.#endSlices = inIdleSlices(this.#settled.draw(drawing.picture, drawing.look), () => {
      this.#element.dataset.painter = 'settled';
    });
  }
}
