/** Columns of a page. */
const PAGE = 10;

const STEPS: Readonly<Record<string, readonly [columns: number, squares: number] | undefined>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  PageDown: [PAGE, 0],
  PageUp: [-PAGE, 0],
};

/** `move`: to this square. `scale`: the next finer or coarser one. */
export type HeatmapKey =
  | { readonly type: 'move'; readonly to: number }
  | { readonly type: 'select' | 'clear' }
  | { readonly type: 'scale'; readonly step: 1 | -1 };

/**
 * What a key does that is pressed at a square: up and down by one square in time, left and right by a column, Home and
 * End to the first and the last. `rows`: squares of a column; `last`: the last square.
 */
export function heatmapKey(key: string, square: number, rows: number, last: number): HeatmapKey | undefined {
  switch (key) {
    case 'Home':
      return { type: 'move', to: 0 };
    case 'End':
      return { type: 'move', to: last };
    case 'Enter':
    case ' ':
      return { type: 'select' };
    case 'Escape':
      return { type: 'clear' };
    case '+':
      return { type: 'scale', step: -1 };
    case '-':
      return { type: 'scale', step: 1 };
  }
  const step = Object.hasOwn(STEPS, key) ? STEPS[key] : undefined;
  if (step === undefined) return undefined;
  const [columns, squares] = step;
  return { type: 'move', to: Math.max(0, Math.min(last, square + columns * rows + squares)) };
}
