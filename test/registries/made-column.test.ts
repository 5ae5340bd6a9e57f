import { expect, test, vi } from 'vitest';
import { columnMenu } from '../../renderer/panes/table/TableHeader.tsx';
import { columnsOf, layoutTable } from '../../renderer/panes/table/columns.ts';
import { rowText } from '../../renderer/panes/table/row-text.ts';
import type { Columns } from '../../renderer/panes/table/use-table.ts';
import type { Column, Measure } from '../../shared/engine/columns/column.ts';
import { cellOf } from '../../shared/engine/columns/columns.ts';
import {
  conditionsText,
  quantityText,
  type Conditions,
  QUANTITIES,
} from '../../shared/engine/views/row-conditions.ts';
import { SAMPLES_ONLY } from '../../shared/profile/profile-units.ts';
import { EMPTY_SCOPE } from '../../shared/scope/scope.ts';
import { FLAT, FLAT_SPEC, view, wholeLog } from '../support/driven-mirror.ts';
import { goldenPath } from '../support/read-log.ts';
import { runCli } from '../support/run-cli.ts';
import { usualColumns, withShown } from '../../renderer/panes/table/column-layout.ts';
import { readPreferences } from '../../renderer/store/state/preferences.ts';

/** A column that nobody but this test knows. */
vi.mock('../../shared/engine/columns/column-list.ts', async (original) => {
  const list = await original<typeof import('../../shared/engine/columns/column-list.ts')>();
  const id = 'totalBelow';
  const made: Column = {
    id,
    group: 'samples',
    part: 'total',
    heading: () => ({ title: 'Below #', hint: 'Samples of callees', digits: 9, sort: id }),
    cell: ({ selfCount, totalCount }) => ({ text: `${totalCount - selfCount}` }),
    unit: () => ' below',
    sort: {
      metric: 'samples',
      number:
        ({ selfCount, totalCount }) =>
        (row) =>
          totalCount[row] - selfCount[row],
    },
    quantity: {
      id,
      place: 2.5,
      text: () => ({ name: 'Below #', unit: '' }),
      amount: ({ selfCount, totalCount }, row) => totalCount[row] - selfCount[row],
      csvTitle: () => 'Below #',
      csvCell: ({ selfCount, totalCount }, row) => `${totalCount[row] - selfCount[row]}`,
    },
  };
  return { ...list, COLUMNS: [...list.COLUMNS, made] };
});

const MEASURE = { units: SAMPLES_ONLY, metric: 'samples' } as Measure;
const below = ({ selfCount, totalCount }: { selfCount: number; totalCount: number }): number =>
  totalCount - selfCount;

test('a column that is added to the list is one of the tables of the window', () => {
  const available = columnsOf({
    units: SAMPLES_ONLY,
    metric: 'samples',
    samples: 100,
    compared: undefined,
    hidesSome: false,
    of: 'all',
    hasRates: false,
    hasTimes: false,
  });
  const layout = readPreferences(
    JSON.stringify({ columns: { flat: { shown: ['totalBelow', 'unknown'], widths: { totalBelow: 90 } } } }),
  ).columns.flat!;
  expect(layout.shown).toEqual(['totalBelow']);
  expect(withShown(usualColumns('self'), 'totalBelow', true).shown.at(-1)).toBe('totalBelow');
  const table = layoutTable(500, layout, available);
  expect(table.columns).toMatchObject([{ title: 'Below #', hint: 'Samples of callees', width: 90 }]);
  const columns = { ...table, available, isShown: () => true } as unknown as Columns;
  const texts = columnMenu(columns, undefined, () => 0).map(
    (entry) => typeof entry === 'object' && entry.text,
  );
  expect(texts).toContain('Below #');

  const [row] = wholeLog(FLAT).shown('flat').rows;
  expect(cellOf('totalBelow', row, MEASURE).text).toBe(`${below(row)}`);
  expect(rowText(row, table.columns, MEASURE)).toBe(`${row.label}\t${below(row)} below`);
});

test('rows are sorted and filtered by it', () => {
  const driven = wholeLog({
    type: 'pane',
    pane: 'flat',
    spec: { ...FLAT_SPEC, sort: { by: 'totalBelow', descending: true } },
  });
  const sorted = driven.shown('flat').rows.map(below);
  expect(sorted[0]).toBeGreaterThan(10);
  expect(sorted).toEqual(sorted.toSorted((a, b) => b - a));

  const least = sorted[3];
  const where: Conditions = [[{ of: 'totalBelow', comparison: '>=', value: least }]];
  driven.ask(view('', 'fqmn', false, EMPTY_SCOPE, where));
  const { rows, total } = driven.shown('flat');
  expect(rows.map(below)).toEqual(sorted.filter((each) => each >= least));
  expect(total).toBe(rows.length);

  expect(QUANTITIES).toEqual(expect.arrayContaining(['totalBelow', 'base.totalBelow']));
  expect(quantityText('difference.totalBelow', SAMPLES_ONLY)?.name).toBe('Below # difference');
  expect(conditionsText(where, SAMPLES_ONLY)).toBe(`Below # ≥ ${least}`);
});

test('the table for spreadsheets has it in its place', async () => {
  const { stdout } = await runCli(['export', goldenPath('hello'), '--format', 'csv']);
  const [titles, ...lines] = stdout.trim().split('\r\n');
  expect(titles).toMatch(/^"Method","Self #","Total #","Below #","Self %"/);
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) {
    const [self, total, made] = line.slice(line.lastIndexOf('"') + 2).split(',');
    expect(Number(made)).toBe(Number(total) - Number(self));
  }
});
