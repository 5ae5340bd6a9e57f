import { grown } from '../../profile/columns.ts';
import { formatQuantity } from '../../text/format-value.ts';
import type { RowKind } from '../trees/keys.ts';
import type { RowTree } from '../trees/row-tree.ts';

/** Id of the root when it stands for several threads. */
export const ALL_ROWS = -1;

/** `block`: a block, which stands for frames that are too narrow to be drawn. */
export type FlameKind = RowKind | 'block';

/** Kinds as numbers in a column. */
export const KIND: Readonly<Record<FlameKind, number>> = {
  all: 0,
  thread: 1,
  frame: 2,
  error: 3,
  block: 4,
};
const KIND_NAMES = Object.keys(KIND) as readonly FlameKind[];
const KIND_BITS = 7;
const MATCH_BIT = 8;
/** Numbers in the column `kind` are less than this. */
export const KIND_VALUES = 16;

/**
 * Frames and blocks of a flame graph, as columns that can be transferred to another thread. Rows are in the order of
 * their levels from the root on, within a level from left to right. A block stands for adjacent narrow siblings and
 * everything below them; it has no rows below it. For each pixel column of a block there is the level up to which it is
 * filled.
 *
 *   level 3   │   │                   ·    frames     All  a  c
 *   level 2   │ c │              ··        blocks     b: 3 pixels wide, filled up to level 1, 3 and 2
 *   level 1   │ a          │ b   ···       levelStart 0 1 3 4
 *   level 0   │ All              │         levels     4
 */
export interface FlameLayout {
  /** Number of rows. */
  readonly length: number;
  /** level -> its first row. One extra entry at the end. */
  readonly levelStart: Int32Array<ArrayBuffer>;
  /**
   * Number of levels that contain frames or parts of blocks. More than the levels with rows if only blocks reach the
   * highest levels.
   */
  readonly levels: number;
  /** Width of the root, device pixels. */
  readonly pixels: number;
  /** The distinct labels. */
  readonly labels: readonly string[];

  // One entry per row:
  /** Index in `labels`. The label of a block is empty. */
  readonly label: Int32Array<ArrayBuffer>;
  /** Kind and match of the row, as bits: see `kindAt` and `matchesAt`. */
  readonly kind: Uint8Array<ArrayBuffer>;
  /** Id of the frame's tree row; for a block that of its first frame; ALL_ROWS for all threads. */
  readonly id: Int32Array<ArrayBuffer>;
  /** Row of a block -> the id of its last frame. */
  readonly lastId: Int32Array<ArrayBuffer>;
  /** Row of the parent; -1 for the root. */
  readonly parent: Int32Array<ArrayBuffer>;
  /** Left edge in units of weight, from the left edge of the root. */
  readonly start: Float64Array<ArrayBuffer>;
  /** Weight by the chosen metric: samples or ns, positive. The children of a row weigh at most as much as the row. */
  readonly weight: Float64Array<ArrayBuffer>;
  readonly selfCount: Float64Array<ArrayBuffer>;
  readonly totalCount: Float64Array<ArrayBuffer>;
  /** Nanoseconds, signed. */
  readonly totalTime: Float64Array<ArrayBuffer>;
  /** Number of frames that a block stands for, in all levels; 0 for a frame. */
  readonly grouped: Int32Array<ArrayBuffer>;
  /** Index in `columnTop` of the row's first pixel column. One extra entry at the end. */
  readonly columnStart: Int32Array<ArrayBuffer>;

  // One entry per pixel column of a block, from the column of its left edge on:
  /** The block fills the column up to the level before this one. */
  readonly columnTop: Int32Array<ArrayBuffer>;
  /** 1 if a frame in the column matches the search. */
  readonly columnMatch: Uint8Array<ArrayBuffer>;

  /** Only in a bottom-up graph. */
  readonly stackEnds?: FlameStackEnds | undefined;
  /** Only in a comparison, whose rows have the values of the new side. */
  readonly difference?: FlameDifference | undefined;
}

