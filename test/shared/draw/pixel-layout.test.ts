import { expect, test } from 'vitest';
import { labelOf, labelWidths } from '../../../shared/draw/frame-label.ts';
import { filledWidth } from '../../../shared/draw/frame-look.ts';
import { LevelPixels } from '../../../renderer/panes/flame/level-pixels.ts';
import {
  bandSeen,
  boxOf,
  levelsBetween,
  levelTop,
  pixelLayout,
  type PixelLayout,
  rowAt,
} from '../../../shared/draw/pixel-layout.ts';
import { colourBits, RowStyles } from '../../../shared/draw/row-styles.ts';
import {
  EMPTY_FLAME,
  type FlameKind,
  isBlock,
  KIND,
  labelAt,
} from '../../../shared/engine/views/flame-columns.ts';
import { frameStyle } from '../../../shared/text/frame-colour.ts';
import { flameOf, SMALL_FLAME } from '../../support/drawn-flame.ts';

function lay(width: number, orientation: 'flame' | 'icicle' = 'flame', pixelRatio = 1): PixelLayout {
  return pixelLayout(SMALL_FLAME, { width, pixelRatio }, orientation);
}

function boxes(pixels: PixelLayout): string[] {
  return Array.from({ length: pixels.layout.length }, (_, row) => {
    const { x, y, width } = boxOf(pixels, row);
    return `${labelAt(pixels.layout, row)} ${x}+${width} at ${y}`;
  });
}

test('edges lie on pixels and neighbours share them, wherever the root is', () => {
  expect(boxes(lay(33))).toEqual([
    'all 0+33 at 57',
    'a 0+20 at 38',
    'b 20+10 at 38',
    '2 narrow frames 29+4 at 38',
    'c 0+13 at 19',
    'd 13+7 at 19',
    'e 20+10 at 19',
    'f 0+13 at 0',
  ]);
  expect(boxes(lay(33, 'icicle')).slice(0, 2)).toEqual(['all 0+33 at 0', 'a 0+20 at 19']);
  expect(boxes(lay(33, 'icicle', 2))[2]).toBe('b 20+9.5 at 19');
  expect(boxes(lay(33, 'icicle', 1.25))[1]).toBe('a 0+20 at 19.2');
});

test('no rows are a graph of no height', () => {
  const pixels = pixelLayout(EMPTY_FLAME, { width: 100, pixelRatio: 1 }, 'flame');
  expect(pixels.height).toBe(0);
  expect(rowAt(pixels, 5, 5)).toBe(-1);
});

test('a point hits the frame that is drawn there, and nothing beside', () => {
  for (const orientation of ['flame', 'icicle'] as const) {
    const pixels = lay(100, orientation);
    for (let row = 0; row < SMALL_FLAME.length; row++) {
      const { x, y, width, height } = boxOf(pixels, row);
      expect(rowAt(pixels, x, y + 1)).toBe(row);
      expect(rowAt(pixels, x + width - 0.5, y + height - 1)).toBe(row);
    }
    const block = 3;
    expect(isBlock(SMALL_FLAME, block)).toBe(true);
    // It reaches one level higher than its own, and no further.
    expect(rowAt(pixels, 95, levelTop(pixels, 2) + 1)).toBe(block);
    expect(rowAt(pixels, 95, levelTop(pixels, 3) + 1)).toBe(-1);
    expect(rowAt(pixels, 65, levelTop(pixels, 3) + 1)).toBe(-1);
    expect([rowAt(pixels, 5, -1), rowAt(pixels, 5, pixels.height + 1), rowAt(pixels, 100, 40)]).toEqual([
      -1, -1, -1,
    ]);
  }
});

test('a band touches the levels that are seen through it', () => {
  expect(levelsBetween(lay(100), { top: 0, bottom: 20 })).toEqual({ from: 2, to: 4 });
  expect(levelsBetween(lay(100, 'icicle'), { top: 0, bottom: 20 })).toEqual({ from: 0, to: 2 });
  expect(levelsBetween(lay(100), { top: -500, bottom: 500 })).toEqual({ from: 0, to: 4 });
});

test('what can be seen is counted from the root, and never lies beyond the graph', () => {
  const seen = (orientation: 'flame' | 'icicle', fromRoot: number, height: number): string => {
    const { top, bottom } = bandSeen(lay(100, orientation), fromRoot, height);
    return `${top} to ${bottom}`;
  };
  expect(lay(100).height).toBe(76);
  expect([seen('icicle', 0, 20), seen('icicle', 30, 20), seen('icicle', 99, 20)]).toEqual([
    '0 to 20',
    '30 to 50',
    '56 to 76',
  ]);
  expect([seen('flame', 0, 20), seen('flame', 30, 20), seen('flame', 99, 20)]).toEqual([
    '56 to 76',
    '26 to 46',
    '0 to 20',
  ]);
  expect([seen('icicle', 9, 100), seen('flame', 9, 100)]).toEqual(['0 to 100', '-24 to 76']);
});

