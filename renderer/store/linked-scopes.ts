import { isBottomUpZoom } from '../../shared/engine/query.ts';
import { expressionOf, foundOnly, NO_CONDITIONS } from '../../shared/engine/views/row-conditions.ts';
import { isExpression } from '../../shared/engine/views/search.ts';
import { isTyped } from '../../shared/scope/thread-pattern.ts';
import { prefer } from './actions.ts';
import { changeLog } from './receive.ts';
import type { PageAddress } from '../connection/page-address.ts';
import { withChartThreads } from './pane-views.ts';
import { fragmentOf, type LinkedMerge, type LinkedScope, readFragment } from './scope-address.ts';
import type { Preferences } from './preferences.ts';
import { inHostOrder, isLinkPath, linkName } from './log-names.ts';
import { withScope } from './scope-history.ts';
import { subscribe, useWindow } from './window-store.ts';
import type { LogKey, LogView } from './window-state.ts';
import { mergeable, readLogs } from './merged-logs.ts';
import { mergeLogs } from './tab-actions.ts';

/** Scopes for logs that are not open yet, and the logs that have been looked at. */
interface Links {
  /** They are of this window, before a reload: their expressions need no consent. */
  readonly isOwn?: boolean;
  readonly waiting: readonly LinkedScope[];
  readonly seen: ReadonlySet<LogKey>;
}

/** A folder says more than a name, and that more than what is merged. */
const MATCHES: readonly ((linked: LinkedScope, log: LogView) => boolean)[] = [
  (linked, log) => isOfKind(linked, log) && isLinkPath(linked.name, log),
  (linked, log) => isOfKind(linked, log) && linked.name === log.name,
  ({ merge }, log) => isMergeOf(merge, log),
];

/** A merged log may have the name of a file. */
function isOfKind({ merge }: LinkedScope, log: LogView): boolean {
  return (merge === undefined) === (log.merge === undefined);
}

/** The logs with the scopes that wait for them, by their names or what they merge; the same array where none does. */
export function withLinkedScopes(
  logs: readonly LogView[],
  { isOwn = false, waiting, seen }: Links,
): { readonly logs: readonly LogView[]; readonly links: Links } {
  const left = [...waiting];
  const found = new Map<LogKey, LinkedScope>();
  for (const matches of MATCHES) {
    for (const log of logs) {
      const isFree = !seen.has(log.key) && !found.has(log.key);
      const at = isFree ? left.findIndex((linked) => matches(linked, log)) : -1;
      if (at >= 0) found.set(log.key, left.splice(at, 1)[0]);
    }
  }
  const changed = logs.map((log) => {
    const linked = found.get(log.key);
    if (linked === undefined) return log;
    if (isOwn || typedExpressions(linked).length === 0) return withLink(log, linked);
    const unapplied = fragmentOf({ frames: 'fqmn', threads: undefined, logs: [linked] });
    return { ...withLink(log, withoutTyped(linked)), unapplied };
  });
  const isSame = changed.every((log, at) => log === logs[at]);
  return {
    logs: isSame ? logs : changed,
    links: { isOwn, waiting: left, seen: new Set(logs.map(({ key }) => key)) },
  };
}

/** The log as a link shows it. `isRestored`: as in `LogView`. */
export function withLink(log: LogView, linked: LinkedScope, isRestored = false): LogView {
  const { scope, where, split, zoom, hidesErrors = false, keepsZoom = false, baseline, base } = linked;
  const own = { scope, where, split, zoom, hidesErrors, keepsZoom };
  const shown = withScope(withTimeViews(log, linked), base === undefined ? { ...own, baseline } : own);
  const awaited = base === undefined ? undefined : { name: base, rest: baseline ?? {}, known: [] };
  const awaitedBase = awaited && (isRestored ? { ...awaited, isRestored } : awaited);
  const searchText = foundOnly(where) ?? shown.searchText;
  return { ...shown, searchText, awaitedBase, unapplied: undefined };
}

/** The link whose expressions wait for consent; undefined: none does. */
export function unappliedLink({ unapplied }: Pick<LogView, 'unapplied'>): LinkedScope | undefined {
  return unapplied === undefined ? undefined : readFragment(unapplied).logs[0];
}

