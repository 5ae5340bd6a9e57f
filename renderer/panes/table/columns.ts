import { COLUMNS } from '../../../shared/engine/columns/column-list.ts';
import type {
  Column,
  ColumnId,
  Heading,
  TableFacts,
  Measure,
  Values,
} from '../../../shared/engine/columns/column.ts';
import { normalWidth, boldWidth } from './name-width.ts';
import type { RowKind } from '../../../shared/engine/trees/keys.ts';
import { cellOf } from '../../../shared/engine/columns/columns.ts';
import type { Metric } from '../../../shared/engine/values/metric.ts';
import { LIST_PADDING, MARK_SPACE, NAME_MARGIN, TREE_PADDING, TWISTY } from './rows.ts';
import type { ColumnLayout } from '../../store/state/preferences.ts';

/** A column of numbers in a table that has them. */
export interface ShownColumn extends Omit<Heading, 'digits'> {
  readonly id: ColumnId;
  readonly draws: Column['draws'];
  /** CSS pixels. */
  readonly width: number;
  /** Where there is no space for all columns, those with the largest number give way. */
  readonly givesWay: number;
}

/** The columns of a table from left to right, with their widths; CSS pixels. */
export interface TableLayout {
  readonly nameWidth: number;
  /** The columns that fit, at least one. */
  readonly columns: readonly ShownColumn[];
  /** Columns that the user wants and that do not fit. */
  readonly withoutSpace: readonly ColumnId[];
}

/** CSS pixels. With a wider name column, a name and its numbers are too far apart to read as one row. */
const MOST_NAME_WIDTH = 640;
/** Unless resized by the user, names keep so many characters, and this share of the pane, more where they are indented. */
const LEAST_CHARACTERS = 24;
const LEAST_NAME_SHARE = { list: 0.41, tree: 0.54 };
/** CSS pixels of the indentation for which there is always space. */
const LEAST_INDENT = 84;

/** CSS pixels free before and behind a number or its title; as in table.css. */
export const CELL_PADDING = 12;
/** CSS pixels of the number at the end of a column of shares; the bar has the rest. */
export const SHARE_NUMBER_WIDTH = 58;
const USUAL_BAR_WIDTH = 40;
const USUAL_TIMES_WIDTH = 96;

/** About how wide a digit is, CSS pixels; in a test without a page that of a wide font. */
const digitWidth = (): number => (typeof document === 'undefined' ? 8 : normalWidth('0')) + 0.3;
/** A character of a title, and of a name, as a multiple of that. */
const TITLE_CHARACTERS = 0.82;
const NAME_CHARACTERS = 0.9;
/** The sort arrow beside a title. */
const ARROW_WIDTH = 12;

/** Beside the indentation, a column of names keeps this width, CSS pixels. */
function leastNameWidth(rows: keyof typeof LEAST_NAME_SHARE): number {
  const around = rows === 'tree' ? TREE_PADDING + TWISTY : LIST_PADDING;
  return around + MARK_SPACE + LEAST_CHARACTERS * NAME_CHARACTERS * digitWidth() + NAME_MARGIN;
}

/** All columns that a table has numbers for, by what is counted, and where something is compared, by that. */
export function columnsOf(table: TableFacts): ReadonlyMap<ColumnId, ShownColumn> {
  return new Map(
    COLUMNS.flatMap((column) => {
      const { id, draws } = column;
      const found = column.heading(table);
      if (found === undefined) return [];
      const { digits, ...rest } = found;
      const drawn = draws === 'bar' ? USUAL_BAR_WIDTH + SHARE_NUMBER_WIDTH - CELL_PADDING : USUAL_TIMES_WIDTH;
      const content = draws === 'bar' || draws === 'times' ? drawn : digits * digitWidth();
      const least = titleWidth(rest.shortTitle ?? rest.title);
      const width = Math.max(Math.round(content + 2 * CELL_PADDING), least);
      return [[id, { ...rest, id, draws, width, givesWay: givesWay(column, table.metric) }]];
    }),
  );
}

/**
 * Shares stay longest, and with them the times of rows, which nobody has who did not ask for them. Values of the metric stay
 * longer than others: by time or bytes, counts go first.
 */
function givesWay({ draws, group, sort }: Column, metric: Metric): number {
  if (draws !== undefined || group === 'compared') return 0;
  if (group === 'rates') return 1;
  return sort?.metric === metric ? 2 : 3;
}

/** A column with this title, CSS pixels. */
function titleWidth(title: string): number {
  return Math.round(title.length * TITLE_CHARACTERS * digitWidth() + ARROW_WIDTH + 2 * CELL_PADDING);
}

/** The title and the texts in the header of a column of this width. */
export function headingOf({
  title,
  shortTitle,
  width,
}: Pick<ShownColumn, 'title' | 'shortTitle' | 'width'>): string {
  return shortTitle === undefined || titleWidth(title) <= width ? title : shortTitle;
}

/**
 * Places the columns that the user wants beside the names, in a pane of `width` CSS pixels. All have their whole titles if
 * there is space for that. Where some do not fit, the last one of those that give way first goes, until one is left.
 */
