import flamegraph, { type FlameDatum } from 'd3-flame-graph';
import { select } from 'd3-selection';
import { PICTURE_TONES } from '../../../shared/text/frame-colour.ts';
import { type FlameBox, type FlamePicture, levelTop } from './flame-picture.ts';
import {
  filledHeight,
  filledWidth,
  fillOf,
  type FlameLook,
  isEdged,
  LABEL_MARGIN,
  labelOf,
  type LabelTone,
  labelToneOf,
  PLAIN,
} from './frame-dress.ts';
import type { LabelFont } from './label-font.ts';
import { cutPicture, type PictureTile } from './picture-tiles.ts';

/** Frames in one tile: what d3-flame-graph draws, and the browser lays out and paints, within a frame's time. */
const TILE_FRAMES = 120;

interface TileDatum extends FlameDatum {
  /** -1 for what stands above the tile's own frames. */
  readonly row: number;
  readonly children: TileDatum[];
}

type Frame = SVGGElement & { readonly __data__: { readonly data: TileDatum } };

const TONE_CLASSES: Readonly<Record<LabelTone, string>> = {
  label: 'frame-plain',
  dimmedLabel: 'frame-dimmed',
  remainderLabel: 'frame-remainder',
};

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Draws the picture at rest, with d3-flame-graph: a chart per tile, all in one SVG, because what the chart needs grows
 * with its frames (script, then style, layout and paint) and one chart of the whole picture would hold up the window.
 * The chart places frames and draws them; its own zoom, search, tooltip and sorting stay unused, because they write into
 * the data or lose their state at the next update.
 */
export class SettledPainter {
  readonly element = document.createElement('div');
  readonly #font: LabelFont;

  constructor(font: LabelFont) {
    this.#font = font;
    this.element.className = 'flame-settled';
  }