/** The regular expressions of a link that somebody has typed, as `/…/`. */
export function typedExpressions({
  scope,
  where,
  baseline,
  chartThreads,
  search = '',
}: LinkedScope): readonly string[] {
  return [
    ...(isExpression(search) ? [search] : []),
    ...[...scope.threads, ...(baseline?.threads ?? []), ...(chartThreads ?? [])].filter(isTyped),
    ...where.flat().flatMap((each) => expressionOf(each) ?? []),
  ];
}

/** The link without the choices that have such an expression. */
function withoutTyped(linked: LinkedScope): LinkedScope {
  const { scope, where, baseline, base, chartThreads, search = '' } = linked;
  const safe = (threads: readonly string[] = []): readonly string[] => (threads.some(isTyped) ? [] : threads);
  const { threads, ...rest } = baseline ?? {};
  const left = safe(threads).length === 0 ? rest : { ...rest, threads };
  const isCompared = base !== undefined || Object.keys(left).length > 0;
  return {
    ...linked,
    scope: { ...scope, threads: safe(scope.threads) },
    where: where.flat().some((each) => expressionOf(each) !== undefined) ? NO_CONDITIONS : where,
    baseline: isCompared ? left : undefined,
    chartThreads: chartThreads?.some(isTyped) === true ? undefined : chartThreads,
    search: isExpression(search) ? undefined : linked.search,
  };
}

/** Applies the link of the active log with its expressions, or, without consent, forgets these. */
export function decideLink(isApplied: boolean): void {
  const { active } = useWindow.getState();
  if (active === undefined) return;
  useWindow.setState((state) =>
    changeLog(state, active, (log) => {
      const linked = unappliedLink(log);
      return isApplied && linked !== undefined ? withLink(log, linked) : { ...log, unapplied: undefined };
    }),
  );
}

/** The log with the threads of the chart, the time and the found text that a link shows. */
function withTimeViews(
  log: LogView,
  {
    chartThreads = log.panes.chart.only,
    timeZoom,
    search: searchText = log.searchText,
  }: Pick<LinkedScope, 'chartThreads' | 'timeZoom' | 'search'>,
): LogView {
  return { ...log, panes: withChartThreads(log.panes, chartThreads), timelineZoom: timeZoom, searchText };
}

export function linkedScope(
  log: LogView,
  { flame }: Pick<Preferences, 'flame'>,
  logs: readonly LogView[],
): LinkedScope {
  const unapplied = unappliedLink(log);
  if (unapplied !== undefined) return { ...unapplied, name: linkName(log, logs) };
  const { beforeDrag, where, split, zoom, hidesErrors, keepsZoom } = log;
  // While a range is dragged, the address stays: browsers allow only so many changes.
  const { scope, baseline: shown } = beforeDrag ?? log;
  const other = shown?.log === undefined ? undefined : logs.find(({ key }) => key === shown.log);
  // Its times and threads are not those of this log.
  const isClosed = shown?.log !== undefined && other === undefined;
  const compared = isClosed ? undefined : shown;
  // Not what would replace it.
  const awaited = compared === undefined ? log.awaitedBase : undefined;
  return {
    ...{ name: linkName(log, logs), scope, where, split, hidesErrors, keepsZoom },
    // A link shows what was on screen.
    chartThreads: flame === 'chart' ? log.panes.chart.only : undefined,
    timeZoom: log.timelineZoom,
    // The filter has it where only matches are shown.
    search: log.searchText === '' || foundOnly(where) !== undefined ? undefined : log.searchText,
    zoom: flame === 'chart' ? undefined : zoom,
    baseline: awaited?.rest ?? compared,
    base: awaited?.name ?? (other && linkName(other, logs)),
    merge: linkedMerge(log),
  };
}

/**
 * Keeps the scopes of all logs in the address of the page, so that they are there after a reload and a link restores
 * them, and what is merged. No entries are added to the browser's history: its "back" leaves the page, as it does without a scope.
 */
