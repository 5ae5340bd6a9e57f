import { afterEach, expect, test, vi } from 'vitest';
import { ScopedProfile } from '../../../../shared/scope/scoped-profile.ts';
import { TimeColumn } from '../../../../shared/profile/time-column.ts';
import { CallTree } from '../../../../shared/trees/call-tree.ts';
import { ChainSums } from '../../../../shared/values/chain-sums.ts';
import { MarkedNodes } from '../../../../shared/values/marked-nodes.ts';
import {
  type Driven,
  FLAT,
  type Handled,
  rowsOf,
  scoped,
  select,
  TREE,
  tree,
  wholeLog,
} from '../../../support/driven-mirror.ts';

/** What a change of the scope finds already made: work is counted, not timed. */

const TIMELINE: Handled = { type: 'timeline', view: { zoom: undefined, buckets: 6 } };
const GROWTH: Handled = { type: 'growth', measured: true, frozen: false, shown: false };
const COLLAPSE = { kind: 'collapse', prefix: 'java.' } as const;

afterEach(() => void vi.restoreAllMocks());

/** Panes of a window, and a selected method. */
function opened(...requests: readonly Handled[]): Driven {
  const driven = wholeLog(FLAT, TREE, ...requests);
  driven.ask(rowsOf('flat', 0, 10));
  driven.ask(select('methods', driven.shown('flat').rows[0]));
  return driven;
}

test('back at the whole profile, no self values are compared or summed again', () => {
  const driven = opened();
  const before = driven.shown('flat').rows;
  driven.ask(scoped({ transforms: [COLLAPSE] }));
  expect(driven.shown('flat').rows).not.toEqual(before);
  const compared = vi.spyOn(TimeColumn.prototype, 'absoluteSum');
  driven.ask(scoped({}));
  expect(compared).not.toHaveBeenCalled();
  expect(driven.shown('flat').rows).toEqual(before);
});

test('the memory of a scope that is left is given back, after what was asked for is answered', async () => {
  const driven = opened();
  driven.ask(scoped({ transforms: [COLLAPSE] }));
  const released = vi.spyOn(ScopedProfile.prototype, 'release');
  driven.ask(scoped({}));
  expect(released).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(released).toHaveBeenCalled());
});

test('the memory of a scope is given back before another one takes any', () => {
  const driven = opened();
  driven.ask(scoped({ transforms: [COLLAPSE] }));
  const released = vi.spyOn(ScopedProfile.prototype, 'release');
  const updated = vi.spyOn(ScopedProfile.prototype, 'update');
  driven.ask(scoped({ transforms: [COLLAPSE, { kind: 'collapse-recursion', of: 'all' }] }));
  const [[freed], [made]] = [released, updated].map(({ mock }) => mock.invocationCallOrder);
  expect(freed).toBeLessThan(made);
});

test('another choice of threads looks for no row of a call node again', () => {
  const driven = opened();
  const thread = driven.rows().find(({ kind }) => kind === 'thread')!.label;
  const lookUps = vi.spyOn(CallTree.prototype, 'rowsOfNodes');
  driven.ask(scoped({ threads: [thread] }), rowsOf('tree', 0, 10));
  expect(driven.rows().map(({ label }) => label)[0]).toBe(thread);
  driven.ask(scoped({}));
  expect(lookUps.mock.calls.filter(([, length]) => length > 0)).toEqual([]);
});

test('a selected method is looked for in the rows of a tree, not in all call nodes', () => {
  const driven = opened(tree({ threads: 'all' }), TIMELINE);
  const { nodes } = driven.last('summary').summary;
  const visited = vi.spyOn(MarkedNodes.prototype, 'update');
  driven.ask(select('methods', driven.shown('flat').rows[1]));
  expect(driven.last('timeline').columns?.selected.some((samples) => samples > 0)).toBe(true);
  expect(visited.mock.calls.length).toBe(1);
  expect(visited.mock.calls[0][1]).toBeLessThan(nodes);
});

test('methods are summed over the rows of a tree on screen, also where they come before it', () => {
  const summed = vi.spyOn(ChainSums.prototype, 'update');
  opened(GROWTH);
  const chains = summed.mock.contexts.map((each) => (each as ChainSums).chains);
  const ofSamples = chains.filter(({ length }) => length > 0);
  expect(ofSamples.length).toBeGreaterThan(0);
  expect(ofSamples.filter(({ tree }) => tree === undefined)).toEqual([]);
});