/** The frames of a bottom-up graph by their stack ends; one entry per row. */
interface FlameStackEnds {
  /** The stack end of the frame, see `StackEnd`; for a block that of its first frame; ALL_ROWS for all rows. */
  readonly end: Int32Array<ArrayBuffer>;
  readonly caller: Int32Array<ArrayBuffer>;
  /** For a block that of its last frame. */
  readonly lastEnd: Int32Array<ArrayBuffer>;
  readonly lastCaller: Int32Array<ArrayBuffer>;
}

/** The differences between the rows of a layout and a baseline; one entry per row. */
interface FlameDifference {
  readonly baseSelfCount: Float64Array<ArrayBuffer>;
  readonly baseTotalCount: Float64Array<ArrayBuffer>;
  /** Nanoseconds, signed. */
  readonly baseTotalTime: Float64Array<ArrayBuffer>;
  /** Strength of the difference, see `differenceLevel`; 0 also where chance explains it, and for blocks. */
  readonly level: Int8Array<ArrayBuffer>;
  /** Both sides have samples: a frame that one of them lacks is only in the other one. */
  readonly hasBoth: boolean;
}

/** One row of a layout as an object. */
export interface FlameRow {
  readonly id: number;
  readonly lastId: number;
  readonly kind: FlameKind;
  readonly label: string;
  /** Row of the parent; -1 for the root. */
  readonly parent: number;
  readonly depth: number;
  readonly weight: number;
  readonly start: number;
  readonly selfCount: number;
  readonly totalCount: number;
  readonly totalTime: number;
  /** Its name matches the search; for a block: a frame in it matches. */
  readonly match: boolean;
  readonly grouped: number;
}

export const EMPTY_FLAME: FlameLayout = emptyFlame();

function emptyFlame(): FlameLayout {
  const none = new Int32Array(0);
  const values = new Float64Array(0);
  return {
    length: 0,
    levelStart: new Int32Array(1),
    levels: 0,
    pixels: 0,
    labels: [],
    label: none,
    kind: new Uint8Array(0),
    id: none,
    lastId: none,
    parent: none,
    start: values,
    weight: values,
    selfCount: values,
    totalCount: values,
    totalTime: values,
    grouped: none,
    columnStart: new Int32Array(1),
    columnTop: none,
    columnMatch: new Uint8Array(0),
  };
}

export function kindAt({ kind }: FlameLayout, row: number): FlameKind {
  return KIND_NAMES[kind[row] & KIND_BITS];
}

export function isBlock({ kind }: FlameLayout, row: number): boolean {
  return (kind[row] & KIND_BITS) === KIND.block;
}

export function matchesAt({ kind }: FlameLayout, row: number): boolean {
  return (kind[row] & MATCH_BIT) !== 0;
}

/** The level of a row, 0 for the root. O(log levels). */
export function levelOf({ levelStart }: FlameLayout, row: number): number {
  let low = 0;
  let high = levelStart.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (levelStart[middle] <= row) low = middle;
    else high = middle;
  }
  return low;
}

/** The label of a row; for a block the number of its frames: `412 narrow frames`. */
export function labelAt(layout: FlameLayout, row: number): string {
  return isBlock(layout, row)
    ? formatQuantity(layout.grouped[row], 'narrow frame')
    : layout.labels[layout.label[row]];
}

export function flameRow(layout: FlameLayout, row: number): FlameRow {
  return {
    id: layout.id[row],
    lastId: layout.lastId[row],
    kind: kindAt(layout, row),
    label: labelAt(layout, row),
    parent: layout.parent[row],
    depth: levelOf(layout, row),
    weight: layout.weight[row],
    start: layout.start[row],
    selfCount: layout.selfCount[row],
    totalCount: layout.totalCount[row],
    totalTime: layout.totalTime[row],
    match: matchesAt(layout, row),
    grouped: layout.grouped[row],
  };
}

export function flameRows(layout: FlameLayout): readonly FlameRow[] {
  return Array.from({ length: layout.length }, (_, row) => flameRow(layout, row));
}

