import { expect, test } from 'vitest';
import type { Selection } from '../../../renderer/profile-worker/pane-messages.ts';
import { followSelection } from '../../../renderer/store/actions/detail-actions.ts';
import { INITIAL_STATE, newLogView } from '../../../renderer/store/state/window-state.ts';
import { useWindow } from '../../../renderer/store/state/window-store.ts';

/** A state whose selection changes, and the names of the methods that were opened. */
function following(): {
  readonly select: (label: string, change?: Partial<Selection>) => void;
  readonly pass: () => void;
  readonly opened: string[];
} {
  const tasks: (() => void)[] = [];
  const opened: string[] = [];
  useWindow.setState({ ...INITIAL_STATE, logs: [newLogView('a', undefined, 'a', '')], active: 'a' });
  followSelection((task) => void tasks.push(task));
  const note = (): void => {
    const shown = useWindow
      .getState()
      .logs[0].detail.map(({ label }) => label)
      .join(' › ');
    if (shown !== (opened.at(-1) ?? '')) opened.push(shown);
  };
  return {
    select(label, change = {}) {
      const selection: Selection = { of: 'methods', id: label.length, label, kind: 'frame', ...change };
      useWindow.setState(({ logs }) => ({ logs: [{ ...logs[0], selection }] }));
      note();
    },
    pass() {
      tasks.splice(0).forEach((task) => task());
      note();
    },
    opened,
  };
}

test('the first selection is followed at once; of those in quick succession only the last', () => {
  const { select, pass, opened } = following();
  select('a');
  expect(opened).toEqual(['a']);
  for (const label of ['bb', 'ccc', 'dddd']) select(label);
  expect(opened).toEqual(['a']);
  pass();
  expect(opened).toEqual(['a', 'dddd']);
  pass();
  select('eeeee');
  expect(opened).toEqual(['a', 'dddd', 'eeeee']);
});

test('threads, blocks, and the rows of callers and callees are not followed; nor another label of the same row', () => {
  const { select, pass, opened } = following();
  select('main', { kind: 'thread' });
  select('', { kind: 'block' });
  select('bb', { of: 'callers' });
  select('ccc', { of: 'callees' });
  select('d', { id: 7 });
  pass();
  select('d:12', { id: 7 });
  pass();
  expect(opened).toEqual(['d']);
});
