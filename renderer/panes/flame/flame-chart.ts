import { CanvasPainter } from './canvas-painter.ts';
import type { FlamePicture } from './flame-picture.ts';
import { FlameScroll } from './flame-scroll.ts';
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

/** Somebody does something: what it leads to comes first. */
const INPUTS = ['keydown', 'pointerdown', 'wheel'] as const;

/**
 * A picture of a flame graph in an element, without pointer, keys or state of its own: two painters draw the same
 * picture with the same pixels, so nothing that the pane does depends on which one is on screen.
 *
 *   draw ─▶ moving ───── 300 ms without an event ─────▶ settling ───── all tiles drawn ─────▶ settled
 *     ▲     a canvas, drawn in the next frame           d3-flame-graph, below the canvas,     the canvas is gone
 *     │                                                 a tile whenever nothing else happens
 *     └────────────────────────────── draw ───────────────────┴──────────────────────────────────┘
 *
 * `data-painter` of the element says where it is. The second drawing takes some hundred milliseconds in small pieces, so
 * it waits, and stops between two tiles, as long as somebody does something in the window or the picture is passing:
 * another one is about to follow.
 */
export class FlameChart {
  readonly #element: HTMLElement;
  readonly #scroll: FlameScroll;
  readonly #isPassing: () => boolean;
  readonly #font: LabelFont;
  readonly #moving: CanvasPainter;
  /** Loaded when a picture first comes to rest: the window shows its first one without it. */
  #settled: SettledPainter | undefined;
  #drawing: Drawing | undefined;
  /** What is left to do until the picture is settled; undefined before that is begun, and afterwards. */
  #steps: Iterator<void> | undefined;
  #frame = 0;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #endSlices = (): void => undefined;

  /** Draws into `element`, of which `scroller` shows a part. */
  constructor(element: HTMLElement, scroller: HTMLElement, isPassing: () => boolean) {
    this.#element = element;
    this.#scroll = new FlameScroll(scroller, () => this.#onScroll());
    this.#isPassing = isPassing;
    this.#font = labelFont(element);
    this.#moving = new CanvasPainter(this.#font);
    element.append(this.#moving.element);
    for (const input of INPUTS) addEventListener(input, this.#onInput, { capture: true, passive: true });
  }

  /** The element has the picture's height at once; the picture is drawn in the next frame. */
  draw(picture: FlamePicture, look: FlameLook): void {
    this.#drawing = { picture, look };
    this.#steps = undefined;
    this.#element.style.height = `${picture.height}px`;
    this.#paintNext();
    this.#rest();
  }

  destroy(): void {
    this.#scroll.end();
    for (const input of INPUTS) removeEventListener(input, this.#onInput, { capture: true });
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#quiet);
    this.#endSlices();
    this.#drawing = undefined;
    this.#element.replaceChildren();
  }

  /** Shows the root's end. */
  scrollToRoot(): void {
    this.#scroll.toRoot();
  }

  #onScroll(): void {
    if (this.#drawing === undefined || this.#element.dataset.painter === 'settled') return;
    const { picture } = this.#drawing;
    if (this.#moving.needsMore(this.#scroll.bandOf(picture), picture.height)) this.#paintNext();
  }

  readonly #onInput = (): void => {
    if (this.#element.dataset.painter !== 'settled') this.#rest();
  };

  #paintNext(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      if (this.#drawing === undefined) return;
      const { picture, look } = this.#drawing;
      this.#moving.draw(picture, look, this.#scroll.bandOf(picture));
      this.#element.dataset.painter = this.#steps === undefined ? 'moving' : 'settling';
    });
  }

  /** From now on it must be quiet for a while before the picture settles, or goes on to. */
  #rest(): void {
    clearTimeout(this.#quiet);
    this.#endSlices();
    this.#quiet = setTimeout(() => void this.#settle(), QUIET_MS);
  }

  async #settle(): Promise<void> {
    if (this.#isPassing()) {
      this.#rest();
      return;
    }
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
    this.#steps ??= this.#settled.draw(drawing.picture, drawing.look);
    this.#endSlices();
    this.#endSlices = inIdleSlices(this.#steps, this.#isPassing, (how) => {
      if (how === 'stopped') {
        this.#rest();
        return;
      }
      this.#steps = undefined;
      cancelAnimationFrame(this.#frame);
      this.#element.dataset.painter = 'settled';
    });
  }
}
