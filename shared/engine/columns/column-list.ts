import { type ProfileUnits, valueNoun } from '../../profile/profile-units.ts';
import {
  capitalised,
  countText,
  formatCount,
  formatAmount,
  formatExactAmount,
  formatRate,
  formatShare,
} from '../../text/format-value.ts';
import {
  columnOf,
  type CompareBy,
  type ComparedPart,
  changeSizes,
  type ComparedWhole,
} from '../values/row-change.ts';
import { type Metric, weightName } from '../values/metric.ts';
import type { Column, Measure, Quantity, SortColumn, TableFacts, Cell, CellValues } from './column.ts';
import { comparedCell, type ComparedNumber } from './compared-cells.ts';
import { doubtOf } from './precision.ts';

const MEANING = { self: 'the method itself', total: 'the method and what it calls' };
const TITLE = { self: 'Self', total: 'Total' };
const AMOUNT_DIGITS = 8;

const percent = (part: number, whole: number): string => (whole > 0 ? ((part / whole) * 100).toFixed(4) : '');
const countDigits = ({ samples }: TableFacts): number => Math.max(7, formatCount(samples).length);
const valueOf = (part: ComparedPart, metric: Metric): SortColumn =>
  metric === 'time' ? `${part}Time` : `${part}Count`;

/** The share by the metric in use. */
function share(part: ComparedPart, place: number): Column {
  const counted: Quantity = {
    id: `${part}Share`,
    place,
    csvTitle: () => `${TITLE[part]} %`,
    text: () => ({ name: `${TITLE[part]} samples %`, unit: '%' }),
    amount: (columns, row) => columns[`${part}Count`][row],
    whole: ({ samples }) => samples,
    csvCell: (columns, row, all) => percent(columns[`${part}Count`][row], all.samples),
  };
  return {
    id: `${part}Share`,
    group: 'samples',
    part,
    draws: 'bar',
    quantity: counted,
    unit: () => ' %',
    heading(table) {
      const { units, metric, samples, hidesSome, of, compared } = table;
      if (compared !== undefined) return undefined;
      const weight = weightName(metric, units);
      const quantity = metric === 'time' ? weight : `${formatCount(samples)} ${weight}`;
      const all = hidesSome ? `the ${quantity} shown, without errors` : `all ${quantity}`;
      const whole = of === 'all' ? all : `the ${quantity} in scope`;
      return {
        title: `${TITLE[part]} %`,
        hint: `Percent of ${whole}: ${MEANING[part]}`,
        digits: 0,
        sort: valueOf(part, metric),
      };
    },
    cell: (row, measure) => shareCell(part, measure.metric, row, measure),
  };
}

function count(part: ComparedPart, place: number): Column {
  const id = `${part}Count` as const;
  const where = part === 'self' ? 'on top of' : 'on';
  const title = `${TITLE[part]} #`;
  return {
    id,
    group: 'samples',
    part,
    sort: { metric: 'samples' },
    heading: (table) =>
      table.compared
        ? undefined
        : {
            title,
            hint: `${capitalised(table.units.counted.many)} with the method ${where} the stack`,
            digits: countDigits(table),
            sort: id,
          },
    cell: (row) => countCell(row[id]),
    quantity: {
      id,
      place,
      isCount: true,
      csvTitle: () => title,
      text: () => ({ name: title, unit: '' }),
      amount: (columns, row) => columns[id][row],
      csvCell: (columns, row) => countText(columns[id][row]),
    },
  };
}

/** The second value: time, bytes. */
function amount(part: ComparedPart, place: number): Column {
  const id = `${part}Time` as const;
  const title = (units: Pick<ProfileUnits, 'value'>): string => `${TITLE[part]} ${valueNoun(units)}`;
  return {
    id,
    group: 'value',
    part,
    sort: { metric: 'time' },
    heading({ units, compared }) {
      const { value } = units;
      if (value === undefined || compared !== undefined) return undefined;
      const hint = `${capitalised(value.meaning ?? valueNoun(units))}: ${MEANING[part]}`;
      return { title: title(units), hint, digits: AMOUNT_DIGITS, sort: id };
    },
    cell: (row, { units }) => amountCell(row[id], units),
    quantity: {
      id,
      place,
      text: (units) => units.value && { name: title(units), unit: units.value.unit === 'ns' ? 'ms' : 'B' },
      amount: (columns, row) => columns[id].ns[row],
      csvTitle: (units) => `${title(units)} ${units.value?.unit}`,
      csvCell: (columns, row) => columns[id].text(row),
    },
  };
}

