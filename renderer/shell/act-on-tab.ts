import { activateNeighbour, closeLogs } from '../store/tab-actions.ts';
import { chooseAllTabs, chooseNoTabs, chooseTabsTo, meantLogs, toggleTab } from '../store/tab-choice.ts';
import type { LogKey } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import type { TabKey } from './tab-keys.ts';

/** Does what a key means on the tab with the focus. The log whose tab is to get the focus; undefined: it stays. */
export function actOnTab(pressed: TabKey, focused: LogKey): LogKey | undefined {
  const { logs } = useWindow.getState();
  switch (pressed.type) {
    case 'activate':
      activateNeighbour(pressed.step);
      return undefined;
    case 'focus': {
      const at = logs.findIndex(({ key }) => key === focused) + pressed.step;
      const { key } = logs[Math.min(Math.max(0, at), logs.length - 1)];
      if (pressed.chooses) chooseTabsTo(key);
      return key;
    }
    case 'toggle':
      toggleTab(focused);
      return undefined;
    case 'chooseAll':
      chooseAllTabs();
      return undefined;
    case 'chooseNone':
      chooseNoTabs();
      return undefined;
    case 'close':
      closeLogs(meantLogs(useWindow.getState(), focused));
      // The tab with the focus is gone: the next key would be one of the window.
      return useWindow.getState().active;
  }
}
