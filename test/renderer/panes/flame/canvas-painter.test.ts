import { afterEach, expect, test, vi } from 'vitest';
import { CanvasPainter } from '../../../../renderer/panes/flame/canvas-painter.ts';
import { labelWidths } from '../../../../shared/draw/frame-label.ts';
import { bandSeen, pixelLayout } from '../../../../shared/draw/pixel-layout.ts';
import type { ColourScheme } from '../../../../shared/text/frame-colour.ts';
import { flameOf } from '../../../support/drawn-flame.ts';
import { MadeImage } from '../../../support/made-image.ts';

const SCHEME: ColourScheme = { theme: 'light', colourBy: 'package', searching: false };

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Counts how often new pixels are allocated: whenever a size is set. */
class CountedCanvas {
  allocated = 0;
  hidden = false;
  readonly style = { top: '' };
  #width = 300;
  #height = 150;
  get width(): number {
    return this.#width;
  }
  set width(width: number) {
    this.#width = width;
  }
  get height(): number {
    return this.#height;
  }
  set height(height: number) {
    this.#height = height;
    this.allocated++;
  }
  getContext(): null {
    return null;
  }
}

/** A graph of so many levels, one frame each. */
function deep(levels: number): string {
  return Array.from({ length: levels }, (_, level) => `${'  '.repeat(level)}${level || 'all'} 40`).join('\n');
}

interface Drawings {
  readonly painter: CanvasPainter;
  /** From top to bottom: what is above the visible part, the visible part, what is below it. */
  readonly canvases: readonly CountedCanvas[];
  readonly draw: (graph: {
    readonly levels: number;
    readonly pane: number;
    readonly scrolled?: number;
  }) => void;
}

/** Draws one graph after the other, each of so many levels in a pane of so many pixels. */
function drawings(): Drawings {
  const canvases: CountedCanvas[] = [];
  vi.stubGlobal('ImageData', MadeImage);
  vi.stubGlobal('document', {
    createElement: (name: string) =>
      name === 'canvas'
        ? new CountedCanvas()
        : { append: (...all: CountedCanvas[]) => canvases.push(...all) },
  });
  const font = { ...labelWidths(() => 0), size: 11, applyTo: () => undefined, baselineIn: () => 13 };
  const painter = new CanvasPainter(font);
  const draw: Drawings['draw'] = ({ levels, pane, scrolled = 0 }) => {
    const pixels = pixelLayout(flameOf(deep(levels)), { width: 1000, pixelRatio: 1 }, 'icicle');
    painter.draw(pixels, SCHEME, bandSeen(pixels, scrolled, pane));
  };
  return { painter, canvases, draw };
}

test('a zoom into a graph of few levels and back keeps the pixels of the canvas', () => {
  const { canvases, draw } = drawings();
  for (const levels of [100, 5, 100, 40, 5]) draw({ levels, pane: 700 });
  const [above, seen, below] = canvases;
  expect([above.allocated, seen.allocated, below.allocated]).toEqual([0, 1, 0]);
  expect(seen.height).toBeGreaterThanOrEqual(700);
});

test('a pane that is much lower than before gives pixels back', () => {
  const { canvases, draw } = drawings();
  for (const pane of [1600, 200]) draw({ levels: 100, pane });
  expect(canvases[1].allocated).toBe(2);
  expect(canvases[1].height).toBeLessThan(1600 / 2);
});

test('what scrolling may show next is on canvases of its own, which the next graph hides', () => {
  const { painter, canvases, draw } = drawings();
  const [above, seen, below] = canvases;
  const shown = (): boolean[] => canvases.map(({ hidden }) => !hidden);
  draw({ levels: 100, pane: 700 });
  expect(shown()).toEqual([false, true, false]);
  // Of the visible part hardly more than its levels.
  expect(seen.height).toBeLessThan(700 + 2 * 19 + 64);
  painter.drawOverscan();
  expect(shown()).toEqual([false, true, true]);
  expect(below.height).toBeLessThan(256 + 2 * 19 + 64);
  draw({ levels: 100, pane: 700, scrolled: 600 });
  expect(shown()).toEqual([false, true, false]);
  painter.drawOverscan();
  expect(shown()).toEqual([true, true, true]);
  const tops = canvases.map(({ style }) => parseFloat(style.top));
  expect(tops.map((top) => Math.round(top / 19))).toEqual([18, 31, 69]);
  // The canvases follow each other without a gap; the next one covers what a canvas has too much.
  expect(tops[0] + above.height).toBeGreaterThanOrEqual(tops[1]);
  expect(tops[1] + seen.height).toBeGreaterThanOrEqual(tops[2]);
});
