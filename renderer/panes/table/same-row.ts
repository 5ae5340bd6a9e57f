/**
 * True when two rows have the same content. The mirror's rows are new objects in every message, so identity cannot be
 * compared, and most rows of a message are unchanged.
 */
export function isSameRow<Row extends object>(a: Row, b: Row): boolean {
  return (Object.keys(a) as (keyof Row)[]).every((key) => a[key] === b[key]);
}

/** The same for the properties of a component that draws one row. */
export function hasSameRow<Props extends { readonly row: object }>(before: Props, after: Props): boolean {
  return (Object.keys(after) as (keyof Props)[]).every((key) =>
    key === 'row' ? isSameRow(before.row, after.row) : before[key] === after[key],
  );
}
