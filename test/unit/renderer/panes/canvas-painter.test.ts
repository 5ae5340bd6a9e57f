import { afterEach, expect, test, vi } from 'vitest';
import { CanvasPainter } from '../../../../renderer/panes/flame/canvas-painter.ts';
import { labelWidths } from '../../../../renderer/panes/flame/label-font.ts';
import { bandSeen, pixelLayout } from '../../../../renderer/panes/flame/pixel-layout.ts';
import type { ColourScheme } from '../../../../shared/text/frame-colour.ts';
import { flameOf } from '../../../support/drawn-flame.ts';

const SCHEME: ColourScheme = { theme: 'light', colourBy: 'package', searching: false };

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Counts how often new pixels are allocated: whenever a size is set. */
class CountedCanvas {
  allocated = 0;
  readonly style = {};
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

/** Draws one graph after the other, each of so many levels in a pane of so many pixels. */
function drawAll(graphs: readonly { readonly levels: number; readonly pane: number }[]): CountedCanvas {
  const canvas = new CountedCanvas();
  vi.stubGlobal('ImageData', Object);
  vi.stubGlobal('document', { createElement: () => canvas });
  const font = { ...labelWidths(() => 0), size: 11, applyTo: () => undefined, baselineIn: () => 13 };
  const painter = new CanvasPainter(font);
  for (const { levels, pane } of graphs) {
    const pixels = pixelLayout(flameOf(deep(levels)), { width: 1000, pixelRatio: 1 }, 'icicle');
    painter.draw(pixels, SCHEME, bandSeen(pixels, 0, pane));
  }
  return canvas;
}

test('a zoom into a graph of few levels and back keeps the pixels of the canvas', () => {
  const canvas = drawAll([100, 5, 100, 40, 5].map((levels) => ({ levels, pane: 700 })));
  expect(canvas.allocated).toBe(1);
  expect(canvas.height).toBeGreaterThanOrEqual(700);
});

test('a pane that is much lower than before gives pixels back', () => {
  const [high, low] = [1600, 200].map((pane) => ({ levels: 100, pane }));
  const canvas = drawAll([high, low]);
  expect(canvas.allocated).toBe(2);
  expect(canvas.height).toBeLessThan(1600 / 2);
});
