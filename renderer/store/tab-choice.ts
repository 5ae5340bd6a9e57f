import { compareLogs } from './compare-actions.ts';
import type { LogKey, LogView, WindowState } from './window-state.ts';
import { useWindow } from './window-store.ts';

const { getState, setState } = useWindow;

type Tabs = Pick<WindowState, 'logs' | 'active' | 'chosenTabs'>;

/** The logs of the tabs that are chosen together: at least two, and the active one is among them. Empty: none are. */
export function chosenLogs({ logs, active, chosenTabs }: Tabs): readonly LogView[] {
  if (active === undefined || !chosenTabs.includes(active)) return [];
  const chosen = logs.filter(({ key }) => chosenTabs.includes(key));
  return chosen.length > 1 ? chosen : [];
}

/** The logs that a command for this tab is meant for: all chosen ones if it is one of them. */
export function meantLogs(state: Tabs, key: LogKey): readonly LogView[] {
  const chosen = chosenLogs(state);
  return chosen.some((log) => log.key === key) ? chosen : state.logs.filter((log) => log.key === key);
}

/** Adds a tab to the chosen ones, or takes it out. The active tab is always one of them: another becomes active instead. */
export function toggleTab(key: LogKey): void {
  setState((state) => {
    const { active } = state;
    if (active === undefined) return state;
    const chosen = chosenLogs(state).map((log) => log.key);
    if (!chosen.includes(key)) return { chosenTabs: [...(chosen.length === 0 ? [active] : chosen), key] };
    const left = chosen.filter((each) => each !== key);
    return { chosenTabs: left, active: key === active ? (left.at(-1) ?? active) : active };
  });
}

/** Chooses the tabs from the active one to this one. */
export function chooseTabsTo(key: LogKey): void {
  setState(({ logs, active }) => {
    const ends = [active, key].map((end) => logs.findIndex((log) => log.key === end));
    const [first, last] = ends.toSorted((a, b) => a - b);
    return first < 0 ? {} : { chosenTabs: logs.slice(first, last + 1).map((log) => log.key) };
  });
}

export function chooseAllTabs(): void {
  setState(({ logs }) => ({ chosenTabs: logs.map((log) => log.key) }));
}

export function chooseNoTabs(): void {
  setState({ chosenTabs: [] });
}

/** Compares the active one of two chosen logs with the other one. */
export function compareChosen(): void {
  const { active } = getState();
  const other = chosenLogs(getState()).find(({ key }) => key !== active);
  if (active !== undefined && other !== undefined) compareLogs(active, other.key);
}
