import type { LogView } from './window-state.ts';
import { shortestEnd } from '../../../shared/merge/part-names.ts';

/** The text of a tab. */
export interface TabName {
  /** The user's name for the log, otherwise that of its file. */
  readonly name: string;
  /** Tells it from other tabs of this name: a part of its folder, or a number; '' where nothing is needed. */
  readonly apart: string;
  /** From and to: the characters of the name that tell it from the one most like it; undefined: no other is like it. */
  readonly differs?: readonly [number, number];
}

/** The user's name for a log, otherwise that of its file. */
export function shownName({ name, label }: LogView): string {
  return label === '' ? name : label;
}

/**
 * The names of all tabs, in their order.
 *
 *   /srv/a/logs/server.hpl   server.hpl   a/…
 *   /srv/b/logs/server.hpl   server.hpl   b/…
 *   /srv/a/client.hpl        client.hpl
 */
export function tabNames(logs: readonly LogView[]): readonly TabName[] {
  const names = logs.map(shownName);
  return logs.map((log, at) => {
    const name = names[at];
    const group = logs.filter((_, index) => names[index] === name);
    const differs = differingPart(name, names);
    const apart = group.length < 2 ? '' : partApart(log, group);
    return { name, apart, ...(differs && { differs }) };
  });
}

/** Characters that two names have in common at least, to be alike. */
const LEAST_ALIKE = 8;

/** Characters that always stay, at most. */
const MOST_DIFFERING = 20;

/** `01` in `checkout-prod-01-production.hpl`, where there is `checkout-prod-02-production.hpl`. Whole words. */
function differingPart(name: string, names: readonly string[]): readonly [number, number] | undefined {
  const most = { alike: LEAST_ALIKE - 1, from: 0, to: 0 };
  for (const other of names) {
    if (other === name) continue;
    const length = Math.min(name.length, other.length);
    let from = 0;
    while (from < length && name[from] === other[from]) from++;
    let end = 0;
    while (end < length - from && name[name.length - 1 - end] === other[other.length - 1 - end]) end++;
    if (from + end > most.alike) Object.assign(most, { alike: from + end, from, to: name.length - end });
  }
  if (most.alike < LEAST_ALIKE) return undefined;
  const from = /[\p{L}\p{N}]*$/u.exec(name.slice(0, most.from))?.index ?? most.from;
  const to = most.to + (/^[\p{L}\p{N}]*/u.exec(name.slice(most.to))?.[0].length ?? 0);
  return to - from <= MOST_DIFFERING ? [from, to] : undefined;
}

/** The differing part of the folder, without what the folders of the whole group have in common at their ends. */
function partApart(log: LogView, group: readonly LogView[]): string {
  const parts = folderParts(log);
  const others = group.filter((other) => other !== log).map(folderParts);
  const shared = Math.min(...others.map((other) => sharedEnd(parts, other)));
  const longest = Math.max(...others.map((other) => sharedEnd(parts, other)));
  const isSame = others.some(
    (other) => other.length === parts.length && sharedEnd(parts, other) === parts.length,
  );
  const shown = parts.slice(Math.max(0, parts.length - longest - 1), parts.length - shared).join('/');
  const folder = shown === '' || shared === 0 ? shown : `${shown}/…`;
  if (!isSame) return folder === '' ? '/' : folder;
  const same = group.filter((other) => folderParts(other).join('/') === parts.join('/'));
  const number = `(${same.indexOf(log) + 1})`;
  return folder === '' ? number : `${folder} ${number}`;
}

/** A file that the window reads itself has no folder here. */
function folderParts({ folder, hostLog }: LogView): readonly string[] {
  return hostLog === undefined ? [] : folder.split(/[/\\]/).filter((part) => part !== '');
}

const pathParts = (log: LogView): readonly string[] => [...folderParts(log), log.name];

/** Number of equal parts at the ends. */
function sharedEnd(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at++) if (a[a.length - 1 - at] !== b[b.length - 1 - at]) return at;
  return most;
}

/**
 * The name of a log in an address: that of its file, with as many folders in front as tell it from other open logs of that
 * name. The whole path begins with `/`. Logs of one path have one name.
 *
 *   /srv/a/app.hpl   a/app.hpl
 *   /srv/b/app.hpl   b/app.hpl
 *   /srv/a/web.hpl   web.hpl
 */
export function linkName(log: LogView, logs: readonly LogView[]): string {
  if (!hasPath(log)) return log.name;
  const own = pathParts(log);
  const others = logs
    .filter((other) => other.key !== log.key && hasPath(other))
    .map(pathParts)
    .filter((other) => other.join('/') !== own.join('/'));
  const end = shortestEnd(own, others);
  return others.some((other) => `/${other.join('/')}`.endsWith(`/${end}`)) ? `/${end}` : end;
}

/** The name with all folders, which no other log has beside those of one path. */
export function fullLinkName(log: LogView): string {
  return hasPath(log) ? `/${pathParts(log).join('/')}` : log.name;
}

/** Whether an address means this log by such a name, which may have more folders than are needed here. */
export function isLinkName(name: string, log: LogView): boolean {
  return name === log.name || isLinkPath(name, log);
}

/** Whether a name with a folder means this log. */
export function isLinkPath(name: string, log: LogView): boolean {
  if (!name.includes('/') || !hasPath(log)) return false;
  const path = fullLinkName(log);
  return path === name || path.endsWith(`/${name}`);
}

/**
 * Logs in the order in which the host has opened them, whatever the order of their tabs: logs of one path come in this
 * order after a reload.
 */
export function inHostOrder(logs: readonly LogView[]): readonly LogView[] {
  return logs.toSorted((a, b) => (a.hostLog ?? Infinity) - (b.hostLog ?? Infinity) || 0);
}

/** A merged log has only a name, and so has a file that the window reads itself. */
function hasPath({ hostLog }: LogView): boolean {
  return hostLog !== undefined;
}
