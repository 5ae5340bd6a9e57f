import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Row } from '../../../../renderer/profile-worker/pane-messages.ts';
import { EMPTY_SCOPE, type Scope } from '../../../../shared/scope/scope.ts';
import { compareKeys } from '../../../../shared/trees/keys.ts';
import {
  Driven,
  FLAT,
  flame,
  type Handled,
  LOG,
  rowsOf,
  tree,
  view,
  wholeLog,
} from '../../../support/driven-mirror.ts';
import { FollowedLog } from '../../../support/followed-log.ts';
import { goldenLog } from '../../../support/read-log.ts';

const PANES = [FLAT, tree({ threads: 'all' }), flame()];
const recorded = JSON.parse(readFileSync('test/golden/hpl/comparisons.json', 'utf8')) as Record<
  string,
  { readonly tree: Record<string, { readonly lines: number; readonly sha256: string }> }
>;

function compared(scope: Partial<Scope> = {}, frames: 'fqmn' | 'line' = 'fqmn'): Handled {
  return {
    ...(view('', frames, false, { ...EMPTY_SCOPE, ...scope }) as Extract<Handled, { type: 'view' }>),
    comparison: { by: 'share', isSampled: true, baseline: { log: 'base' } },
  };
}

/** Two logs as the window has them: what the base's mirror lends reaches the other one. */
class ComparedLogs {
  readonly base = new Driven();
  readonly next: Driven;
  #passedOn = 0;

  constructor(...requests: readonly Handled[]) {
    this.next = new Driven(...requests);
  }

  ask(of: 'base' | 'next', ...requests: readonly Handled[]): void {
    this[of].ask(...requests);
    for (const event of this.base.events.slice(this.#passedOn))
      if (event.type === 'lent') this.next.ask({ type: 'base', lent: event.lent });
    this.#passedOn = this.base.events.length;
  }
}

function wholeLogs(base: Uint8Array, next: Uint8Array, ...requests: readonly Handled[]): ComparedLogs {
  const logs = new ComparedLogs(...requests);
  for (const [of, bytes] of [
    ['base', base],
    ['next', next],
  ] as const) {
    const log = new FollowedLog();
    log.append(bytes, true);
    logs.ask(of, { type: 'delta', message: log.delta() });
  }
  logs.ask('base', { type: 'lend', to: ['next'] });
  return logs;
}

function textOf(row: Row): string {
  const base = [row.baseSelfCount, row.baseTotalCount, row.baseSelfTime, row.baseTotalTime];
  const next = [row.selfCount, row.totalCount, row.selfTime, row.totalTime];
  return `${row.label}\t${[...base, ...next].join('\t')}`;
}

/** All rows of the tree as canonical text: siblings in the order of their keys. */
function canonicalTree(driven: Driven): string {
  driven.ask(tree({ threads: 'all', sort: { by: 'label', descending: false } }), rowsOf('tree', 0, 100_000));
  driven.ask({ type: 'expand', pane: 'tree', row: driven.rows()[0].id, how: 'all', turn: 1 });
  driven.ask(rowsOf('tree', 0, 100_000));
  const lines = driven.rows().map((row) => `${row.depth}\t${textOf(row)}`);
  return `${lines.join('\n').replace(/^0\tAll threads/i, '0\tAll Threads')}\n`;
}

function texts(driven: Driven, pane: string): readonly string[] {
  driven.ask(rowsOf(pane, 0, 10_000));
  return driven.shown(pane).rows.map(textOf).sort(compareKeys);
}

test.each(['control-a--control-b', 'hello--deeprec'])(
  'the call tree of %s in the window is the difference that the reference program computed',
  (pair) => {
    const [base, next] = pair.split('--').map((name) => goldenLog(name));
    const logs = wholeLogs(base, next, ...PANES, compared());
    const text = canonicalTree(logs.next);
    const { lines, sha256 } = recorded[pair].tree['all/fqmn'];
    expect(text.split('\n').length - 1).toBe(lines);
    expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
  },
);

test('two logs that grow by turns are compared as two that are read at once, under a scope, too', () => {
  const other = goldenLog('control-a');
  for (const scope of [{}, { transforms: [{ kind: 'collapse', prefix: 'java.' } as const] }]) {
    const growing = new ComparedLogs(...PANES, compared(scope));
    growing.ask('base', { type: 'lend', to: ['next'] });
    const files = {
      base: { log: new FollowedLog(), bytes: other },
      next: { log: new FollowedLog(), bytes: LOG },
    };
    for (let part = 0; part < 4; part++) {
      for (const of of ['base', 'next'] as const) {
        const { log, bytes } = files[of];
        const [from, to] = [part, part + 1].map((at) => Math.floor((bytes.length * at) / 4));
        log.append(bytes.subarray(from, to), part === 3);
        growing.ask(of, { type: 'delta', message: log.delta() });
      }
    }
    const whole = wholeLogs(other, LOG, ...PANES, compared(scope));
    for (const pane of ['flat', 'tree'])
      expect(texts(growing.next, pane), pane).toEqual(texts(whole.next, pane));
    const { base, next } = whole.next.last('summary').summary.compared!;
    expect(next.samples).toBe(1553);
    expect(base.samples).toBe(whole.base.last('summary').summary.samples);
  }
});

test('rows keep their ids while a comparison comes and goes, and a closed baseline leaves what was read', () => {
  const before = wholeLog(...PANES);
  const ids = (driven: Driven): ReadonlyMap<string, number> => {
    driven.ask(rowsOf('flat', 0, 10_000));
    return new Map(driven.shown('flat').rows.map(({ label, id }) => [label, id]));
  };
  const own = ids(before);
  const logs = wholeLogs(goldenLog('hello'), LOG, ...PANES, compared());
  const both = ids(logs.next);
  expect([...own].filter(([label, id]) => both.get(label) !== id)).toEqual([]);
  expect(both.size).toBeGreaterThan(own.size);
  expect(new Set(both.values()).size).toBe(both.size);
  const gone = logs.next.shown('flat').rows.find(({ totalCount }) => totalCount === 0)!;
  logs.ask('next', { type: 'select', selection: { of: 'methods', ...gone }, turn: 3 });
  expect(logs.next.last('selected').rows.flat).toBe(gone.id);
  logs.ask('next', view());
  expect(ids(logs.next)).toEqual(own);
  logs.ask('next', compared());
  expect(ids(logs.next)).toEqual(both);
});

test('an export of a comparison has both logs', () => {
  const logs = wholeLogs(goldenLog('hello'), LOG, ...PANES, compared());
  logs.ask('next', { type: 'export', job: { id: 1, compared: 'csv' } as never });
  const { source } = logs.next.last('exportSource');
  expect(source.base!.length).toBeGreaterThan(0);
  logs.ask('next', { type: 'export', job: { id: 2, compared: undefined } as never });
  expect(logs.next.last('exportSource').source.base).toBeUndefined();
});
