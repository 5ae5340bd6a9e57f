import type { LeanProfile } from '../profile/lean-profile.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { sumSelfValues } from '../values/self-values.ts';
import type { TimeBounds } from '../values/time-range.ts';
import type { SortOrder } from '../views/sort-order.ts';
import { type FlatExportOptions, flatProfileOf, orderedKeys } from './flat.ts';
import { countText } from '../text/format-value.ts';
import { LineWriter, type TextSink } from './text-sink.ts';

export interface CsvExportOptions extends FlatExportOptions {
  readonly order: SortOrder;
  readonly units: ProfileUnits;
  /** When the samples were taken; undefined: at any time. */
  readonly range?: TimeBounds | undefined;
}

const HEADER = ['Method', 'Self #', 'Total #', 'Self %', 'Total %'];

/** Headers of the value columns; none for a file that has only counts. */
function valueHeader({ value }: ProfileUnits): readonly string[] {
  if (value === undefined) return [];
  const name = value.name.toLowerCase();
  return [`Self ${name} ${value.unit}`, `Total ${name} ${value.unit}`, `Self ${name} %`, `Total ${name} %`];
}

/**
 * The flat profile for spreadsheets, as in RFC 4180: CRLF, a header, texts in quotes, numbers without quotes and with a
 * decimal point. Percentages refer to all samples and all time, including rows that are filtered out. They are empty if
 * the sum is not positive. Methods have the keys of the other formats, so that tables can be joined: a negative line or BCI
 * is an unknown one. A time range is in columns of its own, the same in each row: ns, empty for an open end.
 */
export function exportCsv(profile: LeanProfile, options: CsvExportOptions, sink: TextSink): void {
  const flat = flatProfileOf(profile, options);
  const { labels } = flat.keys;
  const all = sumSelfValues(options.values ?? profile.selfValues);
  const keys = orderedKeys(flat, options.filter, options.order);

  const writer = new LineWriter(sink, keys.length + 1);
  const { units, range } = options;
  const times = range === undefined ? [] : rangeColumns(range);
  writer.line(
    `${[...HEADER, ...valueHeader(units), ...times.map(([title]) => title)].map(quoted).join(',')}\r`,
  );
  for (const key of keys) {
    const cells = [
      textCell(labels[key]),
      countText(flat.selfCount[key]),
      countText(flat.totalCount[key]),
      percent(flat.selfCount[key], all.samples),
      percent(flat.totalCount[key], all.samples),
    ];
    if (units.value !== undefined) {
      cells.push(
        flat.selfTime.text(key),
        flat.totalTime.text(key),
        percent(flat.selfTime.ns[key], all.time),
        percent(flat.totalTime.ns[key], all.time),
      );
    }
    cells.push(...times.map(([, time]) => String(time ?? '')));
    writer.line(`${cells.join(',')}\r`);
  }
  writer.flush();
}

/** A column for each end of a range, and of the range that is left out of it: ns, undefined for an open end. */
export function rangeColumns({
  from,
  to,
  except,
}: TimeBounds): (readonly [title: string, time: bigint | undefined])[] {
  const columns: (readonly [title: string, time: bigint | undefined])[] = [
    ['From ns', from],
    ['To ns', to],
  ];
  if (except !== undefined) columns.push(['Without from ns', except.from], ['Without to ns', except.to]);
  return columns;
}

function percent(part: number, whole: number): string {
  return whole > 0 ? ((part / whole) * 100).toFixed(4) : '';
}

/**
 * A quoted text that a spreadsheet does not run as a formula (OWASP, CSV injection): method names come from the log,
 * which is untrusted. Spreadsheets treat a text as a formula if it, or one of its lines, begins with = + - @ or their
 * full-width forms, also after blanks. An apostrophe before it prevents that. Where semicolons separate columns, a formula
 * may begin after one.
 */
export function textCell(text: string): string {
  const guarded = text
    .replace(/^(?=[\t\r\n])/, "'")
    .replace(/(^|[\r\n;])(?=[\s\u0000-\u001f\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g, "$1'");
  return quoted(guarded);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
