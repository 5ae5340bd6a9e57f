import flamegraph, { type FlameDatum } from 'd3-flame-graph';
import type { ColourScheme, FrameStyle } from '../../../shared/text/frame-colour.ts';
import { select } from 'd3-selection';
import { isBlock, levelOf } from '../../../shared/views/flame-columns.ts';
import type { FlamePainter } from './flame-painter.ts';
import {
  blockStyle,
  filledHeight,
  filledWidth,
  hatchOf,
  LABEL_MARGIN,
  labelOf,
  outlineWidth,
  PLAIN,
  styleOf,
} from './frame-style.ts';
import type { LabelFont } from './label-font.ts';
import { columnLeft, levelTop, type PixelLayout } from './pixel-layout.ts';

interface Datum extends FlameDatum {
  readonly row: number;
  readonly children: Datum[];
}

type Frame = SVGGElement & { readonly __data__: { readonly data: Datum } };

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Draws a whole flame graph of some hundred frames with d3-flame-graph. The chart lays out and creates the frames; its
 * zoom, search, tooltip and sorting stay unused, because they write into the data or lose their state at the next update.
 * All lengths in the SVG are device pixels: its view box scales them.
 */
export class D3Painter implements FlamePainter {
  readonly name = 'd3';
  readonly element = document.createElement('div');
  readonly #font: LabelFont;

  constructor(font: LabelFont) {
    this.#font = font;
    this.element.className = 'flame-d3-layer';
  }

  draw(pixels: PixelLayout, scheme: ColourScheme): void {
    const { width, height, pixelRatio, layout, orientation, levelHeight } = pixels;
    const svg = element('svg', {
      width: width / pixelRatio,
      height: height / pixelRatio,
      viewBox: `0 0 ${width} ${height}`,
    });
    svg.style.setProperty('--flame-level', `${levelHeight}px`);
    svg.style.setProperty('--flame-font-size', `${this.#font.size * pixelRatio}px`);
    const hatches = new Hatches(pixels);
    if (layout.length > 0) {
      const blocks = element('g', { class: 'flame-blocks' });
      for (let row = 1; row < layout.length; row++)
        if (isBlock(layout, row)) appendBlock(blocks, pixels, row, scheme, hatches);
      const group = document.createElementNS(SVG, 'g');
      const chart = flamegraph<Datum>()
        .width(width)
        .height(height)
        .cellHeight(levelHeight)
        .inverted(orientation === 'icicle')
        .transitionDuration(0)
        .selfValue(false)
        // No titles: the pane has a tooltip for both painters.
        .tooltip(noTooltip)
        .getName(({ data }) => labelOf(pixels, data.row, this.#font))
        .color(({ data }) => styleOf(pixels, data.row, scheme).fill);
      select<SVGGElement, Datum>(group).datum(dataOf(pixels)).call(chart);
      this.#finish(group, pixels, scheme, hatches);
      svg.append(hatches.definitions, blocks, group);
    }
    this.element.replaceChildren(svg);
  }

  /** Everything is drawn at once. */
  needsMore(): boolean {
    return false;
  }

  /**
   * Adds what d3-flame-graph does not draw: gaps, hatches, outlines, label colours. Removes invisible elements. Frames
   * are positioned by attributes: a transform would make each a layer of its own, which the browser visits at every
   * paint.
   */
  #finish(group: SVGGElement, pixels: PixelLayout, scheme: ColourScheme, hatches: Hatches): void {
    group.querySelector('text.title')?.remove();
    const { layout, left, pixelRatio, levelHeight } = pixels;
    const baseline = this.#font.baselineIn(levelHeight / pixelRatio) * pixelRatio;
    for (const frame of group.querySelectorAll<Frame>('g.frame')) {
      const { row } = frame.__data__.data;
      const shape = frame.firstElementChild;
      const label = frame.lastElementChild as SVGForeignObjectElement | null;
      if (shape === null || label === null || (isBlock(layout, row) && row > 0)) {
        // Blocks are drawn below the frames; of their place in the chart only the label is used.
        const text = label?.textContent ?? '';
        const y = levelTop(pixels, levelOf(layout, row));
        if (text === '') frame.remove();
        else {
          frame.removeAttribute('transform');
          frame.replaceChildren(
            labelElement(text, left[row], y + baseline, pixelRatio, styleOf(pixels, row, scheme)),
          );
        }
        continue;
      }
      const box = {
        x: left[row],
        y: levelTop(pixels, levelOf(layout, row)),
        width: filledWidth(pixels, row),
        height: filledHeight(pixels),
      };
      frame.removeAttribute('transform');
      setAttributes(shape, box);
      const style = styleOf(pixels, row, scheme);
      if (style.hatched) frame.append(hatches.rectangle(box, style));
      const thick = outlineWidth(pixels, row);
      if (style.outline !== undefined && thick > 0) frame.append(outline(box, thick, style.outline));
      const text = label.textContent;
      if (PLAIN.test(text)) {
        // Half of the cost of a frame: a layer and a box of its own, for most frames without any text.
        label.remove();
        if (text !== '') frame.append(labelElement(text, box.x, box.y + baseline, pixelRatio, style));
      } else {
        setAttributes(label, { x: box.x, y: box.y, width: box.width, height: levelHeight });
        label.style.setProperty('--flame-label', style.text);
        label.style.setProperty('--flame-margin', `${LABEL_MARGIN * pixelRatio}px`);
        frame.append(label);
      }
    }
  }
}

/** The frames as a tree; widths are the chart's values. */
function dataOf({ layout, left, right }: PixelLayout): Datum {
  const data: Datum[] = [];
  for (let row = 0; row < layout.length; row++) {
    const datum: Datum = { name: '', value: right[row] - left[row], children: [], row };
    data.push(datum);
    if (row > 0) data[layout.parent[row]].children.push(datum);
  }
  return data[0];
}

/** A block in all levels that it reaches: one path for columns with a match, one for the others. */
function appendBlock(
  group: Element,
  pixels: PixelLayout,
  block: number,
  scheme: ColourScheme,
  hatches: Hatches,
): void {
  const { layout, levelHeight, right } = pixels;
  const { columnStart, columnTop, columnMatch } = layout;
  const level = levelOf(layout, block);
  const paths = ['', ''];
  const end = columnStart[block + 1];
  for (let at = columnStart[block]; at < end;) {
    let next = at + 1;
    while (next < end && columnTop[next] === columnTop[at] && columnMatch[next] === columnMatch[at]) next++;
    const x = columnLeft(pixels, block, at);
    const width = (next < end ? columnLeft(pixels, block, next) : right[block]) - x;
    const top = Math.min(levelTop(pixels, level), levelTop(pixels, columnTop[at] - 1));
    paths[columnMatch[at]] += `M${x} ${top}h${width}v${(columnTop[at] - level) * levelHeight}h${-width}z`;
    at = next;
  }
  paths.forEach((d, match) => {
    if (d !== '') group.append(hatches.path(d, blockStyle(match === 1, scheme)));
  });
}

/** Patterns of the hatches in use. A tile is as high as a level, with its gap, so that hatches begin anew in each. */
class Hatches {
  readonly definitions = document.createElementNS(SVG, 'defs');
  readonly #pixels: PixelLayout;
  readonly #known = new Set<string>();

