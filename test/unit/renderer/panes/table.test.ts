import { expect, test } from 'vitest';
import { SAMPLES_AND_TIME, SAMPLES_ONLY } from '../../../../shared/profile/profile-units.ts';
import type { ProfileSummary } from '../../../../renderer/profile-worker/mirror-messages.ts';
import type { Values } from '../../../../renderer/profile-worker/pane-messages.ts';
import {
  cellOf,
  type ColumnId,
  fittingColumns,
  indentOf,
  nameWidthBeside,
} from '../../../../renderer/panes/table/columns.ts';
import { nameParts } from '../../../../renderer/panes/table/name-parts.ts';
import { rowValues } from '../../../../renderer/panes/table/row-values.ts';
import { markPieces, matchRange } from '../../../../renderer/panes/table/match-range.ts';

const whole: ProfileSummary = { samples: 200, totalTime: 4e9, threads: 1, methods: 1, nodes: 1, timed: true };
const row: Values = { selfCount: 0, totalCount: 50, selfTime: -1_500_000, totalTime: 1e9 };

function titles(...[width, metric, units, first]: Parameters<typeof fittingColumns>): string {
  return fittingColumns(width, metric, units, first)
    .map((column) => column.title)
    .join(' | ');
}

test('columns give way to names as the pane gets narrow, but one stays', () => {
  expect(titles(1200, 'samples', SAMPLES_AND_TIME, 'total')).toBe(
    'Total % | Self % | Total # | Self # | Total time | Self time',
  );
  expect(titles(1200, 'samples', SAMPLES_ONLY, 'total')).toBe('Total % | Self % | Total # | Self #');
  expect(titles(1200, 'samples', SAMPLES_ONLY, 'self')).toBe('Self % | Total % | Self # | Total #');
  expect(titles(600, 'samples', SAMPLES_AND_TIME, 'total')).toBe('Total % | Self % | Total # | Self #');
  expect(titles(320, 'samples', SAMPLES_AND_TIME, 'total')).toBe('Total %');
  expect(titles(100, 'samples', SAMPLES_AND_TIME, 'self')).toBe('Self %');
});

test('shares go by the metric, and so does sorting by them', () => {
  const sorts = (metric: 'samples' | 'time') =>
    fittingColumns(400, metric, SAMPLES_AND_TIME, 'total').map((column) => column.sort);
  expect(sorts('samples')).toEqual(['totalCount', 'selfCount']);
  expect(sorts('time')).toEqual(['totalTime', 'selfTime']);
  expect(cellOf('totalShare', row, 'samples', SAMPLES_AND_TIME, whole)).toEqual({
    text: '25.00',
    exact: undefined,
    bar: 0.25,
  });
  expect(cellOf('totalShare', row, 'time', SAMPLES_AND_TIME, whole)).toEqual({
    text: '25.00',
    exact: undefined,
    bar: 0.25,
  });
});

test('a cell says nothing for nothing, and keeps every digit of a time', () => {
  const text = (id: ColumnId) => cellOf(id, row, 'time', SAMPLES_AND_TIME, whole).text;
  expect([text('selfCount'), text('totalCount'), text('selfTime'), text('selfShare')]).toEqual([
    '',
    '50',
    '−1.50 ms',
    '−0.04',
  ]);
  expect(cellOf('selfTime', row, 'time', SAMPLES_AND_TIME, whole).exact).toBe('−1,500,000 ns');
  expect(cellOf('selfShare', row, 'time', SAMPLES_AND_TIME, whole).bar).toBe(0);
});

test('names have what the columns leave, and in a very wide window no more than can be followed with the eye', () => {
  const nameWidth = (width: number): number =>
    nameWidthBeside(fittingColumns(width, 'samples', SAMPLES_AND_TIME, 'total'), width);
  expect([3000, 1588, 1200, 50].map(nameWidth)).toEqual([1100, 1100, 712, 0]);
});

/** before|name|after, when every character is one pixel wide. */
function shown(label: string, width: number, kind: 'frame' | 'thread' | 'error' = 'frame'): string {
  const { before, name, after } = nameParts(label, kind, width, () => 1);
  return [before, name, after].map((pieces) => pieces.map(({ text }) => text).join('')).join('|');
}

test('a name loses its package, then the middle of its class; the method and its line stay', () => {
  const label = 'java.util.HashMap.get:12';
  expect([24, 23, 19, 18, 15, 14, 13, 10].map((width) => shown(label, width))).toEqual([
    'java.util.|HashMap.get|:12',
    '…util.|HashMap.get|:12',
    '…|HashMap.get|:12',
    '…|HashMap.get|:12',
    '…|HashMap.get|:12',
    '|HashMap.get|:12',
    '|Has…ap.get|:12',
    '|Ha….get|:12',
  ]);
  expect(shown('org.shop.Cart.total', 12)).toBe('…|Cart.total|');
  expect(shown('(47) java.util.HashMap.get', 17)).toBe('(47) …|HashMap.get|');
  expect(shown('Shop.main', 9)).toBe('|Shop.main|');
  expect(shown('java.util.regex.Pattern$BranchConn.match:4871', 25)).toBe('|Patter…nchConn.match|:4871');
});

test('a name without a position shows no number for it', () => {
  expect(shown('Shop.main:-100', 40)).toBe('|Shop.main|');
  expect(shown('Shop.main:-100', 9)).toBe('|Shop.main|');
});

