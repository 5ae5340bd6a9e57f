/** Where something dropped at `x` is inserted among boxes from left to right: after those whose middle is left of `x`. */
export function placeAt(
  x: number,
  boxes: readonly { readonly left: number; readonly right: number }[],
): number {
  return boxes.filter(({ left, right }) => (left + right) / 2 < x).length;
}
