import type { Page } from 'playwright-core';
import type { LogWindow } from './window.ts';

/** A label of the flame graph as it was drawn, and its left end in the window, CSS pixels. */
export interface DrawnLabel {
  readonly text: string;
  /** `#rrggbb` or `rgb(…)`. */
  readonly colour: string;
  readonly x: number;
  /** Of the base line. */
  readonly y: number;
}

/** A label on a canvas; device pixels. */
interface CanvasLabel {
  readonly text: string;
  readonly colour: string;
  readonly x: number;
  readonly y: number;
}

declare global {
  interface Window {
    canvasLabels?: Map<HTMLCanvasElement, CanvasLabel[]>;
  }
}

/** Records what is written on each canvas from its next complete drawing on. */
export async function recordLabels({ page }: LogWindow): Promise<void> {
  await page.evaluate(() => {
    const context = CanvasRenderingContext2D.prototype;
    const labels = (window.canvasLabels = new Map<HTMLCanvasElement, CanvasLabel[]>());
    /** Calls `note` before a method of the graph's canvases. */
    const before = (
      name: 'fillRect' | 'putImageData' | 'fillText',
      note: (context: CanvasRenderingContext2D, values: readonly unknown[]) => void,
    ): void => {
      const method = Reflect.get(context, name) as (...values: unknown[]) => void;
      context[name] = function (this: CanvasRenderingContext2D, ...values: unknown[]) {
        if (this.canvas.className === 'flame-canvas-layer') note(this, values);
        method.apply(this, values);
      };
    };
    // A complete drawing begins with the surface around the graph.
    before('fillRect', ({ canvas }) => void labels.set(canvas, []));
    // A level that is drawn again loses its labels.
    before('putImageData', ({ canvas }, values) => {
      const [image, , top] = values as [ImageData, number, number];
      const kept = labels.get(canvas)?.filter(({ y }) => y < top || y >= top + image.height);
      labels.set(canvas, kept ?? []);
    });
    before('fillText', (drawnOn, values) => {
      const [text, x, y] = values as [string, number, number];
      const place = new DOMPoint(x, y).matrixTransform(drawnOn.getTransform());
      const colour = drawnOn.fillStyle as string;
      labels.get(drawnOn.canvas)?.push({ text, colour, x: place.x, y: place.y });
    });
  });
}

/** The labels of the present graph, from top to bottom; on a canvas those that were recorded. */
export async function drawnLabels({ page }: LogWindow): Promise<readonly DrawnLabel[]> {
  // As text: objects take seconds to leave the page.
  const text = await page.evaluate(() => {
    const canvases = [...document.querySelectorAll<HTMLCanvasElement>('.flame-graph .flame-canvas-layer')];
    if (canvases.length > 0) {
      const shown = canvases.filter(({ hidden }) => !hidden);
      const onCanvases = shown.flatMap((canvas) => {
        const { left, top } = canvas.getBoundingClientRect();
        return (window.canvasLabels?.get(canvas) ?? []).map((label) => ({
          ...label,
          x: left + label.x / window.devicePixelRatio,
          y: top + label.y / window.devicePixelRatio,
        }));
      });
      return JSON.stringify(onCanvases);
    }
    const drawn = document.querySelectorAll<HTMLElement>('.flame-d3-layer .d3-flame-graph-label');
    const labels = Array.from(drawn, (label) => {
      const range = document.createRange();
      range.selectNodeContents(label);
      const { left, bottom } = range.getBoundingClientRect();
      return { text: label.textContent, colour: getComputedStyle(label).color, x: left, y: bottom - 4 };
    }).filter(({ text }) => text !== '');
    return JSON.stringify(labels);
  });
  return (JSON.parse(text) as DrawnLabel[]).sort((a, b) => a.y - b.y || a.x - b.x);
}

/** An area of the window, CSS pixels. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The different colours of each area, as `#rrggbb`, of what can be seen of it. */
export async function coloursIn(page: Page, areas: readonly Area[]): Promise<readonly (readonly string[])[]> {
  const screenshot = await page.screenshot();
  return page.evaluate(
    async ({ png, wanted }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d', {
        willReadFrequently: true,
      })!;
      context.drawImage(image, 0, 0);
      const ratio = window.devicePixelRatio;
      return wanted.map(({ x, y, width, height }) => {
        const left = Math.round(x * ratio);
        const top = Math.round(y * ratio);
        const right = Math.min(image.width, Math.round((x + width) * ratio));
        const bottom = Math.min(image.height, Math.round((y + height) * ratio));
        if (right <= left || bottom <= top || top < 0) return [];
        const { data } = context.getImageData(left, top, right - left, bottom - top);
        const colours = new Set<string>();
        for (let at = 0; at < data.length; at += 4)
          colours.add(
            `#${[0, 1, 2].map((channel) => data[at + channel].toString(16).padStart(2, '0')).join('')}`,
          );
        return [...colours];
      });
    },
    {
      png: screenshot.toString('base64'),
      wanted: areas.map(({ x, y, width, height }) => ({ x, y, width, height })),
    },
  );
}
