import { NONE } from '../profile/columns.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { splitFrameLabel } from '../text/format-frame.ts';
import { formatAmount, formatCount, formatQuantity, formatShare } from '../text/format-value.ts';
import { type ColourTheme, type FrameStyle, frameStyle, labelColour } from '../text/frame-colour.ts';
import type { RowTree } from '../trees/row-tree.ts';
import type { RowSums } from '../values/row-sums.ts';
import { type FlameLayout, type FlameRow, layoutFlame } from '../views/flame-layout.ts';
import { FlameMeasures } from '../views/flame-measures.ts';
import type { Metric } from '../values/metric.ts';
import { matchingKeys, type Search } from '../views/search.ts';
import { fitText, textWidth } from './text-width.ts';
import { LineWriter, type TextSink } from './text-sink.ts';
import { xmlSafe, xmlText } from './xml-text.ts';

export interface FlameSvgOptions {
  /** The call tree and its values. */
  readonly sums: RowSums;
  readonly metric: Metric;
  readonly units: ProfileUnits;
  /** Row of the call tree that becomes the root; undefined: everything. */
  readonly zoom: number | undefined;
  readonly search: Search | undefined;
  /** row -> 1 when it is drawn at all; undefined: all rows. */
  readonly kept: Uint8Array | undefined;
  readonly theme: ColourTheme;
  /** `flame`: the root at the bottom; `icicle`: the root at the top. */
  readonly orientation: 'flame' | 'icicle';
  readonly title: string;
  /** Pixels. */
  readonly width: number;
}

export const DEFAULT_SVG_WIDTH = 1200;

const MARGIN = 12;
const ROW_HEIGHT = 18;
const FONT_SIZE = 11.5;
/** Narrower frames go into a block that stands for all of them, so that nothing is lost and the file stays small. */
const LEAST_FRAME_WIDTH = 0.4;
const MAX_FRAMES = 12_000;
/** Narrower blocks are not drawn: no renderer shows them. The footer counts what they stand for. */
const LEAST_BLOCK_WIDTH = 0.05;
/** Narrower matches have no outline: the tint alone tells them. */
const LEAST_OUTLINED = 4;
const FONTS = "'DejaVu Sans', Verdana, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";

const PAGE: Readonly<
  Record<ColourTheme, { readonly background: string; readonly text: string; readonly faint: string }>
> = {
  light: { background: '#ffffff', text: '#1b1d24', faint: '#5f6570' },
  dark: { background: '#16181d', text: '#f3f4f8', faint: '#9aa1ad' },
};

/**
 * A flame graph as one SVG file that stands for itself: shapes, texts and titles, no script, no foreign object, no
 * style sheet, nothing to fetch. The window and the command line export with this function. Names are data from
 * anywhere: they appear as text content only, made valid, then shortened, then escaped. Equal input gives equal bytes.
 */
