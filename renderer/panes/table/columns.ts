import type { ComparedWhole } from '../../../shared/engine/comparison/row-change.ts';
import type { CompareBy } from '../../../shared/engine/values/compared-to.ts';
import { type Metric, weightName } from '../../../shared/engine/values/metric.ts';
import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import { capitalised, formatCount } from '../../../shared/text/format-value.ts';
import type { ProfileSummary } from '../../profile-worker/mirror-messages.ts';
import type { ShareReference, SortColumn } from '../../profile-worker/pane-messages.ts';
import type { ColumnId, ColumnLayout } from '../../store/column-layout.ts';

/** A column of numbers. */
export interface Column {
  readonly id: ColumnId;
  /** Tells it from all others. */
  readonly title: string;
  /** In the header where the whole title does not fit. */
  readonly shortTitle?: string | undefined;
  /** Its quantity and unit, for the tooltip. */
  readonly hint: string;
  /** CSS pixels. */
  readonly width: number;
  /** undefined: rows cannot be sorted by it. */
  readonly sort: SortColumn | undefined;
}

/** The columns of a table from left to right, with their widths; CSS pixels. */
export interface TableLayout {
  readonly nameWidth: number;
  /** Those that fit, at least one. */
  readonly columns: readonly Column[];
  /** Columns that the user wants and that do not fit. */
  readonly withoutSpace: readonly ColumnId[];
}

/** CSS pixels. With a wider name column, a name and its numbers are too far apart to read as one row. */
const MOST_NAME_WIDTH = 640;
/** Unless resized by the user, names keep at least this width and this share of the pane, more where they are indented. */
const LEAST_NAME_WIDTH = 200;
const LEAST_NAME_SHARE = { list: 0.42, tree: 0.48 };

/** CSS pixels free before and behind a number or its title; as in table.css. */
export const CELL_PADDING = 12;
/** CSS pixels of the number at the end of a column of shares; the bar has the rest. */
export const SHARE_NUMBER_WIDTH = 64;
const USUAL_BAR_WIDTH = 48;
const USUAL_TIMES_WIDTH = 96;

/** About how wide a digit is, and a character of a title, CSS pixels. */
const DIGIT_WIDTH = 8.3;
const TITLE_CHARACTER_WIDTH = 6.8;
/** The sort arrow beside a title. */
const ARROW_WIDTH = 12;

/** What percentages refer to, and which further columns there are. */
export interface SharesReference {
  /** Errors are hidden. */
  readonly hidesSome?: boolean;
  readonly of?: ShareReference;
  /** Rows have rates. */
  readonly hasRates?: boolean;
  /** It is known when rows have their samples. */
  readonly hasTimes?: boolean;
}

