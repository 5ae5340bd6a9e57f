import flamegraph, { type FlameDatum, type FlameNode } from 'd3-flame-graph';
import { select, type Selection } from 'd3-selection';
import { timerFlush } from 'd3-timer';
import { labelOf } from '../../../shared/draw/frame-label.ts';
import {
  blockPath,
  blockStyle,
  blockWidth,
  hatchOf,
  isHatchable,
  surfaceOf,
} from '../../../shared/draw/frame-look.ts';
import type { PixelLayout } from '../../../shared/draw/pixel-layout.ts';
import { RowStyles } from '../../../shared/draw/row-styles.ts';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import type { ColourScheme, FrameStyle } from '../../../shared/text/frame-colour.ts';
import { isBlock, labelAt } from '../../../shared/engine/views/flame-columns.ts';
import type { FlamePainter } from './canvas-painter.ts';
import type { LabelFont } from './label-font.ts';

interface Datum extends FlameDatum {
  readonly row: number;
  readonly children: Datum[];
}

type Frames = Selection<SVGGElement, FlameNode<Datum>, SVGSVGElement, Datum>;

/**
 * Draws a whole flame graph of some hundred frames with d3-flame-graph, which lays the frames out, creates them and
 * writes their labels. A zoom is another graph: the chart's own zoom would hide frames for which there is space then. What
 * a chart cannot draw, the blocks of narrow frames, is below its frames. The pane answers the pointer.
 */
export class D3Painter implements FlamePainter {
  readonly name = 'd3';
  readonly element = document.createElement('div');
  readonly #font: LabelFont;
  #pixels: PixelLayout | undefined;
  #styles: RowStyles | undefined;
  #frames: Frames | undefined;
  #hatches: Hatches | undefined;

  constructor(font: LabelFont) {
    this.#font = font;
    this.element.className = 'flame-d3-layer';
  }

  draw(pixels: PixelLayout, scheme: ColourScheme): void {
    const isOtherSelection =
      this.#pixels === pixels && this.#styles?.changedBySelection(scheme) !== undefined;
    this.#pixels = pixels;
    this.#styles = new RowStyles(pixels, scheme);
    if (!isOtherSelection) this.#build(pixels, scheme);
    this.#colour(pixels, this.#styles);
  }

  /** Everything is drawn at once. */
  drawOverscan(): void {
    return;
  }

  needsMore(): boolean {
    return false;
  }

  #build(pixels: PixelLayout, scheme: ColourScheme): void {
    const { layout, width, height, pixelRatio, levelHeight, orientation } = pixels;
    this.element.replaceChildren();
    this.element.style.setProperty('--frame-gap', surfaceOf(scheme));
    this.element.style.setProperty('--flame-level', `${levelHeight / pixelRatio}px`);
    this.#frames = undefined;
    if (layout.length === 0) return;
    const chart = flamegraph<Datum>()
      .width(width / pixelRatio)
      .height(height / pixelRatio)
      .cellHeight(levelHeight / pixelRatio)
      .inverted(orientation === 'icicle')
      .transitionDuration(0)
      .getName(({ data }) => labelOf(pixels, data.row, this.#font))
      .label(({ data }) => shownLabel(labelAt(layout, data.row)));
    const drawn = select<HTMLElement, Datum>(this.element).datum(dataOf(pixels)).call(chart);
    const svg = drawn.select<SVGSVGElement>('svg');
    this.#frames = svg.selectAll<SVGGElement, FlameNode<Datum>>('g.frame');
    // A chart lets new frames grow for a quarter of a second. A graph that is read on would flicker at each update.
    this.#frames.select('rect').attr('width', ({ x0, x1 }) => (x1 - x0) * (width / pixelRatio));
    // Labels would come with the next frame of the page.
    timerFlush();
    const hatches = (this.#hatches = new Hatches(pixels));
    svg.insert(() => hatches.definitions, ':first-child');
    for (let row = 1; row < layout.length; row++) {
      if (!isBlock(layout, row)) continue;
      const isHatched = isHatchable(pixels, blockWidth(pixels, row));
      for (const match of [true, false]) {
        const d = blockPath(pixels, row, match);
        const fill = hatches.fillOf(blockStyle(match, scheme), isHatched);
        if (d !== '') svg.insert('path', ':first-child').attr('d', d).attr('fill', fill);
      }
    }
  }

  #colour(pixels: PixelLayout, styles: RowStyles): void {
    const { layout, left, right } = pixels;
    const hatches = this.#hatches;
    if (this.#frames === undefined || hatches === undefined) return;
    const styleOf = ({ data }: FlameNode<Datum>): FrameStyle => styles.at(data.row).style;
    this.#frames
      .classed('flame-block', ({ data }) => isBlock(layout, data.row) && data.row > 0)
      .style('--frame-text', (node) => styleOf(node).text)
      .style('--frame-outline', (node) => styleOf(node).outline ?? null)
      .select('rect')
      .attr('fill', (node) => {
        const { row } = node.data;
        return hatches.fillOf(styleOf(node), isHatchable(pixels, right[row] - left[row]));
      });
  }
}

/** The frames as a tree. */
function dataOf({ layout }: PixelLayout): Datum {
  const data: Datum[] = [];
  for (let row = 0; row < layout.length; row++) {
    const datum: Datum = { name: '', value: layout.weight[row], children: [], row };
    data.push(datum);
    if (row > 0) data[layout.parent[row]].children.push(datum);
  }
  return data[0];
}

const SVG = 'http://www.w3.org/2000/svg';

/** The patterns of hatched fills, made as they are used. */
class Hatches {
  readonly definitions = document.createElementNS(SVG, 'defs');
  readonly #size: number;
  readonly #line: number;

  constructor(pixels: PixelLayout) {
    const { period, line } = hatchOf(pixels);
    this.#size = period / pixels.pixelRatio;
    this.#line = line / pixels.pixelRatio;
  }

  /** The `fill` of an area; one too narrow for lines has a mixed colour. */
  fillOf({ hatched, fill, hatch, unhatched }: FrameStyle, isWide: boolean): string {
    if (!hatched || !isWide) return unhatched;
    const id = `hatch-${fill.slice(1)}-${hatch.slice(1)}`;
    const definitions = select(this.definitions);
    if (definitions.select(`#${id}`).empty()) {
      const pattern = definitions
        .append('pattern')
        .attr('id', id)
        .attr('width', this.#size)
        .attr('height', this.#size)
        .attr('patternUnits', 'userSpaceOnUse')
        .attr('patternTransform', 'rotate(45)');
      for (const [width, colour] of [
        [this.#size, fill],
        [this.#line, hatch],
      ] as const)
        pattern.append('rect').attr('width', width).attr('height', this.#size).attr('fill', colour);
    }
    return `url(#${id})`;
  }
}