/** The frames of a method, level by level; none where they are all in blocks. O(rows). */
export function framesOfMethod(layout: FlameLayout, method: string | undefined): readonly number[] {
  const frames: number[] = [];
  const label = method === undefined ? -1 : layout.labels.indexOf(method);
  if (label < 0) return frames;
  for (let row = layout.label.indexOf(label); row >= 0; row = layout.label.indexOf(label, row + 1)) {
    const kind = kindAt(layout, row);
    if (kind === 'frame' || kind === 'error') frames.push(row);
  }
  return frames;
}

/** The frames that a layout draws, and those that it groups in blocks. The root is no block here. */
export interface FlameCounts {
  /** The weight of the root; 0 for an empty layout. */
  readonly weight: number;
  /** Number of frames that are drawn. */
  readonly frames: number;
  /** Number and weight of the frames in blocks. */
  readonly grouped: number;
  readonly groupedWeight: number;
}

/** O(rows). */
export function flameCounts(layout: FlameLayout): FlameCounts {
  let blocks = 0;
  let grouped = 0;
  let groupedWeight = 0;
  for (let row = 0; row < layout.length; row++) {
    if (!isBlock(layout, row)) continue;
    blocks++;
    if (row === 0) continue;
    grouped += layout.grouped[row];
    groupedWeight += layout.weight[row];
  }
  const weight = layout.length === 0 ? 0 : layout.weight[0];
  return { weight, frames: layout.length - blocks, grouped, groupedWeight };
}

/** The buffers of a layout, to be transferred with it. */
export function flameBuffers(layout: FlameLayout): ArrayBuffer[] {
  const columns = [layout, layout.stackEnds ?? {}, layout.difference ?? {}].flatMap((each): unknown[] =>
    Object.values(each),
  );
  return columns.flatMap((column) => (ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : []));
}

/**
 * The pixel column of a left edge. Rounding may place a left edge at the right edge of the root: then it is in the last
 * column.
 */
export function firstColumnPixel(start: number, whole: number, pixels: number): number {
  return Math.min(pixels - 1, Math.floor((start * pixels) / whole));
}

/** Builds the columns of a layout. */
export class FlameBuilder {
  length = 0;
  label = new Int32Array(1024);
  kind = new Uint8Array(1024);
  id = new Int32Array(1024);
  lastId = new Int32Array(1024);
  parent = new Int32Array(1024);
  start = new Float64Array(1024);
  weight = new Float64Array(1024);
  selfCount = new Float64Array(1024);
  totalCount = new Float64Array(1024);
  totalTime = new Float64Array(1024);
  grouped = new Int32Array(1024);

  readonly #pixels: number;
  readonly #labels = new Map<string, number>();
  #levelStart = new Int32Array(256);
  #levelsWithRows = 0;
  #levels = 0;
  #columnStart = new Int32Array(1025);
  #columns = 0;
  #columnTop = new Int32Array(4096);
  #columnMatch = new Uint8Array(4096);
  /** The block whose columns are being filled, the index of its first column, and that column's pixel. */
  #block = 0;
  #firstColumn = 0;
  #firstPixel = 0;

  constructor(pixels: number) {
    this.#pixels = pixels;
  }

  append(kind: number, label: string, parent: number, start: number, weight: number): number {
    const row = this.length++;
    if (row === this.kind.length) this.#grow(2 * row);
    let text = this.#labels.get(label);
    if (text === undefined) this.#labels.set(label, (text = this.#labels.size));
    this.label[row] = text;
    this.kind[row] = kind;
    this.parent[row] = parent;
    this.start[row] = start;
    this.weight[row] = weight;
    this.#columnStart[row + 1] = this.#columns;
    return row;
  }

  markMatch(row: number): void {
    this.kind[row] |= MATCH_BIT;
  }

