import { describe, expect, test } from 'vitest';
import {
  SAMPLES_AND_TIME,
  SAMPLES_ONLY,
  type ProfileUnits,
} from '../../../../shared/profile/profile-units.ts';
import type { Metric } from '../../../../shared/engine/values/metric.ts';
import type { ProfileSummary } from '../../../../renderer/profile-worker/mirror-messages.ts';
import type { Row } from '../../../../renderer/profile-worker/pane-messages.ts';
import type { Values, Measure, ColumnId, TableFacts } from '../../../../shared/engine/columns/column.ts';
import { cellOf } from '../../../../shared/engine/columns/columns.ts';
import type { MenuEntry, MenuItem } from '../../../../renderer/widgets/Menu.tsx';
import {
  columnsOf as columnsOfTable,
  guidesOf,
  headingOf,
  indentOf,
  layoutTable,
  placeAfterMove,
  type ShownColumn,
  type TableLayout,
} from '../../../../renderer/panes/table/columns.ts';
import { columnMenu } from '../../../../renderer/panes/table/TableHeader.tsx';
import { rowsMarkdown, rowText } from '../../../../renderer/panes/table/row-text.ts';
import type { Columns } from '../../../../renderer/panes/table/use-table.ts';
import { nameParts, markPieces } from '../../../../renderer/panes/table/FrameName.tsx';
import { rowValues } from '../../../../renderer/panes/table/row-values.ts';
import { wholeOfRows } from '../../../../renderer/store/state/selectors.ts';
import { profileSummary } from '../../../support/window-events.ts';
import type { ColumnLayout } from '../../../../renderer/store/state/preferences.ts';
import { usualColumns, withShown } from '../../../../renderer/panes/table/column-layout.ts';

const whole: ProfileSummary = profileSummary({ samples: 200, totalTime: 4e9, timed: true });
const row: Values = { selfCount: 0, totalCount: 50, selfTime: -1_500_000, totalTime: 1e9 };
const largest: Values = { selfCount: 80, totalCount: 100, selfTime: 2e9, totalTime: 4e9 };

function measure(metric: Metric, units: ProfileUnits = SAMPLES_AND_TIME): Measure {
  return { metric, units, whole, largest };
}

const TABLE: TableFacts = {
  units: SAMPLES_AND_TIME,
  metric: 'samples',
  samples: 200,
  compared: undefined,
  hidesSome: false,
  of: 'all',
  hasRates: false,
  hasTimes: false,
};

function columnsOf(
  units: ProfileUnits,
  metric: Metric,
  { samples }: ProfileSummary,
  reference: Partial<TableFacts> = {},
): ReadonlyMap<ColumnId, ShownColumn> {
  return columnsOfTable({ ...TABLE, units, metric, samples, ...reference });
}

function tableOf(
  width: number,
  layout: ColumnLayout | 'total' | 'self',
  units: ProfileUnits = SAMPLES_AND_TIME,
  metric: Metric = 'samples',
): TableLayout {
  const wanted = typeof layout === 'string' ? usualColumns(layout) : layout;
  return layoutTable(width, wanted, columnsOf(units, metric, whole));
}

function titles(...parameters: Parameters<typeof tableOf>): string {
  return tableOf(...parameters)
    .columns.map((column) => column.title)
    .join(' | ');
}

test('columns give way to names as the pane gets narrow, but one stays', () => {
  expect(titles(1400, 'total')).toBe('Total % | Total # | Self # | Self % | Total time | Self time');
  expect(titles(1400, 'total', SAMPLES_ONLY)).toBe('Total % | Total # | Self # | Self %');
  expect(titles(1400, 'self', SAMPLES_ONLY)).toBe('Self % | Total % | Self # | Total #');
  // The methods beside the summary, in a window of 1440 pixels.
  expect(titles(516, 'self', SAMPLES_ONLY)).toBe('Self % | Total % | Self #');
  expect(titles(720, 'total')).toBe('Total % | Total # | Self # | Self %');
  expect(titles(320, 'total')).toBe('Total %');
  expect(titles(100, 'self')).toBe('Self %');
  expect(tableOf(400, 'total').withoutSpace).toContain('selfTime');
});

