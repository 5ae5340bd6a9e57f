import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type ColourTheme,
  frameColour,
  labelColour,
  PICTURE_TONES,
} from '../../../../shared/text/frame-colour.ts';

const THEMES: readonly ColourTheme[] = ['light', 'dark'];
const KINDS = ['all', 'thread', 'frame', 'error', 'remainder'] as const;

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function colourOf(label: string, theme: ColourTheme = 'light'): string {
  return frameColour({ label, kind: 'frame', match: false, searching: false }, theme);
}

test.each(THEMES)('labels are readable on every frame, %s', (theme) => {
  for (let at = 0; at < 2_000; at++) {
    const label = `${at % 3 === 0 ? 'java.' : ''}shop${at % 40}.Class${at % 300}.method${at}`;
    for (const kind of KINDS) {
      for (const match of [false, true]) {
        for (const searching of [false, true]) {
          const colour = frameColour({ label, kind, match, searching }, theme);
          expect(colour).toMatch(/^#[0-9a-f]{6}$/);
          expect(contrast(colour, labelColour(theme)), `${label} ${kind}`).toBeGreaterThan(4.5);
        }
      }
    }
  }
});

test('line, BCI and method id do not change the colour of a frame', () => {
  const colour = colourOf('com.shop.Cart.total');
  expect(colourOf('com.shop.Cart.total:12')).toBe(colour);
  expect(colourOf('(4711) com.shop.Cart.total')).toBe(colour);
});

test('colours tell packages apart, and a match from everything else', () => {
  const colours = new Set(Array.from({ length: 40 }, (_, at) => colourOf(`shop${at}.Cart.total`)));
  expect(colours.size).toBeGreaterThan(8);
  const found = frameColour(
    { label: 'shop.Cart.total', kind: 'frame', match: true, searching: true },
    'light',
  );
  expect(colours).not.toContain(found);
});

test('what a picture is drawn with besides are the colours of the window around it', () => {
  const tokens = readFileSync(new URL('../../../../renderer/theme/tokens.css', import.meta.url), 'utf8');
  const token = (name: string): readonly string[] =>
    new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\);`).exec(tokens)!.slice(1);
  const { light, dark } = PICTURE_TONES;
  expect([light.surface, dark.surface]).toEqual(token('surface'));
  expect([light.remainderLabel, dark.remainderLabel]).toEqual(token('text-dim'));
  expect([light.remainderEdge, dark.remainderEdge]).toEqual(token('line-strong'));
});
