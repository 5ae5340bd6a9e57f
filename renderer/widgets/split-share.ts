const STEP = 2;
const LARGE_STEP = 10;

/** Percent of the first part when the bar is at a pixel of `size`; both parts keep `least` pixels where they can. */
export function draggedShare(at: number, size: number, least: number): number {
  if (size <= 0) return 50;
  const edge = Math.min(least, size / 2);
  return (Math.min(size - edge, Math.max(edge, at)) / size) * 100;
}

/** Where a key moves the bar to; undefined for a key that does not move it. */
export function movedShare(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  isRows: boolean,
  share: number,
  size: number,
  least: number,
): number | undefined {
  const step = shiftKey ? LARGE_STEP : STEP;
  const to = (percent: number): number => draggedShare((percent / 100) * size, size, least);
  switch (key) {
    case isRows ? 'ArrowUp' : 'ArrowLeft':
      return to(share - step);
    case isRows ? 'ArrowDown' : 'ArrowRight':
      return to(share + step);
    case 'Home':
      return to(0);
    case 'End':
      return to(100);
    default:
      return undefined;
  }
}
