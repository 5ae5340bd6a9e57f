import { expect, test } from 'vitest';
import {
  joinLines,
  redoScope,
  splitMethod,
  undoScope,
} from '../../../renderer/store/actions/scope-actions.ts';
import { INITIAL_STATE, newLogView } from '../../../renderer/store/state/window-state.ts';
import { useWindow } from '../../../renderer/store/state/window-store.ts';

test('callers of a line become those of its method when lines are joined, also by undo and redo', () => {
  useWindow.setState({ ...INITIAL_STATE, logs: [newLogView('a', undefined, 'a.hpl', '/')], active: 'a' });
  const openLine = (): void =>
    useWindow.setState(({ logs }) => ({
      logs: [{ ...logs[0], detail: [{ of: 'methods', id: -9, label: 'Shop.parse:42' }] }],
    }));
  const shown = (): string => {
    const { detail, split } = useWindow.getState().logs[0];
    return `${detail[0].label}, ${split.length} split`;
  };
  splitMethod('Shop.parse', 'line');
  openLine();
  expect(shown()).toBe('Shop.parse:42, 1 split');
  undoScope();
  expect(shown()).toBe('Shop.parse, 0 split');
  redoScope();
  openLine();
  joinLines('Shop.parse');
  expect(shown()).toBe('Shop.parse, 0 split');
  undoScope();
  openLine();
  redoScope();
  expect(shown()).toBe('Shop.parse, 0 split');
});

test('several methods are joined in one step', () => {
  useWindow.setState({ ...INITIAL_STATE, logs: [newLogView('a', undefined, 'a.hpl', '/')], active: 'a' });
  const split = (): string =>
    useWindow
      .getState()
      .logs[0].split.map(({ key }) => key)
      .join(' ');
  for (const key of ['A.a', 'B.b', 'C.c', 'D.d']) splitMethod(key, 'line');
  joinLines('A.a', 'C.c', 'D.d');
  expect(split()).toBe('B.b');
  undoScope();
  expect(split()).toBe('A.a B.b C.c D.d');
});
