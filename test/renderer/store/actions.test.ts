import { beforeEach, expect, test } from 'vitest';
import { choosePane, showOnly, showPane, togglePane } from '../../../renderer/store/actions.ts';
import { panesOnScreen } from '../../../renderer/store/selectors.ts';
import { INITIAL_STATE } from '../../../renderer/store/window-state.ts';
import { useWindow } from '../../../renderer/store/window-store.ts';

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