test('counts give way first by time, times first by samples, then the values of the metric, and the first share last', () => {
  const givingWay = (first: 'total' | 'self', metric: Metric): readonly string[] => {
    const available = columnsOf(SAMPLES_AND_TIME, metric, whole);
    const shown = (width: number): readonly ColumnId[] =>
      layoutTable(width, usualColumns(first, metric), available).columns.map(({ id }) => id);
    const gone = new Set<ColumnId>();
    for (let width = 1400; width > 0; width--)
      for (const { id } of available.values())
        if (usualColumns(first, metric).shown.includes(id) && !shown(width).includes(id)) gone.add(id);
    return [...gone];
  };
  expect(givingWay('total', 'time').join(' ')).toBe('selfCount totalCount selfTime totalTime selfShare');
  expect(givingWay('total', 'samples').join(' ')).toBe('selfTime totalTime selfCount totalCount selfShare');
  expect(givingWay('self', 'time').join(' ')).toBe('totalCount selfCount totalTime selfTime totalShare');
});

test('in a comparison each title is another one, short in the header only where there is no room', () => {
  const compared = {
    by: 'share',
    scale: { metric: 'samples', base: 200, next: 100 },
    samples: { base: 200, next: 100 },
    seconds: undefined,
    isSampled: true,
  } as const;
  const available = columnsOfTable({
    ...TABLE,
    units: SAMPLES_ONLY,
    metric: compared.scale.metric,
    compared: compared,
    hasTimes: true,
  });
  expect([...available.values()].map(({ title }) => title).join(' | ')).toBe(
    'When | Total ± | Total base % | Total new % | Self ± | Self base % | Self new %',
  );
  const headings = (width: number, widths: ColumnLayout['widths'] = {}): string =>
    layoutTable(width, { ...usualColumns('self', 'compared'), widths }, available)
      .columns.map(headingOf)
      .join(' | ');
  expect(headings(1400)).toBe('Self ± | Self base % | Self new % | Total ± | Total base % | Total new %');
  expect(headings(1000)).toBe('Self ± | Base % | New % | Total ± | Base % | New %');
  expect(headings(600)).toBe('Self ± | Base % | New % | Total ±');
  expect(headings(1000, { selfBase: 120 })).toBe('Self ± | Self base % | New % | Total ± | Base % | New %');
});

test('shares go by the metric, and so does sorting by them', () => {
  const sorts = (metric: Metric): readonly (string | undefined)[] =>
    tableOf(480, { shown: ['totalShare', 'selfShare'], widths: {} }, SAMPLES_AND_TIME, metric).columns.map(
      (column) => column.sort,
    );
  expect(sorts('samples')).toEqual(['totalCount', 'selfCount']);
  expect(sorts('time')).toEqual(['totalTime', 'selfTime']);
  expect(cellOf('totalShare', row, measure('samples')).text).toBe('25.00');
  expect(cellOf('totalShare', row, measure('time')).text).toBe('25.00');
});

