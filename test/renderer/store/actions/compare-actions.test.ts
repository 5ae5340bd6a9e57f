import { beforeEach, expect, test } from 'vitest';
import { compareWithRest, mark, swapSides } from '../../../../renderer/store/actions/compare-actions.ts';
import { sideWithout } from '../../../../shared/scope/apart.ts';
import { comparedNames, comparedText } from '../../../../renderer/store/state/compared-names.ts';
import { emptyText, ACTIONS } from '../../../../renderer/panes/EmptyPane.tsx';
import { mirrorRequests } from '../../../../renderer/store/mirrors/mirror-requests.ts';
import { chanceOfSides } from '../../../../renderer/store/state/selectors.ts';
import { redoScope, undoScope } from '../../../../renderer/store/actions/scope-actions.ts';
import { receive } from '../../../../renderer/store/events/receive.ts';
import { chooseRange } from '../../../../renderer/store/actions/time-actions.ts';
import { INITIAL_STATE, newLogView } from '../../../../renderer/store/state/window-state.ts';
import { useWindow } from '../../../../renderer/store/state/window-store.ts';
import type { ProfileSummary } from '../../../../renderer/profile-worker/mirror-messages.ts';
import type { ComparedWhole } from '../../../../shared/engine/values/row-change.ts';
import { type ProfileUnits, SAMPLES_AND_TIME } from '../../../../shared/profile/profile-units.ts';
import type { LogId } from '../../../../shared/protocol/messages.ts';
import type { TimeRange } from '../../../../shared/scope/scope.ts';
import type { TimelineColumns } from '../../../../shared/engine/views/timeline-columns.ts';
import { logStatus, profileSummary } from '../../../support/window-events.ts';
import { changeScope } from '../../../../renderer/store/actions/actions.ts';
import { dragRange, endRangeDrag, cancelDrag } from '../../../../renderer/panes/timeline/drag-range.ts';
import { comparedWholeOf } from '../../../../renderer/panes/table/use-table.ts';

const until = (to: number): TimeRange => ({ kind: 'between', from: undefined, to: String(to) });
const from = (start: number): TimeRange => ({ kind: 'between', from: String(start), to: undefined });
const TIMELINE = { first: '1000', last: 500 } as TimelineColumns;

function show(state: 'live' | 'idle' | 'reading' | 'damaged', hasSampleTimes = true): void {
  const log = { ...newLogView('host:1', 1 as LogId, 'a.hpl', '/'), timeline: TIMELINE };
  useWindow.setState({
    ...INITIAL_STATE,
    logs: [{ ...log, status: logStatus({ state, hasSampleTimes }) }],
    active: 'host:1',
  });
}

beforeEach(() => show('live'));

const log = () => useWindow.getState().logs[0];
const comparison = (): unknown => {
  const view = mirrorRequests(useWindow.getState(), log()).find(({ type }) => type === 'view');
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
  changeScope({ baseline: undefined });
  expect([log().scope.range, log().baseline]).toEqual([from(1501), undefined]);
});

test('a mark comes after all samples that the host has read, also those that a frozen window does not show', () => {
  const read = (epoch: number): void => {
    show('live');
    // The file began with something else, 800 ns before its first sample.
    const status = logStatus({ hasSampleTimes: true, spanNs: 1700, lastTime: '1900', epoch });
    const shownEpoch = logStatus({}).epoch;
    useWindow.setState({ logs: [{ ...log(), isHeld: true, shownEpoch, status }] });
    mark();
  };
  read(0);
  expect([log().scope.range, log().baseline]).toEqual([from(1901), { range: until(1901) }]);
  // Those of a file that has begun anew have other times.
  read(1);
  expect(log().scope.range).toEqual(from(1501));
});

test('in a log that has not grown here, a range is compared with the rest; without one a mark is refused, and it is said what helps', () => {
  const showIdle = (hasGrown: boolean): void => {
    show('idle');
    useWindow.setState(({ logs }) => ({ logs: logs.map((each) => ({ ...each, hasGrown })) }));
  };
  showIdle(false);
  mark();
  expect([log().scope.range, log().baseline]).toEqual([undefined, undefined]);
  expect(useWindow.getState().notices.map(({ text }) => text)).toEqual([
    'Nothing was marked: this log has not grown since it was opened, and no sample would be new. A range of the timeline can be compared with the rest.',
  ]);
  showIdle(false);
  chooseRange(until(1007));
  mark();
  // Without a start, the whole would not contain it: nothing would be left on its side.
  const start = { ...until(1007), from: '1000' };
  expect([log().scope.range, log().baseline]).toEqual([start, { range: from(1000) }]);
  expect(sideWithout({ from: 1000n, to: undefined }, { from: 1000n, to: 1007n })).toBe('base');
  expect(sideWithout({ from: 1000n, to: undefined }, { from: undefined, to: 1007n })).toBe('next');
  // It pauses: the present is marked.
  showIdle(true);
  chooseRange(until(7));
  mark();
  expect([log().scope.range, log().baseline]).toEqual([from(1501), { range: until(1501) }]);
  expect(useWindow.getState().notices).toEqual([]);
});

