import { withoutLog } from '../../../../renderer/store/events/receive.ts';
import { beforeEach, expect, test } from 'vitest';
import { choosePane, zoomTo, changeScope } from '../../../../renderer/store/actions/actions.ts';
import {
  addTransform,
  applyStep,
  clearScope,
  editStep,
  redoScope,
  splitMethod,
  undoScope,
  hideErrors,
} from '../../../../renderer/store/actions/scope-actions.ts';
import { INITIAL_STATE, type LogView, newLogView } from '../../../../renderer/store/state/window-state.ts';
import { useWindow } from '../../../../renderer/store/state/window-store.ts';
import { takeBackZoom } from '../../../../renderer/panes/flame/flame-menu.ts';

beforeEach(() =>
  useWindow.setState({ ...INITIAL_STATE, logs: [newLogView('a', undefined, 'a.hpl', '/')], active: 'a' }),
);
const log = (): LogView => useWindow.getState().logs[0];
const prefer = (change: Partial<typeof INITIAL_STATE.preferences>): void =>
  useWindow.setState(({ preferences }) => ({ preferences: { ...preferences, ...change } }));

test('a transform keeps the grouping of frames in which its key was chosen', () => {
  addTransform({ kind: 'drop', key: 'Shop.wait' });
  prefer({ frames: 'line' });
  addTransform({ kind: 'merge', key: 'Shop.run:12' });
  addTransform({ kind: 'only', prefixes: ['com.acme.'], keys: 'fqmn' });
  addTransform({ kind: 'fold', names: ['proxy'] });
  expect(log().scope.transforms).toEqual([
    { kind: 'drop', key: 'Shop.wait', keys: 'fqmn' },
    { kind: 'merge', key: 'Shop.run:12', keys: 'line' },
    { kind: 'only', prefixes: ['com.acme.'], keys: 'fqmn' },
    { kind: 'fold', names: ['proxy'] },
  ]);
});

test('samples without a stack are left out at first, counted in one log, and left out again by undo', () => {
  useWindow.setState(({ logs }) => ({ logs: [...logs, newLogView('b', undefined, 'b.hpl', '/')] }));
  const hidden = (): readonly boolean[] => useWindow.getState().logs.map((each) => each.hidesErrors);
  hideErrors(false);
  expect(hidden()).toEqual([false, true]);
  undoScope();
  expect(hidden()).toEqual([true, true]);
  redoScope();
  expect(hidden()).toEqual([false, true]);
});

const A = { row: 1, run: undefined };
const B = { row: 2, run: undefined };

test('a zoom is a step of the scope: undone and done again, also after other steps', () => {
  zoomTo(A);
  addTransform({ kind: 'drop', key: 'Shop.wait' });
  zoomTo(B);
  const shown = (): string => {
    const { zoom, scope } = log();
    return `${zoom === A ? 1 : zoom === B ? 2 : '-'} ${scope.transforms.length}`;
  };
  const steps = (step: () => void): readonly string[] =>
    [0, 1, 2].map(() => {
      step();
      return shown();
    });
  expect(steps(undoScope)).toEqual(['1 1', '1 0', '- 0']);
  expect(steps(redoScope)).toEqual(['1 0', '1 1', '2 1']);
});

test('a zoom of another graph, whose rows are other ones, does not come back', () => {
  zoomTo(A);
  addTransform({ kind: 'drop', key: 'Shop.wait' });
  choosePane('flame', 'bottom-up');
  zoomTo(B);
  undoScope();
  expect([log().zoom, log().scope.transforms.length]).toEqual([undefined, 1]);
  undoScope();
  expect([log().zoom, log().scope.transforms.length]).toEqual([undefined, 0]);
  // The zoom was the only thing that an earlier step changed.
  expect(log().scopesBack).toEqual([]);
});

