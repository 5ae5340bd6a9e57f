import { CanvasPainter } from './canvas-painter.ts';
import type { D3Painter } from './d3-painter.ts';
import type { FlamePainter } from './flame-painter.ts';
import { FlameScroll } from './flame-scroll.ts';
import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import { type LabelFont, labelFont } from './label-font.ts';
import type { FlameZoom } from '../../profile-worker/pane-messages.ts';
import { isSameZoom } from '../../store/zoom-history.ts';
import { type GraphPlace, placeBefore } from './flame-zoom.ts';
import { movedTo, type PixelLayout } from './pixel-layout.ts';

/** Rows that d3-flame-graph draws within a frame's time: some 30 µs and five elements each. */
const MOST_D3_ROWS = 400;
/** Duration of a zoom animation, ms; none when the user prefers reduced motion. */
const ZOOM_MS = 150;
/** A graph that is drawn again within this many milliseconds is drawn on the canvas. */
const QUIET_MS = 400;

declare global {
  interface Window {
    /** For tests: the only painter that draws the flame graph. */
    leanscopePainter?: FlamePainter['name'];
  }
}

interface Drawing {
  readonly pixels: PixelLayout;
  readonly scheme: ColourScheme;
  readonly zoom: FlameZoom | undefined;
}

/** A running zoom animation: from the start rectangle to the complete pane. */
interface Motion {
  readonly from: GraphPlace;
  readonly startedAt: number;
}

/**
 * A flame graph in an element, without pointer, key or state handling. Small graphs are drawn by d3-flame-graph, all
 * others on a canvas; a small graph that changes quickly is drawn on the canvas, too. A zoom is animated: the new graph
 * grows out of its frame in the previous graph, or shrinks to its place in the wider one. The element's `data-painter`
 * names the painter of the graph on screen.
 */
export class FlameChart {
  readonly #element: HTMLElement;
  readonly #scroll: FlameScroll;
  readonly #font: LabelFont;
  readonly #canvas: CanvasPainter;
  /** Loaded when a small graph is drawn for the first time. */
  #d3: D3Painter | undefined;
  #loadsD3 = false;
  /** The painter of the graph on screen. */
  #painter: FlamePainter | undefined;
  #drawing: Drawing | undefined;
  #motion: Motion | undefined;
  #drawnAt = -Infinity;
  #isQuiet = true;
  #frame = 0;
  #quiet: ReturnType<typeof setTimeout> | undefined;

  /** Draws into `element`, of which `scroller` shows a part. */
  constructor(element: HTMLElement, scroller: HTMLElement) {
    this.#element = element;
    this.#scroll = new FlameScroll(scroller, () => this.#onScroll());
    this.#font = labelFont(element);
    this.#canvas = new CanvasPainter(this.#font);
  }

  /** Visible part of the graph, CSS pixels. */
  get paneHeight(): number {
    return this.#scroll.height;
  }

  /** The element has the graph's height at once; the graph is drawn in the next frame. */
  draw(pixels: PixelLayout, scheme: ColourScheme, zoom: FlameZoom | undefined): void {
    const now = performance.now();
    const before = this.#drawing;
    if (before !== undefined && !isSameZoom(before.zoom, zoom)) {
      const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const from = isStill ? undefined : placeBefore(before.pixels.layout, pixels.layout);
      this.#motion = from && { from, startedAt: now };
    }
    this.#isQuiet = now - this.#drawnAt >= QUIET_MS;
    this.#drawnAt = now;
    this.#drawing = { pixels, scheme, zoom };
    this.#element.style.height = `${pixels.height / pixels.pixelRatio}px`;
    this.#paintNext();
    clearTimeout(this.#quiet);
    if (!this.#isQuiet) this.#quiet = setTimeout(() => this.#rest(), QUIET_MS);
  }

  destroy(): void {
    this.#scroll.end();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#quiet);
    this.#drawing = undefined;
    this.#element.replaceChildren();
  }

  /** Scrolls to the root. */
  scrollToRoot(): void {
    this.#scroll.toRoot();
  }

  /** The graph no longer changes quickly. */
  #rest(): void {
    this.#isQuiet = true;
    if (this.#drawing !== undefined && this.#choose(this.#drawing) !== this.#painter) this.#paintNext();
  }

  #onScroll(): void {
    if (this.#drawing === undefined || this.#painter === undefined) return;
    if (this.#painter.needsMore(this.#scroll.bandOf(this.#drawing.pixels))) this.#paintNext();
  }

  /** Chooses the painter for a graph. */
  #choose({ pixels }: Drawing): FlamePainter {
    const isSmall = pixels.layout.length <= MOST_D3_ROWS && this.#isQuiet;
    const wanted = window.leanscopePainter ?? (isSmall ? 'd3' : 'canvas');
    if (wanted === 'canvas') return this.#canvas;
    if (this.#d3 === undefined && !this.#loadsD3) void this.#loadD3();
    return this.#d3 ?? this.#canvas;
  }

  async #loadD3(): Promise<void> {
    this.#loadsD3 = true;
    const { D3Painter } = await import('./d3-painter.ts');
    this.#d3 = new D3Painter(this.#font);
    if (this.#drawing !== undefined) this.#paintNext();
  }

  #paintNext(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      if (this.#drawing === undefined) return;
      const { pixels, scheme } = this.#drawing;
      const moved = this.#moved(pixels);
      const painter = moved === undefined ? this.#choose(this.#drawing) : this.#canvas;
      painter.draw(moved ?? pixels, scheme, this.#scroll.bandOf(pixels), moved !== undefined);
      if (painter !== this.#painter) {
        this.#painter = painter;
        this.#element.replaceChildren(painter.element);
        this.#element.dataset.painter = painter.name;
      }
      if (moved !== undefined) this.#paintNext();
    });
  }

  /** The graph at the present point of a running zoom animation; undefined when none is running. */
  #moved(pixels: PixelLayout): PixelLayout | undefined {
    if (this.#motion === undefined) return undefined;
    const { from, startedAt } = this.#motion;
    const share = (performance.now() - startedAt) / ZOOM_MS;
    if (share >= 1) {
      this.#motion = undefined;
      return undefined;
    }
    // Ease-out: fast at first, slower towards the end.
    const left = (1 - share) ** 3;
    return movedTo(pixels, from.left * left, 1 + (from.width - 1) * left);
  }
}
