/** Row -> 1 where one of the masks has 1; undefined where neither has any. */
export function either(a: Uint8Array | undefined, b: Uint8Array | undefined): Uint8Array | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.map((mark, row) => mark | b[row]);
}
