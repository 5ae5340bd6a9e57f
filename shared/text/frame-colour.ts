import { splitFrameLabel } from './format-frame.ts';
import { type FrameFamily, frameFamily } from './frame-family.ts';
import { mixed, oklch } from './oklch.ts';

export type ColourTheme = 'light' | 'dark';

/** What the colour of a frame tells: its package, the thread that it ran in, or how much of its weight is its own. */
export type ColourBy = 'package' | 'thread' | 'self';

export const COLOUR_BY: readonly ColourBy[] = ['package', 'thread', 'self'];

/** A frame, as far as its colour depends on it. */
export interface StyledFrame {
  readonly label: string;
  readonly kind: 'all' | 'thread' | 'frame' | 'error' | 'remainder';
  /** Its name matches the search; a remainder block: some frame in it does. */
  readonly match: boolean;
  /** Label of its thread. Without one, colours by thread are those by package: all threads are in one tree. */
  readonly thread?: string | undefined;
  /** Its self weight as a share of all that is shown, 0 to 1. Needed for colours by self. */
  readonly selfShare?: number | undefined;
}

export interface ColourScheme {
  readonly theme: ColourTheme;
  readonly colourBy: ColourBy;
  /** A search is on: frames that do not match are pale. */
  readonly searching: boolean;
}

/** How a frame is drawn. All colours are `#rrggbb`. Equal styles are mostly the same object. */
export interface FrameStyle {
  readonly fill: string;
  /** Its label; at least 4.5 : 1 on `fill`. */
  readonly text: string;
  /** Diagonal lines in `hatch` are drawn over the fill: errors, and blocks of narrow frames. */
  readonly hatched: boolean;
  readonly hatch: string;
  /** A line inside the edge, for matches; undefined for none. */
  readonly outline: string | undefined;
  /** The same hue, strong: for a mark beside a name. At least 3 : 1 on the surface. */
  readonly mark: string;
}

/**
 * The colours of a frame, the same on screen, in tables and in an exported image.
 *
 * The family (`frameFamily`) decides the range of hues: application warm, JDK blue, native and errors grey. By package,
 * the hue within the range comes from a hash of the package name, and the lightness differs a little from class to
 * class; line, BCI and method id change nothing. By thread, the hue comes from the thread's name. By self, colours are
 * the stronger the more of the samples ended in the frame: full at a quarter of all.
 *
 * Matches of a search keep their hue, with a tint and an outline; other frames are mixed with the surface colour.
 * Errors are hatched, with no stronger colour than other frames.
 */
export function frameStyle(frame: StyledFrame, { theme, colourBy, searching }: ColourScheme): FrameStyle {
  const { kind, match } = frame;
  const states = kind === 'frame' ? ofFrame(frame, theme, colourBy) : FIXED[theme][kind];
  if (match) return states.match;
  return searching && kind !== 'remainder' ? states.dimmed : states.plain;
}

/** The strong colour of a family, for legends. */
export function familyStyle(family: FrameFamily, theme: ColourTheme): FrameStyle {
  const { from, to } = HUES[family];
  return familyStates(family, theme, (from + to) / 2, 0).plain;
}

/** Colour of labels on every fill of the theme, but for frames that a search dims. */
export function labelColour(theme: ColourTheme): string {
  return FLAME_TONES[theme].label;
}

/** What a flame graph on screen is drawn with besides the fills; as in the window's style sheet (tested). */
export interface FlameTones {
  /** Behind the frames and between them. */
  readonly surface: string;
  readonly label: string;
  /** Label of a frame that a search leaves out. */
  readonly dimmedLabel: string;
  readonly remainderLabel: string;
  readonly remainderEdge: string;
}

export const FLAME_TONES: Readonly<Record<ColourTheme, FlameTones>> = {
  light: {
    surface: '#ffffff',
    label: '#1b1d24',
    dimmedLabel: '#5b6170',
    remainderLabel: '#5c6270',
    remainderEdge: '#b9bec9',
  },
  dark: {
    surface: '#191b20',
    label: '#f3f4f8',
    dimmedLabel: '#a2a8b5',
    remainderLabel: '#9ea4b2',
    remainderEdge: '#565c69',
  },
};

