import { type FlameZoom, isSameZoom } from '../../../shared/engine/query.ts';
import { CanvasPainter, type FlamePainter } from './canvas-painter.ts';
import type { D3Painter } from './d3-painter.ts';
import { assert } from '../../../shared/assert.ts';
import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import { type LabelFont, labelFont } from './label-font.ts';
import { levelOf } from '../../../shared/engine/views/flame-columns.ts';
import { type GraphPlace, placeBefore } from './flame-walk.ts';
import {
  type Band,
  levelsBetween,
  movedTo,
  type PixelLayout,
  bandSeen,
} from '../../../shared/draw/pixel-layout.ts';

/** Rows that d3-flame-graph draws within a frame's time: some 30 µs and five elements each. */
const MOST_D3_ROWS = 400;
/** Duration of a zoom animation, ms; none when the user prefers reduced motion. */
const ZOOM_MS = 150;
/** A graph that is drawn again within this many milliseconds is drawn on the canvas. */
const QUIET_MS = 400;
/** Milliseconds from a drawing to that of what scrolling may show next: animations and updates do not wait for it. */
const OVERSCAN_MS = 100;

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
  readonly #painters: 'all' | 'canvas';
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
  /** The requested animation frame; 0 for none. */
  #frame = 0;
  /** The drawing in a task of its own, unless its frame comes first. */
  #task: ReturnType<typeof setTimeout> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #overscan: ReturnType<typeof setTimeout> | undefined;
  /** The next drawing shows more of the same graph, and scrolling may go on. */
  #isScrolled = false;

  /** Draws into `element`, of which `scroller` shows a part. `canvas`: several rows may have one id. */
  constructor(element: HTMLElement, scroller: HTMLElement, painters: 'all' | 'canvas' = 'all') {
    this.#element = element;
    this.#painters = painters;
    this.#scroll = new FlameScroll(scroller, () => this.#onScroll());
    this.#font = labelFont(element);
    this.#canvas = new CanvasPainter(this.#font);
  }

  /** Visible part of the graph, CSS pixels. */
  get paneHeight(): number {
    return this.#scroll.height;
  }

  /** It is not scrolled. */
  get isAtRoot(): boolean {
    return this.#scroll.isAtRoot;
  }

  /** The element has the graph's height at once; the graph is drawn before the next frame. */
  draw(pixels: PixelLayout, scheme: ColourScheme, zoom: FlameZoom | undefined): void {
    const now = performance.now();
    const before = this.#drawing;
    if (before !== undefined && !isSameZoom(before.zoom, zoom)) {
      const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const from = isStill ? undefined : placeBefore(before.pixels.layout, pixels.layout);
      this.#motion = from && { from, startedAt: now };
    }
    // Other colours of the same graph are no growth.
    const isOther = before?.pixels !== pixels;
    if (isOther) {
      this.#isQuiet = now - this.#drawnAt >= QUIET_MS;
      this.#drawnAt = now;
    }
    this.#drawing = { pixels, scheme, zoom };
    this.#element.style.height = `${pixels.height / pixels.pixelRatio}px`;
    this.#paintNext();
    // The frame has much to do besides: styles, layout and paint of all that a new graph changes around it. The frames of
    // an animation have not, and a hidden page has none.
    const isMoving = this.#motion !== undefined && this.#motion.startedAt < now;
    if (!isMoving && !document.hidden) this.#task = setTimeout(() => this.#paint('task'));
    if (!isOther) return;
    clearTimeout(this.#quiet);
    if (!this.#isQuiet) this.#quiet = setTimeout(() => this.#rest(), QUIET_MS);
  }

  /** The graph as an image; undefined before it is drawn. */
  image(): FlameImage | undefined {
    if (this.#drawing === undefined) return undefined;
    const { pixels, scheme } = this.#drawing;
    return flameImage(pixels, scheme, this.#font);
  }

  destroy(): void {
    this.#scroll.end();
    this.#cancelPaint();
    clearTimeout(this.#quiet);
    this.#drawing = undefined;
    this.#element.replaceChildren();
  }

  /** Scrolls to the root. */
  scrollToRoot(): void {
    this.#scroll.toRoot();
  }

  /** Scrolls to the heaviest of some rows unless one of them can be seen. */
  showOneOf(rows: readonly number[]): void {
    if (this.#drawing === undefined || rows.length === 0) return;
    const { pixels } = this.#drawing;
    const { layout } = pixels;
    if (rows.some((row) => this.#scroll.sees(levelOf(layout, row), pixels))) return;
    const heaviest = rows.reduce((most, row) => (layout.weight[row] > layout.weight[most] ? row : most));
    this.#scroll.toLevel(levelOf(layout, heaviest), pixels);
  }

  /** The graph no longer changes quickly. */
  #rest(): void {
    this.#isQuiet = true;
    if (this.#drawing !== undefined && this.#choose(this.#drawing) !== this.#painter) this.#paintNext();
  }

  #onScroll(): void {
    // A drawing that is due anyway will be of what is visible then.
    if (this.#drawing === undefined || this.#painter === undefined || this.#frame !== 0) return;
    if (this.#painter.needsMore(this.#scroll.bandOf(this.#drawing.pixels))) this.#paintNext(true);
  }

  /** Chooses the painter for a graph. */
  #choose({ pixels }: Drawing): FlamePainter {
    const isSmall = pixels.layout.length <= MOST_D3_ROWS && this.#isQuiet;
    const wanted = window.leanscopePainter ?? (isSmall ? 'd3' : 'canvas');
    if (wanted === 'canvas' || this.#painters === 'canvas') return this.#canvas;
    if (this.#d3 === undefined && !this.#loadsD3) void this.#loadD3();
    return this.#d3 ?? this.#canvas;
  }

  async #loadD3(): Promise<void> {
    this.#loadsD3 = true;
    const { D3Painter } = await import('./d3-painter.ts');
    this.#d3 = new D3Painter(this.#font);
    if (this.#drawing !== undefined) this.#paintNext();
  }

  #paintNext(isScrolled = false): void {
    this.#cancelPaint();
    this.#isScrolled = isScrolled;
    this.#frame = requestAnimationFrame(() => this.#paint('frame'));
  }

  #cancelPaint(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#task);
    clearTimeout(this.#overscan);
    this.#frame = 0;
  }

  #paint(when: 'frame' | 'task'): void {
    this.#cancelPaint();
    if (this.#drawing === undefined) return;
    const { pixels, scheme } = this.#drawing;
    const visible = this.#scroll.bandOf(pixels);
    const moved = this.#moved(pixels, visible);
    const painter = moved === undefined ? this.#choose(this.#drawing) : this.#canvas;
    painter.draw(moved ?? pixels, scheme, visible);
    if (painter !== this.#painter) {
      this.#painter = painter;
      this.#element.replaceChildren(painter.element);
      this.#element.dataset.painter = painter.name;
    }
    if (moved !== undefined && when === 'frame') this.#paintNext();
    // The next frame shows this drawing.
    else if (moved !== undefined) this.#frame = requestAnimationFrame(() => this.#paintNext());
    else if (this.#isScrolled) painter.drawOverscan();
    else this.#overscan = setTimeout(() => painter.drawOverscan(), OVERSCAN_MS);
  }

  /** The graph at the present point of a running zoom animation; undefined when none is running. */
  #moved(pixels: PixelLayout, visible: Band): PixelLayout | undefined {
    if (this.#motion === undefined) return undefined;
    const { from, startedAt } = this.#motion;
    const share = (performance.now() - startedAt) / ZOOM_MS;
    if (share >= 1) {
      this.#motion = undefined;
      return undefined;
    }
    // Ease-out: fast at first, slower towards the end.
    const left = (1 - share) ** 3;
    const { to } = levelsBetween(pixels, visible);
    return movedTo(pixels, from.left * left, 1 + (from.width - 1) * left, to);
  }
}

/** Browsers have no higher canvases that can be relied on, device pixels. */
const MAX_HEIGHT = 16_384;

/** An image of a graph as it is drawn, PNG, with all levels, and not only those that are in view. */
interface FlameImage {
  readonly png: Promise<Blob>;
  /** Levels that do not fit into the image; the root is always in it. */
  readonly levelsLeftOut: number;
}

function flameImage(pixels: PixelLayout, scheme: ColourScheme, font: LabelFont): FlameImage {
  const { width, height, levelHeight, orientation } = pixels;
  const levels = height / levelHeight;
  const shown = Math.min(levels, Math.floor(MAX_HEIGHT / levelHeight));
  const top = orientation === 'flame' ? height - shown * levelHeight : 0;
  const painter = new CanvasPainter(font);
  painter.draw(pixels, scheme, { top, bottom: top + shown * levelHeight });
  const image = document.createElement('canvas');
  image.width = width;
  image.height = shown * levelHeight;
  const context = image.getContext('2d');
  assert(context !== null, 'the graph on screen has a canvas, too');
  context.drawImage(painter.seen.element, 0, painter.seen.top - top);
  const png = new Promise<Blob>((resolve, reject) => {
    image.toBlob((blob) => {
      if (blob === null) reject(new Error('The image is too large.'));
      else resolve(blob);
    });
  });
  return { png, levelsLeftOut: levels - shown };
}

/** Shown on either side of a level that is scrolled to. */
const LEVELS_AROUND = 3;

/**
 * The visible part of a flame graph, from the browser's last events. Reading an element's position forces a layout,
 * once in the middle of the changes for a new graph and again when they are complete.
 */
class FlameScroll {
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

  get isAtRoot(): boolean {
    return this.#fromRoot === 0;
  }

  /** Scrolls to the root. */
  toRoot(): void {
    if (this.isAtRoot) return;
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
