import { printable } from './printable.ts';

/** A table of texts: numbers, then names. */
export interface TextTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns at the right that are names, which Markdown would read; 1 where it is not given. */
  readonly names?: number;
  /** Columns at the right that are texts; 1 where it is not given. */
  readonly texts?: number;
}

/** The table as Markdown. */
export function markdownTable({ header, rows, names = 1, texts = 1 }: TextTable): readonly string[] {
  const last = header.length - 1;
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(header),
    line(header.map((_, at) => (at > last - texts ? ':--' : '--:'))),
    ...rows.map((row) => line(row.map((cell, at) => (at > last - names ? markdownCode(cell) : cell)))),
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
