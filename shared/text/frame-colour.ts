import { splitFrameLabel } from './format-frame.ts';
import { mixed, oklch } from './oklch.ts';

export type ColourTheme = 'light' | 'dark';

/** The property that the colour of a frame shows: its package, its thread's pool, or the share of all samples that ended in it. */
export type ColourBy = 'package' | 'thread' | 'self';

export const COLOUR_BY: readonly ColourBy[] = ['package', 'thread', 'self'];

/** The properties of a frame that its colour depends on. */
export interface StyledFrame {
  readonly label: string;
  readonly kind: 'all' | 'thread' | 'frame' | 'error' | 'block';
  /** Its name matches the search. For a block: a frame in it matches. */
  readonly match: boolean;
  /** The pool of its thread; undefined if it stands for several, or for unknown threads. Required for colours by thread. */
  readonly pool?: string | undefined;
  /** Its self weight as a share of all that is shown, 0 to 1. Required for colours by self. */
  readonly selfShare?: number | undefined;
}

export interface ColourScheme {
  readonly theme: ColourTheme;
  readonly colourBy: ColourBy;
  /** There is a search: frames that do not match are pale. */
  readonly searching: boolean;
  /** Label of the selected method, whose frames are tinted; undefined for none. */
  readonly selected?: string | undefined;
}

/** The style of a frame. Colours are `#rrggbb`. Equal styles are usually the same object. */
export interface FrameStyle {
  readonly fill: string;
  /** Colour of its label; the contrast to `fill` is at least 4.5 : 1. */
  readonly text: string;
  /** Diagonal lines of the colour `hatch` are drawn over the fill, for errors and for blocks of narrow frames. */
  readonly hatched: boolean;
  readonly hatch: string;
  /** Replaces fill and lines in areas too narrow for lines: a mix of `fill` and `hatch`. Without a hatch it is `fill`. */
  readonly unhatched: string;
  /** Colour of a line inside the edge, for matches; undefined: no line. */
  readonly outline: string | undefined;
  /** A stronger colour of the same hue, for a mark beside a name. The contrast to the surface is at least 3 : 1. */
  readonly mark: string;
}

/**
 * The colours of a frame, the same on screen, in tables and in an exported image.
 *
 * The family (`frameFamily`) decides the range of hues: application warm, JDK blue, native and errors grey. By package,
 * a hash of the package name selects the hue within the range, and the lightness differs a little between classes; line,
 * BCI and method id have no effect. By thread, a hash of the name of the thread's pool selects the hue; a frame of
 * several pools is grey. By self, the colour is stronger if more samples ended in the frame, up to FULL_SELF_SHARE.
 *
 * Matches of a search keep their hue, with a tint and an outline; other frames are mixed with the surface colour. Frames
 * of the selected method have the tint of the selection. Errors are hatched, with no stronger colour than other frames.
 */
export function frameStyle(
  frame: StyledFrame,
  { theme, colourBy, searching, selected }: ColourScheme,
): FrameStyle {
  const { kind, label, match } = frame;
  const states = kind === 'frame' ? ofFrame(frame, theme, colourBy) : FIXED[theme][kind];
  const isDimmed = searching && kind !== 'block';
  const style = match ? states.match : isDimmed ? states.dimmed : states.plain;
  return label === selected && (kind === 'frame' || kind === 'error') ? selectedStyle(style, theme) : style;
}

/** Fills of a family for legends: samples of its hues, by self from the weakest to the strongest. */
export function familyFills(family: FrameFamily, { theme, colourBy }: ColourScheme): readonly string[] {
  const states =
    colourBy === 'self'
      ? [0, SELF_LEVELS / 4, SELF_LEVELS].map((level) => selfStates(family, theme, level))
      : [0, (HUE_STEPS - 1) / 2, HUE_STEPS - 1].map((step) => hueStates(family, theme, step, 0));
  return states.map(({ plain }) => plain.fill);
}

/** The fill of a pool of threads, for legends; undefined for unknown threads. */
export function poolFill(pool: string | undefined, theme: ColourTheme): string {
  return poolStates('application', theme, pool).plain.fill;
}

/** Colour of labels on every fill of the theme, except on frames that a search makes pale. */
export function labelColour(theme: ColourTheme): string {
  return FLAME_TONES[theme].label;
}

/** Colours of a flame graph besides the fills. A test checks that they equal those of the window's style sheet. */
interface FlameTones {
  /** Background, also between frames. */
  readonly surface: string;
  readonly label: string;
  /** Label of a frame that does not match the search. */
  readonly dimmedLabel: string;
  readonly blockLabel: string;
  readonly blockEdge: string;
}