export function keepScopesInAddress(address: PageAddress): void {
  let links: Links = { isOwn: true, waiting: [], seen: new Set() };
  const merges = new LinkedMerges();
  let written = '';
  /** Nothing of what was written waits for consent. */
  let wasOwn = false;

  /** `seen`: logs that the link does not refer to, because they had their scope before. */
  function follow(): void {
    written = address.read();
    const { frames, threads, logs } = readFragment(written);
    wasOwn = address.isOwn();
    links = { isOwn: wasOwn, waiting: logs, seen: new Set() };
    if (logs.length > 0) prefer({ frames });
    const zoomed = logs.flatMap(({ zoom }) => zoom ?? []).at(0);
    if (zoomed !== undefined) prefer({ flame: isBottomUpZoom(zoomed) ? 'bottom-up' : 'calls' });
    if (threads !== undefined) prefer({ threads });
    if (logs.some(({ chartThreads }) => chartThreads !== undefined)) prefer({ flame: 'chart' });
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
    // Its parts call this function again.
    if (merges.update(readLogs(useWindow.getState()), links.waiting)) return;
    const linkedLogs = [
      ...inHostOrder(logs).map((log) => linkedScope(log, preferences, logs)),
      ...links.waiting,
    ];
    const fragment = fragmentOf({
      frames: preferences.frames,
      threads: linkedLogs.some(({ zoom }) => zoom !== undefined) ? preferences.threads : undefined,
      logs: linkedLogs,
    });
    const waits = links.isOwn === true ? [] : links.waiting.flatMap(typedExpressions);
    const isOwn = waits.length === 0 && logs.every(({ unapplied }) => unapplied === undefined);
    if (fragment === written && isOwn === wasOwn) return;
    written = fragment;
    wasOwn = isOwn;
    address.write(fragment, isOwn);
  }

  follow();
  address.onChange(() => {
    follow();
    update();
  });
  subscribe((state, before) => {
    if (state.logs !== before.logs || state.preferences !== before.preferences) update();
  });
}

/** How an address says what a log merges; undefined for a single log. */
function linkedMerge({ merge }: LogView): LinkedMerge | undefined {
  return merge && { threads: merge.threads, parts: merge.names };
}

/** Whether a log is the result of such a merge. Its name may differ from the link's, which may be too long. */
function isMergeOf(merge: LinkedMerge | undefined, log: LogView): boolean {
  const own = linkedMerge(log);
  if (merge === undefined || own === undefined || merge.parts.length !== own.parts.length) return false;
  const areSame = merge.parts.every((part, at) => endsAlike(part, own.parts[at]));
  return areSame && merge.threads === own.threads;
}

/** A link may have more or fewer folders in front of a name than merged logs, which have as few as possible. */
function endsAlike(a: string, b: string): boolean {
  return `/${a}`.endsWith(`/${b}`) || `/${b}`.endsWith(`/${a}`);
}

/** The open logs with these names, which may begin with folders; each log once. Undefined while one is missing. */
function logsOfParts(logs: readonly LogView[], parts: readonly string[]): readonly LogView[] | undefined {
  const left = [...mergeable(logs)];
  const found = parts.flatMap((part) => {
    const at = left.findIndex((log) => `/${placeOf(log)}`.endsWith(`/${part}`));
    return at < 0 ? [] : left.splice(at, 1);
  });
  return found.length === parts.length ? found : undefined;
}

function placeOf({ folder, name }: LogView): string {
  return `${folder}/${name}`.replaceAll('\\', '/');
}

/** Merges what links wait for, as soon as its logs are open; each only once, since the user may close it. */
export class LinkedMerges {
  readonly #asked = new Set<LinkedMerge>();

  /** False: there was nothing to merge. */
  update(logs: readonly LogView[], waiting: readonly LinkedScope[]): boolean {
    for (const { name, merge } of waiting) {
      const parts =
        merge === undefined || this.#asked.has(merge) ? undefined : logsOfParts(logs, merge.parts);
      if (merge === undefined || parts === undefined) continue;
      this.#asked.add(merge);
      mergeLogs(parts, name, merge.threads);
      return true;
    }
    return false;
  }
}