/** All columns that a file has numbers for. */
export function columnsOf(
  units: ProfileUnits,
  metric: Metric,
  whole: ProfileSummary,
  { hidesSome = false, of = 'all', hasRates = false, hasTimes = false }: SharesReference = {},
): ReadonlyMap<ColumnId, Column> {
  const { counted, value } = units;
  const weight = weightName(metric, units);
  const byTime = metric === 'time';
  const name = value?.name.toLowerCase() ?? '';
  const meaning = value?.meaning ?? name;
  const Counted = capitalised(counted.many);
  const quantity = byTime ? weight : `${formatCount(whole.samples)} ${weight}`;
  const all = hidesSome ? `the ${quantity} shown, without errors` : `all ${quantity}`;
  const view = of === 'scope' ? `the ${quantity} in scope` : all;
  const isOfRowAbove = of === 'caller' || of === 'callee';
  const allOf = isOfRowAbove ? `the ${weight} of the ${of}` : view;
  const title = isOfRowAbove ? `% of ${of}` : '%';
  const countWidth = Math.max(7, formatCount(whole.samples).length) * DIGIT_WIDTH;
  const amountWidth = 8 * DIGIT_WIDTH;
  const barWidth = USUAL_BAR_WIDTH + SHARE_NUMBER_WIDTH - CELL_PADDING;
  const columns: (readonly [ColumnId, string, string, number, SortColumn | undefined])[] = [
    [
      'totalShare',
      `Total ${title}`,
      `Percent of ${allOf}: the method and what it calls`,
      barWidth,
      byTime ? 'totalTime' : 'totalCount',
    ],
    [
      'selfShare',
      `Self ${title}`,
      `Percent of ${allOf}: the method itself`,
      barWidth,
      byTime ? 'selfTime' : 'selfCount',
    ],
    ['totalCount', 'Total #', `${Counted} with the method on the stack`, countWidth, 'totalCount'],
    ['selfCount', 'Self #', `${Counted} with the method on top of the stack`, countWidth, 'selfCount'],
  ];
  if (value !== undefined) {
    columns.push(
      [
        'totalTime',
        `Total ${name}`,
        `${capitalised(meaning)}: the method and what it calls`,
        amountWidth,
        'totalTime',
      ],
      ['selfTime', `Self ${name}`, `${capitalised(meaning)}: the method itself`, amountWidth, 'selfTime'],
    );
    const other = byTime ? '#' : name;
    const otherOf = isOfRowAbove ? `the ${of}` : of === 'scope' ? 'what is in scope' : 'all';
    const otherHint = `Percent of ${otherOf} by ${byTime ? counted.many : name}`;
    columns.push(
      [
        'totalOtherShare',
        `Total ${other} ${title}`,
        `${otherHint}: the method and what it calls`,
        amountWidth,
        byTime ? 'totalCount' : 'totalTime',
      ],
      [
        'selfOtherShare',
        `Self ${other} ${title}`,
        `${otherHint}: the method itself`,
        amountWidth,
        byTime ? 'selfCount' : 'selfTime',
      ],
    );
  }
  if (hasRates) {
    const late = `${Counted} per second in the last 30 s`;
    columns.push(
      ['totalRate', 'Total /s', `${late}: the method and what it calls`, countWidth, 'totalRate'],
      ['selfRate', 'Self /s', `${late}: the method itself`, countWidth, 'selfRate'],
    );
  }
  if (hasTimes) {
    const hint = `When the row has ${counted.many}, over the time range. Each row has its own scale`;
    columns.push(['when', 'When', hint, USUAL_TIMES_WIDTH, undefined]);
  }
  return new Map(
    columns.map(([id, title, hint, content, sort]) => {
      const width = Math.max(Math.round(content + 2 * CELL_PADDING), titleWidth(title));
      return [id, { id, title, hint, width, sort }];
    }),
  );
}

/** A column with this title, CSS pixels. */
function titleWidth(title: string): number {
  return Math.round(title.length * TITLE_CHARACTER_WIDTH + ARROW_WIDTH + 2 * CELL_PADDING);
}

/** What stands in the header of a column that is as wide as this one. */
export function headingOf({ title, shortTitle, width }: Omit<Column, 'id' | 'sort' | 'hint'>): string {
  return shortTitle === undefined || titleWidth(title) <= width ? title : shortTitle;
}

const COMPARED_UNITS: Readonly<Record<CompareBy, string>> = { share: ' %', amount: '', rate: ' /s' };

/** The columns of a comparison. A change is new minus base. */
export function comparedColumnsOf(
  units: ProfileUnits,
  { by, scale: { metric, base, next } }: ComparedWhole,
  hasTimes: boolean,
): ReadonlyMap<ColumnId, Column> {
  const weight = weightName(metric, units);
  const unit = COMPARED_UNITS[by];
  const quantity = {
    share: `percent of all ${weight} of its side`,
    amount: weight,
    rate: `${weight} per second`,
  }[by];
  const isTime = metric === 'time' && by !== 'share';
  const digits = by === 'share' ? 6 : isTime ? 9 : Math.max(6, formatCount(Math.max(base, next)).length);
  const numbersWidth = Math.round((digits + 1) * DIGIT_WIDTH + 2 * CELL_PADDING);
  const change =
    'new minus base' +
    (by === 'share' ? ', in percentage points' : '') +
    `. Grey: ${metric === 'samples' ? 'chance explains' : `${units.counted.many} do not confirm`} the difference`;
  const parts = [
    ['total', 'Total', 'the method and what it calls'],
    ['self', 'Self', 'the method itself'],
  ] as const;
  const all = parts.flatMap(([part, title, meaning]): Column[] => {
    const column = (id: ColumnId, name: string, hint: string, sort: SortColumn): Column => {
      const isChange = id === `${part}Change`;
      const shortTitle = isChange ? `${title} ${name}` : capitalised(name);
      const width = Math.max(numbersWidth, titleWidth(shortTitle));
      return { id, title: `${title} ${name}`, shortTitle, hint, width, sort };
    };
    const value: SortColumn = metric === 'time' ? `${part}Time` : `${part}Count`;
    return [
      column(`${part}Change`, '\u00b1', `Of ${meaning}: ${change}`, `${part}Change`),
      column(
        `${part}Base`,
        `base${unit}`,
        `${title} of the baseline, ${quantity}: ${meaning}`,
        `${part}Base`,
      ),
      column(`${part}New`, `new${unit}`, `${title} of the samples in scope, ${quantity}: ${meaning}`, value),
    ];
  });
  if (hasTimes) {
    const hint = `When the row has ${units.counted.many} in scope, without those of the baseline. Each row has its own scale`;
    all.push({ id: 'when', title: 'When', hint, width: USUAL_TIMES_WIDTH, sort: undefined });
  }
  return new Map(all.map((column) => [column.id, column]));
}