export const FLAME_TONES: Readonly<Record<ColourTheme, FlameTones>> = {
  light: {
    surface: '#ffffff',
    label: '#1b1d24',
    dimmedLabel: '#5b6170',
    blockLabel: '#5c6270',
    blockEdge: '#b9bec9',
  },
  dark: {
    surface: '#191b20',
    label: '#0b0c10',
    dimmedLabel: '#c3c8d2',
    blockLabel: '#9ea4b2',
    blockEdge: '#565c69',
  },
};

/** The styles of a frame without a search, and with a search that it matches or does not match. */
interface States {
  readonly plain: FrameStyle;
  readonly match: FrameStyle;
  readonly dimmed: FrameStyle;
}

/** Ranges of hues, degrees of oklch. Magenta is used for matches. */
const HUES: Readonly<Record<FrameFamily, { readonly from: number; readonly to: number }>> = {
  application: { from: 34, to: 98 },
  jdk: { from: 208, to: 282 },
  native: { from: 290, to: 325 },
};
/** Number of hues of a family: more hues could not be distinguished. Odd, so that one is in the middle. */
const HUE_STEPS = 7;
/** Shade of a hue of a package, alternately darker and lighter so that neighbours differ more. */
const STEP_SHADE = 1.5;
/** The strength of the difference between the shades of a package's classes. */
const CLASS_SHADE = 0.6;
/** Number of hues for pools of threads, spread over the whole circle. */
const POOL_HUES = 24;

interface Tone {
  readonly lightness: number;
  readonly chroma: number;
}

const TONES: Readonly<Record<ColourTheme, Readonly<Record<FrameFamily, Tone>>>> = {
  light: {
    application: { lightness: 0.86, chroma: 0.1 },
    jdk: { lightness: 0.87, chroma: 0.062 },
    native: { lightness: 0.86, chroma: 0.02 },
  },
  dark: {
    application: { lightness: 0.69, chroma: 0.1 },
    jdk: { lightness: 0.67, chroma: 0.072 },
    native: { lightness: 0.66, chroma: 0.02 },
  },
};
/** Lightness of marks, and their chroma as a multiple of the fill's. */
const MARK_TONES: Readonly<Record<ColourTheme, { readonly lightness: number; readonly gain: number }>> = {
  light: { lightness: 0.63, gain: 1.5 },
  dark: { lightness: 0.72, gain: 1.3 },
};
const MATCH_TINT: Readonly<Record<ColourTheme, string>> = {
  light: oklch(0.8, 0.16, 340),
  dark: oklch(0.68, 0.19, 340),
};
const MATCH_OUTLINE: Readonly<Record<ColourTheme, string>> = {
  light: oklch(0.5, 0.22, 340),
  dark: oklch(0.4, 0.19, 340),
};
const MATCH_SHARE = 0.18;
/** Hue of the window's accent colour, which marks the selection in flame graphs too. */
const SELECTED_TINT: Readonly<Record<ColourTheme, string>> = {
  light: oklch(0.66, 0.19, 282),
  dark: oklch(0.74, 0.14, 282),
};
const SELECTED_SHARE = 0.6;
/** The share of the hatch in `unhatched`. */
const UNHATCHED_SHARE = 0.5;
/** Share of the surface's colour in the fill of a pale frame. */
const DIMMED_SHARE: Readonly<Record<ColourTheme, number>> = { light: 0.72, dark: 0.66 };

const FIXED: Readonly<Record<ColourTheme, Readonly<Record<Exclude<StyledFrame['kind'], 'frame'>, States>>>> =
  {
    light: {
      all: states('light', oklch(0.92, 0.008, 260), oklch(0.6, 0.02, 260)),
      thread: states('light', oklch(0.92, 0.008, 260), oklch(0.6, 0.02, 260)),
      error: states('light', oklch(0.88, 0.03, 20), oklch(0.6, 0.09, 20), oklch(0.79, 0.05, 20)),
      block: states('light', oklch(0.95, 0.005, 260), oklch(0.6, 0.02, 260), oklch(0.88, 0.01, 260)),
    },
    dark: {
      all: states('dark', oklch(0.62, 0.012, 260), oklch(0.68, 0.02, 260)),
      thread: states('dark', oklch(0.62, 0.012, 260), oklch(0.68, 0.02, 260)),
      error: states('dark', oklch(0.66, 0.04, 20), oklch(0.68, 0.07, 20), oklch(0.6, 0.06, 20)),
      block: states(
        'dark',
        oklch(0.27, 0.008, 260),
        oklch(0.68, 0.02, 260),
        oklch(0.36, 0.01, 260),
        '#f3f4f8',
      ),
    },
  };

