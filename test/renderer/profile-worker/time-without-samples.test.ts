import { expect, test } from 'vitest';
import type { Row } from '../../../renderer/profile-worker/pane-messages.ts';
import type { RowsSpec } from '../../../renderer/profile-worker/pane-specs.ts';
import { EMPTY_SCOPE, type Scope } from '../../../shared/scope/scope.ts';
import { Driven, FLAT, type Handled, TREE } from '../../support/driven-mirror.ts';
import { FollowedLog } from '../../support/followed-log.ts';

const BOTTOM_UP: Handled = {
  type: 'pane',
  pane: 'bottomUp',
  spec: {
    kind: 'rows',
    of: 'bottom-up',
    threads: 'all',
    sort: { by: 'totalTime', descending: true },
  } satisfies RowsSpec,
};

function byTime(scope: Partial<Scope>): Handled {
  const scoped = { ...EMPTY_SCOPE, ...scope };
  return {
    type: 'view',
    frames: 'fqmn',
    keys: 'fqmn',
    siblings: 'name',
    metric: 'time',
    search: '',
    hidesErrors: false,
    scope: scoped,
    where: [],
  };
}

/** Rows as `label samples ms`, those of a tree below their callers. */
function texts(rows: readonly Row[]): string[] {
  return rows.map(
    ({ depth, label, totalCount, totalTime }) =>
      `${'  '.repeat(depth)}${label} ${totalCount} ${totalTime / 1e6}`,
  );
}

/** Two snapshots of a thread, in `read` and in `save`: what was between them belongs to `run`. */
function twoSnapshots(): FollowedLog {
  const log = new FollowedLog();
  const { aggregator } = log;
  const thread = aggregator.thread(0, 1);
  aggregator.nameThread(thread, 'main');
  for (const [at, methodName] of ['run', 'wait', 'read', 'save'].entries())
    aggregator.defineMethod(aggregator.method(0, at + 1), { file: '', className: 'A', methodName });
  const run = aggregator.callee(aggregator.root(thread), 1, 0, 1, 1, 1);
  const wait = aggregator.callee(run, 2, 0, 2, 1, 1);
  for (const method of [3, 4])
    aggregator.sampleAt(aggregator.callee(run, 2, 0, method, 1, 1), 9_000_000, wait);
  return log;
}

test('a row with time and no sample is in all panes', () => {
  const driven = new Driven(TREE, FLAT, BOTTOM_UP, byTime({}));
  driven.ask({ type: 'delta', message: twoSnapshots().delta() });
  driven.ask({ type: 'expand', pane: 'tree', row: driven.rows()[0].id, how: 'all', turn: 1 });
  expect(texts(driven.rows())).toEqual([
    'main 2 18',
    '  A.run 2 18',
    '    A.read 1 0',
    '    A.save 1 0',
    '    A.wait 0 18',
  ]);
  expect(texts(driven.shown('flat').rows)).toContain('A.wait 0 18');
  expect(texts(driven.shown('bottomUp').rows)).toContain('A.wait 0 18');
});

test('it is what a scope leaves when all samples are outside', () => {
  const transforms = ['A.read', 'A.save'].map((key) => ({ kind: 'drop', key }) as const);
  const driven = new Driven(TREE, FLAT, byTime({ transforms }));
  driven.ask({ type: 'delta', message: twoSnapshots().delta() });
  driven.ask({ type: 'expand', pane: 'tree', row: driven.rows()[0].id, how: 'all', turn: 1 });
  expect(texts(driven.rows())).toEqual(['main 0 18', '  A.run 0 18', '    A.wait 0 18']);
  expect(texts(driven.shown('flat').rows)).toEqual(['A.run 0 18', 'A.wait 0 18']);
});
