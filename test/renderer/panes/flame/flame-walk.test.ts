import type { FlameZoom } from '../../../../shared/engine/query.ts';
import { expect, test } from 'vitest';
import {
  placeBefore,
  rowTowards,
  zoomBefore,
  zoomOfRow,
} from '../../../../renderer/panes/flame/flame-walk.ts';
import { movedTo, pixelLayout } from '../../../../shared/draw/pixel-layout.ts';
import { type LogView, newLogView } from '../../../../renderer/store/state/window-state.ts';
import { withDetail } from '../../../../renderer/store/state/selection.ts';
import { withZoom, zoomOf } from '../../../../renderer/store/state/scope-history.ts';
import { flameRows } from '../../../../shared/engine/views/flame-columns.ts';
import { flameOf, SMALL_FLAME as layout } from '../../../support/drawn-flame.ts';

const at = (label: string): number => flameRows(layout).findIndex((row) => row.label === label);

test('a frame zooms to itself, a block to its run of siblings, also below a block that is zoomed', () => {
  expect(zoomOfRow(layout, at('c'), undefined)).toEqual({ row: layout.id[at('c')], run: undefined });
  expect(zoomOfRow(layout, 0, undefined)).toBe(undefined);
  const block = at('2 narrow frames');
  const run = { first: layout.id[block], last: layout.lastId[block] };
  expect(zoomOfRow(layout, block, undefined)).toEqual({ row: layout.id[0], run });
  const zoomed = flameOf(`
    ~9 3
      ~4 2
      ~5 1
  `);
  const shown = { row: 77, run: { first: 5, last: 8 } };
  expect(zoomOfRow(zoomed, 2, shown)).toEqual({
    row: 77,
    run: { first: zoomed.id[2], last: zoomed.lastId[2] },
  });
});

test('a step of the wheel goes to the first caller that is noticeably narrower, and back to one noticeably wider', () => {
  expect(rowTowards(layout, at('f'))).toBe(at('a'));
  const chain = flameOf(`
    all 100
      a 99
        b 98
          c 50
            d 49
  `);
  expect([4, 3, 2].map((row) => rowTowards(chain, row))).toEqual([3, 3, 2]);
  const zoom = (row: number): FlameZoom => ({ row, run: undefined });
  const path = [
    { zoom: undefined, label: 'All threads', weight: 100 },
    { zoom: zoom(1), label: 'a', weight: 12 },
    { zoom: zoom(2), label: 'b', weight: 11 },
    { zoom: zoom(3), label: 'c', weight: 10 },
  ];
  expect(zoomBefore(path, layout)).toBe(undefined);
  expect(zoomBefore([...path, { zoom: zoom(4), label: 'd', weight: 10 }], flameOf('d 8'))).toEqual(zoom(4));
});

test('a zoom grows out of its frame, and shrinks back to it', () => {
  const inner = flameOf('b 3');
  inner.id[0] = layout.id[at('b')];
  inner.kind[0] = layout.kind[at('b')];
  expect(placeBefore(layout, inner)).toEqual({ left: 0.6, width: 0.3 });
  const back = placeBefore(inner, layout)!;
  expect([back.left, back.width].map((share) => share.toFixed(3))).toEqual(['-2.000', '3.333']);
  expect(placeBefore(inner, flameOf('x 1'))).toBe(undefined);
  // At the start of the way back the frame fills the pane.
  const pixels = movedTo(
    pixelLayout(layout, { width: 100, pixelRatio: 1 }, 'flame'),
    back.left,
    back.width,
    layout.levels,
  );
  expect([pixels.left[at('b')], pixels.right[at('b')]]).toEqual([0, 100]);
  expect([pixels.left[at('a')], pixels.right[at('a')]]).toEqual([0, 0]);
});

test('the graphs of callers and callees have zooms of their own, until another method is shown', () => {
  const zoom = (row: number): FlameZoom => ({ row, run: undefined });
  let log: LogView = newLogView('host:1', undefined, 'a.hpl', '/');
  for (const [pane, row] of [
    ['flame', 1],
    ['callersFlame', 2],
    ['calleesFlame', 3],
  ] as const)
    log = withZoom(log, pane, zoom(row));
  const zooms = (): unknown[] =>
    (['flame', 'callersFlame', 'calleesFlame'] as const).map((pane) => zoomOf(log, pane)?.row);
  expect(zooms()).toEqual([1, 2, 3]);
  log = withZoom(log, 'callersFlame', undefined);
  expect(zooms()).toEqual([1, undefined, 3]);
  log = withDetail(log, [{ of: 'methods', id: 1, label: 'a' }]);
  expect(zooms()).toEqual([1, undefined, undefined]);
});
