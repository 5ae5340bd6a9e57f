import { afterEach, beforeEach, expect, type Mock, test, vi } from 'vitest';
import { CanvasPainter } from '../../../../renderer/panes/flame/canvas-painter.ts';
import { FlameChart } from '../../../../renderer/panes/flame/flame-chart.ts';
import { pixelLayout, type PixelLayout } from '../../../../shared/draw/pixel-layout.ts';
import type { ColourScheme } from '../../../../shared/text/frame-colour.ts';
import { flameOf } from '../../../support/drawn-flame.ts';

const SCHEME: ColourScheme = { theme: 'light', colourBy: 'package', searching: false };
const GRAPH = `
  all 40
    a 30
      b 10
`;
const FRAME_MS = 16;

let draw: Mock<CanvasPainter['draw']>;
const page = { hidden: false };
let frames: Map<number, FrameRequestCallback>;

/** An element as far as a chart uses it. */
function element(): object {
  return {
    style: {},
    dataset: {},
    scrollTop: 0,
    clientHeight: 500,
    append: () => undefined,
    replaceChildren: () => undefined,
    addEventListener: () => undefined,
    getContext: () => null,
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  page.hidden = false;
  frames = new Map();
  let requests = 0;
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
    frames.set(++requests, callback);
    return requests;
  });
  vi.stubGlobal('cancelAnimationFrame', (request: number) => frames.delete(request));
  vi.stubGlobal('window', { leanscopePainter: 'canvas' });
  vi.stubGlobal('document', {
    createElement: element,
    get hidden() {
      return page.hidden;
    },
  });
  vi.stubGlobal('getComputedStyle', () => ({ fontFamily: 'sans-serif' }));
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('ImageData', Object);
  vi.stubGlobal(
    'ResizeObserver',
    Object.assign(function () {
      return { observe: () => undefined };
    }),
  );
  draw = vi.spyOn(CanvasPainter.prototype, 'draw').mockReturnValue();
  vi.spyOn(CanvasPainter.prototype, 'drawOverscan').mockReturnValue();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const chart = (): FlameChart => new FlameChart(element() as HTMLElement, element() as HTMLElement);
const graph = (): PixelLayout => pixelLayout(flameOf(GRAPH), { width: 400, pixelRatio: 1 }, 'icicle');

/** Runs the tasks that are due. */
const tasks = (): void => void vi.advanceTimersByTime(0);

/** Runs the callbacks of the next animation frame. */
function frame(): void {
  vi.advanceTimersByTime(FRAME_MS);
  const callbacks = [...frames.values()];
  frames.clear();
  for (const callback of callbacks) callback(performance.now());
}

test('a graph is drawn in a task of its own, and not again in the frame that shows it', () => {
  chart().draw(graph(), SCHEME, undefined);
  expect(draw).toHaveBeenCalledTimes(0);
  tasks();
  expect(draw).toHaveBeenCalledTimes(1);
  frame();
  tasks();
  expect(draw).toHaveBeenCalledTimes(1);
});

test('a frame that comes before that task draws the graph', () => {
  const shown = chart();
  shown.draw(graph(), SCHEME, undefined);
  const [callback] = frames.values();
  callback(performance.now());
  expect(draw).toHaveBeenCalledTimes(1);
  tasks();
  expect(draw).toHaveBeenCalledTimes(1);
});

test('of two graphs at once only the later one is drawn, and in a hidden page none until it is shown', () => {
  const shown = chart();
  const later = graph();
  shown.draw(graph(), SCHEME, undefined);
  shown.draw(later, SCHEME, undefined);
  tasks();
  expect(draw.mock.calls.map(([pixels]) => pixels)).toEqual([later]);
  page.hidden = true;
  shown.draw(graph(), SCHEME, undefined);
  tasks();
  expect(draw).toHaveBeenCalledTimes(1);
  frame();
  expect(draw).toHaveBeenCalledTimes(2);
});

test('a zoom is drawn once for each frame, the first time before the frame that lays the page out', () => {
  const shown = chart();
  shown.draw(graph(), SCHEME, undefined);
  tasks();
  frame();
  vi.advanceTimersByTime(1_000);
  draw.mockClear();
  // The second row of the graph.
  const layout = { ...flameOf('a 30'), id: Int32Array.of(1) };
  const zoomed = pixelLayout(layout, { width: 400, pixelRatio: 1 }, 'icicle');
  shown.draw(zoomed, SCHEME, { row: 1, run: undefined });
  const drawn = [draw.mock.calls.length];
  tasks();
  drawn.push(draw.mock.calls.length);
  for (let at = 0; at < 4; at++) {
    frame();
    tasks();
    drawn.push(draw.mock.calls.length);
  }
  expect(drawn).toEqual([0, 1, 1, 2, 3, 4]);
  while (frames.size > 0) frame();
  expect(draw.mock.lastCall?.[0]).toBe(zoomed);
});
