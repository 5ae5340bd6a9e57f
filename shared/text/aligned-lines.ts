/** Lines of cells, in columns as wide as their widest cell. `isRight`: which columns are aligned at the right. */
export function alignedLines(
  rows: readonly (readonly string[])[],
  isRight: (column: number) => boolean = () => false,
): readonly string[] {
  const widths = (rows.at(0) ?? []).map((_, at) =>
    rows.reduce((most, row) => Math.max(most, row[at].length), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => (isRight(at) ? cell.padStart(widths[at]) : cell.padEnd(widths[at])))
      .join('  ')
      .trimEnd(),
  );
}