/** The share by the other metric: with it, shares of samples and of time are side by side. */
function otherShare(part: ComparedPart, place: number): Column {
  const title = (units: Pick<ProfileUnits, 'value'>): string => `${TITLE[part]} ${valueNoun(units)} %`;
  return {
    id: `${part}OtherShare`,
    group: 'value',
    part,
    unit: () => ' %',
    shownAt: (others) => others.indexOf(`${part}Share`) + 1 || others.length,
    heading(table) {
      const { units, metric, of, compared } = table;
      if (units.value === undefined || compared !== undefined) return undefined;
      const byTime = metric === 'time';
      const whole = of === 'all' ? 'all' : 'what is in scope';
      const hint = `Percent of ${whole} by ${byTime ? units.counted.many : valueNoun(units)}: ${MEANING[part]}`;
      return {
        title: `${TITLE[part]} ${byTime ? units.counted.many : valueNoun(units)} %`,
        hint,
        digits: AMOUNT_DIGITS,
        sort: valueOf(part, byTime ? 'samples' : 'time'),
      };
    },
    // Bars are of the metric in use: two bars of a row would not be comparable.
    cell: (row, measure) => ({
      ...shareCell(part, measure.metric === 'time' ? 'samples' : 'time', row, measure),
      bar: undefined,
    }),
    quantity: {
      id: `${part}TimeShare`,
      place,
      csvTitle: title,
      text: (units) => units.value && { name: title(units), unit: '%' },
      amount: (columns, row) => columns[`${part}Time`].ns[row],
      whole: ({ time }) => time,
      csvCell: (columns, row, all) => percent(columns[`${part}Time`].ns[row], all.time),
    },
  };
}

/** The growth of late. */
function rate(part: ComparedPart): Column {
  const id = `${part}Rate` as const;
  return {
    id,
    group: 'rates',
    part,
    unit: () => ' /s',
    heading(table) {
      if (!table.hasRates || table.compared !== undefined) return undefined;
      const hint = `${capitalised(table.units.counted.many)} per second in the last 30 s: ${MEANING[part]}`;
      return { title: `${TITLE[part]} /s`, hint, digits: countDigits(table), sort: id };
    },
    cell: (row) => rateCell(row[id]),
    sort: { metric: 'samples', number: ({ rates }) => rates && ((row) => rates(row)?.[part] ?? 0) },
  };
}

/** When rows have their samples: the window draws it. */
const WHEN: Column = {
  id: 'when',
  group: 'times',
  draws: 'times',
  // As the last one it would rarely have space.
  shownAt: () => 1,
  heading({ units, hasTimes, compared }) {
    if (!hasTimes) return undefined;
    const over =
      compared === undefined ? ', over the time range' : ' in scope, without those of the baseline';
    const hint = `When the row has ${units.counted.many}${over}. Each row has its own scale`;
    return { title: 'When', hint, digits: 0, sort: undefined };
  },
  cell: () => NOTHING,
};

const COMPARED_UNITS: Readonly<Record<CompareBy, string>> = { share: ' %', amount: '', rate: ' /s' };

/** A number of a comparison. A change is new minus base. */
function compared(part: ComparedPart, number: ComparedNumber): Column {
  const id = `${part}${number}`;
  const unit = ({ compared: whole }: Measure): string =>
    whole === undefined
      ? ''
      : number === 'Change' && whole.by === 'share'
        ? ' points'
        : COMPARED_UNITS[whole.by];
  return {
    id,
    group: 'compared',
    part,
    unit,
    ...(number === 'Change' ? { draws: 'change' } : {}),
    heading: ({ units, compared: whole }) => whole && comparedHeading(part, number, units, whole),
    cell: (row, { compared: whole, units }) =>
      whole === undefined ? NOTHING : comparedCell(part, number, row, whole, units),
    // The new values are those that the other columns are sorted by.
    ...(number === 'New'
      ? {}
      : {
          sort: {
            metric: 'samples',
            number(rows) {
              const to = rows.compared;
              if (to === undefined) return undefined;
              if (number === 'Change') return changeSizes(rows, to, part);
              const column = columnOf(to.base, to.whole.scale.metric, part);
              return (row) => column[row];
            },
          },
        }),
  };
}

