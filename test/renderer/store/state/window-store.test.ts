import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { subscribe, useWindow } from '../../../../renderer/store/state/window-store.ts';
import { INITIAL_STATE } from '../../../../renderer/store/state/window-state.ts';
import { note } from '../../../../renderer/store/actions/actions.ts';

// Files of one worker share the store: another may have left a notice.
beforeEach(() => useWindow.setState(INITIAL_STATE, true));

afterEach(() => {
  vi.unstubAllGlobals();
  useWindow.setState(INITIAL_STATE, true);
});

test('an error of one subscriber reaches neither the others nor what changed the store; one notice says it', () => {
  const errors: unknown[] = [];
  vi.stubGlobal('reportError', (error: unknown) => errors.push(error));
  const seen: number[] = [];
  const problem = new Error('pane: unexpected switch');
  const ends = [
    subscribe(() => {
      throw problem;
    }),
    subscribe(({ flameWidth }, before) => {
      if (flameWidth !== before.flameWidth) seen.push(flameWidth);
    }),
  ];
  note({ flameWidth: 101 });
  note({ flameWidth: 102 });
  for (const end of ends) end();
  note({ flameWidth: 103 });
  expect(seen).toEqual([101, 102]);
  // The notice is a change, too.
  expect(errors).toEqual([problem, problem, problem]);
  const { notices } = useWindow.getState();
  expect(notices.map(({ tone, text }) => `${tone}: ${text}`)).toEqual([
    'problem: A part of the window stopped: pane: unexpected switch. Reload it if something is missing.',
  ]);
});
