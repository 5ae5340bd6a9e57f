import { beforeEach, expect, test } from 'vitest';
import { choosePane } from '../../../../renderer/store/actions/actions.ts';
import { receive } from '../../../../renderer/store/events/receive.ts';
import { activeLog } from '../../../../renderer/store/state/selectors.ts';
import { choicesFor, panesAt, tabsOf } from '../../../../renderer/store/state/shown-panes.ts';
import { DEFAULT_PREFERENCES } from '../../../../renderer/store/state/preferences.ts';
import { INITIAL_STATE } from '../../../../renderer/store/state/window-state.ts';
import { useWindow } from '../../../../renderer/store/state/window-store.ts';
import type { Epoch, LogId, Revision } from '../../../../shared/protocol/messages.ts';
import { fromHost, fromMirror, hello, logStatus, profileSummary } from '../../../support/window-events.ts';

const get = useWindow.getState;

beforeEach(() =>
  useWindow.setState({ ...INITIAL_STATE, preferences: { ...DEFAULT_PREFERENCES, tree: 'operations' } }),
);

/** All that the host has read until now arrives. */
function grow(samples: number, contextKeys: readonly string[], epoch = 0, complete = true): void {
  const status = logStatus({ samples, epoch, state: 'live' });
  const summary = profileSummary({ samples, contextKeys, threads: 2 });
  const applied = {
    type: 'applied',
    epoch: epoch as Epoch,
    revision: 1 as Revision,
    nodes: 1,
    complete,
  } as const;
  for (const event of [
    fromHost({ type: 'status', log: 1 as LogId, status }),
    fromMirror('host:1', applied),
    fromMirror('host:1', { type: 'summary', summary }),
  ])
    useWindow.setState(receive(get(), event));
}

/** The panes at the place of the tree, and the choices there that are marked as new. */
function shown(): string {
  const log = activeLog(get());
  const fresh = tabsOf(choicesFor('tree', log), log).flatMap(({ isNew, text }) =>
    isNew ? `, new: ${text}` : [],
  );
  return panesAt('tree', get()).join(' ') + fresh.join('');
}

const greet = (): void => useWindow.setState(receive(get(), fromHost(hello(1))));

test('operations that a live log gets later wait for the user, where they were chosen before', () => {
  greet();
  grow(10, []);
  expect(shown()).toBe('tree');
  grow(20, ['operation']);
  expect(shown()).toBe('tree, new: Operations');
  choosePane('tree', 'operations');
  expect(shown()).toBe('operations');
  grow(30, ['operation', 'customer']);
  expect(shown()).toBe('operations');
});

test('another pane that is chosen is shown, and the new one is marked until it has been', () => {
  greet();
  grow(10, []);
  grow(20, ['operation']);
  choosePane('tree', 'source');
  expect(shown()).toBe('source, new: Operations');
  choosePane('tree', 'operations');
  choosePane('tree', 'calls');
  expect(shown()).toBe('tree');
});

test('what a log has when it has been read is shown as it was chosen; in each epoch', () => {
  greet();
  grow(10, [], 0, false);
  expect(shown()).toBe('tree');
  grow(20, ['operation']);
  expect(shown()).toBe('operations');
  grow(10, ['operation'], 1);
  expect(shown()).toBe('operations');
  grow(10, [], 2);
  grow(20, ['operation'], 2);
  expect(shown()).toBe('tree, new: Operations');
});