test('another graph is shown of all logs: zooms of none of them stay', () => {
  const other = { ...newLogView('b', undefined, 'b.hpl', '/'), zoom: B };
  useWindow.setState(({ logs }) => ({ logs: [...logs, other] }));
  choosePane('flame', 'bottom-up');
  expect(useWindow.getState().logs[1].zoom).toBe(undefined);
});

test('a zoom of callers is not a step: it is of that pane alone', () => {
  zoomTo(A, 'callersFlame');
  expect([log().panes.callersFlame.zoom, log().scopesBack]).toEqual([A, []]);
});

test('the zoom of the first click of a double click is taken back with its step, unless there is another one by now', () => {
  zoomTo(A);
  undoScope();
  const before = log();
  zoomTo(B);
  takeBackZoom('flame', before, B);
  expect(log()).toEqual(before);
  zoomTo(B);
  zoomTo(A);
  takeBackZoom('flame', before, B);
  expect([log().zoom, log().scopesBack.length]).toEqual([A, 2]);
  zoomTo(A, 'calleesFlame');
  takeBackZoom('calleesFlame', before, A);
  expect([log().panes.calleesFlame, log().zoom]).toEqual([before.panes.calleesFlame, A]);
});

test('show all removes everything that has a chip, in one step', () => {
  addTransform({ kind: 'drop', key: 'Shop.wait' });
  zoomTo(A);
  splitMethod('Shop.run', 'line');
  clearScope();
  const { scope, hidesErrors, zoom, split } = log();
  expect([scope.transforms.length, hidesErrors, zoom, split.length]).toEqual([0, false, undefined, 0]);
  undoScope();
  expect([log().scope.transforms.length, log().hidesErrors, log().zoom, log().split.length]).toEqual([
    1,
    true,
    A,
    1,
  ]);
});

test('a step that is written in a dialog is a further one, or takes the place of the one that it was', () => {
  const only = (...prefixes: readonly string[]) => ({ kind: 'only', prefixes, keys: 'fqmn' }) as const;
  addTransform({ kind: 'drop', key: 'Shop.wait' });
  editStep({ transform: only(), at: undefined });
  applyStep(only('com.', 'org.'));
  addTransform({ kind: 'fold', names: ['proxy'] });
  editStep({ transform: only('com.', 'org.'), at: 1 });
  applyStep(only('net.'));
  expect(log().scope.transforms.slice(1)).toEqual([only('net.'), { kind: 'fold', names: ['proxy'] }]);
  expect(useWindow.getState().dialog).toBeUndefined();
  undoScope();
  expect(log().scope.transforms[1]).toEqual(only('com.', 'org.'));
});

test('the step of a dialog goes to the log that it was opened for, and the dialog closes with that log', () => {
  const only = (...prefixes: readonly string[]) => ({ kind: 'only', prefixes, keys: 'fqmn' }) as const;
  editStep({ transform: only(), at: undefined });
  const [first] = useWindow.getState().logs;
  const other = { ...first, key: 'other' as const };
  useWindow.setState({ logs: [first, other], active: other.key });
  applyStep(only('com.'));
  expect(useWindow.getState().logs.map(({ scope }) => scope.transforms)).toEqual([[only('com.')], []]);
  editStep({ transform: only(), at: undefined });
  useWindow.setState((state) => withoutLog(state, other.key));
  expect(useWindow.getState().dialog).toBeUndefined();
});

test('a zoom that is kept is one step for undo; deeper ones stay kept, another one is of the graph alone', () => {
  const at = (row: number): Parameters<typeof zoomTo>[0] => ({ row, run: undefined });
  const shown = (): readonly unknown[] => [log().zoom?.row, log().keepsZoom];
  zoomTo(at(3));
  changeScope({ keepsZoom: true });
  zoomTo(at(5));
  expect(shown()).toEqual([5, true]);
  undoScope();
  expect(shown()).toEqual([3, true]);
  undoScope();
  expect(shown()).toEqual([3, false]);
  redoScope();
  zoomTo(undefined);
  zoomTo(at(7));
  expect(shown()).toEqual([7, false]);
});
