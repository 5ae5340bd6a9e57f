import { type ColourTheme, FLAME_TONES, type FrameStyle } from './frame-colour.ts';
import { mixed, oklch } from './oklch.ts';

/** Orange red and blue: people who cannot tell red from green can tell these. Degrees of oklch. */
const GREW = 35;
const SHRANK = 252;

/** Lightness and chroma of the weakest and the strongest level; of marks. */
const TONES: Readonly<
  Record<
    ColourTheme,
    {
      readonly none: string;
      readonly weak: readonly [lightness: number, chroma: number];
      readonly strong: readonly [lightness: number, chroma: number];
      readonly mark: readonly [lightness: number, chroma: number];
    }
  >
> = {
  light: { none: oklch(0.92, 0.004, 260), weak: [0.91, 0.045], strong: [0.72, 0.15], mark: [0.53, 0.17] },
  dark: { none: oklch(0.58, 0.006, 260), weak: [0.62, 0.05], strong: [0.69, 0.14], mark: [0.8, 0.15] },
};

const STYLES = new Map<string, FrameStyle>();

/**
 * The style of a frame by the difference of its share. `level`: see `differenceLevel`; 0 is grey. `only`: the frame is in
 * one of the two profiles only.
 */
export function differenceStyle(
  theme: ColourTheme,
  level: number,
  only: 'base' | 'new' | undefined,
): FrameStyle {
  const key = `${theme} ${level} ${only ?? ''}`;
  let style = STYLES.get(key);
  if (style === undefined) STYLES.set(key, (style = newStyle(theme, level, only)));
  return style;
}

function newStyle(theme: ColourTheme, level: number, only: 'base' | 'new' | undefined): FrameStyle {
  const { none, weak, strong, mark } = TONES[theme];
  const hue = level > 0 ? GREW : SHRANK;
  const strength = (Math.abs(level) - 1) / (DIFFERENCE_LEVELS - 1);
  const between = (from: number, to: number): number => from + (to - from) * strength;
  const fill = level === 0 ? none : oklch(between(weak[0], strong[0]), between(weak[1], strong[1]), hue);
  const line = level === 0 ? FLAME_TONES[theme].dimmedLabel : oklch(mark[0], mark[1], hue);
  const hatch = mixed(fill, line, 0.3);
  const hatched = only === 'base';
  return {
    fill,
    text: FLAME_TONES[theme].label,
    hatched,
    hatch: hatched ? hatch : fill,
    unhatched: hatched ? mixed(fill, hatch, 0.5) : fill,
    outline: only === undefined ? undefined : line,
    mark: line,
  };
}

/** Percentage points from which on a difference has the next stronger colour. */
const LEAST_POINTS: readonly number[] = [0, 0.5, 2, 5, 15];
/** The strongest colour of a difference; the weakest is 1. */
export const DIFFERENCE_LEVELS = LEAST_POINTS.length;

/** The strength of the colour of a difference of two shares (fractions): above 0 it grew, below 0 it shrank. */
export function differenceLevel(difference: number): number {
  const points = Math.abs(difference) * 100;
  if (points === 0) return 0;
  return Math.sign(difference) * LEAST_POINTS.filter((least) => points >= least).length;
}
