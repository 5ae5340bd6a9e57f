import type { ComparedColumns } from '../engine/values/row-change.ts';
import { countText } from '../text/format-value.ts';
import type { TimeBounds } from '../engine/values/time-range.ts';

/**
 * Receives the pieces of a text in order, so that a large export is never one string. `share`: how much of the export is
 * written with this piece, 0 to 1.
 */
export type TextSink = (text: string, share: number) => void;

/** Collects a complete export as one string. */
export function collectText(write: (sink: TextSink) => void): string {
  const pieces: string[] = [];
  write((text) => pieces.push(text));
  return pieces.join('');
}

/**
 * Writes lines to a sink in pieces of about 64 Ki characters, because calling the sink for each short line would be slow.
 * Lines are joined with `join`, not `+`: V8 stores a concatenation as a tree of its parts, which is about twenty times as
 * large as the text.
 */
export class LineWriter {
  readonly #sink: TextSink;
  readonly #expected: number;
  #written = 0;
  readonly #lines: string[] = [];
  #length = 0;

  /** `expected`: about how many lines will be written, for the share. */
  constructor(sink: TextSink, expected: number) {
    this.#sink = sink;
    this.#expected = expected;
  }

  /** One line; the line break is added. */
  line(text: string): void {
    this.#lines.push(text);
    this.#length += text.length + 1;
    if (this.#length > 65_536) this.flush();
  }

  flush(): void {
    if (this.#lines.length === 0) return;
    this.#written += this.#lines.length;
    this.#lines.push('');
    this.#sink(this.#lines.join('\n'), Math.min(1, this.#written / this.#expected));
    this.#lines.length = 0;
    this.#length = 0;
  }
}

/** Writes a short text, whose lines are known. */
export function writeLines(lines: readonly string[], sink: TextSink): void {
  const writer = new LineWriter(sink, lines.length);
  for (const line of lines) writer.line(line);
  writer.flush();
}

/** A column of a table that is written. */
export interface TableColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
}

/** Writes a table for spreadsheets, as in RFC 4180: CRLF, a header. Cells of texts are `textCell`, numbers are not quoted. */
export function writeCsvTable<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  sink: TextSink,
): void {
  const writer = new LineWriter(sink, rows.length + 1);
  writer.line(`${columns.map(({ title }) => quoted(title)).join(',')}\r`);
  for (const row of rows) writer.line(`${columns.map(({ cell }) => cell(row)).join(',')}\r`);
  writer.flush();
}

/** The end of a line of canonical text: `selfCnt totalCnt selfTime totalTime`, separated by tabs. */
export function numbersText(
  { selfCount, totalCount, selfTime, totalTime }: ComparedColumns,
  row: number,
): string {
  return `${countText(selfCount[row])}\t${countText(totalCount[row])}\t${selfTime.text(row)}\t${totalTime.text(row)}`;
}

/** A column for each end of a range, and of the range that is left out of it: ns, empty for an open end. */
export function rangeColumns({ from, to, except }: TimeBounds): readonly TableColumn<unknown>[] {
  const column = (title: string, time: bigint | undefined): TableColumn<unknown> => ({
    title,
    cell: () => String(time ?? ''),
  });
  const columns = [column('From ns', from), column('To ns', to)];
  if (except === undefined) return columns;
  return [...columns, column('Without from ns', except.from), column('Without to ns', except.to)];
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

/**
 * Characters that XML 1.0 cannot contain, not even as a reference (XML 1.0, section 2.2, Char): most control characters,
 * lone surrogates, U+FFFE and U+FFFF. A single one makes the file unreadable.
 */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Replaces characters that XML cannot contain by U+FFFD. */
export function xmlSafe(text: string): string {
  return text.replace(NOT_XML, '\ufffd');
}

/** Escapes text for an element or a quoted attribute. Shorten text before, not after: half an entity is invalid. */
export function xmlText(text: string): string {
  return xmlSafe(text).replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
