import flamegraph, { type FlameDatum } from 'd3-flame-graph';
import type { ColourScheme, FrameStyle } from '../../../shared/text/frame-colour.ts';
import { select } from 'd3-selection';
import { isBlock, levelOf } from '../../../shared/views/flame-columns.ts';
import { BlockCells } from './block-cells.ts';
import type { FlamePainter } from './flame-painter.ts';
import {
  blockStyle,
  filledHeight,
  filledWidth,
  hatchOf,
  isHatchable,
  LABEL_MARGIN,
  labelOf,
  outlineWidth,
  PLAIN,
} from './frame-style.ts';
import type { LabelFont } from './label-font.ts';
import { levelTop, type PixelLayout } from './pixel-layout.ts';
import { RowStyles } from './row-styles.ts';

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
  #pixels: PixelLayout | undefined;
  #styles: RowStyles | undefined;
  #patterns: Patterns | undefined;

  constructor(font: LabelFont) {
    this.#font = font;
    this.element.className = 'flame-d3-layer';
  }

  draw(pixels: PixelLayout, scheme: ColourScheme): void {
    const changed = this.#pixels === pixels ? this.#styles?.changedBySelection(scheme) : undefined;
    const styles = (this.#styles = new RowStyles(pixels, scheme));
    this.#pixels = pixels;
    if (changed !== undefined) return this.#colourAgain(pixels, changed);
    const { width, height, pixelRatio, layout, orientation, levelHeight } = pixels;
    const svg = element('svg', {
      width: width / pixelRatio,
      height: height / pixelRatio,
      viewBox: `0 0 ${width} ${height}`,
    });
    svg.style.setProperty('--flame-level', `${levelHeight}px`);
    svg.style.setProperty('--flame-font-size', `${this.#font.size * pixelRatio}px`);
    const patterns = (this.#patterns = new Patterns(pixels));
    if (layout.length > 0) {
      const blocks = element('g', { class: 'flame-blocks' });
      appendBlocks(blocks, pixels, scheme, patterns);
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
        .color(({ data }) => fillOf(pixels, data.row, styles));
      select<SVGGElement, Datum>(group).datum(dataOf(pixels)).call(chart);
      this.#finish(group, pixels, styles, patterns);
      svg.append(patterns.definitions, blocks, group);
    }
    this.element.replaceChildren(svg);
  }

  /** Changes the colours of rows, and leaves their elements as they are. */
  #colourAgain(pixels: PixelLayout, rows: readonly number[]): void {
    const [styles, patterns] = [this.#styles, this.#patterns];
    if (rows.length === 0 || styles === undefined || patterns === undefined) return;
    const changed = new Set(rows);
    for (const frame of this.element.querySelectorAll<Frame>('g.frame')) {
      const { row } = frame.__data__.data;
      if (!changed.has(row)) continue;
      const { style } = styles.at(row);
      frame.firstElementChild?.setAttribute('fill', fillOf(pixels, row, styles));
      frame.querySelector('.flame-hatch')?.setAttribute('fill', `url(#${patterns.lines(style)})`);
      frame.querySelector('.flame-label')?.setAttribute('fill', style.text);
      frame.querySelector('foreignObject')?.style.setProperty('--flame-label', style.text);
    }
  }

  /** Everything is drawn at once. */
  drawOverscan(): void {
    return;
  }

  needsMore(): boolean {
    return false;
  }

  /**
   * Adds what d3-flame-graph does not draw: gaps, patterns, outlines, label colours. Removes invisible elements. Frames
   * are positioned by attributes: a transform would make each a layer of its own, which the browser visits at every
   * paint.
   */
  #finish(group: SVGGElement, pixels: PixelLayout, styles: RowStyles, patterns: Patterns): void {
    group.querySelector('text.title')?.remove();
    const { layout, left, right, pixelRatio, levelHeight } = pixels;
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
            labelElement(text, left[row], y + baseline, pixelRatio, styles.at(row).style),
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
      const style = styles.at(row).style;
      if (style.hatched && isHatchable(pixels, right[row] - left[row]))
        frame.append(
          element('rect', { ...box, fill: `url(#${patterns.lines(style)})`, class: 'flame-hatch' }),
        );
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

/** Fill of a frame, below its hatch. */
function fillOf(pixels: PixelLayout, row: number, styles: RowStyles): string {
  const { left, right } = pixels;
  const { fill, unhatched } = styles.at(row).style;
  return isHatchable(pixels, right[row] - left[row]) ? fill : unhatched;
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

/** All blocks, one path for each of their styles. Equal areas of neighbouring levels are one rectangle. */
function appendBlocks(group: Element, pixels: PixelLayout, scheme: ColourScheme, patterns: Patterns): void {
  const { levels } = pixels.layout;
  const { levelHeight } = pixels;
  const cells = new BlockCells(pixels);
  const paths = new Map<Pattern, string>();
  /** Areas that reach into the level before -> their lowest level. */
  let open = new Map<string, BlockArea>();
  const close = ({ left, right, pattern, from }: BlockArea, to: number): void => {
    const y = Math.min(levelTop(pixels, from), levelTop(pixels, to - 1));
    const path = `M${left} ${y}h${right - left}v${(to - from) * levelHeight}h${left - right}z`;
    paths.set(pattern, (paths.get(pattern) ?? '') + path);
  };
  for (let level = 0; level <= levels; level++) {
    const reached = new Map<string, BlockArea>();
    if (level < levels)
      cells.visit(level, (left, right, match, connectedWidth) => {
        const pattern = patterns.blockPattern(match, isHatchable(pixels, connectedWidth), scheme);
        const key = `${left} ${right} ${pattern}`;
        reached.set(key, open.get(key) ?? { left, right, pattern, from: level });
      });
    for (const [key, area] of open) if (!reached.has(key)) close(area, level);
    open = reached;
  }
  for (const [pattern, d] of paths)
    group.append(element('path', { d, fill: `url(#${pattern})`, class: 'flame-hatch' }));
}

/** Part of a block, device pixels, from a level up. */
interface BlockArea {
  readonly left: number;
  readonly right: number;
  readonly pattern: Pattern;
  readonly from: number;
}

/** Id of a pattern. */
type Pattern = string;

/** Patterns of the fills in use. A tile is as high as a level, with its gap, so that patterns begin anew in each. */
class Patterns {
  readonly definitions = document.createElementNS(SVG, 'defs');
  readonly #pixels: PixelLayout;
  readonly #known = new Set<Pattern>();

  constructor(pixels: PixelLayout) {
    this.#pixels = pixels;
  }

  /** Lines without fill. */
  lines({ hatch }: FrameStyle): Pattern {
    return this.#pattern(undefined, hatch);
  }

  /** Fill of blocks, with the gap of each level. */
  blockPattern(match: boolean, isHatched: boolean, scheme: ColourScheme): Pattern {
    const { fill, hatch, unhatched } = blockStyle(match, scheme);
    return isHatched ? this.#pattern(fill, hatch) : this.#pattern(unhatched, undefined);
  }

  #pattern(fill: string | undefined, hatch: string | undefined): Pattern {
    const id = `fill${fill?.slice(1) ?? ''}-${hatch?.slice(1) ?? ''}`;
    if (this.#known.has(id)) return id;
    this.#known.add(id);
    const { levelHeight } = this.#pixels;
    const { period } = hatchOf(this.#pixels);
    const height = filledHeight(this.#pixels);
    const pattern = element('pattern', {
      id,
      width: period,
      height: levelHeight,
      patternUnits: 'userSpaceOnUse',
    });
    if (fill !== undefined) pattern.append(element('rect', { width: period, height, fill }));
    if (hatch !== undefined) pattern.append(element('path', { d: this.#lines(height), fill: hatch }));
    this.definitions.append(pattern);
    return id;
  }

  #lines(height: number): string {
    const { period, line } = hatchOf(this.#pixels);
    let d = '';
    for (let y = 0; y < height; y++) {
      for (const start of [-(y % period), period - (y % period)]) {
        const from = Math.max(0, start);
        const to = Math.min(period, start + line);
        if (to > from) d += `M${from} ${y}h${to - from}v1h${from - to}z`;
      }
    }
    return d;
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