export function layoutTable(
  width: number,
  layout: ColumnLayout,
  available: ReadonlyMap<ColumnId, ShownColumn>,
  rows: keyof typeof LEAST_NAME_SHARE = 'list',
): TableLayout {
  const sized = layout.widths.name;
  const least = leastNameWidth(rows) + (rows === 'tree' ? LEAST_INDENT : 0);
  const space = width - (sized ?? Math.max(least, width * LEAST_NAME_SHARE[rows]));
  const narrow = withWidths(layout, available, (column) => column.width);
  const wide = withWidths(layout, available, ({ title, width: own }) => Math.max(own, titleWidth(title)));
  let columns = widthOfAll(wide) <= space ? wide : narrow;
  while (columns.length > 1 && widthOfAll(columns) > space) {
    const most = Math.max(...columns.map((column) => column.givesWay));
    columns = columns.toSpliced(
      columns.findLastIndex((column) => column.givesWay === most),
      1,
    );
  }
  return {
    nameWidth: Math.max(0, Math.min(sized ?? MOST_NAME_WIDTH, width - widthOfAll(columns))),
    columns,
    withoutSpace: narrow.map(({ id }) => id).filter((id) => columns.every((column) => column.id !== id)),
  };
}

/** The columns that the user wants, as wide as the user has made them. */
function withWidths(
  { shown, widths }: ColumnLayout,
  available: ReadonlyMap<ColumnId, ShownColumn>,
  usual: (column: ShownColumn) => number,
): readonly ShownColumn[] {
  return shown.flatMap((id) => {
    const column = available.get(id);
    return column === undefined ? [] : [{ ...column, width: widths[id] ?? usual(column) }];
  });
}

function widthOfAll(columns: readonly ShownColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}

/** Left edge of a column, CSS pixels from that of the names; undefined if it is not shown. */
export function columnLeft(
  { nameWidth, columns }: TableLayout,
  isIt: (column: ShownColumn) => boolean,
): number | undefined {
  const at = columns.findIndex(isIt);
  return at < 0 ? undefined : columns.slice(0, at).reduce((left, { width }) => left + width, nameWidth);
}

/** The part of a column of names that indentation may take, and what it may take in any, CSS pixels. */
const MOST_INDENT_SHARE = 0.5;
const INDENT_OF_ANY = 40;

/** Space for the indentation in a column of names, CSS pixels: the deepest names keep their characters. */
export function indentSpace(nameWidth: number): number {
  const beside = Math.min(nameWidth * MOST_INDENT_SHARE, nameWidth - leastNameWidth('tree'));
  return Math.max(INDENT_OF_ANY, Math.floor(beside));
}

const STEP = 14;
const MOST_FULL_LEVELS = 16;
/** The part of the space that full steps may take. */
const FULL_SHARE = 0.7;

/** Levels that get a full step each; below them steps shrink. */
function fullLevels(width: number): number {
  return Math.min(MOST_FULL_LEVELS, Math.floor((width * FULL_SHARE) / STEP));
}

/**
 * Indentation of a level, CSS pixels: less than `width` also for a stack of 1,500 frames, and more than that of the level
 * above.
 */
export function indentOf(depth: number, width: number): number {
  if (width === Infinity) return depth * STEP;
  const levels = fullLevels(width);
  const deeper = depth - levels;
  if (deeper <= 0) return depth * STEP;
  const rest = width - levels * STEP;
  return levels * STEP + rest * (deeper / (deeper + rest / 6));
}

/** Width of the indentation that has guides, CSS pixels: the levels with a full step. */
export function guidesOf(depth: number, width: number): number {
  return Math.min(depth, fullLevels(width)) * STEP;
}

/**
 * Target of moving a column by one position: `before` is the column that it moves in front of, undefined for the end.
 * The result is undefined when there is no such position.
 */
export function placeAfterMove(
  columns: readonly ShownColumn[],
  id: ColumnId,
  step: 1 | -1,
): { readonly before: ColumnId | undefined } | undefined {
  const at = columns.findIndex((column) => column.id === id);
  if (at < 0 || at + step < 0 || at + step >= columns.length) return undefined;
  return { before: columns.at(step < 0 ? at - 1 : at + 2 < columns.length ? at + 2 : columns.length)?.id };
}

/** Widest name that is measured, CSS pixels: no screen is wider. */
const MOST_MEASURED = 4000;

/** Width of a name in a row, CSS pixels. */
export function labelWidth(label: string, kind: RowKind): number {
  const widthOf = kind === 'thread' || kind === 'all' ? boldWidth : normalWidth;
  let sum = 0;
  for (const character of label) {
    sum += widthOf(character);
    if (sum > MOST_MEASURED) break;
  }
  return Math.ceil(sum);
}

/** The least width at which a column shows all numbers of these rows, its title, and where it has some, its bars. */
export function fittedWidth(
  column: ShownColumn | undefined,
  rows: readonly Values[],
  measure: Measure,
): number {
  if (column === undefined) return 0;
  // Bars have no width of their own: they keep the usual one.
  if (column.draws === 'bar' || column.draws === 'times') return column.width;
  const needed = rows.map((row) => labelWidth(cellOf(column.id, row, measure).text, 'frame'));
  return Math.max(labelWidth(column.title, 'thread'), ...needed) + 2 * CELL_PADDING;
}
