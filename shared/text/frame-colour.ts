import { splitFrameLabel } from './format-frame.ts';

export type Theme = 'light' | 'dark';

/** Colours of text on a frame: at least 4.5 : 1 on every colour that `frameColour` gives in the same theme. */
export const FRAME_TEXT_COLOUR: Readonly<Record<Theme, string>> = { light: '#1f1a17', dark: '#f6efe8' };

/** Frames that a search found: the hue that no frame has by itself. */
export const MATCH_COLOUR: Readonly<Record<Theme, string>> = { light: '#c3a6ff', dark: '#6d4bb0' };

/** OKLCH lightness of frames: equal for all hues, so that no frame shouts and one text colour fits all. */
const LIGHTNESS: Readonly<Record<Theme, number>> = { light: 0.82, dark: 0.43 };
const CHROMA: Readonly<Record<Theme, number>> = { light: 0.115, dark: 0.085 };
/** Red-orange to yellow; blue and green stay free for comparisons and selections. */
const FIRST_HUE = 22;
const LAST_HUE = 104;

const PLAIN: Readonly<Record<Theme, Readonly<Record<'all' | 'thread' | 'error' | 'remainder', string>>>> = {
  light: { all: '#d9dee4', thread: '#c6d0da', error: '#cfcbc7', remainder: '#ebe6e0' },
  dark: { all: '#343a42', thread: '#3c4651', error: '#53504d', remainder: '#35302c' },
};

const known: Readonly<Record<Theme, Map<string, string>>> = { light: new Map(), dark: new Map() };

/**
 * The colour of a frame, as `#rrggbb`: warm, the same on every machine and in every run. The package gives the hue, the
 * class moves it a little, the method its lightness, so that code that belongs together looks alike.
 */
export function frameColour(
  label: string,
  kind: 'all' | 'thread' | 'frame' | 'error' | 'remainder',
  theme: Theme,
): string {
  if (kind !== 'frame') return PLAIN[theme][kind];
  const { package: packageName, name } = splitFrameLabel(label);
  const key = packageName + name;
  const cache = known[theme];
  let colour = cache.get(key);
  if (colour === undefined) {
    const className = name.slice(0, Math.max(name.lastIndexOf('.'), 0));
    const place = (share(packageName) + share(packageName + className)) / 2;
    const hue = FIRST_HUE + (LAST_HUE - FIRST_HUE) * place;
    colour = oklch(LIGHTNESS[theme] + (share(key) - 0.5) * 0.09, CHROMA[theme], hue);
    // Colours of more names than any screen shows: forgetting all now and then costs less than keeping them for good.
    if (cache.size > 20_000) cache.clear();
    cache.set(key, colour);
  }
  return colour;
}

/** 0 … 1, by FNV-1a and a final mix, because similar names should not get similar numbers. */
function share(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0xffffffff;
}

/** OKLCH (hue in degrees) to sRGB, clipped to it (matrices: Björn Ottosson, "A perceptual color space"). */
function oklch(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return `#${[
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
    .map((linear) => {
      const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
      return Math.round(Math.min(Math.max(value, 0), 1) * 255)
        .toString(16)
        .padStart(2, '0');
    })
    .join('')}`;
}