function comparedHeading(
  part: ComparedPart,
  number: ComparedNumber,
  units: ProfileUnits,
  { by, scale: { metric, base, next } }: ComparedWhole,
): ReturnType<Column['heading']> {
  const weight = weightName(metric, units);
  const quantity = {
    share: `percent of all ${weight} of its side`,
    amount: weight,
    rate: `${weight} per second`,
  }[by];
  const isTime = metric === 'time' && by !== 'share';
  const digits = by === 'share' ? 6 : isTime ? 9 : Math.max(6, formatCount(Math.max(base, next)).length);
  const points = by === 'share' ? ', in percentage points' : '';
  const doubt = metric === 'samples' ? 'chance explains' : `${units.counted.many} do not confirm`;
  const side = number === 'Base' ? 'of the baseline' : 'of the samples in scope';
  const name = number === 'Change' ? '\u00b1' : `${number.toLowerCase()}${COMPARED_UNITS[by]}`;
  return {
    title: `${TITLE[part]} ${name}`,
    shortTitle: number === 'Change' ? `${TITLE[part]} ${name}` : capitalised(name),
    hint:
      number === 'Change'
        ? `Of ${MEANING[part]}: new minus base${points}. Grey, and last: ${doubt} the difference`
        : `${TITLE[part]} ${side}, ${quantity}: ${MEANING[part]}`,
    digits: digits + 1,
    sort: number === 'New' ? valueOf(part, metric) : `${part}${number}`,
  };
}

const NOTHING: Cell = { text: '' };

/** The part that a row is of all. */
function shareCell(part: ComparedPart, metric: Metric, row: CellValues, measure: Measure): Cell {
  const { units, largest, whole } = measure;
  if (metric === 'time') return partCell(row[`${part}Time`], whole.totalTime, largest[`${part}Time`]);
  const counted = row[`${part}Count`];
  const cell = partCell(counted, whole.samples, largest[`${part}Count`]);
  const doubt = doubtOf(counted, whole.samples, units);
  return doubt === undefined ? cell : { ...cell, exact: doubt };
}

function partCell(part: number, whole: number, largest: number): Cell {
  if (part === 0) return NOTHING;
  const text = formatShare(part, whole).replace(' %', '');
  return {
    text,
    exact: text.startsWith('<') ? `${((part / whole) * 100).toPrecision(3)} %` : undefined,
    bar: largest > 0 ? Math.min(1, Math.max(0, part / largest)) : undefined,
  };
}

function countCell(value: number): Cell {
  if (value === 0) return NOTHING;
  return { text: formatCount(value), exact: Number.isInteger(value) ? undefined : countText(value) };
}

function rateCell(perSecond = 0): Cell {
  return perSecond === 0 ? NOTHING : { text: formatRate(perSecond).replace(' /s', '') };
}

function amountCell(value: number, units: ProfileUnits): Cell {
  if (value === 0) return NOTHING;
  const unit = units.value?.unit ?? 'ns';
  return { text: formatAmount(value, unit), exact: formatExactAmount(value, unit) };
}

/** All columns, in the order of their menu. A column is added here, and nowhere else. */
export const COLUMNS: readonly Column[] = [
  share('total', 4),
  count('total', 2),
  count('self', 1),
  share('self', 3),
  amount('total', 6),
  amount('self', 5),
  otherShare('total', 8),
  otherShare('self', 7),
  rate('total'),
  rate('self'),
  WHEN,
  ...(['total', 'self'] as const).flatMap((part) =>
    (['Change', 'Base', 'New'] as const).map((number) => compared(part, number)),
  ),
];
