import { afterEach, expect, test, vi } from 'vitest';
import { minimapPixels } from '../../../renderer/panes/flame/Minimap.tsx';
import { LevelPixels } from '../../../renderer/panes/flame/level-pixels.ts';
import { pixelLayout, type PixelLayout } from '../../../shared/draw/pixel-layout.ts';
import { labelOf, labelWidths } from '../../../shared/draw/frame-label.ts';
import { colourBits, pixelStyle, RowStyles } from '../../../shared/draw/row-styles.ts';
import { type ColourScheme, frameStyle } from '../../../shared/text/frame-colour.ts';
import { differenceStyle } from '../../../shared/text/difference-colour.ts';
import { KIND } from '../../../shared/engine/views/flame-columns.ts';
import { flameOf } from '../../support/drawn-flame.ts';
import { MadeImage } from '../../support/made-image.ts';

const SCHEME: ColourScheme = { theme: 'light', colourBy: 'package', searching: false };

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A minimap as letters: `.` surface, `a` and `b` frames, `#` a block, `*` where it matches. */
function minimap(pixels: PixelLayout, width: number, height: number): string[] {
  vi.stubGlobal('ImageData', MadeImage);
  const { data } = minimapPixels(pixels, SCHEME, width, height);
  const letters = new Map<number, string>([[colourBits('#ffffff'), '.']]);
  for (const match of [false, true])
    letters.set(
      colourBits(frameStyle({ label: '', kind: 'block', match }, SCHEME).unhatched),
      match ? '*' : '#',
    );
  for (const label of ['x.A.a', 'b'])
    letters.set(colourBits(frameStyle({ label, kind: 'frame', match: false }, SCHEME).fill), label.at(-1)!);
  const bits = new Uint32Array(data.buffer);
  return Array.from({ length: height }, (_, y) =>
    Array.from(bits.subarray(y * width, (y + 1) * width), (pixel) => letters.get(pixel) ?? '?').join(''),
  );
}

test('a minimap has every level, frames over blocks, and matches over other blocks', () => {
  const layout = flameOf(`
    all 40
      x.A.a 20
        b 8
      ~9^4 12
      ~3^2* 8
  `);
  const at = (orientation: 'flame' | 'icicle'): string[] =>
    minimap(pixelLayout(layout, { width: 80, pixelRatio: 1 }, orientation), 10, 8);
  expect(at('icicle')).toEqual([
    '??????????',
    '??????????',
    'aaaaa###**',
    'aaaaa###**',
    'bb...###..',
    'bb...###..',
    '.....###..',
    '.....###..',
  ]);
  expect(at('flame')).toEqual(at('icicle').reverse());
});

test('a minimap of more levels than pixels has a line of pixels for some of them', () => {
  const layout = flameOf(`
    all 4
      x.A.a 4
        x.A.a 4
          ~9^40 4
  `);
  expect(minimap(pixelLayout(layout, { width: 4, pixelRatio: 1 }, 'icicle'), 2, 5).slice(1)).toEqual(
    Array(4).fill('##'),
  );
});

test('of the frames in one pixel of a minimap the last one is seen, and only it is given a colour', () => {
  const layout = flameOf(`
    all 40
      x.A.a 2
      b 1
      x.A.a 9
      b 2
      x.A.a 2
      b 24
  `);
  const styled = vi.spyOn(RowStyles.prototype, 'at');
  const lines = minimap(pixelLayout(layout, { width: 40, pixelRatio: 1 }, 'icicle'), 5, 4);
  // Eight columns of the graph a pixel: a a b a a a a a | a a a a b b a a | b …
  expect(lines.slice(2)).toEqual(['aabbb', 'aabbb']);
  // The root and three of the six frames.
  expect(styled.mock.calls.length).toBeLessThanOrEqual(4);
});

test('a minimap is filled level by level, not once for every pixel column of a block', () => {
  const layout = flameOf(
    `
      all 1000
        ~5000^300 1000
    `,
    1000,
  );
  const fill = vi.spyOn(Uint32Array.prototype, 'fill');
  minimap(pixelLayout(layout, { width: 1000, pixelRatio: 1 }, 'flame'), 48, 600);
  // The surface, and in each of 300 levels the surface and one block.
  expect(fill.mock.calls.length).toBeLessThan(1000);
});