export function exportFlameSvg(options: FlameSvgOptions, sink: TextSink): void {
  const { sums, metric, theme, width } = options;
  const { tree } = sums;
  const measures = new FlameMeasures(sums, metric);
  measures.update();
  const matching = options.search === undefined ? undefined : matchingKeys(tree.keys, options.search);
  const drawnWidth = width - 2 * MARGIN;
  const layout = layoutFlame(
    sums,
    {
      metric,
      zoom: options.zoom,
      minShare: LEAST_FRAME_WIDTH / drawnWidth,
      maxFrames: MAX_FRAMES,
      matching,
      kept: options.kept,
    },
    measures,
  );
  const whole = layout.rows.length === 0 ? 0 : layout.rows[0].weight;
  const page = PAGE[theme];
  const title = oneLine(options.title);
  const headings = headingsOf(options, layout, measures.weights, matching);
  const top = MARGIN + 22 + headings.length * 16 + 6;
  const levels = layout.rows.length === 0 ? 1 : layout.deepest + 1;
  const bottom = top + levels * ROW_HEIGHT;
  const height = bottom + 30;
  const footer = footerOf(layout, options);

  const writer = new LineWriter(sink, layout.rows.length);
  writer.line('<?xml version="1.0" encoding="UTF-8"?>');
  writer.line(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${xmlText(`Flame graph: ${title}. ${footer}`)}" font-family="${FONTS}" font-size="${FONT_SIZE}">`,
  );
  writer.line(`<title>${xmlText(title)}</title>`);
  writer.line(
    `<desc>${xmlText([`Flame graph by ${metric === 'samples' ? options.units.counted.many : (options.units.value?.name.toLowerCase() ?? 'time')}.`, ...headings, footer].join(' '))}</desc>`,
  );
  const hatches = hatchesOf(layout.rows, options);
  if (hatches.size > 0) writer.line(`<defs>${Array.from(hatches, hatchPattern).join('')}</defs>`);
  writer.line(`<rect width="${width}" height="${height}" fill="${page.background}"/>`);
  const lineRoom = drawnWidth / FONT_SIZE;
  writer.line(
    `<text x="${MARGIN}" y="${MARGIN + 14}" font-size="16" font-weight="bold" fill="${page.text}">${xmlText(fitText(title, drawnWidth / 17.5))}</text>`,
  );
  headings.forEach((heading, at) => {
    writer.line(
      `<text x="${MARGIN}" y="${MARGIN + 34 + at * 16}" fill="${page.faint}">${xmlText(fitText(heading, lineRoom))}</text>`,
    );
  });

  writer.line(`<g fill="${labelColour(theme)}">`);
  for (const row of layout.rows) {
    const left = (row.start / whole) * drawnWidth;
    const size = (row.weight / whole) * drawnWidth;
    if (row.kind === 'remainder' && size < LEAST_BLOCK_WIDTH) continue;
    const level = options.orientation === 'flame' ? layout.deepest - row.depth : row.depth;
    writer.line(frameElement(row, MARGIN + left, top + level * ROW_HEIGHT, size, whole, hatches, options));
  }
  writer.line('</g>');
  if (layout.rows.length === 0) {
    writer.line(
      `<text x="${MARGIN}" y="${top + 13}" fill="${page.text}">${metric === 'samples' ? `There are no ${options.units.counted.many} to show.` : 'There is no time to show: the file carries none, or none that is positive.'}</text>`,
    );
  }
  writer.line(
    `<text x="${MARGIN}" y="${bottom + 20}" fill="${page.faint}">${xmlText(fitText(footer, lineRoom))}</text>`,
  );
  writer.line('</svg>');
  writer.flush();
}

function frameElement(
  row: FlameRow,
  x: number,
  y: number,
  size: number,
  whole: number,
  hatches: ReadonlyMap<FrameStyle, string>,
  options: FlameSvgOptions,
): string {
  const style = styleOf(row, options);
  const hatch = hatches.get(style);
  const fill = hatch === undefined ? style.fill : `url(#${hatch})`;
  // The gap to the right neighbour is taken from the frame, so that left edges are where the weights put them.
  const gap = size > 3 ? 0.75 : size > 1 ? 0.25 : 0;
  const corner = size > 6 ? ' rx="1.5"' : '';
  const shape = `<rect x="${rounded(x)}" y="${y}" width="${rounded(Math.max(size - gap, 0.05))}" height="${ROW_HEIGHT - 1}"${corner} fill="${fill}"/>`;
  const label = size < 14 ? '' : fittedLabel(row, (size - 8) / FONT_SIZE);
  const colour = style.text === labelColour(options.theme) ? '' : ` fill="${style.text}"`;
  const text =
    label === '' ? '' : `<text x="${rounded(x + 4)}" y="${y + 12.5}"${colour}>${xmlText(label)}</text>`;
  const outline =
    style.outline === undefined || size < LEAST_OUTLINED
      ? ''
      : `<rect x="${rounded(x + 0.5)}" y="${y + 0.5}" width="${rounded(size - gap - 1)}" height="${ROW_HEIGHT - 2}"${corner} fill="none" stroke="${style.outline}"/>`;
  return `<g><title>${xmlText(tooltip(row, whole, options))}</title>${shape}${outline}${text}</g>`;
}

function styleOf(row: FlameRow, { theme, search }: FlameSvgOptions): FrameStyle {
  const searching = search !== undefined && search.text !== '';
  return frameStyle(row, { theme, colourBy: 'package', searching });
}

/** Hatched styles that are drawn -> the id of the pattern that fills them. */
function hatchesOf(rows: readonly FlameRow[], options: FlameSvgOptions): ReadonlyMap<FrameStyle, string> {
  const hatches = new Map<FrameStyle, string>();
  for (const row of rows) {
    const style = styleOf(row, options);
    if (style.hatched && !hatches.has(style)) hatches.set(style, `hatch${hatches.size}`);
  }
  return hatches;
}

function hatchPattern([{ fill, hatch }, id]: readonly [FrameStyle, string]): string {
  return `<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="${fill}"/><rect width="2" height="6" fill="${hatch}"/></pattern>`;
}

