import { afterEach, expect, test, vi } from 'vitest';
import { TimeColumn } from '../../../shared/profile/time-column.ts';
import { CallTree } from '../../../shared/engine/trees/call-tree.ts';
import { ChainSums } from '../../../shared/engine/values/value-columns.ts';
import { MarkedNodes } from '../../../shared/engine/values/marked-stacks.ts';
import { TimelineCounts } from '../../../shared/engine/views/timeline-counts.ts';
import {
  type Driven,
  FLAT,
  type Handled,
  LOG,
  rowsOf,
  scoped,
  select,
  TREE,
  tree,
  view,
  wholeLog,
} from '../../support/driven-mirror.ts';
import { FollowedLog } from '../../support/followed-log.ts';

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

test('another choice of threads looks for no row of a call node again', () => {
  const driven = opened();
  const thread = driven.rows().find(({ kind }) => kind === 'thread')!.label;
  const lookUps = vi.spyOn(CallTree.prototype, 'rowsOfNodes');
  driven.ask(scoped({ threads: [thread] }), rowsOf('tree', 0, 10));
  expect(driven.rows().map(({ label }) => label)[0]).toBe(thread);
  driven.ask(scoped({}));
  expect(lookUps.mock.calls.filter(([, length]) => length > 0)).toEqual([]);
});

test('a selected method and a search are looked for in the rows of a tree, not in all call nodes', () => {
  const driven = opened(tree({ threads: 'all' }), TIMELINE);
  const { nodes } = driven.last('summary').summary;
  const visited = vi.spyOn(MarkedNodes.prototype, 'update');
  driven.ask(select('methods', driven.shown('flat').rows[1]));
  expect(driven.last('timeline').columns?.selected.some((samples) => samples > 0)).toBe(true);
  expect(visited.mock.calls.length).toBe(1);
  expect(visited.mock.calls[0][1]).toBeLessThan(nodes);

  driven.ask(view('Pattern'));
  expect(driven.last('search').names).toBeGreaterThan(0);
  expect(driven.last('timeline').columns?.matches.some((samples) => samples > 0)).toBe(true);
  // Errors were looked for in all call nodes when the log was shown, and are not looked for again.
  const { calls } = visited.mock;
  expect(calls.filter(([, length]) => length === nodes)).toEqual([]);
  expect(calls.length).toBeGreaterThan(1);
});

test('an undo sends the samples over time as they were, with what was selected meanwhile', () => {
  const driven = opened(TIMELINE);
  const steps: readonly Handled[] = [scoped({ transforms: [COLLAPSE] }), scoped({ threads: ['main'] })];
  const whole = driven.last('timeline');
  const scopes = steps.map((step) => {
    driven.ask(step);
    return driven.last('timeline');
  });
  expect(scopes[1]).not.toEqual(whole);
  driven.ask(steps[0]);
  expect(driven.last('timeline')).toEqual(scopes[0]);
  driven.ask(scoped({}));
  expect(driven.last('timeline')).toEqual(whole);
  driven.ask(select('methods', driven.shown('flat').rows[1]));
  expect(driven.last('timeline').columns?.selected).not.toEqual(whole.columns?.selected);
});

test('of a log that is read again nothing is kept', () => {
  const driven = opened(TIMELINE);
  const counted = vi.spyOn(TimelineCounts.prototype, 'count');
  const again = new FollowedLog(1);
  again.append(LOG, true);
  driven.ask({ type: 'delta', message: again.delta() });
  expect(counted).toHaveBeenCalled();
});

test('methods are summed over the rows of a tree on screen, also where they come before it', () => {
  const summed = vi.spyOn(ChainSums.prototype, 'update');
  opened(GROWTH);
  const chains = summed.mock.contexts.map((each) => (each as ChainSums).chains);
  const ofSamples = chains.filter(({ length }) => length > 0);
  expect(ofSamples.length).toBeGreaterThan(0);
  expect(ofSamples.filter(({ tree }) => tree === undefined)).toEqual([]);
});
