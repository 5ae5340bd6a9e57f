import { splitFrameLabel } from './format-frame.ts';

export type ColourTheme = 'light' | 'dark';

/** What a frame's colour depends on besides its name. */
export interface ColourOf {
  readonly label: string;
  readonly kind: 'all' | 'thread' | 'frame' | 'error' | 'remainder';
  /** Its name matches the search. */
  readonly match: boolean;
  /** A search is on: what does not match steps back. */
  readonly searching: boolean;
}

/**
 * Fill of a frame as `#rrggbb`, the same on screen and in an exported picture: a hue per package, a shade per class,
 * the program's own code warm and strong, the JDK cool and pale. All fills of a theme are about equally light, so that one
 * text colour reads on every one of them (at least 4.5 : 1, tested).
 */
export function frameColour({ label, kind, match, searching }: ColourOf, theme: ColourTheme): string {
  const tones = TONES[theme];
  if (match) return tones.match;
  if (kind === 'remainder') return tones.remainder;
  if (searching) return tones.dimmed;
  if (kind === 'error') return tones.error;
  if (kind !== 'frame') return tones.root;
  return ofFrame(label, theme);
}

/** Colour of labels on every fill of the theme. */
export function labelColour(theme: ColourTheme): string {
  return theme === 'light' ? '#1b1d24' : '#f3f4f8';
}

/** What a flame graph on screen is drawn with besides the fills; as in the window's style sheet (tested). */
export interface PictureTones {
  /** Behind the frames and between them. */
  readonly surface: string;
  readonly label: string;
  /** Label of a frame that a search leaves out. */
  readonly dimmedLabel: string;
  readonly remainderLabel: string;
  readonly remainderEdge: string;
}

export const PICTURE_TONES: Readonly<Record<ColourTheme, PictureTones>> = {
  light: {
    surface: '#ffffff',
    label: labelColour('light'),
    dimmedLabel: '#5b6170',
    remainderLabel: '#5c6270',
    remainderEdge: '#b9bec9',
  },
  dark: {
    surface: '#191b20',
    label: labelColour('dark'),
    dimmedLabel: '#9ba1af',
    remainderLabel: '#9ea4b2',
    remainderEdge: '#565c69',
  },
};

/** Degrees of oklch: warm for the program, cool for the JDK; red and magenta are for errors and matches. */
const PROGRAM_HUES = [46, 58, 70, 82, 96, 112, 130];
const JDK_HUES = [200, 218, 236, 254, 272];
const JDK = /^(?:java|javax|jdk|sun|com\.sun|javafx)\./;

const cache = new Map<string, string>();

function ofFrame(label: string, theme: ColourTheme): string {
  const { package: path, name } = splitFrameLabel(label);
  const className = path + name.slice(0, Math.max(0, name.lastIndexOf('.')));
  const key = theme + className;
  let colour = cache.get(key);
  if (colour === undefined) {
    const isJdk = JDK.test(path);
    const hues = isJdk ? JDK_HUES : PROGRAM_HUES;
    // Without a package a class is all there is to tell frames apart.
    const hue = hues[hash(path === '' ? className : path) % hues.length];
    const shade = ((hash(className) % 7) - 3) * 0.011;
    const light = theme === 'light';
    const lightness = (light ? (isJdk ? 0.87 : 0.85) : isJdk ? 0.42 : 0.45) + shade;
    colour = oklch(lightness, light ? (isJdk ? 0.045 : 0.1) : isJdk ? 0.045 : 0.075, hue);
    cache.set(key, colour);
  }
  return colour;
}

const TONES = {
  light: {
    root: oklch(0.9, 0.012, 260),
    error: oklch(0.8, 0.065, 20),
    match: oklch(0.76, 0.19, 335),
    dimmed: oklch(0.925, 0.008, 260),
    remainder: oklch(0.94, 0.006, 260),
  },
  dark: {
    root: oklch(0.36, 0.015, 260),
    error: oklch(0.43, 0.07, 20),
    match: oklch(0.53, 0.22, 340),
    dimmed: oklch(0.3, 0.01, 260),
    remainder: oklch(0.27, 0.008, 260),
  },
} as const;

/** FNV-1a: names that differ in one character get unrelated colours. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  // The low bits of FNV hardly depend on the last characters.
  return (value ^ (value >>> 15)) >>> 0;
}

/** Björn Ottosson's oklch to sRGB, clipped to the gamut: viewers of exported pictures do not know oklch(). */
function oklch(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s;
  return `#${[red, green, blue].map(channel).join('')}`;
}

function channel(linear: number): string {
  const clipped = Math.min(Math.max(linear, 0), 1);
  const encoded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, '0');
}
