import { hasChosen, withBaseLog } from './compare-actions.ts';
import { isLinkName } from './link-names.ts';
import { subscribe } from './subscribe.ts';
import type { LogKey, LogView, WindowState } from './window-state.ts';
import { useWindow } from './window-store.ts';

/**
 * The logs that wait for a baseline with the one that is open now, and one of these that is to be shown; the same array
 * where none does. The log of a name that was opened last is meant.
 */
export function withAwaitedBases({ logs, active }: Pick<WindowState, 'logs' | 'active'>): {
  readonly logs: readonly LogView[];
  readonly compared: LogKey | undefined;
} {
  let compared: LogKey | undefined;
  const named = new Map<LogKey, string>();
  const changed = logs.map((log) => {
    const { awaitedBase, key } = log;
    const isMeant = (each: LogView): boolean =>
      each.key !== key &&
      awaitedBase !== undefined &&
      isLinkName(awaitedBase.name, each) &&
      (each.key === active || !awaitedBase.known.includes(each.key));
    const base = awaitedBase && logs.findLast(isMeant);
    // Its units are known when it has been read a little.
    if (awaitedBase === undefined || base?.status === undefined) return log;
    const { choice } = awaitedBase;
    if (choice !== undefined && !hasChosen(base, choice)) return log;
    if (awaitedBase.isRestored !== true) compared = key;
    if (choice !== undefined) named.set(base.key, `${base.name}: ${choice.text}`);
    return withBaseLog(log, base, awaitedBase.rest);
  });
  if (changed.every((log, at) => log === logs[at])) return { logs, compared };
  // The other tab has the same name.
  return { logs: changed.map((log) => ({ ...log, label: named.get(log.key) ?? log.label })), compared };
}

/** Compares logs with what they wait for as soon as it is open, and shows them. */
export function compareWithAwaited(): void {
  subscribe(({ logs, active }, before) => {
    if (
      (logs === before.logs && active === before.active) ||
      !logs.some(({ awaitedBase }) => awaitedBase !== undefined)
    )
      return;
    const found = withAwaitedBases({ logs, active });
    if (found.logs !== logs) useWindow.setState({ logs: found.logs, active: found.compared ?? active });
  });
}
