import { expect, test } from 'vitest';
import { samplesInScope } from '../../../renderer/store/state/selectors.ts';
import type { Scope } from '../../../shared/scope/scope.ts';
import { FLAT, LOG, rowsOf, scoped, tree, wholeLog } from '../../support/driven-mirror.ts';
import { readModel } from '../../support/reference-model.ts';

const MODEL = readModel(LOG);
const TIMES = MODEL.samples.map(({ at }) => at!).toSorted((a, b) => (a < b ? -1 : 1));
const REGEX = 'java.util.regex.Pattern$Branch.match';

/** The frames of errors are left out of the stacks, and not their samples. */
const WITHOUT_FRAMES = 'stacks of a package';

const SCOPES: Readonly<Record<string, Partial<Scope>>> = {
  everything: {},
  'a thread': { threads: ['main'] },
  'a range': { range: { kind: 'between', from: String(TIMES[300]), to: String(TIMES[900]) } },
  'samples with a method': { transforms: [{ kind: 'keep', key: REGEX }] },
  'samples without a method': { transforms: [{ kind: 'drop', key: REGEX }] },
  'stacks from a method on': { transforms: [{ kind: 'focus', key: REGEX }] },
  [WITHOUT_FRAMES]: { threads: ['main'], transforms: [{ kind: 'only', prefixes: ['java.'], keys: 'fqmn' }] },
};

test('the header counts errors, threads and seconds of the scope, as the panes show them', () => {
  const counted = new Map<string, string>();
  for (const [name, scope] of Object.entries(SCOPES)) {
    const shown = wholeLog(FLAT, tree({ threads: 'id' }));
    shown.ask(scoped(scope), rowsOf('flat', 0, 5_000), { type: 'reset', pane: 'tree', to: 'closed' });
    shown.ask(rowsOf('tree', 0, 5_000));
    const { summary } = shown.last('summary');
    const errors = shown
      .shown('flat')
      .rows.reduce((sum, row) => (row.kind === 'error' ? sum + row.selfCount : sum), 0);
    const threads = shown.rows().filter(({ depth, totalCount }) => depth === 0 && totalCount > 0).length;
    const isWhole = name !== WITHOUT_FRAMES;
    expect([name, summary.threadsInScope ?? summary.threads]).toEqual([name, threads]);
    expect([name, errors]).toEqual([name, isWhole ? summary.errors : 0]);
    // They are the same while errors are hidden, and as many as are left out then.
    shown.ask(scoped(scope, 'fqmn', true));
    const { summary: hidden } = shown.last('summary');
    expect([name, hidden.errors, hidden.threadsInScope]).toEqual([
      name,
      summary.errors,
      summary.threadsInScope,
    ]);
    const left = hidden.samples - hidden.hidden.samples - hidden.outside.samples;
    expect([name, samplesInScope(hidden) - left]).toEqual([name, summary.errors]);
    expect([name, samplesInScope(hidden)]).toEqual([name, samplesInScope(summary)]);
    counted.set(name, `${summary.errors} errors, ${threads} threads, ${summary.seconds?.toFixed(3)} s`);
  }
  // Counted over raw samples.
  const errorsFrom = (from: bigint, to: bigint): number =>
    MODEL.samples.filter(({ at, stack }) => {
      const isError = MODEL.methods.get(stack.at(-1)!.method)!.className === 'AGCT';
      return isError && at! >= from && at! < to;
    }).length;
  const seconds = (ns: bigint): string => (Number(ns) / 1e9).toFixed(3);
  const [first, last] = [TIMES[0], TIMES.at(-1)!];
  expect(counted.get('everything')).toBe(
    `${errorsFrom(first, last + 1n)} errors, 12 threads, ${seconds(last + 1n - first)} s`,
  );
  expect(counted.get('a range')).toMatch(`${errorsFrom(TIMES[300], TIMES[900])} errors, `);
  expect(counted.get('a range')).toMatch(`threads, ${seconds(TIMES[900] - TIMES[300])} s`);
});