test('shares of samples and of time are side by side, whichever is the metric in use', () => {
  const layout = withShown(withShown(usualColumns('total'), 'totalOtherShare', true), 'selfOtherShare', true);
  expect(titles(1600, layout)).toBe(
    'Total % | Total time % | Total # | Self # | Self % | Self time % | Total time | Self time',
  );
  expect(titles(1600, layout, SAMPLES_AND_TIME, 'time')).toBe(
    'Total % | Total samples % | Total # | Self # | Self % | Self samples % | Total time | Self time',
  );
  // Of a file without times there is only one kind of share.
  expect(titles(1600, layout, SAMPLES_ONLY)).toBe('Total % | Total # | Self # | Self %');
  const both = { ...row, totalCount: 20, selfCount: 10 };
  const shares = (metric: Metric) =>
    (['totalShare', 'totalOtherShare', 'selfShare', 'selfOtherShare'] as const).map(
      (id) => cellOf(id, both, measure(metric)).text,
    );
  // 20 and 10 of 200 samples; 1 s and −1.5 ms of 4 s.
  expect(shares('samples')).toEqual(['10.00', '25.00', '5.00', '−0.04']);
  expect(shares('time')).toEqual(['25.00', '10.00', '−0.04', '5.00']);
  expect(cellOf('totalOtherShare', both, measure('samples')).bar).toBeUndefined();
  const columns = tableOf(1600, layout, SAMPLES_AND_TIME, 'time').columns;
  expect(columns.find(({ id }) => id === 'totalOtherShare')?.sort).toBe('totalCount');
  expect(rowText({ ...both, label: 'Shop.main' } as Row, columns.slice(0, 2), measure('time'))).toBe(
    'Shop.main\t25.00 %\t10.00 %',
  );
  const rows = [
    { ...both, label: 'Shop.main', depth: 3 },
    { ...both, label: 'a|`b`.<c>', depth: 4 },
  ] as Row[];
  expect(rowsMarkdown(rows, columns.slice(0, 2), measure('time')).split('\n')).toEqual([
    '| Total % | Total samples % | Method |',
    '| --: | --: | :-- |',
    '| 25.00 % | 10.00 % | `Shop.main` |',
    '| 25.00 % | 10.00 % | `` · a\\|`b`.<c> `` |',
  ]);
});

describe('the menu of columns', () => {
  let shown: ColumnLayout;
  const entriesOf = (
    available: ReadonlyMap<ColumnId, ShownColumn>,
    layout: ColumnLayout,
    id?: ColumnId,
  ): readonly MenuEntry[] => {
    shown = layout;
    const columns = {
      ...layoutTable(1400, layout, available),
      available,
      isShown: (each: ColumnId) => layout.shown.includes(each),
      isChanged: false,
      show: (ids: readonly ColumnId[], isShown: boolean) =>
        (shown = ids.reduce((changed, each) => withShown(changed, each, isShown), layout)),
      reset: () => undefined,
    } as unknown as Columns;
    return columnMenu(columns, id, () => 0);
  };
  const textOf = (entries: readonly MenuEntry[]): string =>
    entries
      .map((entry) => {
        if (entry === 'separator') return '-';
        if ('entries' in entry) return `${entry.text} (${textOf(entry.entries)})`;
        return `${entry.checked === true ? '✓' : ''}${entry.text}`;
      })
      .join(', ');
  const known = (
    units: ProfileUnits,
    reference: Partial<TableFacts> = {},
  ): ReadonlyMap<ColumnId, ShownColumn> => columnsOf(units, 'samples', whole, reference);

  test('has at most eight entries: all but the first group are in menus of their own', () => {
    const all = known(SAMPLES_AND_TIME, { hasRates: true, hasTimes: true });
    expect(textOf(entriesOf(all, usualColumns('total')))).toBe(
      '✓Total %, ✓Total #, ✓Self #, ✓Self %, ' +
        'Values (✓Total time, ✓Self time, Total time %, Self time %), Per second (Total /s, Self /s), When, Reset columns',
    );
    expect(textOf(entriesOf(known(SAMPLES_ONLY), usualColumns('total')))).toBe(
      '✓Total %, ✓Total #, ✓Self #, ✓Self %, Reset columns',
    );
    expect(textOf(entriesOf(known(SAMPLES_ONLY), usualColumns('total'), 'totalShare'))).toBe(
      'Move left, Move right, Fit width, Columns (✓Total %, ✓Total #, ✓Self #, ✓Self %), Reset columns',
    );
  });

  test('shows and hides a column, and never the last one', () => {
    const available = known(SAMPLES_ONLY);
    const choose = (text: string, layout: ColumnLayout): ColumnLayout => {
      const entry = entriesOf(available, layout).find(
        (each) => each !== 'separator' && each.text === text && 'run' in each,
      ) as MenuItem;
      entry.run();
      return shown;
    };
    const fewer = choose('Self %', usualColumns('total'));
    expect(fewer.shown).not.toContain('selfShare');
    expect(choose('Self %', fewer).shown).toContain('selfShare');
    const one = { ...fewer, shown: ['totalShare' as const] };
    expect(
      entriesOf(available, one).flatMap((entry) =>
        entry !== 'separator' && 'run' in entry && entry.disabled === true ? [entry.text] : [],
      ),
    ).toEqual(['Total %', 'Reset columns']);
  });
});

