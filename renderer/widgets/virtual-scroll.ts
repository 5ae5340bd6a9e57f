/**
 * Scrolling through more rows than a browser can lay out. Browsers cap an element's height at about 17 million pixels
 * (Firefox) or 33 million (Chromium), so the content is never higher than MOST_PIXELS. Below that, one pixel of the
 * scroll bar is one pixel of rows. Above, the scroll bar is proportional to the position, while wheel and keys
 * still move the rows pixel by pixel:
 *
 *   scrollTop   as the browser has it, 0 .. contentHeight - viewport
 *   position    pixels of rows above the viewport's top edge, 0 .. rows * rowHeight - viewport
 */
export interface Extent {
  readonly rows: number;
  readonly rowHeight: number;
  /** Height of what can be seen, pixels. */
  readonly viewport: number;
}

export interface ScrollState {
  readonly scrollTop: number;
  readonly position: number;
}

export const MOST_PIXELS = 15_000_000;

export function contentHeight({ rows, rowHeight }: Extent): number {
  return Math.min(rows * rowHeight, MOST_PIXELS);
}

function lastPosition({ rows, rowHeight, viewport }: Extent): number {
  return Math.max(0, rows * rowHeight - viewport);
}

function lastScrollTop(extent: Extent): number {
  return Math.max(0, contentHeight(extent) - extent.viewport);
}

function isScaled({ rows, rowHeight }: Extent): boolean {
  return rows * rowHeight > MOST_PIXELS;
}

/** The nearest position that there is. */
export function positionWithin(position: number, extent: Extent): number {
  return clamp(position, 0, lastPosition(extent));
}

/**
 * A remembered state held against the rows that there are now. The browser stops at the last row without telling, where it
 * was at 0 before: a state that is believed would draw rows beyond the end. Without rows it waits for them.
 */
export function heldWithin(scroll: ScrollState, extent: Extent): ScrollState {
  if (extent.rows === 0 || extent.viewport === 0) return scroll;
  const position = positionWithin(scroll.position, extent);
  return position === scroll.position ? scroll : { position, scrollTop: scrollTopOf(position, extent) };
}

/** The scroll bar's position for a position. */
export function scrollTopOf(position: number, extent: Extent): number {
  const within = positionWithin(position, extent);
  if (!isScaled(extent)) return within;
  return (within / lastPosition(extent)) * lastScrollTop(extent);
}

/**
 * After the browser scrolled. Steps of up to a viewport are the wheel's or a key's and move the rows by as much; longer
 * ones are the scroll bar's and go in proportion. At either end the rows end too.
 */
export function scrolled(before: ScrollState, scrollTop: number, extent: Extent): ScrollState {
  if (!isScaled(extent)) return { scrollTop, position: scrollTop };
  const step = scrollTop - before.scrollTop;
  if (scrollTop <= 0) return { scrollTop, position: 0 };
  if (scrollTop >= lastScrollTop(extent) - 1) return { scrollTop, position: lastPosition(extent) };
  if (Math.abs(step) <= extent.viewport) {
    return { scrollTop, position: positionWithin(before.position + step, extent) };
  }
  return { scrollTop, position: (scrollTop / lastScrollTop(extent)) * lastPosition(extent) };
}

/**
 * True when many small steps have moved the rows so far from where the scroll bar stands that it would reach an end
 * before they do; then the bar is set to `scrollTopOf(position)`.
 */
export function hasDrifted({ scrollTop, position }: ScrollState, extent: Extent): boolean {
  return isScaled(extent) && Math.abs(scrollTopOf(position, extent) - scrollTop) > extent.viewport * 4;
}

export interface RowRange {
  readonly from: number;
  readonly count: number;
}

/** Rows that can be seen, in part at least. */
export function visibleRows(position: number, { rows, rowHeight, viewport }: Extent): RowRange {
  const from = clamp(Math.floor(position / rowHeight), 0, Math.max(0, rows - 1));
  const end = Math.min(rows, Math.ceil((position + viewport) / rowHeight));
  return { from, count: Math.max(0, end - from) };
}

/** Rows beyond either edge of the viewport that are in the document, so that a small step shows no gap. */
const OVERSCAN = 3;

interface DrawnRows extends RowRange {
  /** More than there can be drawn rows: `index % slots` differs among them, and stays while a row is drawn. */
  readonly slots: number;
}

/** Rows in the document: the visible ones and a few more. Each costs style, layout and paint. */
export function rowsToDraw(position: number, extent: Extent): DrawnRows {
  const visible = visibleRows(position, extent);
  const from = Math.max(0, visible.from - OVERSCAN);
  const end = Math.min(extent.rows, visible.from + visible.count + OVERSCAN);
  return {
    from,
    count: Math.max(0, end - from),
    slots: Math.ceil(extent.viewport / extent.rowHeight) + 1 + 2 * OVERSCAN,
  };
}

/** The parts of `drawn` whose rows have not arrived. */
export function missingRows(drawn: RowRange, come: RowRange): readonly RowRange[] {
  const end = drawn.from + drawn.count;
  const before = clamp(come.from, drawn.from, end);
  const after = clamp(come.from + come.count, before, end);
  return [
    { from: drawn.from, count: before - drawn.from },
    { from: after, count: end - after },
  ].filter(({ count }) => count > 0);
}

const STEP = 16;

/** Rows to request: the visible ones and about a viewport on either side, in steps of 16 rows. */
export function rowsToFetch(position: number, extent: Extent): RowRange {
  const fit = Math.ceil(extent.viewport / extent.rowHeight);
  const first = Math.floor(position / extent.rowHeight) - fit;
  const from = Math.max(0, Math.floor(first / STEP) * STEP);
  return { from, count: Math.ceil((3 * fit) / STEP) * STEP + STEP };
}

/** Rows that were requested, and by how many they have moved since, because rows were put above them. */
export interface RequestedRows extends RowRange {
  readonly shift: number;
}

/**
 * Whether what was requested fills what is wanted and has all visible rows. A bar above the rows that comes and goes makes
 * the viewport somewhat lower and higher again; that must not cost a request each time.
 */
export function isRequested(
  wanted: RowRange,
  visible: RowRange,
  requested: RequestedRows | undefined,
): boolean {
  if (requested?.from !== wanted.from) return false;
  const from = requested.from + requested.shift;
  if (visible.from < from || visible.from + visible.count > from + requested.count) return false;
  return requested.count >= wanted.count && requested.count <= 2 * wanted.count;
}

/** The nearest position where the row is completely visible, with a row of context if there is one. */
export function positionToReveal(row: number, position: number, extent: Extent): number {
  const { rowHeight, viewport } = extent;
  const context = viewport >= rowHeight * 4 ? rowHeight : 0;
  const top = row * rowHeight;
  if (top - context < position) return positionWithin(top - context, extent);
  if (top + rowHeight + context > position + viewport) {
    return positionWithin(top + rowHeight + context - viewport, extent);
  }
  return position;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