/** The styles for one fill. `hatch`: the colour of its hatch; undefined if it is not hatched. */
function states(
  theme: ColourTheme,
  fill: string,
  mark: string,
  hatch?: string,
  label = FLAME_TONES[theme].label,
): States {
  const { surface, dimmedLabel } = FLAME_TONES[theme];
  const hatched = hatch !== undefined;
  const share = DIMMED_SHARE[theme];
  const style = (
    own: Pick<FrameStyle, 'fill' | 'text' | 'outline'>,
    lines: string | undefined = own.fill,
  ): FrameStyle => ({
    ...own,
    hatched,
    hatch: lines,
    unhatched: mixed(own.fill, lines, UNHATCHED_SHARE),
    mark,
  });
  return {
    plain: style({ fill, text: label, outline: undefined }, hatch),
    match: style(
      { fill: mixed(fill, MATCH_TINT[theme], MATCH_SHARE), text: label, outline: MATCH_OUTLINE[theme] },
      hatch,
    ),
    dimmed: style(
      { fill: mixed(fill, surface, share), text: dimmedLabel, outline: undefined },
      hatch && mixed(hatch, surface, share),
    ),
  };
}

/** A style of other colours than those of the frame's package, with what a search and the selection add. */
export function emphasised(
  style: FrameStyle,
  { kind, label, match }: StyledFrame,
  { theme, searching, selected }: ColourScheme,
): FrameStyle {
  const { surface, dimmedLabel } = FLAME_TONES[theme];
  const pale = (colour: string): string => mixed(colour, surface, DIMMED_SHARE[theme]);
  const { fill, hatch, unhatched } = style;
  const searched = match
    ? { ...style, outline: MATCH_OUTLINE[theme] }
    : searching
      ? { ...style, fill: pale(fill), hatch: pale(hatch), unhatched: pale(unhatched), text: dimmedLabel }
      : style;
  const isSelected = label === selected && (kind === 'frame' || kind === 'error');
  return isSelected ? selectedStyle(searched, theme) : searched;
}

const SELECTED_STYLES = new WeakMap<FrameStyle, FrameStyle>();

/** A style with the tint of the selection. */
function selectedStyle(style: FrameStyle, theme: ColourTheme): FrameStyle {
  let found = SELECTED_STYLES.get(style);
  if (found === undefined) {
    const tinted = (colour: string): string => mixed(colour, SELECTED_TINT[theme], SELECTED_SHARE);
    const { fill, hatch, unhatched } = style;
    found = {
      ...style,
      fill: tinted(fill),
      hatch: tinted(hatch),
      unhatched: tinted(unhatched),
      text: labelColour(theme),
    };
    SELECTED_STYLES.set(style, found);
  }
  return found;
}

/** The styles of a family at a hue. `shade`, -3 to 3, makes them a little darker or lighter. */
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
/** Share of all samples from which on colours by self have full strength. */
export const FULL_SELF_SHARE = 0.25;
/** Tones of frames without self samples; lightness at full strength, and chroma as a multiple of the family's. */
const SELF_TONES: Readonly<
  Record<ColourTheme, { readonly none: Tone; readonly lightness: number; readonly gain: number }>
> = {
  light: { none: { lightness: 0.945, chroma: 0.012 }, lightness: 0.77, gain: 1.6 },
  dark: { none: { lightness: 0.6, chroma: 0.012 }, lightness: 0.72, gain: 1.6 },
};

/** The styles of a family for colours by self: 0 is the weakest level, SELF_LEVELS the strongest. */
function selfStates(family: FrameFamily, theme: ColourTheme, level: number): States {
  const { from, to } = HUES[family];
  const hue = (from + to) / 2;
  const { none, lightness, gain } = SELF_TONES[theme];
  const { chroma } = TONES[theme][family];
  const strength = level / SELF_LEVELS;
  const mark = MARK_TONES[theme];
  const strongest = chroma * gain;
  return states(
    theme,
    oklch(
      none.lightness + (lightness - none.lightness) * strength,
      none.chroma + (strongest - none.chroma) * strength,
      hue,
    ),
    oklch(mark.lightness, none.chroma + (chroma * mark.gain - none.chroma) * strength, hue),
  );
}

/** Caches of styles: frames get their styles at every paint, and they have few different labels. */
interface StyleCache {
  readonly byLabel: Map<string, States>;
  readonly byTone: Map<string, States>;
}

const STYLES: Readonly<Record<ColourTheme, StyleCache>> = {
  light: { byLabel: new Map(), byTone: new Map() },
  dark: { byLabel: new Map(), byTone: new Map() },
};
const FAMILIES = new Map<string, FrameFamily>();
/** A cache with this many entries, a few megabytes, is cleared before the next one is added. */
const MOST_CACHED = 50_000;

