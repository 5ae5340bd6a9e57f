/** A report about what changed: one value, written as aligned text, as Markdown or as HTML. */
import type { SharePart } from '../engine/comparison/method-changes.ts';
import { alignedLines } from '../text/aligned-lines.ts';
import { markdownTable, markdownText, type TextTable } from '../text/markdown.ts';
import { xmlText } from './text-sink.ts';

/** Most methods in a list of a report for people. */
export const MOST_METHODS = 30;
/** Smaller differences would be shown as 0.00, and are counted only. */
export const LEAST_DIFFERENCE = 0.000_05;

export const PART_TITLES: Readonly<Record<SharePart, string>> = {
  self: 'Self: the method itself',
  total: 'Total: the method and what it called',
};

export interface Report {
  readonly title: string;
  /** Both sides and their samples. */
  readonly totals: ReportTable;
  /** Sentences below the totals. */
  readonly notes: readonly string[];
  readonly parts: readonly ReportPart[];
}

interface ReportTable extends TextTable {
  /** A sentence below it; empty for none. */
  readonly note: string;
}

interface ReportPart extends ReportTable {
  readonly title: string;
}

/** The form of the pieces of a report: lines of each. */
interface Form {
  readonly title: (text: string) => readonly string[];
  readonly heading: (text: string) => readonly string[];
  readonly paragraph: (text: string) => readonly string[];
  readonly table: (table: TextTable) => readonly string[];
  /** A sentence below a table. */
  readonly note: (text: string) => readonly string[];
}

const FORMS = {
  text: {
    title: (text) => [text, ''],
    heading: (text) => ['', text],
    paragraph: (text) => ['', text],
    table: ({ header, rows, textColumns = 1 }) =>
      alignedLines([header, ...rows], (column) => column < header.length - textColumns).map(
        (line) => `  ${line}`,
      ),
    note: (text) => [`  ${text}`],
  },
  markdown: {
    title: (text) => [`### ${markdownText(text)}`],
    heading: (text) => ['', `**${markdownText(text)}**`],
    paragraph: (text) => ['', markdownText(text)],
    table: (table) => ['', ...markdownTable(table)],
    note: (text) => ['', markdownText(text)],
  },
  html: {
    title: (text) => [`<h1>${xmlText(text)}</h1>`],
    heading: (text) => [`<h2>${xmlText(text)}</h2>`],
    paragraph: (text) => [`<p>${xmlText(text)}</p>`],
    table: ({ header, rows }) => [
      '<div class="wide"><table><thead><tr>',
      header.map((title) => `<th scope="col">${xmlText(title)}</th>`).join(''),
      '</tr></thead><tbody>',
      ...rows.map((row) => `<tr>${row.map((cell) => `<td>${xmlText(cell)}</td>`).join('')}</tr>`),
      '</tbody></table></div>',
    ],
    note: (text) => [`<p>${xmlText(text)}</p>`],
  },
} satisfies Record<string, Form>;

/** The lines of a report. */
export function reportLines(
  { title, totals, notes, parts }: Report,
  format: keyof typeof FORMS,
): readonly string[] {
  const form: Form = FORMS[format];
  const table = (each: ReportTable): readonly string[] => [
    ...(each.rows.length === 0 ? [] : form.table(each)),
    ...(each.note === '' ? [] : form.note(each.note)),
  ];
  return [
    ...form.title(title),
    ...table(totals),
    ...notes.flatMap(form.paragraph),
    ...parts.flatMap((part) => [...form.heading(part.title), ...table(part)]),
  ];
}