/**
 * Places the columns that the user wants beside the names, in a pane of `width` CSS pixels. All have their whole titles if
 * there is space for that. A column that does not fit hides all behind it, so that what remains stays in its order.
 */
export function layoutTable(
  width: number,
  layout: ColumnLayout,
  available: ReadonlyMap<ColumnId, Column>,
  rows: keyof typeof LEAST_NAME_SHARE = 'list',
): TableLayout {
  const sized = layout.widths.name;
  const space = width - (sized ?? Math.max(LEAST_NAME_WIDTH, width * LEAST_NAME_SHARE[rows]));
  const narrow = withWidths(layout, available, (column) => column.width);
  const wide = withWidths(layout, available, ({ title, width: least }) => Math.max(least, titleWidth(title)));
  const wanted = firstBeyond(wide, space) < 0 ? wide : narrow;
  const beyond = firstBeyond(wanted, space);
  const columns = beyond < 0 ? wanted : wanted.slice(0, Math.max(1, beyond));
  const rest = columns.reduce((left, column) => left - column.width, width);
  return {
    nameWidth: Math.max(0, Math.min(sized ?? MOST_NAME_WIDTH, rest)),
    columns,
    withoutSpace: wanted.slice(columns.length).map(({ id }) => id),
  };
}

/** The columns that the user wants, as wide as the user has made them. */
function withWidths(
  { shown, widths }: ColumnLayout,
  available: ReadonlyMap<ColumnId, Column>,
  usual: (column: Column) => number,
): readonly Column[] {
  return shown.flatMap((id) => {
    const column = available.get(id);
    return column === undefined ? [] : [{ ...column, width: widths[id] ?? usual(column) }];
  });
}

/** Place of the first column that does not fit in this space; -1 if all do. */
function firstBeyond(columns: readonly Column[], space: number): number {
  let free = space;
  return columns.findIndex(({ width }) => (free -= width) < 0);
}

/** Left edge of a column, CSS pixels from that of the names; undefined if it is not shown. */
export function columnLeft({ nameWidth, columns }: TableLayout, id: ColumnId): number | undefined {
  const at = columns.findIndex((column) => column.id === id);
  return at < 0 ? undefined : columns.slice(0, at).reduce((left, { width }) => left + width, nameWidth);
}

/** Left edge of the column by which rows are sorted, CSS pixels from that of the names; undefined if it is not shown. */
export function columnStart(layout: TableLayout, by: SortColumn): number | undefined {
  const sorted = layout.columns.find(({ sort }) => sort === by);
  return sorted && columnLeft(layout, sorted.id);
}

const STEP = 14;
const FULL_LEVELS = 16;

/**
 * Indentation of a level, CSS pixels. Sixteen levels get a full step each; below them steps shrink, so that a stack of
 * 1,500 frames still leaves the name something of `width`.
 */
export function indentOf(depth: number, width: number): number {
  if (depth <= FULL_LEVELS || width === Infinity) return Math.min(depth * STEP, width);
  const deeper = depth - FULL_LEVELS;
  const full = FULL_LEVELS * STEP;
  const rest = Math.max(0, width - full);
  return Math.min(full + rest * (deeper / (deeper + rest / 6)), Math.max(width, 0));
}

/** Width of the indentation that has guides, CSS pixels: the levels with a full step. */
export function guidesOf(depth: number, indent: number): number {
  return Math.min(indent, Math.min(depth, FULL_LEVELS) * STEP);
}

/**
 * Target of moving a column by one position: `before` is the column that it moves in front of, undefined for the end.
 * The result is undefined when there is no such position.
 */
export function placeAfterMove(
  columns: readonly Column[],
  id: ColumnId,
  step: 1 | -1,
): { readonly before: ColumnId | undefined } | undefined {
  const at = columns.findIndex((column) => column.id === id);
  if (at < 0 || at + step < 0 || at + step >= columns.length) return undefined;
  return { before: columns.at(step < 0 ? at - 1 : at + 2 < columns.length ? at + 2 : columns.length)?.id };
}