test('labels shrink to what fits and are cut at last, to no less than four characters', () => {
  const widths = labelWidths((text) => text.length * 5);
  const labels = (label: string, ...of: number[]): string[] =>
    of.map((width) =>
      labelOf(pixelLayout(flameOf(`${label} 1`), { width, pixelRatio: 1 }, 'flame'), 0, widths),
    );
  expect(labels('org.acme.Shop.checkout:12', 133, 132, 93, 92, 80, 60, 47, 35, 34)).toMatchInlineSnapshot(`
    [
      "org.acme.Shop.checkout:12",
      "Shop.checkout:12",
      "Shop.checkout:12",
      "Shop.checkout:12",
      "Shop.checkout",
      "checkout",
      "checko…",
      "chec…",
      "",
    ]
  `);
  expect(labels('java.util.regex.Pattern$Branch.match', 128, 113, 112, 68, 67, 33)).toMatchInlineSnapshot(`
    [
      "Pattern$Branch.match",
      "Pattern$Branch.match",
      "Pattern$Branch.match",
      "Branch.match",
      "match",
      "",
    ]
  `);
});

test("a label is cut between graphemes, and the dots of a thread's name separate nothing", () => {
  const widths = labelWidths((text) => text.length * 5);
  const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
  const label = (name: string, width: number, kind: FlameKind): string => {
    const layout = flameOf(`${name} 1`);
    layout.kind[0] = KIND[kind];
    return labelOf(pixelLayout(layout, { width, pixelRatio: 1 }, 'flame'), 0, widths);
  };
  // Eight units a family: four of them and an ellipsis are 165 pixels wide.
  expect([173, 172].map((width) => label(family.repeat(9), width, 'frame'))).toEqual([
    `${family.repeat(4)}\u2026`,
    '',
  ]);
  expect([73, 72].map((width) => label('pool-1.worker', width, 'thread'))).toEqual([
    'pool-1.worker',
    'pool-1.work\u2026',
  ]);
});

test('narrow frames have no gap', () => {
  expect([2, 3].map((width) => filledWidth(lay(width), 0))).toEqual([2, 2]);
});

/**
 * A line a row of pixels, a letter a colour: `.` surface, `a` and `b` the fills of those frames, `#` and `/` a hatched
 * block, `+` one without a hatch; `M` and `*` where they match.
 */
function drawn(drawing: string, width: number, level: number): string[] {
  const scheme = { theme: 'light', colourBy: 'package', searching: false } as const;
  const pixels = pixelLayout(flameOf(drawing, width), { width, pixelRatio: 1 }, 'icicle');
  const image = new Uint32Array(width * pixels.levelHeight);
  new LevelPixels(pixels, scheme, new RowStyles(pixels, scheme)).fill(image, level);
  const letters = new Map<number, string>([[colourBits('#ffffff'), '.']]);
  const block = frameStyle({ label: '', kind: 'block', match: false }, scheme);
  const found = frameStyle({ label: '', kind: 'block', match: true }, scheme);
  letters.set(colourBits(block.fill), '#').set(colourBits(block.hatch), '/');
  letters.set(colourBits(found.fill), 'M');
  letters.set(colourBits(block.unhatched), '+').set(colourBits(found.unhatched), '*');
  for (const label of ['x.A.a', 'b'])
    letters.set(colourBits(frameStyle({ label, kind: 'frame', match: false }, scheme).fill), label.at(-1)!);
  return Array.from({ length: pixels.levelHeight }, (_, y) =>
    Array.from(image.subarray(y * width, (y + 1) * width), (pixel) => letters.get(pixel) ?? '?').join(''),
  );
}

test('a level is frames with gaps, blocks up to where they reach, hatched if wide enough, and the surface elsewhere', () => {
  const drawing = `
    all 44
      x.A.a 8
        b 2
      ~3^3 14
      b 2
      ~2^2* 13
      b 1
      ~1^2* 1
      b 1
      ~2^2 3
      b 1
  `;
  const lines = (level: number): string[] => {
    const all = drawn(drawing, 44, level);
    return [all[0], all[1], all[18]];
  };
  expect([lines(1), lines(2)]).toMatchInlineSnapshot(`
    [
      [
        "aaaaaaa.####//####//##bb//MMMM//MMMM/b*b+++b",
        "aaaaaaa.###//####//###bb/MMMM//MMMM//b*b+++b",
        "............................................",
      ],
      [
        "bb......####//####//##......................",
        "bb......###//####//###......................",
        "............................................",
      ],
    ]
  `);
});
