import { type CSSProperties, type ReactNode, useMemo } from 'react';
import {
  type ColourScheme,
  familyFills,
  frameFamily,
  FRAME_FAMILIES,
  type FrameFamily,
  frameStyle,
  FULL_SELF_SHARE,
  poolFill,
} from '../../../shared/text/frame-colour.ts';
import { type FlameLayout, KIND, kindAt, labelAt } from '../../../shared/engine/views/flame-columns.ts';
import { comparedSides, type SideWords } from '../../store/state/compared-names.ts';
import { useWindow } from '../../store/state/window-store.ts';
import './legend.css';
import { DIFFERENCE_LEVELS, differenceStyle } from '../../../shared/text/difference-colour.ts';
import { formatShare } from '../../../shared/text/format-value.ts';
import { poolOfThreadKey } from '../../../shared/engine/trees/keys.ts';

interface FrameLegendProps {
  readonly scheme: ColourScheme;
  readonly layout: FlameLayout;
  /** Label of the root's thread; undefined if it stands for several. */
  readonly thread: string | undefined;
}

/** The meaning of the colours of frames. */
export function FrameLegend({ scheme, layout, thread }: FrameLegendProps): ReactNode {
  const sides = useWindow(comparedSides);
  const { entries, tip } = useMemo(
    () => legendOf(scheme, layout, thread, sides),
    [scheme, layout, thread, sides],
  );
  return (
    <ul
      className="legend frame-legend"
      aria-label="Colours of frames"
      data-testid="frame-legend"
      data-tip={tip}
    >
      {entries.map((entry) => (
        <li key={entry.name}>
          {entry.fills.length > 0 && (
            <span className="legend-swatch" aria-hidden="true" style={swatch(entry)} />
          )}
          <span className="legend-name">{entry.name}</span>
        </li>
      ))}
    </ul>
  );
}

function swatch({ fills, hatch, outline }: LegendEntry): CSSProperties {
  const [fill] = fills;
  const band = 100 / fills.length;
  const bands = fills.map((each, at) => `${each} ${at * band}% ${(at + 1) * band}%`);
  return {
    width: 8 + 4 * fills.length,
    background:
      hatch === undefined
        ? `linear-gradient(90deg, ${bands.join(', ')})`
        : `repeating-linear-gradient(135deg, ${hatch} 0 2px, ${fill} 2px 4px)`,
    outline: outline === undefined ? undefined : `1px solid ${outline}`,
  };
}

interface LegendEntry {
  readonly name: string;
  /** Bands of the swatch from left to right; empty for a text without swatch. */
  readonly fills: readonly string[];
  /** Colour of diagonal lines over the swatch; undefined for none. */
  readonly hatch?: string | undefined;
  readonly outline?: string | undefined;
}

export interface Legend {
  readonly entries: readonly LegendEntry[];
  /** The explanation of a colour. */
  readonly tip: string;
}

const FAMILY_NAMES: Readonly<Record<FrameFamily, string>> = {
  application: 'Application',
  jdk: 'JDK',
  native: 'Native',
};
/** Pools of threads with an entry of their own. */
const MOST_POOLS = 5;

const TIPS = {
  package: 'Each package has its own hue, in the range of its family',
  thread: 'Threads of a pool, whose names differ in a number, have one colour',
  self: 'The more of what is shown ended in a frame, the stronger its colour',
} as const;

/** The meaning of the colours of a flame graph. `thread`: label of the root's thread; undefined if it stands for several. */
export function legendOf(
  scheme: ColourScheme,
  layout: FlameLayout,
  thread: string | undefined,
  sides?: SideWords,
): Legend {
  const { colourBy, searching } = scheme;
  if (layout.difference !== undefined) return differenceLegend(scheme, sides);
  return {
    entries: [
      ...(colourBy === 'thread' ? poolEntries(scheme, layout, thread) : familyEntries(scheme, layout)),
      ...(layout.kind.includes(KIND.error) ? [errorEntry(scheme)] : []),
      ...(searching ? [matchEntry(scheme)] : []),
    ],
    tip: TIPS[colourBy],
  };
}

