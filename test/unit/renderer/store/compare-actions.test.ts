import { beforeEach, expect, test } from 'vitest';
import { compareWith, mark, removeMark } from '../../../../renderer/store/compare-actions.ts';
import { emptyText } from '../../../../renderer/panes/empty-text.ts';
import { look } from '../../../../renderer/store/look.ts';
import { redoScope, undoScope } from '../../../../renderer/store/scope-actions.ts';
import { cancelDrag, chooseRange, dragRange, settleRange } from '../../../../renderer/store/time-actions.ts';
import { INITIAL_STATE, newLogView } from '../../../../renderer/store/window-state.ts';
import { useWindow } from '../../../../renderer/store/window-store.ts';
import type { ProfileSummary } from '../../../../renderer/profile-worker/mirror-messages.ts';
import type { TimeRange } from '../../../../shared/scope/scope.ts';
import type { TimelineColumns } from '../../../../shared/views/timeline-columns.ts';
import { logStatus } from '../../../support/window-events.ts';

const until = (to: number): TimeRange => ({ kind: 'between', from: undefined, to: String(to) });
const from = (start: number): TimeRange => ({ kind: 'between', from: String(start), to: undefined });
const TIMELINE = { first: '1000', last: 500 } as TimelineColumns;

function show(state: 'live' | 'damaged', hasSampleTimes = true): void {
  const log = { ...newLogView('host:1', undefined, 'a.hpl', '/'), timeline: TIMELINE };
  useWindow.setState({
    ...INITIAL_STATE,
    logs: [{ ...log, status: logStatus({ state, hasSampleTimes }) }],
    active: 'host:1',
  });
}

beforeEach(() => show('live'));

const log = () => useWindow.getState().logs[0];
const comparison = (): unknown => {
  const view = look(useWindow.getState(), log()).find(({ type }) => type === 'view');
  return view?.type === 'view' ? view.comparison : undefined;
};

test('a mark divides the samples at the latest one, and is one step for undo', () => {
  mark();
  expect([log().scope.range, log().baseline]).toEqual([from(1501), { range: until(1501) }]);
  expect(comparison()).toEqual({ baseline: { range: until(1501) }, by: 'share', isSampled: true });
  undoScope();
  expect([log().scope.range, log().baseline, comparison()]).toEqual([undefined, undefined, undefined]);
  redoScope();
  expect(log().baseline).toEqual({ range: until(1501) });
  compareWith(undefined);
  expect([log().scope.range, log().baseline]).toEqual([from(1501), undefined]);
});

test('in a log that does not grow the range becomes the baseline; without one that is asked for', () => {
  show('damaged');
  mark();
  expect(log().baseline).toBeUndefined();
  expect(useWindow.getState().notices.at(-1)?.text).toContain('select a range in the timeline');
  chooseRange(until(7));
  mark();
  expect([log().scope.range, log().baseline]).toEqual([undefined, { range: until(7) }]);
  show('live', false);
  mark();
  expect(useWindow.getState().notices.at(-1)?.text).toContain('does not record when');
});

test('a baseline that was dragged is one step for undo, and a cancelled drag is none', () => {
  compareWith({ range: until(5) });
  for (const to of [6, 7, 8]) dragRange(until(to), 'baseline');
  cancelDrag();
  expect(log().baseline).toEqual({ range: until(5) });
  for (const to of [6, 7, 8]) dragRange(until(to), 'baseline');
  expect(log().baseline).toEqual({ range: until(8) });
  settleRange();
  undoScope();
  expect([log().baseline, log().baselineBeforeDrag]).toEqual([{ range: until(5) }, undefined]);
});

test('where nothing was written since the mark, that is said with what can be done', () => {
  const nothing = { samples: 40, hidden: { samples: 0 }, outside: { samples: 40 } } as ProfileSummary;
  const said = (): string | undefined => emptyText({ ...log(), summary: nothing }, false, false)?.title;
  chooseRange(from(900));
  expect(said()).toBe('Nothing is in this scope');
  mark();
  expect(said()).toBe('No sample since the mark');
  expect(emptyText({ ...log(), summary: nothing }, false, false)?.text).toContain(
    'drag in the timeline with Ctrl',
  );
  removeMark();
  expect([log().scope.range, log().baseline]).toEqual([undefined, undefined]);
});
