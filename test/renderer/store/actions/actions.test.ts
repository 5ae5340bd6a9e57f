import { beforeEach, expect, test } from 'vitest';
import { choosePane, showOnly, showPane, togglePane } from '../../../../renderer/store/actions/actions.ts';
import { panesOnScreen } from '../../../../renderer/store/state/shown-panes.ts';
import type { LogStatus } from '../../../../shared/protocol/messages.ts';
import type { Preferences } from '../../../../renderer/store/state/preferences.ts';
import { INITIAL_STATE, newLogView } from '../../../../renderer/store/state/window-state.ts';
import { useWindow } from '../../../../renderer/store/state/window-store.ts';

const shown = (): readonly string[] =>
  panesOnScreen(useWindow.getState()).filter((pane) => pane !== 'summary');

beforeEach(() => useWindow.setState(INITIAL_STATE));

test('callers and callees of a small window are trees when it is enlarged', () => {
  useWindow.setState({ isSmall: true });
  showOnly('sandwich');
  expect(shown()).toEqual(['callersFlame', 'calleesFlame']);
  useWindow.setState({ isSmall: false });
  expect(shown()).toEqual(['flame', 'flat', 'callers', 'callees']);
});

test('a pane is shown in its place, and the place where it is not on screen', () => {
  showPane('source');
  expect(shown()).toEqual(['flame', 'flat', 'source']);
  showOnly('flat');
  expect(shown()).toEqual(['flat', 'source']);
  choosePane('tree', 'bottom-up');
  expect(shown()).toEqual(['flat', 'callers', 'callees']);
  togglePane('chart');
  expect(shown()).toEqual(['chart']);
  togglePane('chart');
  expect(shown()).toEqual(['flame']);
});

test('a chosen pane that the log has nothing for is replaced by the first one, and its command says why', () => {
  const log = newLogView('a', undefined, 'a', '');
  useWindow.setState({ logs: [log], active: 'a' });
  const prefer = (preferences: Partial<Preferences>): void =>
    useWindow.setState((state) => ({ preferences: { ...state.preferences, ...preferences } }));
  prefer({ tree: 'spread', flame: 'chart' });
  expect(shown()).toEqual(['flame', 'flat', 'tree']);
  prefer({ panes: 'flat' });
  expect(shown()).toEqual(['flat', 'callers', 'callees']);
  showPane('operations');
  expect(useWindow.getState().notices.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Operations is not shown\. This log tells of no requests\./),
  ]);
  const { tree, flame } = useWindow.getState().preferences;
  expect([tree, flame]).toEqual(['spread', 'chart']);
  const status = { hasSampleTimes: true, choices: [] } as unknown as LogStatus;
  useWindow.setState({ logs: [{ ...log, status }] });
  prefer({ panes: 'all' });
  expect(shown()).toEqual(['chart', 'flat', 'spread']);
});
