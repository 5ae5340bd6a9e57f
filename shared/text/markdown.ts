import { printable } from './printable.ts';

/** A table whose first columns are numbers and whose last ones are texts. */
export interface TextTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** So many of the last columns are aligned as texts; 1 by default. */
  readonly textColumns?: number;
  /** So many of the last columns are names, whose characters are none of Markdown's; 1 by default. */
  readonly nameColumns?: number;
}

/** The table as Markdown. */
export function markdownTable({
  header,
  rows,
  textColumns = 1,
  nameColumns = 1,
}: TextTable): readonly string[] {
  const last = header.length - 1;
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(header),
    line(header.map((_, at) => (at > last - textColumns ? ':--' : '--:'))),
    ...rows.map((row) => line(row.map((cell, at) => (at > last - nameColumns ? markdownCode(cell) : cell)))),
  ];
}

/** A code span in which every character stands for itself; a table also needs its bars escaped. */
function markdownCode(text: string): string {
  if (text === '') return '';
  const safe = printable(text).replaceAll('|', '\\|');
  const longest = Math.max(0, ...Array.from(safe.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${safe}${fence}` : `${fence} ${safe} ${fence}`;
}

/** A text of Markdown in which every character stands for itself. */
export function markdownText(text: string): string {
  return printable(text).replace(/[\\`*_[\]<>|#&~]/g, '\\$&');
}
