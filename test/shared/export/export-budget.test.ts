import { expect, test } from 'vitest';
import { ExportBudget, ExportRefusal, type OutputSink } from '../../../shared/export/export-input.ts';
import { EXPORT_FORMAT_IDS, exportFormat } from '../../../shared/export/export-formats.ts';

/** Three pieces of ten characters. */
function threePieces(sink: OutputSink): void {
  for (const [at, piece] of ['one line.\n', 'two lines\n', 'and three\n'].entries())
    sink(piece, (at + 1) / 3);
}

function written(most: number, format: { readonly hasLines?: true }): readonly [string, string | undefined] {
  const budget = new ExportBudget(most);
  let text = '';
  budget.spend(format, (piece) => void (text += String(piece)), threePieces);
  return [text, budget.stopped];
}

test('lines are written up to the budget, and where they stop is said', () => {
  expect(written(30, { hasLines: true })).toEqual(['one line.\ntwo lines\nand three\n', undefined]);
  expect(written(29, { hasLines: true })).toEqual([
    'one line.\ntwo lines\n',
    'stopped at the limit of 29 B, at 66.7 % of it; leanscope with --no-limit writes all',
  ]);
  expect(written(9, { hasLines: true })[0]).toBe('');
});

test('a format of which a part is of no use is refused', () => {
  expect(written(30, {})[1]).toBeUndefined();
  expect(() => written(29, {})).toThrow(ExportRefusal);
  expect(() => written(29, {})).toThrow('a part of this format is of no use');
});

test('an error of a writer is no end of the budget', () => {
  const fails = (): void =>
    new ExportBudget(1).spend(
      {},
      () => undefined,
      () => {
        throw new Error('a bug');
      },
    );
  expect(fails).toThrow('a bug');
});

test('formats for machines have an end that counts', () => {
  expect(EXPORT_FORMAT_IDS.filter((id) => exportFormat(id).hasLines !== true)).toEqual([
    'html',
    'svg',
    'png',
    'hprof',
    'hprof-text',
    'trcbin',
    'speedscope',
    'pprof',
    'otlp',
    'json',
  ]);
});