function cached<Value>(cache: Map<string, Value>, key: string, make: () => Value): Value {
  let value = cache.get(key);
  if (value === undefined) {
    value = make();
    if (cache.size >= MOST_CACHED) cache.clear();
    cache.set(key, value);
  }
  return value;
}

function ofFrame(frame: StyledFrame, theme: ColourTheme, colourBy: ColourBy): States {
  const { label, pool, selfShare = 0 } = frame;
  const { byLabel, byTone } = STYLES[theme];
  if (colourBy === 'self') {
    const family = familyOf(label);
    const level = Math.round(SELF_LEVELS * Math.sqrt(Math.min(Math.max(selfShare / FULL_SELF_SHARE, 0), 1)));
    return cached(byTone, `${family} self ${level}`, () => selfStates(family, theme, level));
  }
  if (colourBy === 'thread') return poolStates(familyOf(label), theme, pool);
  return byLabel.get(label) ?? cached(byLabel, label, () => packageStates(label, theme));
}

function poolStates(family: FrameFamily, theme: ColourTheme, pool: string | undefined): States {
  if (pool === undefined) return FIXED[theme].thread;
  return cached(STYLES[theme].byTone, `${family} pool ${pool}`, () => {
    const code = hash(pool);
    const hue = (code % POOL_HUES) * (360 / POOL_HUES);
    const shade = (Math.floor(code / POOL_HUES) % 3) - 1;
    return familyStates(family, theme, hue, 2 * shade);
  });
}

function packageStates(label: string, theme: ColourTheme): States {
  const family = familyOf(label);
  const { package: path, name } = splitFrameLabel(label);
  const className = path + name.slice(0, Math.max(0, name.lastIndexOf('.')));
  // A class without a package is a group of its own, and so is a name without a class.
  const group = path !== '' ? path : className !== '' ? className : name;
  const step = hash(group) % HUE_STEPS;
  const shade = (hash(className) % 5) - 2;
  return cached(STYLES[theme].byTone, `${family} ${step} ${shade}`, () =>
    hueStates(family, theme, step, shade),
  );
}

/** The styles of a package. `step`: its hue, 0 to HUE_STEPS - 1. `shade`: of its class, -2 to 2. */
function hueStates(family: FrameFamily, theme: ColourTheme, step: number, shade: number): States {
  const { from, to } = HUES[family];
  const hue = from + ((to - from) * step) / (HUE_STEPS - 1);
  const stepShade = step % 2 === 0 ? -STEP_SHADE : STEP_SHADE;
  return familyStates(family, theme, hue, stepShade + CLASS_SHADE * shade);
}

function familyOf(label: string): FrameFamily {
  return FAMILIES.get(label) ?? cached(FAMILIES, label, () => frameFamily(label));
}

/** The FNV-1a hash: names that differ in one character get unrelated colours. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  // Mixes the high bits into the low ones, which select the colour.
  return (value ^ (value >>> 15)) >>> 0;
}

/** Where the code of a frame comes from. It decides the frame's colour. */
export type FrameFamily = 'application' | 'jdk' | 'native';

export const FRAME_FAMILIES: readonly FrameFamily[] = ['application', 'jdk', 'native'];

/** Packages of the JDK's modules, with dots or slashes. */
const JDK =
  /^(?:java|javax|jdk|sun|javafx|com[./]sun|com[./]oracle[./](?:jrockit|graal)|org[./]graalvm|org[./]w3c[./]dom|org[./]xml[./]sax|org[./]ietf[./]jgss)[./]/;
/** `libjvm.so`, `libc.so.6`, `ntdll.dll`, `libsystem.dylib`: libraries, whose names contain dots like class names. */
const LIBRARY = /\.(?:so(?:\.\d+)*|dll|dylib)$/;

/**
 * The family of a frame. It depends only on the label, so that it is the same for all formats:
 *
 *   jdk           its class is in a package of the JDK: java., javax., jdk., sun., com.sun., …; also with slashes
 *   native        it has no class (C and C++ functions, the kernel, VM stubs), or is not a method at all:
 *                 Compiler::compile_method, [unknown], (truncated), <UNIDENTIFIED : Method Id = 7>, libc.so.6
 *   application   everything else: the program and its libraries
 *
 * Error rows (`RowKind` error) are drawn with the native family, see `frameStyle`.
 */
export function frameFamily(label: string): FrameFamily {
  const first = label.charCodeAt(0);
  if (first === 0x3c /* < */ || first === 0x5b /* [ */) return 'native';
  const { package: path, name } = splitFrameLabel(label);
  if (JDK.test(path)) return 'jdk';
  const hasClass = path !== '' || name.lastIndexOf('.') > 0;
  return !hasClass || name.includes('::') || LIBRARY.test(path + name) ? 'native' : 'application';
}
