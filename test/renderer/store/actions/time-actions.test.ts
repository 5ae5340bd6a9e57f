import { beforeEach, expect, test } from 'vitest';
import { mirrorRequests } from '../../../../renderer/store/mirrors/mirror-requests.ts';
import { addTransform, undoScope } from '../../../../renderer/store/actions/scope-actions.ts';
import { chooseRange, endRangeNow, toggleFreeze } from '../../../../renderer/store/actions/time-actions.ts';
import { INITIAL_STATE, newLogView } from '../../../../renderer/store/state/window-state.ts';
import { useWindow } from '../../../../renderer/store/state/window-store.ts';
import type { TimeRange, Transform } from '../../../../shared/scope/scope.ts';
import type { LogId } from '../../../../shared/protocol/messages.ts';
import type { TimelineColumns } from '../../../../shared/engine/views/timeline-columns.ts';
import { logStatus, profileSummary } from '../../../support/window-events.ts';
import { dragRange, endRangeDrag, cancelDrag } from '../../../../renderer/panes/timeline/drag-range.ts';

const MERGED: Transform = { kind: 'merge', key: 'Shop.main', keys: 'fqmn' };
const until = (to: number): TimeRange => ({ kind: 'between', from: '0', to: String(to) });

beforeEach(() => {
  useWindow.setState({ ...INITIAL_STATE, logs: [newLogView('a', undefined, 'a.hpl', '/')], active: 'a' });
});

const log = () => useWindow.getState().logs[0];

test('a range that was dragged is one step for undo', () => {
  chooseRange(until(5));
  for (const to of [6, 7, 8]) dragRange(until(to));
  endRangeDrag();
  expect(log().scope.range).toEqual(until(8));
  undoScope();
  expect(log().scope.range).toEqual(until(5));
});

test('a range that follows ends at the newest sample, and stands still from then on', () => {
  const endedAt = (range: TimeRange | undefined, last: number): TimeRange | undefined => {
    chooseRange(range);
    const timeline = { first: '1000', last } as TimelineColumns;
    useWindow.setState({ logs: [{ ...log(), timeline }] });
    endRangeNow();
    return log().scope.range;
  };
  const ended = (from: string | undefined): TimeRange => ({ kind: 'between', from, to: '1501' });
  expect(endedAt(undefined, 500)).toEqual(ended(undefined));
  undoScope();
  expect(log().scope.range).toBeUndefined();
  expect(endedAt({ kind: 'latest', ns: 200 }, 500)).toEqual(ended('1300'));
  undoScope();
  expect(log().scope.range).toEqual({ kind: 'latest', ns: 200 });
  // As after a mark.
  expect(endedAt({ kind: 'between', from: '1100', to: undefined }, 500)).toEqual(ended('1100'));
  expect(endedAt(log().scope.range, 900)).toEqual(ended('1100'));
});

test('freezing ends the range at the newest sample; resuming goes on as before, or without the end of a range that was dragged', () => {
  const timeline = { first: '1000', last: 500 } as TimelineColumns;
  const freezeAndResume = (range: TimeRange | undefined): readonly (TimeRange | undefined)[] => {
    useWindow.setState({ logs: [{ ...log(), hostLog: 1 as LogId, timeline }] });
    chooseRange(range);
    toggleFreeze();
    const frozen = log().scope.range;
    toggleFreeze();
    return [frozen, log().scope.range];
  };
  const latest: TimeRange = { kind: 'latest', ns: 200 };
  const frozen = (from: string | undefined): TimeRange => ({ kind: 'between', from, to: '1501' });
  expect(freezeAndResume(undefined)).toEqual([frozen(undefined), undefined]);
  expect(freezeAndResume(latest)).toEqual([frozen('1300'), latest]);
  undoScope();
  expect(log().scope.range).toEqual(frozen('1300'));
  // The same key resumes a range that was dragged, and one whose end was dragged since it was frozen.
  chooseRange(until(7));
  toggleFreeze();
  expect(log().scope.range).toEqual({ kind: 'between', from: '0', to: undefined });
  expect(log().isHeld).toBe(false);
});

test('without times the worker holds on to what it shows while the view is frozen', () => {
  useWindow.setState({ logs: [{ ...log(), hostLog: 1 as LogId }] });
  const isHeld = (): unknown =>
    mirrorRequests(useWindow.getState(), log()).find(({ type }) => type === 'growth');
  toggleFreeze();
  expect([log().scope.range, isHeld()]).toMatchObject([undefined, { frozen: true, held: true }]);
  toggleFreeze();
  expect(isHeld()).toMatchObject({ frozen: false, held: false });
});

test('what a key adds to the scope while a range is dragged stays, whether the drag ends or is cancelled', () => {
  for (const end of [endRangeDrag, cancelDrag]) {
    chooseRange(until(5));
    dragRange(until(7));
    addTransform(MERGED);
    end();
    expect(log().beforeDrag).toBeUndefined();
    expect(log().scope.transforms.at(-1)).toEqual(MERGED);
    expect(log().scope.range).toEqual(until(end === endRangeDrag ? 7 : 5));
  }
});

test('with a range the earliest sample is asked for, also where the timeline is not on screen', () => {
  const asked = (range: TimeRange | undefined): unknown => {
    chooseRange(range);
    useWindow.setState({
      preferences: { ...INITIAL_STATE.preferences, timeline: false },
      logs: [
        {
          ...log(),
          status: logStatus({ hasSampleTimes: true, state: 'damaged' }),
          summary: profileSummary({ samples: 3 }),
        },
      ],
    });
    return mirrorRequests(useWindow.getState(), log()).find(({ type }) => type === 'timeline');
  };
  expect(asked(undefined)).toEqual({ type: 'timeline', view: undefined });
  expect(asked(until(5))).toEqual({ type: 'timeline', view: { zoom: undefined, buckets: 1 } });
});