function differenceLegend(scheme: ColourScheme, sides: SideWords = { next: 'new', base: 'base' }): Legend {
  const { theme, searching } = scheme;
  const levels = Array.from({ length: DIFFERENCE_LEVELS }, (_, at) => at + 1);
  const fillOf = (level: number): string => differenceStyle(theme, level, undefined).fill;
  const added = differenceStyle(theme, 3, 'new');
  const gone = differenceStyle(theme, -3, 'base');
  return {
    entries: [
      { name: '\u2212 less', fills: levels.toReversed().map((level) => fillOf(-level)) },
      { name: 'chance', fills: [fillOf(0)] },
      { name: '+ more', fills: levels.map(fillOf) },
      { name: `only ${sides.next}`, fills: [added.fill], outline: added.outline },
      { name: `only ${sides.base}`, fills: [gone.fill], hatch: gone.hatch },
      ...(searching ? [matchEntry(scheme)] : []),
    ],
    tip: 'A frame is as wide as both sides together. Grey: the difference is within the 95 % interval of sampling noise',
  };
}

/** The entries of the families that are on screen. */
function familyEntries(scheme: ColourScheme, layout: FlameLayout): readonly LegendEntry[] {
  const labels = new Set<number>();
  for (let row = 0; row < layout.length; row++)
    if (kindAt(layout, row) === 'frame') labels.add(layout.label[row]);
  const shown = new Set(Array.from(labels, (label) => frameFamily(layout.labels[label])));
  const families = FRAME_FAMILIES.filter((family) => shown.has(family)).map((family) => ({
    name: FAMILY_NAMES[family],
    fills: familyFills(family, scheme),
  }));
  const scale = { name: `Self 0 – ${formatShare(FULL_SELF_SHARE, 1, 0)}`, fills: [] };
  return scheme.colourBy === 'self' ? [scale, ...families] : families;
}

/** The pools on screen, the heaviest first. A pool of one thread has its name. */
function poolEntries(
  { theme }: ColourScheme,
  layout: FlameLayout,
  thread: string | undefined,
): readonly LegendEntry[] {
  const threads = threadsShown(layout);
  if (thread !== undefined && threads.length === 0) threads.push({ label: thread, weight: 1 });
  const pools = new Map<string | undefined, { name: string; weight: number }>();
  for (const { label, weight } of threads) {
    const pool = poolOfThreadKey(label);
    const before = pools.get(pool);
    if (before === undefined) pools.set(pool, { name: label, weight });
    else pools.set(pool, { name: pool ?? 'Unknown', weight: before.weight + weight });
  }
  const sorted = [...pools].sort(([, a], [, b]) => b.weight - a.weight);
  const shown = sorted
    .slice(0, MOST_POOLS)
    .map(([pool, { name }]) => ({ name, fills: [poolFill(pool, theme)] }));
  const left = sorted.length - shown.length;
  return left > 0 ? [...shown, { name: `${left} more`, fills: [] }] : shown;
}

/** Threads are the root, or next to it. */
function threadsShown(layout: FlameLayout): { label: string; weight: number }[] {
  const { levelStart, weight } = layout;
  const threads = [];
  for (let row = 0; row < levelStart[Math.min(2, levelStart.length - 1)]; row++) {
    if (kindAt(layout, row) === 'thread') threads.push({ label: labelAt(layout, row), weight: weight[row] });
  }
  return threads;
}

function errorEntry(scheme: ColourScheme): LegendEntry {
  const { fill, hatch } = frameStyle(
    { label: '', kind: 'error', match: false },
    { ...scheme, searching: false, selected: undefined },
  );
  return { name: 'No stack', fills: [fill], hatch };
}

function matchEntry(scheme: ColourScheme): LegendEntry {
  const frame = { label: 'application.Class.method', kind: 'frame', match: true } as const;
  const { fill, outline } = frameStyle(frame, { ...scheme, colourBy: 'package', selected: undefined });
  return { name: 'Match', fills: [fill], outline };
}