/** The longest form of the label that fits: whole, without package, the method alone, the method cut. */
function fittedLabel(row: FlameRow, room: number): string {
  const label = oneLine(row.label);
  if (row.kind !== 'frame' && row.kind !== 'error') return fitText(label, room);
  const { name, position } = splitFrameLabel(label);
  const method = name.slice(name.lastIndexOf('.') + 1);
  for (const form of [label, name + position, name, method]) {
    if (form !== '' && textWidth(form, room) <= room) return form;
  }
  return fitText(method, room);
}

function tooltip(row: FlameRow, whole: number, { metric, units }: FlameSvgOptions): string {
  const amount = (value: number): string => formatAmount(value, units.value?.unit ?? 'ns');
  const share = formatShare(row.weight, whole);
  const samples = formatQuantity(row.totalCount, units.counted.one, units.counted.many);
  const self = row.kind === 'remainder' ? '' : `, ${formatCount(row.selfCount)} self`;
  const time = row.totalTime === 0 ? '' : `, ${amount(row.totalTime)}`;
  return metric === 'samples'
    ? `${row.label}\n${samples} (${share})${self}${time}`
    : `${row.label}\n${amount(row.weight)} (${share}), ${samples}${self}`;
}

/** Lines below the title: where the root of the graph is, and what the search found. */
function headingsOf(
  options: FlameSvgOptions,
  layout: FlameLayout,
  weights: Float64Array,
  matching: Uint8Array | undefined,
): string[] {
  const { zoom, search } = options;
  const { tree } = options.sums;
  const headings: string[] = [];
  if (zoom !== undefined) {
    const path: string[] = [];
    for (let row = zoom; row !== NONE; row = tree.parent[row]) path.push(oneLine(tree.label(row)));
    headings.push(zoomPath(path.reverse(), (options.width - 2 * MARGIN) / FONT_SIZE));
  }
  if (search !== undefined && matching !== undefined && layout.rows.length > 0) {
    const matched = matchedWeight(tree, weights, matching, options);
    headings.push(`Matched ${formatShare(matched, layout.rows[0].weight)}: ${oneLine(search.text)}`);
  }
  return headings;
}

/** `All Threads › … › Shop.parse › String.length`: the end of the path is what tells it from others. */
function zoomPath(path: readonly string[], room: number): string {
  const separator = ' \u203a ';
  const whole = path.join(separator);
  if (path.length < 3 || textWidth(whole, room) <= room) return whole;
  let tail = path[path.length - 1];
  for (let at = path.length - 2; at > 0; at--) {
    const longer = path[at] + separator + tail;
    if (textWidth([path[0], '\u2026', longer].join(separator), room) > room) break;
    tail = longer;
  }
  return [path[0], '\u2026', tail].join(separator);
}

/** Weight below the root of the graph with a match at or above it, each part once. */
function matchedWeight(
  tree: RowTree,
  weights: Float64Array,
  matching: Uint8Array,
  { zoom, kept }: FlameSvgOptions,
): number {
  const { parent, key } = tree;
  const UNSEEN = 0;
  const INSIDE = 1;
  const MATCHED = 2;
  const states = new Uint8Array(tree.length);
  let matched = 0;
  for (let row = zoom ?? 0; row < tree.length; row++) {
    if (kept?.[row] === 0) continue;
    const up = parent[row];
    const isRoot = zoom === undefined ? up === NONE : row === zoom;
    const above = isRoot || up === NONE ? UNSEEN : states[up];
    if (!isRoot && above === UNSEEN) continue;
    const matches = key[row] >= 0 && matching[key[row]] === 1;
    states[row] = matches || above === MATCHED ? MATCHED : INSIDE;
    if (matches && above !== MATCHED) matched += weights[row];
  }
  return matched;
}

function footerOf(layout: FlameLayout, { metric, units }: FlameSvgOptions): string {
  const amount = (value: number): string => formatAmount(value, units.value?.unit ?? 'ns');
  if (layout.rows.length === 0) return 'Nothing to show.';
  const [root] = layout.rows;
  const parts = [formatQuantity(root.totalCount, units.counted.one, units.counted.many)];
  if (metric === 'time') parts.unshift(amount(root.weight));
  else if (root.totalTime !== 0) parts.push(amount(root.totalTime));
  parts.push(formatQuantity(layout.deepest + 1, 'level'));
  if (layout.smaller > 0) {
    parts.push(`hatched: ${formatQuantity(layout.smaller, 'smaller frame')}, summed`);
  }
  return parts.join(' \u00b7 ');
}

/** Valid, and with blanks for line breaks and tabs: a label is one line. */
function oneLine(text: string): string {
  return xmlSafe(text).replace(/[\t\n\r\u0085\u2028\u2029]+/g, ' ');
}

/** Two decimals: a hundredth of a pixel. */
function rounded(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
