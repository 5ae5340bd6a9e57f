import { mixed, oklch } from '../../../shared/text/oklch.ts';

/** Colours of a number of samples, from the fewest on. */
export type Ramp = readonly string[];

/** What a heatmap is drawn with, `#rrggbb`. */
export interface HeatmapColours {
  readonly surface: string;
  /** A square without samples. */
  readonly empty: string;
  /** Samples, and those with the selected method. */
  readonly samples: Ramp;
  /** Samples while something else is marked. */
  readonly rest: Ramp;
  readonly matches: Ramp;
}

/** So many numbers of samples can be told apart. */
const LEVELS = 16;

interface Shade {
  readonly lightness: number;
  readonly chroma: number;
}

function ramp(hue: number, fewest: Shade, most: Shade): Ramp {
  return Array.from({ length: LEVELS }, (_, level) => {
    const share = level / (LEVELS - 1);
    const between = (of: keyof Shade): number => fewest[of] + (most[of] - fewest[of]) * share;
    return oklch(between('lightness'), between('chroma'), hue);
  });
}

const shade = (lightness: number, chroma: number): Shade => ({ lightness, chroma });

/** Hues as those of bars and matches in tokens.css. */
const HUES = { samples: 278, matches: 330 };

export const HEATMAP_COLOURS: Readonly<Record<'light' | 'dark', HeatmapColours>> = {
  light: {
    surface: '#ffffff',
    empty: '#f3f4f6',
    samples: ramp(HUES.samples, shade(0.89, 0.05), shade(0.33, 0.2)),
    rest: ramp(HUES.samples, shade(0.9, 0.008), shade(0.6, 0.02)),
    matches: ramp(HUES.matches, shade(0.84, 0.1), shade(0.42, 0.22)),
  },
  dark: {
    surface: '#191b20',
    empty: '#202228',
    samples: ramp(HUES.samples, shade(0.36, 0.07), shade(0.9, 0.08)),
    rest: ramp(HUES.samples, shade(0.32, 0.008), shade(0.58, 0.02)),
    matches: ramp(HUES.matches, shade(0.42, 0.12), shade(0.86, 0.13)),
  },
};

/** How much of what is outside the time range is surface. */
const OUTSIDE = 0.75;

/** The same, paler. */
export function outsideColours(colours: HeatmapColours): HeatmapColours {
  const { surface } = colours;
  const pale = (colour: string): string => mixed(colour, surface, OUTSIDE);
  return {
    surface,
    empty: pale(colours.empty),
    samples: colours.samples.map(pale),
    rest: colours.rest.map(pale),
    matches: colours.matches.map(pale),
  };
}

/**
 * The level of a number of samples, at least 1, of which `most` are in one square. By its root, because a few crowded
 * squares would make all others alike.
 */
export function levelOf(count: number, most: number): number {
  return Math.min(LEVELS - 1, Math.floor(Math.sqrt(count / Math.max(1, most)) * LEVELS));
}
