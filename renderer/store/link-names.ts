import { folderParts, sharedEnd } from './tab-names.ts';
import type { LogView } from './window-state.ts';

type Named = Pick<LogView, 'key' | 'name' | 'label' | 'folder' | 'hostLog'>;

/**
 * The name of a log in an address: that of its file, with as many folders in front as tell it from other open logs of that
 * name. The whole path begins with `/`. Logs of one path have one name.
 *
 *   /srv/a/app.hpl   a/app.hpl
 *   /srv/b/app.hpl   b/app.hpl
 *   /srv/a/web.hpl   web.hpl
 */
export function linkName(log: Named, logs: readonly Named[]): string {
  if (!hasPath(log)) return log.name;
  const own = folderParts(log);
  const shared = logs
    .filter((other) => other.name === log.name && other.key !== log.key && hasPath(other))
    .map(folderParts)
    .filter((other) => other.length !== own.length || sharedEnd(own, other) < own.length)
    .map((other) => sharedEnd(own, other));
  if (shared.length === 0) return log.name;
  const longest = Math.max(...shared);
  const path = [...own.slice(Math.max(0, own.length - longest - 1)), log.name].join('/');
  return longest < own.length ? path : `/${path}`;
}

/** The name with all folders, which no other log has beside those of one path. */
export function fullLinkName(log: Named): string {
  return hasPath(log) ? `/${[...folderParts(log), log.name].join('/')}` : log.name;
}

/** Whether an address means this log by such a name, which may have more folders than are needed here. */
export function isLinkName(name: string, log: Named): boolean {
  return name === log.name || isLinkPath(name, log);
}

/** Whether a name with a folder means this log. */
export function isLinkPath(name: string, log: Named): boolean {
  if (!name.includes('/') || !hasPath(log)) return false;
  const path = fullLinkName(log);
  return path === name || path.endsWith(`/${name}`);
}

/**
 * Logs in the order in which the host has opened them, whatever the order of their tabs: logs of one path come in this
 * order after a reload.
 */
export function inHostOrder<Log extends Pick<LogView, 'hostLog'>>(logs: readonly Log[]): readonly Log[] {
  return logs.toSorted((a, b) => (a.hostLog ?? Infinity) - (b.hostLog ?? Infinity) || 0);
}

/** A merged log has only a name, and so has a file that the window reads itself. */
function hasPath({ hostLog }: Named): boolean {
  return hostLog !== undefined;
}