test('outlines of matches are part of the line that a level repeats, but for their edges', () => {
  const matches = 50;
  const layout = flameOf(
    `
      all ${matches * 20}
${Array.from({ length: matches }, (_, at) => `        m${at}* 20`).join('\n')}
    `,
    matches * 20,
  );
  const pixels = pixelLayout(layout, { width: matches * 20, pixelRatio: 1 }, 'flame');
  const levels = new LevelPixels(pixels, SCHEME, new RowStyles(pixels, SCHEME));
  const image = new Uint32Array(pixels.width * pixels.levelHeight);
  const fill = vi.spyOn(Uint32Array.prototype, 'fill');
  const copy = vi.spyOn(Uint32Array.prototype, 'copyWithin');
  levels.fill(image, 1);
  // Fill, upper and lower edge; the levels of pixels between them are copied.
  expect(fill.mock.calls.length).toBeLessThan(4 * matches);
  expect(copy.mock.calls.length).toBeLessThan(10);
  const outline = colourBits(frameStyle({ label: 'm0', kind: 'frame', match: true }, SCHEME).outline!);
  const lineOf = (y: number): string =>
    Array.from(image.subarray(y * pixels.width, y * pixels.width + 20), (pixel) =>
      pixel === outline ? 'o' : '-',
    ).join('');
  expect([0, 1, 9, 16, 17, 18].map(lineOf)).toEqual([
    'ooooooooooooooooooo-',
    'o-----------------o-',
    'o-----------------o-',
    'o-----------------o-',
    'ooooooooooooooooooo-',
    '--------------------',
  ]);
});

test('frames of a comparison: colour and sign say how they differ, hatch and outline that one side lacks them', () => {
  const width = 60;
  const drawn = flameOf(
    `
      all 300
        grew 60
        shrank 60
        same 60
        gone 60
        come 60
    `,
    5 * width,
  );
  // The root has a level, too: it is not shown.
  const levels = [5, 5, -1, 0, -3, 2];
  const none = new Float64Array(levels.length);
  const layout = {
    ...drawn,
    totalCount: Float64Array.of(300, 9, 9, 9, 0, 9),
    difference: {
      level: Int8Array.from(levels),
      baseTotalCount: Float64Array.of(300, 9, 9, 9, 9, 0),
      baseSelfCount: none,
      baseTotalTime: none,
      hasBoth: true,
    },
  };
  const pixels = pixelLayout(layout, { width: 5 * width, pixelRatio: 1 }, 'icicle');
  const styles = new RowStyles(pixels, SCHEME);
  const image = new Uint32Array(pixels.width * pixels.levelHeight);
  new LevelPixels(pixels, SCHEME, styles).fill(image, 1);
  const widths = labelWidths((text) => text.length * 5);
  const seen = levels.slice(1).map((level, at) => {
    const row = at + 1;
    const line = image.subarray(5 * pixels.width + pixels.left[row], 5 * pixels.width + pixels.right[row]);
    const { fill, outline } = pixelStyle(differenceStyle('light', level, undefined));
    const isHatched = new Set(line.subarray(2, width - 3)).size === 2;
    const isOutlined = line[0] !== fill && line[0] === styles.at(row).outline;
    expect([line.includes(fill), outline]).toEqual([true, 0]);
    return `${labelOf(pixels, row, widths)}${isHatched ? ', hatched' : ''}${isOutlined ? ', outlined' : ''}`;
  });
  expect(seen).toEqual([
    '+ grew',
    '\u2212 shrank',
    'same',
    '\u2212 gone, hatched, outlined',
    '+ come, outlined',
  ]);
  expect(labelOf(pixels, 0, widths)).toBe('all');
});

test('a style is computed once for all rows with the same label and kind, and per row where it depends on that', () => {
  const layout = flameOf(`
    all 30
      t 20
        x.A.a 10
        y.B.b 5
          x.A.a 5
      u 10
        x.A.a 10
          y.B.b 9
  `);
  layout.kind[1] = layout.kind[2] = KIND.thread;
  const pixels = pixelLayout(layout, { width: 30, pixelRatio: 1 }, 'flame');
  const rows = [...layout.label.keys()].filter((row) => layout.labels[layout.label[row]] === 'x.A.a');
  expect(rows).toHaveLength(3);
  const fills = (colourBy: ColourScheme['colourBy']): number =>
    new Set(rows.map((row) => new RowStyles(pixels, { ...SCHEME, colourBy }).at(row).fill)).size;
  const styles = new RowStyles(pixels, SCHEME);
  expect(new Set(rows.map((row) => styles.at(row))).size).toBe(1);
  expect([fills('package'), fills('thread'), fills('self')]).toEqual([1, 2, 3]);

  // They are kept while the graph moves, and no longer.
  expect(styles.isOf({ ...pixels, origin: 5 }, SCHEME)).toBe(true);
  expect(styles.isOf(pixels, { ...SCHEME })).toBe(false);
  expect(styles.isOf({ ...pixels, layout: { ...layout } }, SCHEME)).toBe(false);
});