test('a bar is as long as its value is among the largest of the column', () => {
  const bar = (id: ColumnId, values: Partial<Values>, metric: Metric): number | undefined =>
    cellOf(id, { ...row, ...values }, measure(metric)).bar;
  expect(bar('totalShare', {}, 'samples')).toBe(0.5);
  expect(bar('totalShare', {}, 'time')).toBe(0.25);
  expect(bar('selfShare', { selfCount: 80 }, 'samples')).toBe(1);
  expect(bar('selfShare', { selfTime: -5 }, 'time')).toBe(0);
  expect(bar('selfShare', {}, 'samples')).toBeUndefined();
});

test('a cell says nothing for nothing, and keeps every digit of what it rounds', () => {
  const text = (id: ColumnId): string => cellOf(id, row, measure('time')).text;
  expect([text('selfCount'), text('totalCount'), text('selfTime'), text('selfShare')]).toEqual([
    '',
    '50',
    '−1.50 ms',
    '−0.04',
  ]);
  expect(cellOf('selfTime', row, measure('time')).exact).toBe('−1,500,000 ns');
  const tiny = cellOf('selfShare', { ...row, selfTime: 40_000 }, measure('time'));
  expect([tiny.text, tiny.exact]).toEqual(['<0.01', '0.00100 %']);
  const weighed = cellOf('selfCount', { ...row, selfCount: 1234.5625 }, measure('samples'));
  expect([weighed.text, weighed.exact]).toEqual(['1,235', '1234.5625']);
});

test('names have what the columns leave, and no more than 640 pixels unless somebody wants it', () => {
  const nameWidth = (width: number, name?: number): number =>
    tableOf(width, { ...usualColumns('total'), widths: name === undefined ? {} : { name } }).nameWidth;
  expect([3000, 1300].map((width) => nameWidth(width))).toEqual([640, 640]);
  expect(nameWidth(1100)).toBeLessThan(640);
  expect(nameWidth(1100)).toBeGreaterThan(1100 * 0.42);
  expect(nameWidth(50)).toBe(0);
  expect(nameWidth(3000, 900)).toBe(900);
  expect(nameWidth(1000, 300)).toBe(300);
});

test('columns stand as the user has arranged them, as wide as the user has made them', () => {
  const layout = { shown: ['totalTime', 'selfShare'], widths: { selfShare: 300 } } as const;
  expect(tableOf(1400, layout).columns.map(({ id, width }) => [id, width])).toEqual([
    ['totalTime', expect.any(Number)],
    ['selfShare', 300],
  ]);
  // The file has no times.
  expect(titles(1400, layout, SAMPLES_ONLY)).toBe('Self %');
});

test('a column of counts holds the largest count, and a column its title', () => {
  const width = (samples: number, id: ColumnId): number =>
    columnsOf(SAMPLES_AND_TIME, 'samples', { ...whole, samples }).get(id)!.width;
  expect(width(9_999_999, 'totalCount')).toBeGreaterThan(width(200, 'totalCount') + 10);
  const waits = {
    counted: SAMPLES_ONLY.counted,
    value: { name: 'Milliseconds waited', unit: 'ns' },
  } as const;
  const wide = columnsOf(waits, 'samples', whole).get('selfTime')!;
  expect(wide.width).toBeGreaterThan(wide.title.length * 6);
});

