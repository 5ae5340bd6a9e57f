import type { ChartZoom } from '../../profile-worker/pane-messages.ts';

/** A zoom by a factor around the sample at a share of the width, which stays in its place; at least one sample. */
export function zoomedChart(
  { from, to }: ChartZoom,
  factor: number,
  share: number,
  count: number,
): ChartZoom | undefined {
  const width = to - from;
  // A step changes something, however few samples are shown.
  const wanted = factor < 1 ? Math.min(width - 1, width * factor) : Math.max(width + 1, width * factor);
  const next = Math.max(1, Math.min(count, Math.round(wanted)));
  return within(from + Math.floor(share * width) - Math.floor(share * next), next, count);
}

/** Moved by so many samples, as far as there are any. */
export function pannedChart({ from, to }: ChartZoom, by: number, count: number): ChartZoom | undefined {
  return within(from + Math.round(by), to - from, count);
}

function within(from: number, width: number, count: number): ChartZoom | undefined {
  if (width >= count) return undefined;
  const first = Math.max(0, Math.min(count - width, from));
  return { from: first, to: first + width };
}
