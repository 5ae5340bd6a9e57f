import { LABEL_MARGIN, labelOf, type LabelWidths, labelWidths, cutText } from '../draw/frame-label.ts';
import {
  blockPath,
  blockStyle,
  blockWidth,
  filledHeight,
  filledWidth,
  hatchOf,
  isHatchable,
  outlineWidth,
  rounded,
} from '../draw/frame-look.ts';
import { levelTop, pixelLayout, type PixelLayout } from '../draw/pixel-layout.ts';
import { RowStyles } from '../draw/row-styles.ts';
import { NONE } from '../profile/columns.ts';
import { shownLabel } from '../text/format-frame.ts';
import { formatAmount, formatCount, formatQuantity, formatShare } from '../text/format-value.ts';
import { type ColourScheme, type ColourTheme, type FrameStyle, labelColour } from '../text/frame-colour.ts';
import { keepsAll, keptRows } from '../engine/views/filter.ts';
import {
  ALL_ROWS,
  flameCounts,
  type FlameLayout,
  flameRow,
  type FlameRow,
  isBlock,
  labelAt,
} from '../engine/views/flame-columns.ts';
import { layoutFlame, type LayoutRoot, rootTest } from '../engine/views/flame-layout.ts';
import { FlameMeasures, flameWeights } from '../engine/views/flame-measures.ts';
import { displayLabel, type RowTree, threadOf } from '../engine/trees/row-tree.ts';
import { weightName } from '../engine/values/metric.ts';
import type { RowValues } from '../engine/values/row-sums.ts';
import { matchingKeys } from '../engine/views/search.ts';
import type { ExportInput, ExportWriter } from './export-input.ts';
import { PAGE_DATA_ID } from '../page/page-ids.ts';
import { packedText } from './packed-text.ts';
import { LineWriter, type TextSink, xmlSafe, xmlText } from './text-sink.ts';

export interface FlameSvgOptions
  extends
    Pick<ExportInput, 'metric' | 'units' | 'title' | 'carried'>,
    Omit<ExportInput['drawing'], 'root' | 'rows'> {
  readonly sums: RowValues;
  /** The root of the drawing; undefined: everything. */
  readonly zoom: LayoutRoot | undefined;
  /** row -> 1 if it is drawn; undefined: all rows. */
  readonly kept: Uint8Array | undefined;
  /** When the samples were taken, since the earliest one of the file; undefined: at any time. */
  readonly range?: string | undefined;
  /** Other colours and texts, for graphs of more than one profile. */
  readonly overlay?: FlameOverlay | undefined;
}

