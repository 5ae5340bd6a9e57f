import type { LogKey, LogView, Notice, WindowState } from './window-state.ts';

/** The state with one log changed, in a tab or in the background; the same state if there is no such log. */
export function changeLog(state: WindowState, key: LogKey, change: (log: LogView) => LogView): WindowState {
  const list = state.logs.some((log) => log.key === key) ? 'logs' : 'background';
  const logs = state[list];
  const at = logs.findIndex((log) => log.key === key);
  if (at < 0) return state;
  const changed = change(logs[at]);
  return changed === logs[at] ? state : { ...state, [list]: logs.with(at, changed) };
}

const MOST_NOTICES = 4;

/** Adds a notice, unless one with this text is on screen. */
export function notify(
  state: WindowState,
  tone: Notice['tone'],
  text: string,
  action?: Notice['action'],
): WindowState {
  if (state.notices.some((notice) => notice.text === text)) return state;
  const notice = { id: state.nextNumber, tone, text, action };
  return {
    ...state,
    notices: [...state.notices, notice].slice(-MOST_NOTICES),
    nextNumber: state.nextNumber + 1,
  };
}