  /** Call it when all rows of a level are appended. */
  endLevel(): void {
    this.#levels = Math.max(this.#levels, ++this.#levelsWithRows);
    if (this.#levelsWithRows === this.#levelStart.length)
      this.#levelStart = grown(this.#levelStart, 2 * this.#levelsWithRows);
    this.#levelStart[this.#levelsWithRows] = this.length;
  }

  /** Adds empty pixel columns for the block that was appended last. */
  openColumns(block: number, start: number, weight: number, whole: number): void {
    this.#block = block;
    this.#firstColumn = this.#columns;
    this.#firstPixel = firstColumnPixel(start, whole, this.#pixels);
    const end = Math.min(this.#pixels, Math.ceil(((start + weight) * this.#pixels) / whole));
    this.#columns += Math.max(1, end - this.#firstPixel);
    if (this.#columns > this.#columnTop.length) {
      const capacity = Math.max(this.#columns, 2 * this.#columnTop.length);
      this.#columnTop = grown(this.#columnTop, capacity, this.#firstColumn);
      this.#columnMatch = grown(this.#columnMatch, capacity, this.#firstColumn);
    }
    this.#columnStart[block + 1] = this.#columns;
  }

  /** Fills the columns between two edges up to the level before `top`, as part of the block. */
  fillColumns(start: number, end: number, whole: number, top: number, match: boolean): void {
    const first = firstColumnPixel(start, whole, this.#pixels) - this.#firstPixel + this.#firstColumn;
    const last = Math.ceil((end * this.#pixels) / whole) - this.#firstPixel + this.#firstColumn;
    const limit = Math.min(last, this.#columns);
    for (let column = Math.min(first, limit - 1); column < limit; column++) {
      if (top > this.#columnTop[column]) this.#columnTop[column] = top;
      if (match) this.#columnMatch[column] = 1;
    }
    if (top > this.#levels) this.#levels = top;
    if (match) this.markMatch(this.#block);
  }

  /** The layout. Its columns are copies. */
  layout(): FlameLayout {
    const { length } = this;
    return {
      length,
      levelStart: this.#levelStart.slice(0, this.#levelsWithRows + 1),
      levels: this.#levels,
      pixels: this.#pixels,
      labels: [...this.#labels.keys()],
      label: this.label.slice(0, length),
      kind: this.kind.slice(0, length),
      id: this.id.slice(0, length),
      lastId: this.lastId.slice(0, length),
      parent: this.parent.slice(0, length),
      start: this.start.slice(0, length),
      weight: this.weight.slice(0, length),
      selfCount: this.selfCount.slice(0, length),
      totalCount: this.totalCount.slice(0, length),
      totalTime: this.totalTime.slice(0, length),
      grouped: this.grouped.slice(0, length),
      columnStart: this.#columnStart.slice(0, length + 1),
      columnTop: this.#columnTop.slice(0, this.#columns),
      columnMatch: this.#columnMatch.slice(0, this.#columns),
    };
  }

  #grow(capacity: number): void {
    this.label = grown(this.label, capacity);
    this.kind = grown(this.kind, capacity);
    this.id = grown(this.id, capacity);
    this.lastId = grown(this.lastId, capacity);
    this.parent = grown(this.parent, capacity);
    this.start = grown(this.start, capacity);
    this.weight = grown(this.weight, capacity);
    this.selfCount = grown(this.selfCount, capacity);
    this.totalCount = grown(this.totalCount, capacity);
    this.totalTime = grown(this.totalTime, capacity);
    this.grouped = grown(this.grouped, capacity);
    this.#columnStart = grown(this.#columnStart, capacity + 1);
  }
}

/** The layout of a bottom-up tree with the stack ends of its frames; any other as it is. O(rows of the layout * log ends). */
export function withStackEnds(layout: FlameLayout, tree: RowTree): FlameLayout {
  if (tree.stackEnds === undefined) return layout;
  const { length, id, lastId } = layout;
  const end = new Int32Array(length).fill(ALL_ROWS);
  const caller = end.slice();
  const lastEnd = end.slice();
  const lastCaller = end.slice();
  for (let at = 0; at < length; at++) {
    if (id[at] === ALL_ROWS) continue;
    const first = tree.stackEnds.of(tree.rowOf(id[at]));
    const last = isBlock(layout, at) ? tree.stackEnds.of(tree.rowOf(lastId[at])) : first;
    end[at] = first.end;
    caller[at] = first.caller;
    lastEnd[at] = last.end;
    lastCaller[at] = last.caller;
  }
  return { ...layout, stackEnds: { end, caller, lastEnd, lastCaller } };
}