/** Replaces the texts of a graph, and says how its frames differ. Rows are those of the layout. */
export interface FlameOverlay {
  /** The layout with the differences of its frames, which give them colours and signs. */
  compared(layout: FlameLayout): FlameLayout;
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
const FONT_SIZE = 11;
/** Parts of a pixel in which places are computed: hundredths, so that edges are nearly exact. */
const PARTS = 100;
const FONTS = "'DejaVu Sans', Verdana, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";

const PAGE: Readonly<
  Record<ColourTheme, { readonly background: string; readonly text: string; readonly faint: string }>
> = {
  light: { background: '#ffffff', text: '#1b1d24', faint: '#5f6570' },
  dark: { background: '#16181d', text: '#f3f4f8', faint: '#9aa1ad' },
};

export const writeFlameSvg: ExportWriter = (input, sink) => {
  const { filter, drawing, range } = input;
  const sums = drawing.rows();
  const zoom = drawing.root(sums, flameWeights(sums, input.metric));
  const kept = keepsAll(filter) ? undefined : keptRows(sums, filter);
  exportFlameSvg({ ...input, ...drawing, sums, zoom, kept, range: range?.text }, sink);
};

type Drawn = FlameSvgOptions & { readonly width: number };

/**
 * The window's flame graph as one self-contained SVG file, from the boxes, texts and colours that the window draws. The
 * image has a width of its own, edges are not rounded to pixels, labels are fitted for the fonts of other machines, and
 * no frame is marked as selected. The file has shapes, texts and titles, but no script, foreign object, style sheet or
 * external resource. Names are untrusted: invalid characters are replaced, then the name is shortened, then escaped, and
 * it is used as text content only. Equal input gives equal bytes.
 */
export function exportFlameSvg(given: FlameSvgOptions, sink: TextSink): void {
  const options: Drawn = { ...given, width: given.width ?? DEFAULT_SVG_WIDTH };
  const { sums, metric, theme, width } = options;
  const { tree } = sums;
  const measures = new FlameMeasures(sums, metric);
  measures.update();
  const matching = options.search === undefined ? undefined : matchingKeys(tree.keys, options.search);
  const drawnWidth = width - 2 * MARGIN;
  const laidOut = layoutFlame(
    sums,
    {
      metric,
      siblings: options.siblings ?? 'weight',
      zoom: options.zoom,
      pixels: options.pixels ?? drawnWidth,
      matching,
      kept: options.kept,
    },
    measures,
  );
  const layout = options.overlay?.compared(laidOut) ?? laidOut;
  const page = PAGE[theme];
  const title = oneLine(options.title);
  const headings = headingsOf(options, layout, measures.weights, matching);
  const top = MARGIN + 22 + headings.length * 16 + 6;
  const drawing = drawingOf(layout, top, options);
  const { levelHeight } = drawing.pixels;
  const bottom = top + (Math.max(1, layout.levels) * levelHeight) / PARTS;
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
  const packed =
    options.carried === undefined || options.carried.most === 0 ? [] : [...packedText(options.carried)];
  const packedLength = packed.reduce((sum, { length }) => sum + length, 0);
  if (packedLength > 0 && packedLength <= (options.carried?.most ?? Infinity))
    writer.line(`<metadata id="${PAGE_DATA_ID}">${packed.join('')}</metadata>`);
  if (drawing.hatches.size > 0)
    writer.line(
      `<defs>${Array.from(drawing.hatches, (hatch) => hatchPattern(drawing, hatch)).join('')}</defs>`,
    );
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
  /** Its device pixels are parts of the image's pixels. */
  readonly pixels: PixelLayout;
  readonly styles: RowStyles;
  readonly labels: LabelWidths;
  /** Upper edge, pixels. */
  readonly top: number;
  readonly scheme: ColourScheme;
  /** Hatched styles that are used -> the id of their fill pattern. */
  readonly hatches: ReadonlyMap<FrameStyle, string>;
  readonly options: Drawn;
}

function drawingOf(layout: FlameLayout, top: number, options: Drawn): Drawing {
  const { sums, zoom, colourBy, theme, search, width, orientation } = options;
  const thread = zoom === undefined || zoom.row === ALL_ROWS ? undefined : threadOf(sums.tree, zoom.row);
  const size = { width: width - 2 * MARGIN, pixelRatio: PARTS };
  const pixels = pixelLayout(layout, size, orientation, thread);
  const scheme = { theme, colourBy, searching: search !== undefined && search.text !== '' };
  const styles = new RowStyles(pixels, scheme);
  const hatches = new Map<FrameStyle, string>();
  const add = (style: FrameStyle): void => {
    if (style.hatched && !hatches.has(style)) hatches.set(style, `hatch${hatches.size}`);
  };
  for (let at = 0; at < layout.length; at++) {
    add(styles.at(at).style);
    // In a block with matches only the columns with matches are tinted.
    if (isBlock(layout, at)) add(blockStyle(false, scheme));
  }
  const labels = labelWidths((text) => textWidth(text) * FONT_SIZE, oneLine);
  return { pixels, styles, labels, top, scheme, hatches, options };
}

function fillOf(style: FrameStyle, isHatched: boolean, { hatches }: Drawing): string {
  return style.hatched && isHatched ? `url(#${hatches.get(style)})` : style.unhatched;
}

function hatchPattern(
  { pixels }: Drawing,
  [{ fill, hatch }, id]: readonly [style: FrameStyle, id: string],
): string {
  const { period, line } = hatchOf(pixels);
  const size = period / PARTS;
  return `<pattern id="${id}" width="${size}" height="${size}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="${size}" height="${size}" fill="${fill}"/><rect width="${line / PARTS}" height="${size}" fill="${hatch}"/></pattern>`;
}

/** A block of narrow frames: one shape over all its levels, and a second shape for columns with matches. */
function blockElement(drawing: Drawing, at: number): string {
  const { pixels, scheme, top, options } = drawing;
  const { layout } = pixels;
  const isHatched = isHatchable(pixels, blockWidth(pixels, at));
  const shapes = [false, true]
    .map((match) => {
      const d = blockPath(pixels, at, match, MARGIN, top);
      return d === ''
        ? ''
        : `<path d="${d}" fill="${fillOf(blockStyle(match, scheme), isHatched, drawing)}"/>`;
    })
    .join('');
  return `<g><title>${xmlText(tooltip(flameRow(layout, at), layout.weight[0], options))}</title>${shapes}</g>`;
}

function frameElement(drawing: Drawing, at: number): string {
  const { pixels, styles, labels, options } = drawing;
  const { layout, left, right } = pixels;
  const row = flameRow(layout, at);
  const x = MARGIN + left[at] / PARTS;
  const y = drawing.top + levelTop(pixels, row.depth) / PARTS;
  const width = filledWidth(pixels, at) / PARTS;
  const height = filledHeight(pixels) / PARTS;
  const { style } = styles.at(at);
  const fill = fillOf(style, isHatchable(pixels, right[at] - left[at]), drawing);
  const shape = `<rect x="${rounded(x)}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;
  const label = labelOf(pixels, at, labels);
  const colour = style.text === labelColour(options.theme) ? '' : ` fill="${style.text}"`;
  const text =
    label === ''
      ? ''
      : `<text x="${rounded(x + LABEL_MARGIN)}" y="${y + 13}"${colour}>${xmlText(label)}</text>`;
  const thick = outlineWidth(pixels, at) / PARTS;
  const outline =
    style.outline === undefined || thick === 0
      ? ''
      : `<rect x="${rounded(x + thick / 2)}" y="${y + thick / 2}" width="${rounded(width - thick)}" height="${height - thick}" fill="none" stroke="${style.outline}"/>`;
  return `<g><title>${xmlText(tooltip(row, layout.weight[0], options))}</title>${shape}${outline}${text}</g>`;
}

function tooltip(row: FlameRow, whole: number, { metric, units, overlay }: Drawn): string {
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
  options: Drawn,
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
  { zoom, kept }: Drawn,
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

function footerOf(layout: FlameLayout, { metric, units, colourBy }: Drawn): string {
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

/** Widths of characters in em, in DejaVu Sans, the widest of the fonts in the SVG. Similar characters have one width. */
const NARROW = 0.37;
const COMMON = 0.635;
const CAPITAL = 0.72;
const WIDE = 0.99;

/** ASCII code -> its width. */
const ASCII = Float64Array.from({ length: 0x7f }, (_, code) => {
  const character = String.fromCharCode(code);
  if (" .,:;'|!()[]/ijlftrIJ".includes(character)) return NARROW;
  if ('mwMW@%'.includes(character)) return WIDE;
  if ('<>=+#~'.includes(character)) return 0.84;
  return /[A-Z]/.test(character) ? CAPITAL : COMMON;
});

function characterWidth(code: number): number {
  if (code > 0x2fff) return code < 0xd800 || code > 0xfaff ? WIDE * 1.02 : WIDE;
  if (code > 0x7e) return code < 0x300 ? CAPITAL : WIDE;
  return ASCII[code];
}

/** Width of a text in em, at least as wide as it is drawn. Stops measuring when it exceeds `enough`. */
export function textWidth(text: string, enough = Infinity): number {
  let width = 0;
  for (let at = 0; at < text.length && width <= enough; at++) width += characterWidth(text.charCodeAt(at));
  return width;
}

/**
 * Cuts a text to fit into `maxWidth` em, with an ellipsis if it was cut; '' if not even two characters fit. Cuts only
 * between graphemes.
 */
export function fitText(text: string, maxWidth: number): string {
  return textWidth(text, maxWidth) <= maxWidth ? text : cutText(text, maxWidth, textWidth, 2);
}
