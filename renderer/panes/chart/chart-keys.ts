import { type FlameKey, flameKey } from '../flame/flame-keys.ts';
import { ZOOM_STEP } from '../timeline/timeline-geometry.ts';

/** As in a flame graph with the root at the top; and zoom around the selected frame, and moves by a quarter. */
type ChartKey =
  | FlameKey
  | { readonly type: 'scale'; readonly factor: number }
  | { readonly type: 'pan'; readonly share: number };

const PAN_SHARE = 0.25;

export function chartKey(key: string, shiftKey: boolean): ChartKey | undefined {
  if (shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight'))
    return { type: 'pan', share: key === 'ArrowLeft' ? -PAN_SHARE : PAN_SHARE };
  if (key === '+') return { type: 'scale', factor: 1 / ZOOM_STEP };
  if (key === '-') return { type: 'scale', factor: ZOOM_STEP };
  return flameKey(key, 'icicle');
}
