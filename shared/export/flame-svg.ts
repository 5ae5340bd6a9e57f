import { NONE } from '../profile/columns.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { labelForms, shownLabel } from '../text/format-frame.ts';
import { formatAmount, formatCount, formatQuantity, formatShare } from '../text/format-value.ts';
import {
  type ColourBy,
  type ColourTheme,
  type FrameStyle,
  frameStyle,
  labelColour,
  type StyledFrame,
} from '../text/frame-colour.ts';
import {
  ALL_ROWS,
  firstColumnPixel,
  flameCounts,
  type FlameLayout,
  flameRow,
  type FlameRow,
  isBlock,
  labelAt,
} from '../views/flame-columns.ts';
import { layoutFlame, type LayoutRoot, rootTest } from '../views/flame-layout.ts';
import { FlameMeasures } from '../views/flame-measures.ts';
import { displayLabel, type RowTree, threadOf } from '../trees/row-tree.ts';
import { type Metric, weightName } from '../values/metric.ts';
import type { RowValues } from '../values/row-sums.ts';
import { matchingKeys, type Search } from '../views/search.ts';
import { StyledFrames } from '../views/styled-frames.ts';
import { fitText, textWidth } from './text-width.ts';
import { LineWriter, type TextSink } from './text-sink.ts';
import { xmlSafe, xmlText } from './xml-text.ts';

export interface FlameSvgOptions {
  readonly sums: RowValues;
  readonly metric: Metric;
  readonly units: ProfileUnits;
  /** The root of the drawing; undefined: everything. */
  readonly zoom: LayoutRoot | undefined;
  readonly search: Search | undefined;
  /** row -> 1 if it is drawn; undefined: all rows. */
  readonly kept: Uint8Array | undefined;
  readonly theme: ColourTheme;
  readonly colourBy: ColourBy;
  /** `flame`: the root at the bottom; `icicle`: the root at the top. */
  readonly orientation: 'flame' | 'icicle';
  readonly title: string;
  /** When the samples were taken, since the earliest one of the file; undefined: at any time. */
  readonly range?: string | undefined;
  /** Width of the image, pixels. */
  readonly width: number;
  /** Other colours and texts, for graphs of more than one profile. */
  readonly overlay?: FlameOverlay | undefined;
  /** Frames narrower than 1 / `pixels` of the root are grouped; undefined: narrower than a pixel of the image. */
  readonly pixels?: number | undefined;
}

/** Replaces the colours and texts of a graph. Rows are those of the layout. */
export interface FlameOverlay {
  /** Equal styles are the same object. */
  style(row: FlameRow): FrameStyle;
  /** What stands before the label of a frame: `+ `, or nothing. */
  sign(row: FlameRow): string;
  tooltip(row: FlameRow): string;
  /** The name of what widths are of. */
  readonly weight: string;
  /** Lines below the title. */
  readonly headings: readonly string[];
  /** The line at the bottom. */
  readonly footer: string;
}

export const DEFAULT_SVG_WIDTH = 1200;

const MARGIN = 12;
const ROW_HEIGHT = 18;
const FONT_SIZE = 11;
/** Pixels. Narrower areas are not hatched: only dots of the lines would be seen. */
const LEAST_HATCHED = 12;
/** Pixels. Narrower matches have no outline, only a tint. */
const LEAST_OUTLINED = 4;
/** A label that is cut to this many characters or fewer is left out. */
const LEAST_LABEL = 4;
const FONTS = "'DejaVu Sans', Verdana, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";

const PAGE: Readonly<
  Record<ColourTheme, { readonly background: string; readonly text: string; readonly faint: string }>
> = {
  light: { background: '#ffffff', text: '#1b1d24', faint: '#5f6570' },
  dark: { background: '#16181d', text: '#f3f4f8', faint: '#9aa1ad' },
};

