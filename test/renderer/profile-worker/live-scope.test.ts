import { expect, test } from 'vitest';
import { MACHINE_NAMES, type Transform } from '../../../shared/scope/scope.ts';
import { flameRows } from '../../../shared/engine/views/flame-columns.ts';
import {
  Driven,
  expand,
  FLAT,
  flame,
  type Handled,
  LOG,
  rowsOf,
  scoped,
  TREE,
  view,
  wholeLog,
} from '../../support/driven-mirror.ts';
import { FollowedLog } from '../../support/followed-log.ts';

const COLLAPSE: Transform = { kind: 'collapse', prefix: 'java.' };
const PANES = [FLAT, TREE, flame()] as const;
const ALL_ROWS = [rowsOf('flat', 0, 5_000), rowsOf('tree', 0, 5_000)] as const;

/** What the rows of a pane say: `label self total`, in no order. */
function shownTexts(driven: Driven, pane: string): string[] {
  return driven
    .shown(pane)
    .rows.map(({ label, selfCount, totalCount }) => `${label} ${selfCount} ${totalCount}`)
    .sort();
}

/** What the rows of the panes of a method say, with what is below the first of them. */
function detailTexts(driven: Driven, pane: string): string[] {
  for (let level = 0; level < 3; level++) {
    driven.ask(rowsOf(pane, 0, 1_000));
    const closed = driven.shown(pane).rows.filter(({ expandable, expanded }) => expandable && !expanded);
    for (const { id } of closed.slice(0, 20))
      driven.ask({ type: 'expand', pane, row: id, how: 'expand', turn: 1 });
  }
  driven.ask(rowsOf(pane, 0, 1_000));
  return driven
    .shown(pane)
    .rows.map((row) => `${row.depth} ${row.label} ${row.selfCount} ${row.totalCount} ${row.totalTime}`);
}

test.each<[kind: string, transforms: readonly Transform[], method: string]>([
  ['keep', [{ kind: 'keep', key: 'java.lang.Thread.run' }], 'ServerSim$Chain.next'],
  ['drop', [{ kind: 'drop', key: 'java.lang.Thread.run' }], 'ServerSim.deepHash'],
  ['focus', [{ kind: 'focus', key: 'ServerSim$Chain.next' }], 'ServerSim$Chain.next'],
  ['merge', [{ kind: 'merge', key: 'ServerSim$Chain.next' }], 'java.lang.Thread.run'],
  ['only', [{ kind: 'only', prefixes: ['ServerSim', 'java.util.'] }], 'ServerSim.deepHash'],
  ['collapse', [COLLAPSE], 'java.*'],
  [
    'collapse-class',
    [{ kind: 'collapse-class', className: 'java.util.regex.Pattern' }],
    'java.util.regex.Pattern.*',
  ],
  ['collapse-recursion, all', [{ kind: 'collapse-recursion', of: 'all' }], 'ServerSim.deepHash'],
  ['collapse-recursion, direct', [{ kind: 'collapse-recursion', of: 'direct' }], 'ServerSim.deepHash'],
  ['fold', [{ kind: 'fold', names: MACHINE_NAMES }], 'ServerSim$$Lambda.applyAsLong'],
  ['two of them', [{ kind: 'collapse-recursion', of: 'all' }, COLLAPSE], 'java.*'],
])('live equals batch in all panes under %s', (_, transforms, label) => {
  const scope = scoped({ transforms });
  const method = { of: 'bottom-up', id: 0, label } as const;
  const sort = { by: 'totalCount', descending: true } as const;
  const details: readonly Handled[] = [
    { type: 'pane', pane: 'bottomUp', spec: { kind: 'rows', of: 'bottom-up', threads: 'name', sort } },
    { type: 'pane', pane: 'callers', spec: { kind: 'rows', of: 'callers', threads: 'name', method, sort } },
    { type: 'pane', pane: 'callees', spec: { kind: 'rows', of: 'callees', threads: 'all', method, sort } },
  ];
  const log = new FollowedLog();
  const driven = new Driven(scope, ...PANES, ...details);
  for (let at = 0; at < LOG.length; at += 150_000) {
    log.append(LOG.subarray(at, at + 150_000), at + 150_000 >= LOG.length);
    driven.ask({ type: 'delta', message: log.delta() });
    driven.ask(...ALL_ROWS);
  }
  const whole = wholeLog(scope, ...PANES, ...details);
  whole.ask(...ALL_ROWS);
  for (const pane of ['bottomUp', 'callers', 'callees']) {
    const batch = detailTexts(whole, pane);
    expect(batch.length, pane).toBeGreaterThan(2);
    expect(detailTexts(driven, pane), pane).toEqual(batch);
  }
  for (const each of [driven, whole]) each.ask(expand(undefined, 'all'), ...ALL_ROWS);
  for (const pane of ['flat', 'tree'])
    expect(shownTexts(driven, pane), pane).toEqual(shownTexts(whole, pane));
  expect(driven.last('summary').summary).toEqual(whole.last('summary').summary);
  const frames = (each: Driven): string[] =>
    flameRows(each.last('flame').layout)
      .filter(({ kind }) => kind !== 'block')
      .map(({ label, depth, weight }) => `${depth} ${label} ${weight}`)
      .toSorted();
  expect(frames(driven)).toEqual(frames(whole));
  expect(frames(whole)).not.toEqual(frames(wholeLog(view(), flame())));
});
