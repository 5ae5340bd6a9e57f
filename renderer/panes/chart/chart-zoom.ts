import type { ChartZoom } from '../../profile-worker/pane-messages.ts';
import { type FlameKey, flameKey } from '../flame/flame-keys.ts';

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

/** As in a flame graph with the root at the top; and zoom around the selected frame, and moves by a quarter. */
type ChartKey =
  | FlameKey
  | { readonly type: 'scale'; readonly factor: number }
  | { readonly type: 'pan'; readonly share: number };

const ZOOM_STEP = 1.5;
const PAN_SHARE = 0.25;

export function chartKey(key: string, shiftKey: boolean): ChartKey | undefined {
  if (shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight'))
    return { type: 'pan', share: key === 'ArrowLeft' ? -PAN_SHARE : PAN_SHARE };
  if (key === '+') return { type: 'scale', factor: 1 / ZOOM_STEP };
  if (key === '-') return { type: 'scale', factor: ZOOM_STEP };
  return flameKey(key, 'icicle');
}