/**
 * The frames and blocks of the window's flame graph, in its colours, as one self-contained SVG file. It differs from the
 * window on purpose: the image has a width of its own, levels are 18 pixels high, edges are not rounded to pixels, labels
 * are fitted for the fonts of other machines, and no frame is marked as selected. The file has shapes, texts and titles,
 * but no script, foreign object, style sheet or external resource. Names are untrusted: invalid characters are replaced, then the name is shortened, then escaped, and
 * it is used as text content only. Equal input gives equal bytes.
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
      pixels: options.pixels ?? drawnWidth,
      matching,
      kept: options.kept,
    },
    measures,
  );
  const page = PAGE[theme];
  const title = oneLine(options.title);
  const headings = headingsOf(options, layout, measures.weights, matching);
  const top = MARGIN + 22 + headings.length * 16 + 6;
  const drawing = drawingOf(layout, top, options);
  const levels = Math.max(1, layout.levels);
  const bottom = top + levels * ROW_HEIGHT;
  const height = bottom + 30;
  const footer = options.overlay?.footer ?? footerOf(layout, options);

  const writer = new LineWriter(sink, layout.length);
  writer.line('<?xml version="1.0" encoding="UTF-8"?>');
  writer.line(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${xmlText(`Flame graph: ${title}. ${footer}`)}" font-family="${FONTS}" font-size="${FONT_SIZE}">`,
  );
  writer.line(`<title>${xmlText(title)}</title>`);
  writer.line(
    `<desc>${xmlText([`Flame graph by ${options.overlay?.weight ?? weightName(metric, options.units)}.`, ...headings, footer].join(' '))}</desc>`,
  );
  if (drawing.hatches.size > 0)
    writer.line(`<defs>${Array.from(drawing.hatches, hatchPattern).join('')}</defs>`);
  writer.line(`<rect width="${width}" height="${height}" fill="${page.background}"/>`);
  const lineWidth = drawnWidth / FONT_SIZE;
  writer.line(
    `<text x="${MARGIN}" y="${MARGIN + 14}" font-size="16" font-weight="bold" fill="${page.text}">${xmlText(fitText(title, drawnWidth / 17.5))}</text>`,
  );
  headings.forEach((heading, at) => {
    writer.line(
      `<text x="${MARGIN}" y="${MARGIN + 34 + at * 16}" fill="${page.faint}">${xmlText(fitText(heading, lineWidth))}</text>`,
    );
  });

  writer.line(`<g fill="${labelColour(theme)}">`);
  // Blocks first: they cover all pixels that they touch, and frames are drawn over them.
  for (const blocks of [true, false])
    for (let at = 0; at < layout.length; at++) {
      if ((isBlock(layout, at) && at > 0) !== blocks) continue;
      writer.line((blocks ? blockElement : frameElement)(drawing, at));
    }
  writer.line('</g>');
  if (layout.length === 0) {
    writer.line(
      `<text x="${MARGIN}" y="${top + 13}" fill="${page.text}">${metric === 'samples' ? `There are no ${options.units.counted.many} to show.` : 'There is no time to show: the file carries none, or none that is positive.'}</text>`,
    );
  }
  writer.line(
    `<text x="${MARGIN}" y="${bottom + 20}" fill="${page.faint}">${xmlText(fitText(footer, lineWidth))}</text>`,
  );
  writer.line('</svg>');
  writer.flush();
}

/** A graph and its position in the image. */
interface Drawing {
  readonly layout: FlameLayout;
  readonly frames: StyledFrames;
  /** Upper edge, pixels. */
  readonly top: number;
  /** Hatched styles that are used -> the id of their fill pattern. */
  readonly hatches: ReadonlyMap<FrameStyle, string>;
  readonly options: FlameSvgOptions;
}

function drawingOf(layout: FlameLayout, top: number, options: FlameSvgOptions): Drawing {
  const { sums, zoom, colourBy } = options;
  const thread = zoom === undefined || zoom.row === ALL_ROWS ? undefined : threadOf(sums.tree, zoom.row);
  const frames = new StyledFrames(layout, colourBy, thread);
  return { layout, frames, top, hatches: hatchesOf(layout, frames, options), options };
}

function styleOf(frame: StyledFrame, { theme, colourBy, search }: FlameSvgOptions): FrameStyle {
  const searching = search !== undefined && search.text !== '';
  return frameStyle(frame, { theme, colourBy, searching });
}

function blockStyle(match: boolean, options: FlameSvgOptions): FrameStyle {
  return styleOf({ label: '', kind: 'block', match }, options);
}

function hatchesOf(layout: FlameLayout, frames: StyledFrames, options: FlameSvgOptions): Drawing['hatches'] {
  const hatches = new Map<FrameStyle, string>();
  const { overlay } = options;
  const add = (style: FrameStyle): void => {
    if (style.hatched && !hatches.has(style)) hatches.set(style, `hatch${hatches.size}`);
  };
  for (let at = 0; at < layout.length; at++) {
    add(overlay?.style(flameRow(layout, at)) ?? styleOf(frames.at(at), options));
    // In a block with matches only the columns with matches are tinted.
    if (isBlock(layout, at)) add(blockStyle(false, options));
  }
  return hatches;
}

function fillOf(style: FrameStyle, isHatched: boolean, { hatches }: Drawing): string {
  return style.hatched && isHatched ? `url(#${hatches.get(style)})` : style.unhatched;
}