test('a log that is still being read may grow: a mark waits for its end', () => {
  show('reading');
  mark();
  expect(log().baseline).toBeUndefined();
  expect(useWindow.getState().notices.at(-1)?.text).toMatch(/^The log is still being read/);
});

test('in a log that does not grow the range is compared with the rest; without one that is asked for', () => {
  show('damaged');
  mark();
  expect(log().baseline).toBeUndefined();
  expect(useWindow.getState().notices.at(-1)?.text).toContain('drag over a range in the timeline');
  chooseRange(until(7));
  mark();
  const start = { ...until(7), from: '1000' };
  expect([log().scope.range, log().baseline]).toEqual([start, { range: from(1000) }]);
  show('live', false);
  mark();
  expect(useWindow.getState().notices.at(-1)?.text).toContain('does not record when');
});

test('chip and names of an export say which samples a baseline of the log itself is compared with', () => {
  const said = (): readonly unknown[] => {
    const { logs } = useWindow.getState();
    const { text, note } = comparedText({ logs }, log(), log().baseline!);
    return [text, note !== undefined, ...Object.values(comparedNames({ logs }, log()))];
  };
  const [start, end] = ['0:00', '0:00'];
  changeScope({ baseline: { range: until(1200) } });
  expect(said()).toEqual([
    `the rest compared with before ${start}`,
    true,
    `a.hpl (before ${start})`,
    `a.hpl (without before ${start})`,
  ]);
  chooseRange({ kind: 'between', from: '1100', to: '1150' });
  expect(said()).toEqual([
    `compared with the rest of before ${start}`,
    true,
    `a.hpl (before ${start}, without ${start} to ${end})`,
    `a.hpl (${start} to ${end})`,
  ]);
  chooseRange(from(1200));
  expect(said().slice(0, 2)).toEqual([`compared with before ${start}`, false]);
  chooseRange(undefined);
  changeScope({ baseline: { threads: ['main'] } });
  expect(said().slice(0, 2)).toEqual(['compared with thread main, a part of them', true]);
});

test('sides are swapped, and swapped back: of ranges, of threads, and of another log', () => {
  const sides = (): readonly unknown[] => [log().scope.range, log().scope.threads, log().baseline];
  const swappedTwice = (): readonly unknown[] => {
    const before = sides();
    swapSides();
    const swapped = sides();
    swapSides();
    expect(sides()).toEqual(before);
    return swapped;
  };
  chooseRange(until(1200));
  compareWithRest();
  const start = { ...until(1200), from: '1000' };
  expect(sides()).toEqual([start, [], { range: from(1000) }]);
  expect(swappedTwice()).toEqual([undefined, [], { range: start }]);
  mark();
  expect(swappedTwice()).toEqual([until(1501), [], { range: from(1501) }]);
  chooseRange(undefined);
  changeScope({ baseline: { threads: ['main'] } });
  expect(swappedTwice()).toEqual([undefined, ['main'], { threads: [] }]);
  const other = newLogView('host:2', 2 as LogId, 'b.hpl', '/');
  useWindow.setState(({ logs }) => ({ logs: [...logs, { ...other, status: logStatus({}) }] }));
  chooseRange(until(7));
  changeScope({ baseline: { log: 'host:2', range: from(3) } });
  swapSides();
  const [, swapped] = useWindow.getState().logs;
  expect(useWindow.getState().active).toBe('host:2');
  expect([swapped.scope.range, swapped.baseline]).toEqual([from(3), { log: 'host:1', range: until(7) }]);
});

const SOME = { samples: 9, time: 9 };