  constructor(pixels: PixelLayout) {
    this.#pixels = pixels;
  }

  /** Lines without fill. */
  rectangle(box: Box, { hatch }: FrameStyle): SVGElement {
    return element('rect', {
      ...box,
      fill: `url(#${this.#pattern(hatch, undefined)})`,
      class: 'flame-hatch',
    });
  }

  /** Lines and fill, for an area of several levels. */
  path(d: string, { fill, hatch }: FrameStyle): SVGElement {
    return element('path', { d, fill: `url(#${this.#pattern(hatch, fill)})`, class: 'flame-hatch' });
  }

  #pattern(hatch: string, fill: string | undefined): string {
    const id = `hatch-${hatch.slice(1)}${fill?.slice(1) ?? ''}`;
    if (this.#known.has(id)) return id;
    this.#known.add(id);
    const { levelHeight } = this.#pixels;
    const { period, line } = hatchOf(this.#pixels);
    const height = filledHeight(this.#pixels);
    const pattern = element('pattern', {
      id,
      width: period,
      height: levelHeight,
      patternUnits: 'userSpaceOnUse',
    });
    if (fill !== undefined) pattern.append(element('rect', { width: period, height, fill }));
    let d = '';
    for (let y = 0; y < height; y++) {
      for (const start of [-(y % period), period - (y % period)]) {
        const from = Math.max(0, start);
        const to = Math.min(period, start + line);
        if (to > from) d += `M${from} ${y}h${to - from}v1h${from - to}z`;
      }
    }
    pattern.append(element('path', { d, fill: hatch }));
    this.definitions.append(pattern);
    return id;
  }
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function outline({ x, y, width, height }: Box, thick: number, colour: string): SVGElement {
  const half = thick / 2;
  const line = element('rect', {
    class: 'flame-outline',
    x: x + half,
    y: y + half,
    width: width - thick,
    height: height - thick,
    'stroke-width': thick,
  });
  // The chart's style sheet has a stroke for every rectangle.
  line.style.stroke = colour;
  return line;
}

/** The same position as on the canvas. */
function labelElement(
  text: string,
  x: number,
  baseline: number,
  pixelRatio: number,
  style: FrameStyle,
): SVGElement {
  const label = element('text', {
    class: 'flame-label',
    x: x + LABEL_MARGIN * pixelRatio,
    y: baseline,
    fill: style.text,
  });
  label.textContent = text;
  return label;
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, name);
  setAttributes(made, attributes);
  return made;
}

function setAttributes(target: Element, attributes: object): void {
  for (const [name, value] of Object.entries(attributes)) target.setAttribute(name, `${value}`);
}

const noTooltip = Object.assign((): void => undefined, {
  show: (): void => undefined,
  hide: (): void => undefined,
});