function hatchPattern([{ fill, hatch }, id]: readonly [FrameStyle, string]): string {
  return `<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="${fill}"/><rect width="2" height="6" fill="${hatch}"/></pattern>`;
}

/** The y coordinate of the upper edge of a level. */
function levelTop({ layout, top, options }: Drawing, level: number): number {
  return top + (options.orientation === 'flame' ? layout.levels - 1 - level : level) * ROW_HEIGHT;
}

/** A block of narrow frames: one shape over all its levels, and a second shape for columns with matches. */
function blockElement(drawing: Drawing, at: number): string {
  const { layout, options } = drawing;
  const { columnStart, columnTop, columnMatch, pixels } = layout;
  const row = flameRow(layout, at);
  const perPixel = (options.width - 2 * MARGIN) / pixels;
  const first = firstColumnPixel(row.start, layout.weight[0], pixels) - columnStart[at];
  const end = columnStart[at + 1];
  const isHatched = (end - columnStart[at]) * perPixel >= LEAST_HATCHED;
  const paths = ['', ''];
  for (let column = columnStart[at]; column < end;) {
    let next = column + 1;
    while (next < end && columnTop[next] === columnTop[column] && columnMatch[next] === columnMatch[column])
      next++;
    const levels = columnTop[column] - row.depth;
    const upper = options.orientation === 'flame' ? columnTop[column] - 1 : row.depth;
    const x = rounded(MARGIN + (first + column) * perPixel);
    const width = rounded((next - column) * perPixel);
    const y = levelTop(drawing, upper);
    paths[columnMatch[column]] += `M${x} ${y}h${width}v${levels * ROW_HEIGHT - 1}h${-width}z`;
    column = next;
  }
  const shapes = paths
    .map((d, match) =>
      d === ''
        ? ''
        : `<path d="${d}" fill="${fillOf(blockStyle(match === 1, options), isHatched, drawing)}"/>`,
    )
    .join('');
  return `<g><title>${xmlText(tooltip(row, layout.weight[0], options))}</title>${shapes}</g>`;
}

function frameElement(drawing: Drawing, at: number): string {
  const { layout, frames, options } = drawing;
  const row = flameRow(layout, at);
  const whole = layout.weight[0];
  const drawnWidth = options.width - 2 * MARGIN;
  const x = MARGIN + (row.start / whole) * drawnWidth;
  const y = levelTop(drawing, row.depth);
  const size = (row.weight / whole) * drawnWidth;
  const style = options.overlay?.style(row) ?? styleOf(frames.at(at), options);
  const fill = fillOf(style, size >= LEAST_HATCHED, drawing);
  // The gap to the next frame reduces the width of this one, so that left edges are exact.
  const gap = size > 3 ? 0.75 : size > 1 ? 0.25 : 0;
  const corner = size > 6 ? ' rx="1.5"' : '';
  const shape = `<rect x="${rounded(x)}" y="${y}" width="${rounded(Math.max(size - gap, 0.05))}" height="${ROW_HEIGHT - 1}"${corner} fill="${fill}"/>`;
  const label = size < 14 ? '' : fittedLabel(row, (size - 8) / FONT_SIZE, options);
  const colour = style.text === labelColour(options.theme) ? '' : ` fill="${style.text}"`;
  const text =
    label === '' ? '' : `<text x="${rounded(x + 4)}" y="${y + 12.5}"${colour}>${xmlText(label)}</text>`;
  const outline =
    style.outline === undefined || size < LEAST_OUTLINED
      ? ''
      : `<rect x="${rounded(x + 0.5)}" y="${y + 0.5}" width="${rounded(size - gap - 1)}" height="${ROW_HEIGHT - 2}"${corner} fill="none" stroke="${style.outline}"/>`;
  return `<g><title>${xmlText(tooltip(row, whole, options))}</title>${shape}${outline}${text}</g>`;
}

/** The longest form of the label that fits (see `labelForms`), or else the shortest form, cut. */
function fittedLabel(row: FlameRow, maxWidth: number, { overlay }: FlameSvgOptions): string {
  const sign = overlay?.sign(row) ?? '';
  const width = maxWidth - textWidth(sign);
  const label = oneLine(row.label);
  if (row.kind !== 'frame' && row.kind !== 'error') return signed(sign, fitText(label, width));
  const forms = labelForms(label).filter((form) => form !== '');
  const fitting = forms.find((form) => textWidth(form, width) <= width);
  if (fitting !== undefined) return sign + fitting;
  const cut = fitText(forms[forms.length - 1] ?? '', width);
  // As in the window, because a shorter label is useless.
  return Array.from(cut).length <= LEAST_LABEL ? '' : sign + cut;
}

