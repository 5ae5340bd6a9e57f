import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contrast } from '../../support/contrast.ts';

const css = readFileSync(new URL('../../../renderer/theme/tokens.css', import.meta.url), 'utf8');

/** Token -> its colour in the light and in the dark theme, `#rrggbb`. */
const tokens = new Map(
  Array.from(
    css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g),
    ([, name, light, dark]) => [name, [light, dark]] as const,
  ),
);

const SURFACES = ['window', 'surface', 'raised', 'field', 'hover', 'selected', 'selected-quiet'];
const ON_EVERY_SURFACE = [
  'text',
  'text-mid',
  'text-dim',
  'error-text',
  'link',
  'accent-strong',
  'grew',
  'shrank',
];

/** [what, on what, at least how much]. */
const PAIRS: readonly (readonly [string, string, number])[] = [
  ...ON_EVERY_SURFACE.flatMap((text) => SURFACES.map((surface) => [text, surface, 4.5] as const)),
  ...['live', 'busy', 'warn', 'frozen'].flatMap((tone) => [
    [tone, 'window', 4.5] as const,
    [tone, 'surface', 4.5] as const,
  ]),
  ['code-string', 'surface', 4.5],
  ['code-string', 'hover', 4.5],
  ['code-string', 'selected-quiet', 4.5],
  ['text-mid', 'press', 4.5],
  ['text-dim', 'press', 4.5],
  ['text', 'match', 4.5],
  ['match-text', 'match', 4.5],
  ['accent-text', 'accent-fill', 4.5],
  ['accent-text', 'accent-fill-hover', 4.5],
  ['text', 'banner', 4.5],
  ['text', 'banner-problem', 4.5],
  // Focus rings, and the edge of what can be pressed.
  ...SURFACES.map((surface) => ['accent', surface, 3] as const),
  ['line-strong', 'surface', 1.8],
  // Seen beside words that say the same.
  ['line', 'surface', 1.3],
  ['line', 'window', 1.2],
  ['guide', 'surface', 1.25],
  ...['surface', 'hover', 'selected', 'selected-quiet'].flatMap((surface) => [
    ['bar-total', surface, 3] as const,
    ['bar-self', surface, 3] as const,
  ]),
  ['bar-self', 'bar-total', 1.25],
  ['selected', 'surface', 1.15],
];

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  const colourOf = (name: string): string => {
    const colours = tokens.get(name);
    if (colours === undefined) throw new Error(`tokens.css has no colour ${name}`);
    return colours[theme === 'light' ? 0 : 1];
  };

  test.each(PAIRS)('%s on %s has a contrast of at least %s', (what, on, least) => {
    expect(contrast(colourOf(what), colourOf(on))).toBeGreaterThanOrEqual(least);
  });
});
