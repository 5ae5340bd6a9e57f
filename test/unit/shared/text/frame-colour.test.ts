import { expect, test } from 'vitest';
import { FRAME_TEXT_COLOUR, frameColour, type Theme } from '../../../../shared/text/frame-colour.ts';

const THEMES: readonly Theme[] = ['light', 'dark'];
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

test.each(THEMES)('text is readable on every frame, %s', (theme) => {
  for (let at = 0; at < 2_000; at++) {
    for (const kind of KINDS) {
      const colour = frameColour(`com.shop${at % 40}.Class${at % 300}.method${at}`, kind, theme);
      expect(colour).toMatch(/^#[0-9a-f]{6}$/);
      expect(contrast(colour, FRAME_TEXT_COLOUR[theme])).toBeGreaterThan(4.5);
    }
  }
});

test('a colour is the same in every run and says where a frame belongs', () => {
  expect(frameColour('java.util.HashMap.get', 'frame', 'light')).toBe('#f5b66e');
  expect(frameColour('java.util.HashMap.get:12', 'frame', 'light')).toBe('#f5b66e');
  expect(frameColour('(4711) java.util.HashMap.get', 'frame', 'light')).toBe('#f5b66e');
  expect(frameColour('java.util.HashMap.put', 'frame', 'light')).not.toBe('#f5b66e');
});

test('hues are warm: red is never below blue', () => {
  for (let at = 0; at < 500; at++) {
    const colour = frameColour(`p${at}.C${at}.m${at}`, 'frame', 'light');
    expect(parseInt(colour.slice(1, 3), 16)).toBeGreaterThan(parseInt(colour.slice(5, 7), 16));
  }
});