function signed(sign: string, label: string): string {
  return label === '' ? '' : sign + label;
}

function tooltip(row: FlameRow, whole: number, { metric, units, overlay }: FlameSvgOptions): string {
  if (overlay !== undefined) return overlay.tooltip(row);
  const amount = (value: number): string => formatAmount(value, units.value?.unit ?? 'ns');
  const share = formatShare(row.weight, whole);
  const samples = formatQuantity(row.totalCount, units.counted.one, units.counted.many);
  const self = row.kind === 'block' ? '' : `, ${formatCount(row.selfCount)} self`;
  const time = row.totalTime === 0 ? '' : `, ${amount(row.totalTime)}`;
  return metric === 'samples'
    ? `${shownLabel(row.label)}\n${samples} (${share})${self}${time}`
    : `${shownLabel(row.label)}\n${amount(row.weight)} (${share}), ${samples}${self}`;
}

/** Lines below the title: the path of the root, and how much matches the search. */
function headingsOf(
  options: FlameSvgOptions,
  layout: FlameLayout,
  weights: Float64Array,
  matching: Uint8Array | undefined,
): string[] {
  const { zoom, search, range } = options;
  const { tree } = options.sums;
  const headings: string[] = [...(options.overlay?.headings ?? [])];
  if (range !== undefined) headings.push(`Time since the first sample: ${range}`);
  if (zoom !== undefined) {
    const path: string[] = [];
    const parents = zoom.row === ALL_ROWS ? NONE : zoom.row;
    for (let row = parents; row !== NONE; row = tree.parent[row]) path.push(oneLine(displayLabel(tree, row)));
    path.reverse();
    if (zoom.run !== undefined && layout.length > 0) path.push(labelAt(layout, 0));
    headings.push(zoomPath(path, (options.width - 2 * MARGIN) / FONT_SIZE));
  }
  if (search !== undefined && matching !== undefined && layout.length > 0) {
    const matched = matchedWeight(tree, weights, matching, options);
    headings.push(`Matched ${formatShare(matched, layout.weight[0])}: ${oneLine(search.text)}`);
  }
  return headings;
}

/** `All threads › … › Shop.parse › String.length`: a long path keeps its first frame and its end. */
function zoomPath(path: readonly string[], maxWidth: number): string {
  const separator = ' \u203a ';
  const whole = path.join(separator);
  if (path.length < 3 || textWidth(whole, maxWidth) <= maxWidth) return whole;
  let tail = path[path.length - 1];
  for (let at = path.length - 2; at > 0; at--) {
    const longer = path[at] + separator + tail;
    if (textWidth([path[0], '\u2026', longer].join(separator), maxWidth) > maxWidth) break;
    tail = longer;
  }
  return [path[0], '\u2026', tail].join(separator);
}

/** The weight of all frames in the graph that match or are below a match. */
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
  const isRoot = rootTest(tree, zoom);
  for (let row = 0; row < tree.length; row++) {
    if (kept?.[row] === 0) continue;
    const up = parent[row];
    const isTop = isRoot(row);
    const above = isTop || up === NONE ? UNSEEN : states[up];
    if (!isTop && above === UNSEEN) continue;
    const matches = key[row] >= 0 && matching[key[row]] === 1;
    states[row] = matches || above === MATCHED ? MATCHED : INSIDE;
    if (matches && above !== MATCHED) matched += weights[row];
  }
  return matched;
}

function footerOf(layout: FlameLayout, { metric, units, colourBy }: FlameSvgOptions): string {
  const amount = (value: number): string => formatAmount(value, units.value?.unit ?? 'ns');
  if (layout.length === 0) return 'Nothing to show.';
  const root = flameRow(layout, 0);
  const parts = [formatQuantity(root.totalCount, units.counted.one, units.counted.many)];
  if (metric === 'time') parts.unshift(amount(root.weight));
  else if (root.totalTime !== 0) parts.push(amount(root.totalTime));
  parts.push(formatQuantity(layout.levels, 'level'));
  const { grouped } = flameCounts(layout);
  if (grouped > 0) parts.push(`${formatQuantity(grouped, 'narrow frame')} grouped`);
  if (colourBy !== 'package') parts.push(`coloured by ${colourBy}`);
  return parts.join(' \u00b7 ');
}

/** Replaces characters that are invalid in XML, and line breaks and tabs. */
function oneLine(text: string): string {
  return xmlSafe(text).replace(/[\t\n\r\u0085\u2028\u2029]+/g, ' ');
}

/** Rounded to a hundredth of a pixel. */
function rounded(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
