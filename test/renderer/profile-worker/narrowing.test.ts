import type { FlameZoom } from '../../../shared/engine/query.ts';
import { expect, test } from 'vitest';
import type { Row } from '../../../renderer/profile-worker/pane-messages.ts';
import { NONE } from '../../../shared/profile/columns.ts';
import { EMPTY_SCOPE, type Scope } from '../../../shared/scope/scope.ts';
import { frameKey } from '../../../shared/engine/trees/keys.ts';
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
  tree,
  wholeLog,
} from '../../support/driven-mirror.ts';
import { FollowedLog } from '../../support/followed-log.ts';
import { readLog } from '../../support/read-log.ts';

const { profile } = readLog(LOG);
const ALL_PANES = [FLAT, tree({ threads: 'all' })] as const;
const ALL_SHOWN = [rowsOf('flat', 0, 5_000), rowsOf('tree', 0, 5_000)] as const;

/** What the window sends for a zoom that narrows the other panes. */
function zoomed(zoom: FlameZoom | undefined, scope: Partial<Scope> = {}): readonly Handled[] {
  const look = scoped(scope);
  return [
    look.type === 'view' ? { ...look, narrowing: zoom && { threads: 'all', zoom } } : look,
    flame({ zoom }),
  ];
}

/** The keys of the frames of each node from the root, by a count over raw samples. */
function samples(): readonly { readonly path: readonly string[]; readonly count: number }[] {
  const { nodes, selfValues } = profile;
  return Array.from({ length: selfValues.length }, (_, row) => {
    const path: string[] = [];
    for (let node = selfValues.node[row]; nodes.parent[node] !== NONE; node = nodes.parent[node])
      path.unshift(frameKey(profile, nodes.frame[node], 'fqmn'));
    return { path, count: selfValues.count[row] };
  });
}

function totals(driven: Driven): ReadonlyMap<string, number> {
  driven.ask(...ALL_SHOWN);
  return new Map(driven.shown('flat').rows.map(({ label, totalCount }) => [label, totalCount]));
}

/** The rows from the root to a row, as labels of frames. */
function pathOf(rows: readonly Row[], row: Row): readonly string[] {
  const path: string[] = [];
  let { depth } = row;
  for (let at = rows.indexOf(row); depth > 0; at--)
    if (rows[at].depth === depth) {
      path.unshift(rows[at].label);
      depth--;
    }
  return path;
}

test('a zoom narrows the methods and the tree to what is below it, and no more', () => {
  const driven = wholeLog(scoped({}), ...ALL_PANES, flame());
  const [root] = driven.rows();
  driven.ask(expand(root.id, 'all'), ...ALL_SHOWN);
  const rows = driven.rows();
  const raw = samples();
  const before = JSON.stringify([driven.shown('flat').rows, rows]);
  const some = rows.filter(({ depth }, at) => depth > 0 && at % 37 === 1).slice(0, 25);
  expect(some.length).toBeGreaterThan(10);
  for (const row of some) {
    const zoom = { row: row.id, run: undefined };
    driven.ask(...zoomed(zoom));
    const path = pathOf(rows, row);
    const inside = raw.filter((sample) => path.every((label, at) => sample.path[at] === label));
    const expected = new Map<string, number>();
    for (const sample of inside)
      for (const key of new Set(sample.path)) expected.set(key, (expected.get(key) ?? 0) + sample.count);
    expect(totals(driven), row.label).toEqual(expected);
    const { samples: all, outside, beyondZoom } = driven.last('summary').summary;
    expect(all - beyondZoom.samples).toBe(row.totalCount);
    expect(outside.samples).toBe(0);
    expect(driven.rows()[0].totalCount).toBe(row.totalCount);
    // The flame graph itself keeps its numbers: its path says what the zoom is a part of.
    expect(driven.last('flame').path[0].weight).toBe(all);
    expect(driven.last('flame').layout.weight[0]).toBe(row.totalCount);
  }
  driven.ask(...zoomed(undefined), ...ALL_SHOWN);
  expect(JSON.stringify([driven.shown('flat').rows, driven.rows()]) === before).toBe(true);
  expect(driven.last('summary').summary.beyondZoom.samples).toBe(0);
});

test('so does a block of narrow frames', () => {
  const driven = wholeLog(scoped({}), ...ALL_PANES, flame({ pixels: 60 }));
  const [root, ...frames] = flameRows(driven.last('flame').layout);
  const block = frames.find(({ kind, parent }) => kind === 'block' && parent === 0)!;
  driven.ask(...zoomed({ row: root.id, run: { first: block.id, last: block.lastId } }));
  const { samples: all, beyondZoom } = driven.last('summary').summary;
  expect(all - beyondZoom.samples).toBe(block.totalCount);
});

test.each([{}, { transforms: [{ kind: 'collapse', prefix: 'java.' }] }] as const)(
  'live equals batch in a narrowing zoom; scope: %j',
  (scope) => {
    const whole = wholeLog(scoped({ ...EMPTY_SCOPE, ...scope }), ...ALL_PANES, flame());
    const row = whole.rows().find(({ depth, label }) => depth === 1 && !label.startsWith('AGCT'))!;
    const look = zoomed({ row: row.id, run: undefined }, scope);
    whole.ask(...look);
    const log = new FollowedLog();
    const driven = new Driven(...look, ...ALL_PANES);
    for (let at = 0; at < LOG.length; at += 40_000) {
      log.append(LOG.subarray(at, at + 40_000), at + 40_000 >= LOG.length);
      driven.ask({ type: 'delta', message: log.delta() });
    }
    expect(totals(driven)).toEqual(totals(whole));
    expect(totals(driven).size).toBeGreaterThan(5);
    expect(driven.last('summary').summary).toEqual(whole.last('summary').summary);
  },
);