/** A frame in the states of a search. */
interface States {
  readonly plain: FrameStyle;
  readonly match: FrameStyle;
  readonly dimmed: FrameStyle;
}

/** Degrees of oklch. Magenta is for matches. */
const HUES: Readonly<Record<FrameFamily, { readonly from: number; readonly to: number }>> = {
  application: { from: 54, to: 104 },
  jdk: { from: 222, to: 272 },
  native: { from: 290, to: 325 },
};
/** Hues in a family: more of them could not be told apart. */
const HUE_STEPS = 10;

interface Tone {
  readonly lightness: number;
  readonly chroma: number;
}

const TONES: Readonly<Record<ColourTheme, Readonly<Record<FrameFamily, Tone>>>> = {
  light: {
    application: { lightness: 0.86, chroma: 0.095 },
    jdk: { lightness: 0.87, chroma: 0.055 },
    native: { lightness: 0.86, chroma: 0.02 },
  },
  dark: {
    application: { lightness: 0.46, chroma: 0.078 },
    jdk: { lightness: 0.43, chroma: 0.062 },
    native: { lightness: 0.42, chroma: 0.02 },
  },
};
/** Of marks: their lightness, and their chroma as a multiple of the fill's. */
const MARK_TONES: Readonly<Record<ColourTheme, { readonly lightness: number; readonly gain: number }>> = {
  light: { lightness: 0.63, gain: 1.5 },
  dark: { lightness: 0.7, gain: 1.5 },
};
const MATCH_TINT: Readonly<Record<ColourTheme, string>> = {
  light: oklch(0.8, 0.16, 340),
  dark: oklch(0.5, 0.19, 340),
};
const MATCH_OUTLINE: Readonly<Record<ColourTheme, string>> = {
  light: oklch(0.5, 0.22, 340),
  dark: oklch(0.78, 0.17, 340),
};
const MATCH_SHARE = 0.18;
/** How much of the surface is in a dimmed frame. */
const DIMMED_SHARE: Readonly<Record<ColourTheme, number>> = { light: 0.72, dark: 0.66 };

const FIXED: Readonly<Record<ColourTheme, Readonly<Record<Exclude<StyledFrame['kind'], 'frame'>, States>>>> =
  {
    light: {
      all: states('light', oklch(0.92, 0.008, 260), oklch(0.6, 0.02, 260)),
      thread: states('light', oklch(0.92, 0.008, 260), oklch(0.6, 0.02, 260)),
      error: states('light', oklch(0.88, 0.03, 20), oklch(0.6, 0.09, 20), oklch(0.79, 0.05, 20)),
      remainder: states('light', oklch(0.95, 0.005, 260), oklch(0.6, 0.02, 260), oklch(0.88, 0.01, 260)),
    },
    dark: {
      all: states('dark', oklch(0.35, 0.012, 260), oklch(0.68, 0.02, 260)),
      thread: states('dark', oklch(0.35, 0.012, 260), oklch(0.68, 0.02, 260)),
      error: states('dark', oklch(0.38, 0.04, 20), oklch(0.68, 0.07, 20), oklch(0.47, 0.06, 20)),
      remainder: states('dark', oklch(0.27, 0.008, 260), oklch(0.68, 0.02, 260), oklch(0.36, 0.01, 260)),
    },
  };

/** The states of one fill; `hatch` is given where it is hatched. */
function states(theme: ColourTheme, fill: string, mark: string, hatch?: string): States {
  const { surface, label, dimmedLabel } = FLAME_TONES[theme];
  const common = { hatched: hatch !== undefined, hatch: hatch ?? fill, mark };
  const share = DIMMED_SHARE[theme];
  return {
    plain: { ...common, fill, text: label, outline: undefined },
    match: {
      ...common,
      fill: mixed(fill, MATCH_TINT[theme], MATCH_SHARE),
      text: label,
      outline: MATCH_OUTLINE[theme],
    },
    dimmed: {
      ...common,
      fill: mixed(fill, surface, share),
      hatch: mixed(common.hatch, surface, share),
      text: dimmedLabel,
      outline: undefined,
    },
  };
}

