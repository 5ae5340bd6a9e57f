import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  COLOUR_BY,
  type ColourBy,
  type ColourTheme,
  familyFills,
  frameStyle,
  type FrameStyle,
  FLAME_TONES,
  poolFill,
} from '../../../shared/text/frame-colour.ts';
import { contrast } from '../../support/contrast.ts';

const THEMES: readonly ColourTheme[] = ['light', 'dark'];
const KINDS = ['all', 'thread', 'frame', 'error', 'block'] as const;

function channels(hex: string): number[] {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/** How far a colour is from grey, 0 to 255. */
function colourfulness(hex: string): number {
  return Math.max(...channels(hex)) - Math.min(...channels(hex));
}

function styleOf(label: string, colourBy: ColourBy = 'package', theme: ColourTheme = 'light'): FrameStyle {
  return frameStyle({ label, kind: 'frame', match: false }, { theme, colourBy, searching: false });
}

/** Names of all families, in many packages and classes. */
function names(count: number): string[] {
  const prefixes = ['shop', 'java.', 'com.sun.', 'jdk/internal/', 'org.example.', ''];
  return Array.from({ length: count }, (_, at) => {
    const prefix = prefixes[at % prefixes.length];
    return prefix === ''
      ? `native_function${at}`
      : `${prefix}package${at % 40}.Class${at % 300}.method${at}:${at}`;
  });
}

test.each(THEMES)('labels are readable on every frame and every hatch, %s', (theme) => {
  let least = Infinity;
  names(3_000).forEach((label, at) => {
    for (const colourBy of COLOUR_BY) {
      for (const kind of KINDS) {
        for (const match of [false, true]) {
          for (const searching of [false, true]) {
            const pool = at % 2 === 0 ? undefined : `worker-${at % 97}-*`;
            const frame = { label, kind, match, pool, selfShare: (at % 101) / 100 };
            const style = frameStyle(frame, { theme, colourBy, searching });
            if (!/^#[0-9a-f]{6}$/.test(style.fill)) throw new Error(`${style.fill} for ${label}`);
            const worst = Math.min(contrast(style.fill, style.text), contrast(style.hatch, style.text));
            if (worst < 4.5) throw new Error(`${worst} : 1 for ${JSON.stringify({ ...frame, searching })}`);
            least = Math.min(least, worst);
          }
        }
      }
    }
  });
  expect(least).toBeLessThan(21);
});

test.each(THEMES)('the selected method has a tint of its own, on which labels are readable, %s', (theme) => {
  const away = (one: string, other: string): number => {
    const [a, b] = [channels(one), channels(other)];
    return Math.max(...a.map((value, at) => Math.abs(value - b[at])));
  };
  for (const label of names(300)) {
    for (const kind of ['frame', 'error'] as const) {
      for (const match of [false, true]) {
        for (const searching of [false, true]) {
          const style = (selected: string | undefined): FrameStyle =>
            frameStyle({ label, kind, match }, { theme, colourBy: 'package', searching, selected });
          const { fill, hatch, unhatched, text, outline } = style(label);
          for (const colour of [fill, hatch, unhatched])
            expect(contrast(colour, text), label).toBeGreaterThanOrEqual(4.5);
          expect(away(fill, style(undefined).fill), label).toBeGreaterThan(24);
          expect(outline).toBe(style(undefined).outline);
          expect(style('other')).toBe(style(undefined));
        }
      }
    }
  }
  // A thread of the same name is no method.
  const thread = { label: 'main', kind: 'thread', match: false } as const;
  const scheme = { theme, colourBy: 'package', searching: false } as const;
  expect(frameStyle(thread, { ...scheme, selected: 'main' })).toBe(frameStyle(thread, scheme));
});

test.each(THEMES)('marks and outlines are seen beside the surface, %s', (theme) => {
  const { surface } = FLAME_TONES[theme];
  for (const label of names(3_000)) {
    expect(contrast(styleOf(label, 'package', theme).mark, surface), label).toBeGreaterThan(3);
  }
  for (const label of names(30)) {
    for (let at = 0; at <= 20; at++) {
      const frame = {
        label,
        kind: 'frame',
        match: false,
        thread: `pool-${at}-`,
        selfShare: at / 60,
      } as const;
      for (const colourBy of COLOUR_BY) {
        const { mark } = frameStyle(frame, { theme, colourBy, searching: false });
        expect(contrast(mark, surface), `${label} by ${colourBy}`).toBeGreaterThan(3);
      }
    }
  }
  const match = frameStyle(
    { label: 'shop.Cart.total', kind: 'frame', match: true },
    { theme, colourBy: 'package', searching: true },
  );
  expect(contrast(match.outline ?? '', match.fill)).toBeGreaterThan(3);
});

test('line, BCI and method id do not change the colour of a frame', () => {
  const style = styleOf('com.shop.Cart.total');
  expect(styleOf('com.shop.Cart.total:12')).toBe(style);
  expect(styleOf('(4711) com.shop.Cart.total')).toBe(style);
});

test('families have hues of their own, packages in a family differ', () => {
  const fills = (prefix: string): Set<string> =>
    new Set(Array.from({ length: 60 }, (_, at) => styleOf(`${prefix}p${at}.Cart.total`).fill));
  const application = fills('shop.');
  const jdk = fills('java.');
  expect(application.size).toBeGreaterThan(10);
  expect(jdk.size).toBeGreaterThan(10);
  const red = (hex: string): number => channels(hex)[0];
  const blue = (hex: string): number => channels(hex)[2];
  for (const fill of application) expect(red(fill), fill).toBeGreaterThan(blue(fill));
  for (const fill of jdk) expect(blue(fill), fill).toBeGreaterThan(red(fill));
  const native = styleOf('Compiler::compile_method').fill;
  expect(colourfulness(native)).toBeLessThan(Math.min(...Array.from(application, colourfulness)));
});

test('errors and blocks of narrow frames are hatched, and nothing else; an error is no louder than a frame', () => {
  for (const theme of THEMES) {
    const styles = KINDS.map((kind) =>
      frameStyle(
        { label: 'shop.Cart.total', kind, match: false },
        { theme, colourBy: 'package', searching: false },
      ),
    );
    expect(styles.map(({ hatched }) => hatched)).toEqual([false, false, false, true, true]);
    const [, , frame, error] = styles;
    expect(colourfulness(error.fill)).toBeLessThan(colourfulness(frame.fill));
    expect(colourfulness(error.hatch)).toBeLessThan(colourfulness(frame.fill));
  }
});

test('a match keeps its hue and has an outline; what does not match is pale, and no block of narrow frames is', () => {
  for (const theme of THEMES) {
    const style = (label: string, match: boolean, kind: 'frame' | 'block' = 'frame'): FrameStyle =>
      frameStyle({ label, kind, match }, { theme, colourBy: 'package', searching: true });
    expect(style('shop.Cart.total', true).outline).toBeDefined();
    expect(style('shop.Cart.total', true).fill).not.toBe(style('java.util.Map.get', true).fill);
    expect(style('shop.Cart.total', false).outline).toBeUndefined();
    const pale = style('shop.Cart.total', false).fill;
    expect(colourfulness(pale)).toBeLessThan(
      colourfulness(styleOf('shop.Cart.total', 'package', theme).fill),
    );
    expect(style('', false, 'block').fill).not.toBe(style('', true, 'block').fill);
  }
});

test('by thread, a pool has one colour; what stands for several is grey', () => {
  const fill = (label: string, pool: string | undefined): string =>
    frameStyle(
      { label, kind: 'frame', match: false, pool },
      { theme: 'light', colourBy: 'thread', searching: false },
    ).fill;
  expect(fill('shop.Cart.total', 'worker-*')).toBe(fill('other.Cart.total', 'worker-*'));
  const pools = Array.from({ length: 20 }, (_, at) => fill('shop.Cart.total', `pool-${at}-thread-*`));
  expect(new Set(pools).size).toBeGreaterThan(12);
  expect(colourfulness(fill('shop.Cart.total', undefined))).toBeLessThan(12);
  expect(poolFill('worker-*', 'light')).toBe(fill('shop.Cart.total', 'worker-*'));
});

test("a family's fills in a legend are those of its frames", () => {
  for (const theme of THEMES) {
    const scheme = { theme, colourBy: 'package', searching: false } as const;
    const ofFrames = new Set(names(6_000).map((label) => styleOf(label, 'package', theme).fill));
    for (const family of ['application', 'jdk'] as const)
      for (const fill of familyFills(family, scheme)) expect(ofFrames, `${family} ${fill}`).toContain(fill);
    const strongest = frameStyle(
      { label: 'java.util.Map.get', kind: 'frame', match: false, selfShare: 1 },
      { ...scheme, colourBy: 'self' },
    );
    expect(familyFills('jdk', { ...scheme, colourBy: 'self' }).at(-1)).toBe(strongest.fill);
  }
});

test('by self, the colour is the stronger the more samples ended in the frame', () => {
  for (const theme of THEMES) {
    const strengths = [0, 0.01, 0.05, 0.25, 1].map((selfShare) =>
      colourfulness(
        frameStyle(
          { label: 'shop.Cart.total', kind: 'frame', match: false, selfShare },
          { theme, colourBy: 'self', searching: false },
        ).fill,
      ),
    );
    expect([...strengths].sort((a, b) => a - b)).toEqual(strengths);
    expect(strengths[3]).toBeGreaterThan(2 * strengths[0]);
    expect(strengths[4]).toBe(strengths[3]);
  }
});

test('what a picture is drawn with besides are the colours of the window around it', () => {
  const tokens = readFileSync(new URL('../../../renderer/theme/tokens.css', import.meta.url), 'utf8');
  const token = (name: string): readonly string[] =>
    new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\);`).exec(tokens)!.slice(1);
  const { light, dark } = FLAME_TONES;
  expect([light.surface, dark.surface]).toEqual(token('surface'));
  expect([light.blockLabel, dark.blockLabel]).toEqual(token('text-dim'));
  expect([light.blockEdge, dark.blockEdge]).toEqual(token('line-strong'));
});