  /** Steps that draw the picture instead of what was drawn before, each within a frame's time. */
  *draw(picture: FlamePicture, look: FlameLook): Generator<void, void> {
    // What was drawn before goes piece by piece too: the browser takes its boxes apart one by one.
    for (const old of [...this.element.children]) {
      for (const tile of [...old.children]) {
        tile.remove();
        yield;
      }
      old.remove();
    }
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('width', `${picture.width}`);
    svg.setAttribute('height', `${picture.height}`);
    const tones = PICTURE_TONES[look.theme];
    svg.style.setProperty('--flame-level', `${picture.levelHeight}px`);
    svg.style.setProperty('--flame-label', tones.label);
    svg.style.setProperty('--flame-dimmed-label', tones.dimmedLabel);
    svg.style.setProperty('--flame-remainder-label', tones.remainderLabel);
    svg.style.setProperty('--flame-remainder-edge', tones.remainderEdge);
    this.element.append(svg);
    yield;
    for (const tile of cutPicture(picture, TILE_FRAMES)) {
      svg.append(this.#drawTile(picture, look, tile));
      yield;
    }
  }

  #drawTile(picture: FlamePicture, look: FlameLook, tile: PictureTile): SVGGElement {
    const { rows, left, right, orientation, levelHeight } = picture;
    const root = tileData(picture, tile);
    const top = rows[tile.rows[0]].depth - 1;
    const levels = tile.rows.reduce((most, row) => Math.max(most, rows[row].depth), 0) - top + 1;
    const height = levels * levelHeight;
    const group = document.createElementNS(SVG, 'g');
    const y = levelTop(picture, top) - (orientation === 'icicle' ? 0 : height - levelHeight);
    group.setAttribute('transform', `translate(${left[tile.rows[0]]},${y})`);
    const chart = flamegraph<TileDatum>()
      .width(right[tile.rows[tile.tops - 1]] - left[tile.rows[0]])
      .height(height)
      .cellHeight(levelHeight)
      .inverted(orientation === 'icicle')
      .transitionDuration(0)
      .selfValue(false)
      // Without titles: what the pointer is on is told by the pane, whichever painter's picture it is over.
      .tooltip(noTooltip)
      .getName(({ data }) => (data.row < 0 ? '' : labelOf(picture, data.row, this.#font)))
      .color(({ data }) => (data.row < 0 ? 'none' : fillOf(rows[data.row], look)));
    select<SVGGElement, TileDatum>(group).datum(root).call(chart);
    this.#finish(group, picture, look);
    return group;
  }

  /**
   * What the chart does not know: gaps, remainder blocks, tones of labels; and what it draws that nobody sees. A frame
   * stays where the chart has put it, but its parts say so themselves: a frame with a transform of its own is a piece of
   * the picture by itself, and the browser goes through all pieces whenever anything on the page is painted.
   */
  #finish(group: SVGGElement, picture: FlamePicture, look: FlameLook): void {
    group.querySelector('text.title')?.remove();
    const baseline = this.#font.baselineIn(picture.levelHeight);
    const height = filledHeight(picture);
    for (const frame of group.querySelectorAll<Frame>('g.frame')) {
      const { row } = frame.__data__.data;
      const shape = frame.firstElementChild;
      const label = frame.lastElementChild as SVGForeignObjectElement | null;
      if (row < 0 || shape === null || label === null) {
        frame.remove();
        continue;
      }
      const { x, y } = takePlace(frame);
      const width = filledWidth(picture, row);
      setBox(shape, { x, y, width, height });
      const tone = labelToneOf(picture.rows[row], look);
      frame.classList.add(TONE_CLASSES[tone]);
      if (isEdged(picture, row)) frame.append(edge({ x, y, width, height }));
      const text = label.textContent;
      if (PLAIN.test(text)) {
        // Half of what a frame costs: a layer and a box of its own, for most of them without any text.
        label.remove();
        if (text !== '') frame.append(plainLabel(text, x, y + baseline));
      } else {
        label.setAttribute('x', `${x}`);
        label.setAttribute('y', `${y}`);
      }
    }
  }
}

const TRANSLATE = /^translate\((.+),(.+)\)$/;

/** Where the chart has put a frame, which is taken out of its hands. */
function takePlace(frame: SVGGElement): { readonly x: number; readonly y: number } {
  const [, x, y] = TRANSLATE.exec(frame.getAttribute('transform') ?? '') ?? [];
  frame.removeAttribute('transform');
  return { x: Number(x), y: Number(y) };
}

function setBox(element: Element, { x, y, width, height }: FlameBox): void {
  element.setAttribute('x', `${x}`);
  element.setAttribute('y', `${y}`);
  element.setAttribute('width', `${width}`);
  element.setAttribute('height', `${height}`);
}

/** Frames of a tile below one that holds its siblings together and is not shown; widths are the chart's values. */
function tileData({ rows, left, right }: FlamePicture, tile: PictureTile): TileDatum {
  const data = new Map<number, TileDatum>();
  const above: TileDatum = {
    name: '',
    value: right[tile.rows[tile.tops - 1]] - left[tile.rows[0]],
    children: [],
    row: -1,
  };
  for (const [at, row] of tile.rows.entries()) {
    const datum: TileDatum = { name: '', value: right[row] - left[row], children: [], row };
    data.set(row, datum);
    (at < tile.tops ? above : (data.get(rows[row].parent) ?? above)).children.push(datum);
  }
  return above;
}

/** Where the canvas has it. */
function plainLabel(text: string, x: number, baseline: number): SVGTextElement {
  const label = document.createElementNS(SVG, 'text');
  label.setAttribute('class', 'flame-label');
  label.setAttribute('x', `${x + LABEL_MARGIN}`);
  label.setAttribute('y', `${baseline}`);
  label.textContent = text;
  return label;
}

function edge({ x, y, width, height }: FlameBox): SVGRectElement {
  const rect = document.createElementNS(SVG, 'rect');
  rect.setAttribute('class', 'flame-edge');
  setBox(rect, { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 });
  return rect;
}

const noTooltip = Object.assign((): void => undefined, {
  show: (): void => undefined,
  hide: (): void => undefined,
});
