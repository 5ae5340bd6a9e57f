/** The table as text and as Markdown, and the verdict of a figure against its goal. */
import type { MeasuredRow } from './measured-row.ts';
import type { Figure } from './row.ts';

export type Verdict = 'pass' | 'falls short' | 'no goal';

export function verdictOf({ value, goal }: Figure): Verdict {
  if (goal === undefined) return 'no goal';
  // NaN does not pass.
  return value <= goal ? 'pass' : 'falls short';
}

/** Cells of a line: what, figure, value, goal or limit, verdict. */
export type TableLine = readonly [string, string, string, string, string];

export const GOAL_HEADING: TableLine = ['what', 'figure', 'value', 'goal', ''];

/** One line per figure; the row's name only on its first. A row without figures says why. */
export function goalLines(rows: readonly MeasuredRow[]): TableLine[] {
  return rows.flatMap(({ what, outcome }): TableLine[] =>
    'problem' in outcome
      ? [[what, '', '', '', `not measured: ${outcome.problem.split('\n')[0]}`]]
      : outcome.figures.map((figure, at) => [
          at === 0 ? what : '',
          figure.id,
          withUnit(figure.value, figure.unit),
          figure.goal === undefined ? '' : `≤ ${withUnit(figure.goal, figure.unit)}`,
          verdictOf(figure),
        ]),
  );
}

/** Aligned columns; values and goals to the right. */
export function textTable(heading: TableLine, lines: readonly TableLine[]): string {
  const widths = heading.map((_, column) =>
    Math.max(...[heading, ...lines].map((line) => line[column].length)),
  );
  return [heading, ...lines]
    .map((line) =>
      line
        .map((cell, column) =>
          column === 2 || column === 3 ? cell.padStart(widths[column]) : cell.padEnd(widths[column]),
        )
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

/** Columns are not aligned: format the file after writing the table into it. */
export function markdownTable(heading: TableLine, lines: readonly TableLine[]): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(heading), '| --- | --- | --: | --: | --- |', ...lines.map(row)].join('\n');
}

/** '0.85 × sha256sum', '143 ms', '1,204 kB': three significant digits; integer digits are never cut. */
export function withUnit(value: number, unit: Figure['unit']): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 0.1 ? 2 : 3;
  const number = value.toLocaleString('en-US', { maximumFractionDigits: digits });
  return `${number} ${unit}`;
}