test('threads and errors keep both ends', () => {
  expect(shown('http.worker.1', 20, 'thread')).toBe('|http.worker.1|');
  expect(shown('http-nio-8080-exec-17', 12, 'thread')).toBe('|http-n…ec-17|');
  expect(shown('AGCT.UnknownJavaErr5', 12, 'error')).toBe('|AGCT.U…aErr5|');
});

test('every name fits, and its pieces are parts of the label in order, up to its end', () => {
  const labels = [
    'java.util.HashMap.get:12',
    'a\ud83d\ude00b.c\ud83d\ude00d',
    '',
    '.',
    'x'.repeat(70_000),
    '(1) A.b',
  ];
  for (const label of labels) {
    for (let width = 3; width < 30; width++) {
      const { before, name, after } = nameParts(label, 'frame', width, () => 1);
      const pieces = [...before, ...name, ...after];
      const text = pieces.map((piece) => piece.text).join('');
      expect(Array.from(text).length, text).toBeLessThanOrEqual(Math.max(width, 8));
      expect(text).not.toMatch(/\p{Surrogate}/u);
      for (let at = 1; at < pieces.length; at++) {
        expect(pieces[at].from).toBeGreaterThanOrEqual(pieces[at - 1].to);
      }
      expect(pieces.at(-1)?.to ?? 0).toBe(label.length);
    }
  }
});

test('a row says its numbers, the exact ones where they are rounded, and has a bar for each share', () => {
  const values = (width: number) => {
    const columns = fittingColumns(width, 'samples', SAMPLES_AND_TIME, 'total');
    return rowValues(columns, 300, { ...row, selfCount: 20 }, 'samples', SAMPLES_AND_TIME, whole);
  };
  expect(values(1200)).toEqual({
    spoken: 'Total % 25.00, Self % 10.00, Total # 50, Self # 20, Total time 1.00 s, Self time −1.50 ms',
    exact: 'Total time 1,000,000,000 ns\nSelf time −1,500,000 ns',
    bars: { backgroundSize: '20px 16px, 7.2px 16px', backgroundPosition: '306px 3px, 398px 3px' },
  });
  expect(values(320)).toEqual({
    spoken: 'Total % 25.00',
    exact: undefined,
    bars: { backgroundSize: '20px 16px, 0px 16px', backgroundPosition: '306px 3px, 0px 3px' },
  });
});

test('columns and cells are in what the file counts and sums', () => {
  const allocations = {
    counted: { one: 'allocation', many: 'allocations' },
    value: { name: 'Size', unit: 'bytes' },
  } as const;
  expect(titles(1200, 'time', allocations, 'total')).toBe(
    'Total % | Self % | Total # | Self # | Total size | Self size',
  );
  expect(fittingColumns(1200, 'time', allocations, 'self').map(({ hint }) => hint)).toEqual([
    'Share of all size: the method itself',
    'Share of all size: the method and what it calls',
    'Allocations with the method on top',
    'Allocations with the method on the stack',
    'The method itself: size',
    'The method and what it calls: size',
  ]);
  const cell = cellOf('totalTime', { ...row, totalTime: 4_200_000 }, 'time', allocations, whole);
  expect([cell.text, cell.exact]).toEqual(['4.2 MB', '4,200,000 B']);
});

test('indentation grows with every level and never takes the name its room', () => {
  expect([0, 1, 16].map((depth) => indentOf(depth, 400))).toEqual([0, 14, 224]);
  let before = -1;
  for (let depth = 0; depth < 1_500; depth++) {
    const indent = indentOf(depth, 400);
    expect(indent).toBeGreaterThan(before);
    expect(indent).toBeLessThan(400);
    before = indent;
  }
  expect(indentOf(1_500, 60)).toBeLessThanOrEqual(60);
});

/** The label with what matches in brackets, part by part from the given cuts. */
function marked(label: string, search: string, ...cuts: number[]): string {
  const range = matchRange(label, search) ?? [0, 0];
  return [0, ...cuts]
    .map((from, at) => {
      const to = [...cuts, label.length][at];
      return markPieces({ text: label.slice(from, to), from, to }, range)
        .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
        .join('');
    })
    .join('|');
}

test('what matches is marked, across the parts of a name', () => {
  expect(marked('java.util.HashMap.get', 'hashmap')).toBe('java.util.[HashMap].get');
  expect(marked('java.util.HashMap.get', 'util.Hash', 10)).toBe('java.[util.]|[Hash]Map.get');
  expect(marked('java.util.HashMap.get', '/h.*p/')).toBe('java.util.[HashMap].get');
  expect(marked('Foo$Bar.run(', 'Foo$Bar.run(')).toBe('[Foo$Bar.run(]');
  expect(marked('Foo.run', 'nothing')).toBe('Foo.run');
  expect(marked('Foo.run', '/[/')).toBe('Foo.run');
  expect(marked('Foo.run', '')).toBe('Foo.run');
});

test('an ellipsis is marked when it hides some of the match', () => {
  const ellipsis = { text: '…', from: 0, to: 10 };
  expect(markPieces(ellipsis, [5, 12])).toEqual([{ text: '…', isMatch: true }]);
  expect(markPieces(ellipsis, [10, 12])).toEqual([{ text: '…', isMatch: false }]);
});