test('rows and flame graph are subject to chance only if both logs count samples', () => {
  const calls = { counted: { one: 'call', many: 'calls' }, value: { name: 'Time', unit: 'ns' } } as const;
  const logOf = (key: string, units: ProfileUnits) => ({
    ...newLogView(key, undefined, key, '/'),
    status: logStatus({ format: 'honest-log', units }),
    summary: profileSummary({ compared: { base: SOME, next: SOME, seconds: undefined } }),
  });
  const areSampled = (next: ProfileUnits, base: ProfileUnits): readonly unknown[] => {
    const logs = [logOf('next', next), logOf('base', base)];
    useWindow.setState({ ...INITIAL_STATE, logs, active: 'next' });
    changeScope({ baseline: { log: 'base' } });
    const state = useWindow.getState();
    const whole = comparedWholeOf(log(), 'samples', 'share', chanceOfSides(state, log()));
    expect((comparison() as ComparedWhole).isDependent ?? false).toBe(whole?.isDependent);
    if (whole?.isDependent) return ['dependent'];
    return [comparison(), whole].map((each) => (each as ComparedWhole).isSampled);
  };
  expect(areSampled(SAMPLES_AND_TIME, SAMPLES_AND_TIME)).toEqual([true, true]);
  expect(areSampled(SAMPLES_AND_TIME, calls)).toEqual([false, false]);
  expect(areSampled(calls, SAMPLES_AND_TIME)).toEqual([false, false]);
  const allocations = { ...SAMPLES_AND_TIME, counted: { ...SAMPLES_AND_TIME.counted, isDependent: true } };
  expect(areSampled(allocations, SAMPLES_AND_TIME)).toEqual(['dependent']);
  expect(areSampled(SAMPLES_AND_TIME, allocations)).toEqual(['dependent']);
});

test('a baseline that was dragged is one step for undo, and a cancelled drag is none', () => {
  changeScope({ baseline: { range: until(5) } });
  for (const to of [6, 7, 8]) dragRange(until(to), 'baseline');
  cancelDrag();
  expect(log().baseline).toEqual({ range: until(5) });
  for (const to of [6, 7, 8]) dragRange(until(to), 'baseline');
  expect(log().baseline).toEqual({ range: until(8) });
  endRangeDrag();
  undoScope();
  expect([log().baseline, log().beforeDrag]).toEqual([{ range: until(5) }, undefined]);
});

test('where nothing was written since the mark, that is said with what can be done', () => {
  const nothing = { samples: 40, hidden: { samples: 0 }, outside: { samples: 40 } } as ProfileSummary;
  const said = (): string | undefined => emptyText({ ...log(), summary: nothing }, false)?.title;
  chooseRange(from(900));
  expect(said()).toBe('Nothing is in this scope');
  mark();
  expect(said()).toBe('No sample since the mark');
  expect(emptyText({ ...log(), summary: nothing }, false)?.text).toContain('can be compared with the rest');
  ACTIONS.removeMark.run();
  expect([log().scope.range, log().baseline]).toEqual([undefined, undefined]);
});

/** The worker has summed the sides. */
function summed(base: number, next: number): void {
  const sum = (samples: number) => ({ samples, time: 0 });
  const compared = { base: sum(base), next: sum(next), seconds: undefined };
  const event = { type: 'summary', summary: profileSummary({ samples: base + next, compared }) } as const;
  useWindow.setState((state) => receive(state, { type: 'mirror', log: 'host:1', event, now: 0 }));
}

const said = (): readonly string[] => useWindow.getState().notices.map(({ text }) => text);

test('a baseline that leaves nothing on one side is refused in a sentence, unless the log grows', () => {
  const chosen = [
    () => changeScope({ baseline: { threads: ['/main/'] } }),
    () => {
      chooseRange(until(7));
      mark();
    },
  ];
  for (const choose of chosen) {
    show('idle');
    choose();
    const { range } = log().scope;
    summed(5012, 0);
    expect(log().baseline).toBeUndefined();
    expect(said()).toEqual([
      'Nothing was compared: all samples are in the baseline, and none are left to compare with it.',
    ]);
    // The range that was to be the baseline is selected again, and no step is left over.
    expect(log().scope.range).toEqual(choose === chosen[0] ? range : until(7));
    expect([log().scopesBack.length, log().scopesForward]).toEqual([choose === chosen[0] ? 0 : 1, []]);

    show('idle');
    choose();
    summed(0, 5012);
    expect(said()).toEqual(['Nothing was compared: the baseline has no samples.']);

    show('idle');
    choose();
    summed(12, 5000);
    // Later changes of the scope may leave nothing: the user sees what they do.
    summed(12, 0);
    expect([log().baseline === undefined, said()]).toEqual([false, []]);

    show('live');
    useWindow.setState(({ logs }) => ({ logs: logs.map((each) => ({ ...each, hasGrown: true })) }));
    choose();
    summed(5012, 0);
    expect([log().baseline === undefined, said()]).toEqual([false, []]);
  }
});
