import { expect, test } from 'vitest';
import {
  bandSeen,
  boxOf,
  type FlamePicture,
  layPicture,
  levelsBetween,
  rowAt,
} from '../../../../renderer/panes/flame/flame-picture.ts';
import { filledWidth, labelOf } from '../../../../renderer/panes/flame/frame-dress.ts';
import { labelWidths } from '../../../../renderer/panes/flame/label-font.ts';
import { cutPicture } from '../../../../renderer/panes/flame/picture-tiles.ts';
import { flameRows, SMALL_FLAME as rows } from '../../../support/flame-rows.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { randomFor } = testSeed('tiles of a flame graph');

function lay(width: number, orientation: 'flame' | 'icicle' = 'flame', pixelRatio = 1): FlamePicture {
  return layPicture(rows, { width, pixelRatio }, orientation);
}

function boxes(picture: FlamePicture): string[] {
  return picture.rows.map(({ label }, row) => {
    const { x, y, width } = boxOf(picture, row);
    return `${label} ${x}+${width} at ${y}`;
  });
}

test('edges lie on pixels and neighbours share them, wherever the root is', () => {
  expect(boxes(lay(33))).toEqual([
    'all 0+33 at 57',
    'a 0+20 at 38',
    'b 20+10 at 38',
    '2 smaller frames 30+3 at 38',
    'c 0+13 at 19',
    'd 13+7 at 19',
    'e 20+10 at 19',
    'f 0+13 at 0',
  ]);
  expect(boxes(lay(33, 'icicle')).slice(0, 2)).toEqual(['all 0+33 at 0', 'a 0+20 at 19']);
  expect(boxes(lay(33, 'icicle', 2))[2]).toBe('b 20+9.5 at 19');
  expect(boxes(lay(33, 'icicle', 1.25))[1]).toBe('a 0+20 at 19.2');
});

test('no rows are a picture of no height', () => {
  const picture = layPicture([], { width: 100, pixelRatio: 1 }, 'flame');
  expect(picture.height).toBe(0);
  expect(rowAt(picture, 5, 5)).toBe(-1);
  expect(cutPicture(picture, 5)).toEqual([]);
});

test('a point hits the frame that is drawn there, and nothing beside', () => {
  for (const orientation of ['flame', 'icicle'] as const) {
    const picture = lay(100, orientation);
    for (let row = 0; row < picture.rows.length; row++) {
      const { x, y, width, height } = boxOf(picture, row);
      expect(rowAt(picture, x, y + 1)).toBe(row);
      expect(rowAt(picture, x + width - 0.5, y + height - 1)).toBe(row);
    }
    expect(rowAt(picture, 65, boxOf(picture, 7).y + 1)).toBe(-1);
    expect([rowAt(picture, 5, -1), rowAt(picture, 5, picture.height + 1), rowAt(picture, 100, 40)]).toEqual([
      -1, -1, -1,
    ]);
  }
});

test('a band touches the levels that are seen through it', () => {
  expect(levelsBetween(lay(100), 0, 20)).toEqual({ from: 2, to: 4 });
  expect(levelsBetween(lay(100, 'icicle'), 0, 20)).toEqual({ from: 0, to: 2 });
  expect(levelsBetween(lay(100), -500, 500)).toEqual({ from: 0, to: 4 });
});

test('what can be seen is counted from the root, and never lies beyond the picture', () => {
  const seen = (orientation: 'flame' | 'icicle', fromRoot: number, height: number): string => {
    const { top, bottom } = bandSeen(lay(100, orientation), fromRoot, height);
    return `${top} to ${bottom}`;
  };
  const { height } = lay(100);
  expect(height).toBe(76);
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

test('labels shrink to what fits and are cut at last; narrow frames have none and no gap', () => {
  const [root] = rows;
  const widths = labelWidths((text) => text.length * 5);
  const label = (width: number): string => {
    const picture = layPicture(
      [{ ...root, label: 'org.acme.Shop.checkout:12' }],
      { width, pixelRatio: 1 },
      'flame',
    );
    return labelOf(picture, 0, widths);
  };
  expect([133, 132, 93, 92, 80, 60, 47, 35, 34].map(label)).toMatchInlineSnapshot(`
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
  expect([2, 3].map((width) => filledWidth(lay(width), 0))).toEqual([2, 2]);
});

test('tiles hold every drawn frame once, below its siblings and with what is left of its subtree', () => {
  const tiles = (most: number): string[] =>
    cutPicture(lay(100), most).map((tile) => tile.rows.map((row) => rows[row].label[0]).join(''));
  expect(tiles(100)).toEqual(['aab2cdef']);
  expect(tiles(3)).toMatchInlineSnapshot(`
    [
      "cdf",
      "abe",
      "2",
      "a",
    ]
  `);
});

test('any picture is cut into tiles of no more frames than allowed, each one time, siblings side by side', () => {
  for (let scenario = 0; scenario < 200; scenario++) {
    const random = randomFor(scenario);
    const drawing: string[] = [];
    grow(0, 1 + random.below(200));
    function grow(depth: number, weight: number): void {
      drawing.push(`${'  '.repeat(depth)}n${drawing.length} ${weight}`);
      let left = weight;
      while (left > 0 && drawing.length < 150 && random.below(5) > 0) {
        const part = 1 + random.below(left);
        left -= part;
        grow(depth + 1, part);
      }
    }
    const picture = layPicture(
      flameRows(drawing.join('\n')),
      { width: 1 + random.below(300), pixelRatio: 1 },
      'flame',
    );
    const most = 1 + random.below(20);
    const cut = cutPicture(picture, most);
    const seen = cut.flatMap((tile) => tile.rows).sort((a, b) => a - b);
    const wanted = [...picture.rows.keys()].filter((row) => picture.right[row] > picture.left[row]);
    expect(seen).toEqual(wanted);
    for (const { rows: inTile, tops } of cut) {
      expect(inTile.length).toBeLessThanOrEqual(most);
      for (let at = 1; at < tops; at++) {
        expect(picture.left[inTile[at]]).toBe(picture.right[inTile[at - 1]]);
        expect(picture.rows[inTile[at]].parent).toBe(picture.rows[inTile[0]].parent);
      }
      for (const row of inTile.slice(tops)) expect(inTile).toContain(picture.rows[row].parent);
    }
  }
});