/** Of a family, at a hue; `shade` -2 to 2 is how light it is among those. */
function familyStates(family: FrameFamily, theme: ColourTheme, hue: number, shade: number): States {
  const { lightness, chroma } = TONES[theme][family];
  const mark = MARK_TONES[theme];
  return states(
    theme,
    oklch(lightness + shade * 0.012, chroma, hue),
    oklch(mark.lightness, chroma * mark.gain, hue),
  );
}

const SELF_LEVELS = 12;
/** Share of all samples at which colours by self are full. */
const FULL_SELF_SHARE = 0.25;
/** Tones of frames whose share of self is none, and how much lightness and chroma change up to the full colour. */
const SELF_TONES: Readonly<
  Record<ColourTheme, { readonly none: Tone; readonly lightness: number; readonly gain: number }>
> = {
  light: { none: { lightness: 0.945, chroma: 0.012 }, lightness: 0.77, gain: 1.6 },
  dark: { none: { lightness: 0.3, chroma: 0.012 }, lightness: 0.49, gain: 1.6 },
};

/** Of a family, the stronger the higher `level` is, 0 to SELF_LEVELS. */
function selfStates(family: FrameFamily, theme: ColourTheme, level: number): States {
  const { from, to } = HUES[family];
  const hue = (from + to) / 2;
  const { none, lightness, gain } = SELF_TONES[theme];
  const { chroma } = TONES[theme][family];
  const strength = level / SELF_LEVELS;
  const mark = MARK_TONES[theme];
  return states(
    theme,
    oklch(
      none.lightness + (lightness - none.lightness) * strength,
      none.chroma + (chroma * gain - none.chroma) * strength,
      hue,
    ),
    oklch(mark.lightness, chroma * mark.gain, hue),
  );
}

/** Styles that were made before: frames are styled at every paint, and their labels are few. */
interface Known {
  readonly byLabel: Map<string, States>;
  readonly byTone: Map<string, States>;
}

const KNOWN: Readonly<Record<ColourTheme, Known>> = {
  light: { byLabel: new Map(), byTone: new Map() },
  dark: { byLabel: new Map(), byTone: new Map() },
};
const FAMILIES = new Map<string, FrameFamily>();
/** Labels that a cache keeps before it is cleared; some megabytes. */
const MOST_KNOWN = 50_000;

function remembered<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, value);
  }
  return value;
}

function ofFrame(frame: StyledFrame, theme: ColourTheme, colourBy: ColourBy): States {
  const { label, thread, selfShare = 0 } = frame;
  const { byLabel, byTone } = KNOWN[theme];
  if (colourBy === 'self') {
    const family = familyOf(label);
    const level = Math.round(SELF_LEVELS * Math.sqrt(Math.min(Math.max(selfShare / FULL_SELF_SHARE, 0), 1)));
    return remembered(byTone, `${family} self ${level}`, () => selfStates(family, theme, level));
  }
  if (colourBy === 'thread' && thread !== undefined) {
    const family = familyOf(label);
    const hue = (hash(thread) % 36) * 10;
    return remembered(byTone, `${family} ${hue} 0`, () => familyStates(family, theme, hue, 0));
  }
  return byLabel.get(label) ?? remembered(byLabel, label, () => packageStates(label, theme));
}

function packageStates(label: string, theme: ColourTheme): States {
  const family = familyOf(label);
  const { package: path, name } = splitFrameLabel(label);
  const className = path + name.slice(0, Math.max(0, name.lastIndexOf('.')));
  // Without a package the class is all there is to tell frames apart, and without that the name.
  const group = path !== '' ? path : className !== '' ? className : name;
  const { from, to } = HUES[family];
  const hue = from + ((to - from) * (hash(group) % HUE_STEPS)) / (HUE_STEPS - 1);
  const shade = (hash(className) % 5) - 2;
  return remembered(KNOWN[theme].byTone, `${family} ${hue} ${shade}`, () =>
    familyStates(family, theme, hue, shade),
  );
}

function familyOf(label: string): FrameFamily {
  return FAMILIES.get(label) ?? remembered(FAMILIES, label, () => frameFamily(label));
}

/** FNV-1a: names that differ in one character get unrelated colours. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  // The low bits of FNV hardly depend on the last characters.
  return (value ^ (value >>> 15)) >>> 0;
}
