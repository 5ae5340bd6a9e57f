import { beforeEach, expect, test } from 'vitest';
import { receive } from '../../../../renderer/store/events/receive.ts';
import { addTransform, hideErrors, undoScope } from '../../../../renderer/store/actions/scope-actions.ts';
import { chooseRange } from '../../../../renderer/store/actions/time-actions.ts';
import { INITIAL_STATE, newLogView } from '../../../../renderer/store/state/window-state.ts';
import { useWindow } from '../../../../renderer/store/state/window-store.ts';
import type { TimeRange } from '../../../../shared/scope/scope.ts';
import { logStatus } from '../../../support/window-events.ts';
import { changeScope } from '../../../../renderer/store/actions/actions.ts';

const RANGE: TimeRange = { kind: 'between', from: '3', to: '9' };
const [A, B] = ['a', 'b'];

function receiveStatus(log: string, status: Parameters<typeof logStatus>[0]): void {
  useWindow.setState((state) =>
    receive(state, {
      type: 'mirror',
      log,
      event: { type: 'status', status: logStatus({ state: 'live', samples: 7, ...status }) },
      now: 1,
    }),
  );
}

beforeEach(() => {
  const logs = [A, B].map((key) => newLogView(key, undefined, `${key}.trcxml`, '/'));
  useWindow.setState({ ...INITIAL_STATE, logs, active: A });
  for (const log of [A, B]) receiveStatus(log, { hasSampleTimes: true });
});

const log = () => useWindow.getState().logs[0];
const notices = (): readonly string[] => useWindow.getState().notices.map(({ text }) => text);

test('a range of a log whose times are lost while it grows is removed, and that is said', () => {
  chooseRange(RANGE);
  changeScope({ baseline: { range: { ...RANGE, to: '5' } } });
  addTransform({ kind: 'merge', key: 'a.A.a' });
  receiveStatus(A, { hasSampleTimes: false, samples: 9 });
  expect([log().scope.range, log().baseline]).toEqual([undefined, undefined]);
  expect(log().scope.transforms).toHaveLength(1);
  expect(notices()).toEqual([
    'a.trcxml no longer says when all of its samples were taken: ranges of it are removed.',
  ]);
  // Undo does not bring it back.
  undoScope();
  expect([log().scope.range, log().scope.transforms]).toEqual([undefined, []]);
});

test('a comparison with a range of a log whose times are lost goes on with all of it', () => {
  chooseRange(RANGE);
  changeScope({ baseline: { log: B, range: RANGE } });
  receiveStatus(B, { hasSampleTimes: false });
  expect([log().scope.range, log().baseline]).toEqual([RANGE, { log: B, range: undefined }]);
});

test('where a file begins anew its times may only not be there yet: the range stays', () => {
  chooseRange(RANGE);
  receiveStatus(A, { hasSampleTimes: false, epoch: 2, samples: 0 });
  receiveStatus(B, { hasSampleTimes: false });
  expect([log().scope.range, notices()]).toEqual([RANGE, []]);
});

test('a range that was undone is forgotten without a word, and no step is left that changes nothing', () => {
  addTransform({ kind: 'merge', key: 'a.A.a' });
  chooseRange(RANGE);
  undoScope();
  receiveStatus(A, { hasSampleTimes: false });
  expect([notices(), log().scopesBack.length, log().scopesForward]).toEqual([[], 1, []]);
});

test('idle threads are left out once they hide others, and never against what somebody has chosen meanwhile', () => {
  const waits = { samples: 100, waitingSamples: 60 };
  const kinds = (): readonly string[] => log().scope.transforms.map(({ kind }) => kind);
  receiveStatus(A, { samples: 10, waitingSamples: 0 });
  expect(kinds()).toEqual([]);
  receiveStatus(A, waits);
  expect(kinds()).toEqual(['leave-out']);
  // It stays when others catch up, so that nothing jumps.
  receiveStatus(A, { samples: 10_000, waitingSamples: 60 });
  expect(kinds()).toEqual(['leave-out']);
  receiveStatus(B, { samples: 10, waitingSamples: 0 });
  useWindow.setState({ active: B });
  addTransform({ kind: 'merge', key: 'a.A.a' });
  receiveStatus(B, waits);
  expect(useWindow.getState().logs[1].scope.transforms.map(({ kind }) => kind)).toEqual(['merge']);
});

test('a file that is read again offers its kinds of samples until it is recognised', () => {
  const options = ['CPU', 'Locks'].map((text) => ({ value: text, text }));
  const kinds = {
    id: 'sample-type',
    kind: 'one',
    name: 'Samples',
    hint: '',
    options,
    chosen: 'CPU',
  } as const;
  const offered = (): readonly string[] => log().status!.choices.map(({ id }) => id);
  receiveStatus(A, { choices: [kinds] });
  receiveStatus(A, { state: 'reading', epoch: 1, format: undefined, choices: [] });
  expect(offered()).toEqual(['sample-type']);
  receiveStatus(A, { state: 'reading', epoch: 1, choices: [] });
  expect(offered()).toEqual([]);
});

test('samples without a stack are left out at first, and as the user chose last', () => {
  const open = (key: string): boolean => {
    useWindow.setState(({ logs }) => ({ logs: [...logs, newLogView(key, undefined, `${key}.hpl`, '/')] }));
    receiveStatus(key, {});
    return useWindow.getState().logs.find((each) => each.key === key)!.hidesErrors;
  };
  expect(open('c')).toBe(true);
  hideErrors(false);
  // Other logs that are open stay as they are.
  expect(useWindow.getState().logs.map(({ hidesErrors }) => hidesErrors)).toEqual([false, true, true]);
  expect(open('d')).toBe(false);
  hideErrors(true);
  expect(open('e')).toBe(true);
});
