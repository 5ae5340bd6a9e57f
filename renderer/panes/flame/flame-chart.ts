import flamegraph, { type FlameGraph, type FlameNode } from 'd3-flame-graph';
import { select } from 'd3-selection';
import { fittingForm } from '../../../shared/text/format-frame.ts';
import { type ColourTheme, frameColour } from '../../../shared/text/frame-colour.ts';
import type { FlameRow } from '../../mirror/mirror-messages.ts';
import type { Orientation } from '../../store/preferences.ts';
import { frameId } from '../../store/flame-walk.ts';
import { type FrameDatum, nestRows } from './flame-data.ts';

export const FRAME_HEIGHT = 19;
/** Average of the label font's 11.5 px, measured over Java names. */
const CHARACTER_WIDTH = 6.1;
const LABEL_MARGIN = 8;

export interface FlameDrawing {
  readonly rows: readonly FlameRow[];
  /** CSS pixels. */
  readonly width: number;
  readonly orientation: Orientation;
  readonly theme: ColourTheme;
  readonly searching: boolean;
  readonly describe: (row: FlameRow) => string;
}

type Frame = SVGGElement & { readonly __data__: FlameNode<FrameDatum> };

/**
 * d3-flame-graph in an element. It draws exactly the rows it is given: its own zoom, search, tooltip and sorting stay
 * unused, because they write into the data or lose their state at the next update.
 */
export class FlameChart {
  readonly #element: HTMLElement;
  readonly #chart: FlameGraph<FrameDatum>;
  #drawing: FlameDrawing | undefined;
  /** frameId -> its element. */
  #frames = new Map<string, Frame>();
  #marked: Frame | undefined;
  /** What an element says of its frame already: setting attributes is a third of a draw. */
  readonly #said = new WeakMap<Frame, string>();
  #described = new Map<FlameRow, string>();

  constructor(element: HTMLElement) {
    this.#element = element;
    this.#chart = flamegraph<FrameDatum>()
      .cellHeight(FRAME_HEIGHT)
      .transitionDuration(0)
      .selfValue(false)
      .getName((node) => this.#fitted(node))
      .label(({ data }) => `${data.row.label}\n${this.#details(data.row)}`)
      .color(({ data }) => this.#colour(data.row));
  }

  draw(drawing: FlameDrawing): void {
    const isFirst = this.#drawing === undefined;
    this.#drawing = drawing;
    this.#described = new Map();
    const { rows, width, orientation } = drawing;
    const root = nestRows(rows);
    if (root === undefined) {
      this.clear();
      return;
    }
    const deepest = rows.reduce((depth, row) => Math.max(depth, row.depth), 0);
    const height = (deepest + 1) * FRAME_HEIGHT;
    this.#chart
      .width(width)
      .height(height)
      .inverted(orientation === 'icicle');
    if (isFirst) select<HTMLElement, FrameDatum>(this.#element).datum(root).call(this.#chart);
    else this.#chart.update(root);
    this.#label(height);
  }

  clear(): void {
    this.#chart.destroy();
    this.#drawing = undefined;
    this.#frames = new Map();
    this.#marked = undefined;
  }

  /** The row that an element of the picture belongs to. */
  rowAt(target: EventTarget | null): FlameRow | undefined {
    return target instanceof Element ? target.closest<Frame>('g.frame')?.__data__.data.row : undefined;
  }

  /** Outlines the frame of a row, and no other; returns it when it is drawn. */
  mark(id: string | undefined): SVGGElement | undefined {
    const frame = id === undefined ? undefined : this.#frames.get(id);
    if (this.#marked !== frame) {
      this.#marked?.classList.remove('frame-marked');
      this.#marked?.removeAttribute('aria-selected');
    }
    this.#marked = frame;
    frame?.classList.add('frame-marked');
    frame?.setAttribute('aria-selected', 'true');
    // Drawn last, so that no neighbour covers its outline.
    if (frame !== undefined && frame.nextSibling !== null) frame.parentNode?.append(frame);
    return frame;
  }

  #fitted(node: FlameNode<FrameDatum>): string {
    const width = (node.x1 - node.x0) * (this.#drawing?.width ?? 0);
    return fittingForm(node.data.row.label, Math.floor((width - LABEL_MARGIN) / CHARACTER_WIDTH));
  }

  /** Asked for twice per frame and draw, and worth remembering: it formats numbers. */
  #details(row: FlameRow): string {
    let details = this.#described.get(row);
    if (details === undefined) {
      details = this.#drawing?.describe(row) ?? '';
      this.#described.set(row, details);
    }
    return details;
  }

  #colour(row: FlameRow): string {
    if (this.#drawing === undefined) return 'none';
    const { theme, searching } = this.#drawing;
    return frameColour({ ...row, searching }, theme);
  }

  /**
   * What the chart does not know: names for screen readers and tests, the height, what kind a frame is. The chart has
   * just written the class anew, without any of it.
   */
  #label(height: number): void {
    const svg = this.#element.querySelector('svg');
    if (svg === null || this.#drawing === undefined) return;
    svg.setAttribute('height', `${height}`);
    svg.setAttribute('role', 'presentation');
    svg.querySelector('text.title')?.remove();
    this.#frames = new Map();
    for (const frame of svg.querySelectorAll<Frame>('g.frame')) {
      const { row } = frame.__data__.data;
      const id = frameId(row);
      const label = `${row.label}, ${this.#details(row)}`;
      this.#frames.set(id, frame);
      if (row.kind === 'remainder') frame.classList.add('frame-remainder');
      if (row.match) frame.classList.add('frame-match');
      const said = `${id} ${row.depth} ${label}`;
      if (this.#said.get(frame) === said) continue;
      this.#said.set(frame, said);
      frame.id = `frame-${id}`;
      frame.setAttribute('role', 'treeitem');
      frame.setAttribute('aria-level', `${row.depth + 1}`);
      frame.setAttribute('aria-label', label);
      frame.dataset.rowId = `${row.id}`;
      frame.dataset.depth = `${row.depth}`;
    }
  }
}
