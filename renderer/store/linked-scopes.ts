import { prefer } from './actions.ts';
import type { PageAddress } from '../connection/connect.ts';
import { fragmentOf, type LinkedScope, readFragment } from './scope-address.ts';
import { withScope } from './scope-history.ts';
import type { LogKey, LogView } from './window-state.ts';
import { useWindow } from './window-store.ts';

/** Scopes for logs that are not open yet, and the logs that have been looked at. */
export interface Links {
  readonly waiting: readonly LinkedScope[];
  readonly seen: ReadonlySet<LogKey>;
}

/** The logs with the scopes that wait for them by their names; the same array where none does. */
export function withLinkedScopes(
  logs: readonly LogView[],
  { waiting, seen }: Links,
): { readonly logs: readonly LogView[]; readonly links: Links } {
  const left = [...waiting];
  const changed = logs.map((log) => {
    const at = seen.has(log.key) ? -1 : left.findIndex(({ name }) => name === log.name);
    if (at < 0) return log;
    const [{ scope }] = left.splice(at, 1);
    return withScope(log, scope);
  });
  const isSame = changed.every((log, at) => log === logs[at]);
  return {
    logs: isSame ? logs : changed,
    links: { waiting: left, seen: new Set(logs.map(({ key }) => key)) },
  };
}

/**
 * Keeps the scopes of all logs in the address of the page, so that they are there after a reload and a link restores
 * them. No entries are added to the browser's history: its "back" leaves the page, as it does without a scope.
 */
export function keepScopesInAddress(address: PageAddress): void {
  let links: Links = { waiting: [], seen: new Set() };
  let written = '';

  /** `seen`: logs that the link does not refer to, because they had their scope before. */
  function follow(): void {
    written = address.read();
    const { frames, logs } = readFragment(written);
    links = { waiting: logs, seen: new Set() };
    if (logs.length > 0) prefer({ frames });
  }

  function update(): void {
    const { logs, preferences } = useWindow.getState();
    const linked = withLinkedScopes(logs, links);
    links = linked.links;
    if (linked.logs !== logs) {
      // Calls this function again.
      useWindow.setState({ logs: linked.logs });
      return;
    }
    const fragment = fragmentOf({
      frames: preferences.frames,
      logs: [...logs.map(({ name, scope }) => ({ name, scope })), ...links.waiting],
    });
    if (fragment === written) return;
    written = fragment;
    address.write(fragment);
  }

  follow();
  address.onChange(() => {
    follow();
    update();
  });
  useWindow.subscribe((state, before) => {
    if (state.logs !== before.logs || state.preferences.frames !== before.preferences.frames) update();
  });
}