test('a column moves by one place, and not beyond either end', () => {
  const { columns } = tableOf(1400, { shown: ['totalShare', 'selfShare', 'totalCount'], widths: {} });
  expect(placeAfterMove(columns, 'selfShare', -1)).toEqual({ before: 'totalShare' });
  expect(placeAfterMove(columns, 'totalShare', 1)).toEqual({ before: 'totalCount' });
  expect(placeAfterMove(columns, 'selfShare', 1)).toEqual({ before: undefined });
  expect(placeAfterMove(columns, 'totalShare', -1)).toBeUndefined();
  expect(placeAfterMove(columns, 'totalCount', 1)).toBeUndefined();
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

test('the address of a hidden class is cut, also where it has space', () => {
  const label = 'com.shop.Cart$$Lambda$14.0x0000000800c03000.run:3';
  expect([60, 33, 24, 12].map((width) => shown(label, width))).toEqual([
    'com.shop.|Cart$$Lambda$14….run|:3',
    'com.shop.|Cart$$Lambda$14….run|:3',
    '…|Cart$$Lambda$14….run|:3',
    '|Cart$….run|:3',
  ]);
  expect(shown('com.shop.Cart$$Lambda$83+0x00007f4a04007c10.1043351526.run', 28)).toBe(
    '…shop.|Cart$$Lambda$83….run|',
  );
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
    '\u200b',
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
  const places = { columnsAt: 300, markAt: 40, guidesAt: 14, guides: 28 };
  const values = (shown: readonly ColumnId[]): ReturnType<typeof rowValues> => {
    const { columns } = tableOf(1400, { shown, widths: { totalShare: 136, selfShare: 176 } });
    return rowValues(columns, { ...row, selfCount: 20 }, measure('samples'), places);
  };
  expect(values(['totalShare', 'selfShare', 'totalCount', 'selfCount', 'totalTime', 'selfTime'])).toEqual({
    spoken: 'Total % 25.00, Self % 10.00, Total # 50, Self # 20, Total time 1.00 s, Self time −1.50 ms',
    cells: ['25.00', '10.00', '50', '20', '1.00 s', '−1.50 ms'],
    exact: 'Total time 1,000,000,000 ns\nSelf time −1,500,000 ns',
    layers: {
      backgroundSize: '8px 8px, 33px 8px, 27px 8px, 28px 100%',
      backgroundPosition: '40px 8px, 312px 8px, 448px 8px, 14px 0',
    },
  });
  expect(values(['selfShare']).layers).toEqual({
    backgroundSize: '8px 8px, 0 0, 27px 8px, 28px 100%',
    backgroundPosition: '40px 8px, 0px 8px, 312px 8px, 14px 0',
  });
});

test('few samples are too few to tell, unless chance has no part in their number', () => {
  const exact = (totalCount: number, units: ProfileUnits = SAMPLES_ONLY): string | undefined =>
    cellOf('totalShare', { ...row, totalCount }, measure('samples', units)).exact;
  expect([exact(0), exact(4), exact(5)]).toEqual([undefined, '4 of 200 samples: too few to tell', undefined]);
  const allocations = { one: 'allocation sample', many: 'allocation samples', isSampled: true };
  expect(exact(4, { ...SAMPLES_ONLY, counted: allocations })).toBe(
    '4 of 200 allocation samples: too few to tell',
  );
  // All calls and bytes were counted; a time is no number of samples; shares of a weight are not whole samples.
  expect(exact(4, { ...SAMPLES_ONLY, counted: { one: 'call', many: 'calls' } })).toBeUndefined();
  expect(cellOf('totalShare', { ...row, totalCount: 4 }, measure('time')).exact).toBeUndefined();
  expect(exact(4.5)).toBeUndefined();
});

test('a bar ends at a whole pixel, and is seen however small its value is', () => {
  const { columns } = tableOf(1400, { shown: ['totalShare'], widths: {} });
  const lengthOf = (totalCount: number): string =>
    rowValues(columns, { ...row, totalCount }, measure('samples'), {
      columnsAt: 0,
      markAt: 0,
      guidesAt: 0,
      guides: 0,
    })
      .layers.backgroundSize!.toString()
      .split(', ')[1];
  expect([0, 0.01, 33, 100].map(lengthOf)).toEqual(['0px 8px', '1px 8px', '13px 8px', '40px 8px']);
});

test('names of a tree, which are indented, keep more of a narrow pane than those of a list', () => {
  const available = columnsOf(SAMPLES_AND_TIME, 'samples', whole);
  const nameWidth = (rows: 'list' | 'tree'): number =>
    layoutTable(500, usualColumns('total'), available, rows).nameWidth;
  expect(nameWidth('tree')).toBeGreaterThan(nameWidth('list') + 50);
});

test('columns and cells are in what the file counts and sums', () => {
  const allocations = {
    counted: { one: 'allocation', many: 'allocations' },
    value: { name: 'Size', unit: 'bytes' },
  } as const;
  expect(titles(1400, 'total', allocations, 'time')).toBe(
    'Total % | Total # | Self # | Self % | Total size | Self size',
  );
  const hints = (metric: Metric): readonly string[] =>
    tableOf(1400, 'self', allocations, metric).columns.map(({ hint }) => hint);
  expect(hints('time')).toEqual([
    'Percent of all size: the method itself',
    'Percent of all size: the method and what it calls',
    'Allocations with the method on top of the stack',
    'Allocations with the method on the stack',
    'Size: the method itself',
    'Size: the method and what it calls',
  ]);
  expect(hints('samples')[0]).toBe('Percent of all 200 allocations: the method itself');
  expect(columnsOf(allocations, 'samples', whole, { hidesSome: true }).get('totalShare')!.hint).toBe(
    'Percent of the 200 allocations shown, without errors: the method and what it calls',
  );
  const cell = cellOf('totalTime', { ...row, totalTime: 4_200_000 }, measure('time', allocations));
  expect([cell.text, cell.exact]).toEqual(['4.2 MB', '4,200,000 B']);
});

test('levels with a full step have guides', () => {
  expect([0, 1, 3].map((depth) => guidesOf(depth, 400))).toEqual([0, 14, 42]);
  expect([guidesOf(900, 400), guidesOf(10, 60)]).toEqual([224, 42]);
  for (const width of [60, 130, 400])
    for (let depth = 0; depth < 30; depth++)
      expect(guidesOf(depth, width)).toBeLessThanOrEqual(indentOf(depth, width));
});

test('indentation grows with every level and never takes the name its room', () => {
  expect([0, 1, 16].map((depth) => indentOf(depth, 400))).toEqual([0, 14, 224]);
  for (const width of [40, 60, 130, 400]) {
    let before = -1;
    for (let depth = 0; depth < 1_500; depth++) {
      const indent = indentOf(depth, width);
      expect(indent).toBeGreaterThan(before);
      expect(indent).toBeLessThan(width);
      before = indent;
    }
  }
});

/** The label with what matches in brackets, part by part from the given cuts. */
function marked(label: string, search: string, ...cuts: number[]): string {
  const start = label.indexOf(search);
  const range = [start, start + search.length] as const;
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
  expect(marked('java.util.HashMap.get', 'HashMap')).toBe('java.util.[HashMap].get');
  expect(marked('java.util.HashMap.get', 'util.Hash', 10)).toBe('java.[util.]|[Hash]Map.get');
  expect(marked('Foo$Bar.run(', 'Foo$Bar.run(')).toBe('[Foo$Bar.run(]');
});

test('an ellipsis is marked when it hides some of the match', () => {
  const ellipsis = { text: '…', from: 0, to: 10 };
  expect(markPieces(ellipsis, [5, 12])).toEqual([{ text: '…', isMatch: true }]);
  expect(markPieces(ellipsis, [10, 12])).toEqual([{ text: '…', isMatch: false }]);
});

test('percentages say what they refer to: all, or what is in scope', () => {
  const title = (reference: Partial<TableFacts>): string => {
    const { title, hint } = columnsOf(SAMPLES_AND_TIME, 'samples', whole, reference).get('totalShare')!;
    return `${title}: ${hint}`;
  };
  expect([title({}), title({ of: 'scope' })]).toEqual([
    'Total %: Percent of all 200 samples: the method and what it calls',
    'Total %: Percent of the 200 samples in scope: the method and what it calls',
  ]);
  const summary = {
    ...whole,
    samples: 100,
    hidden: { samples: 10, time: 1 },
    outside: { samples: 20, time: 2 },
    beyondZoom: { samples: 40, time: 4 },
  };
  expect(wholeOfRows(summary).samples).toBe(30);
});
