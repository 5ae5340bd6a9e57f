import * as z from 'zod/mini';
import { isBottomUpZoom } from '../../shared/engine/query.ts';
import { type Chosen, chosenOf, MERGED_THREADS, type MergedThreads } from '../../shared/facts/choice.ts';
import { ownBaseline } from '../../shared/scope/scope.ts';
import { fullLinkName } from './log-names.ts';
import { withLink } from './linked-scopes.ts';
import { fragmentOf, type LinkedScope, readFragment } from './scope-address.ts';
import { type Preferences, fallingBack, listOf, parsedJson } from './preferences.ts';
import { zoomedPathText } from './scope-history.ts';
import { isSameZoom } from './pane-views.ts';
import { subscribe, useWindow } from './window-store.ts';
import { isFollowed } from './selectors.ts';
import { isPart, readLogs, withMerge } from './merged-logs.ts';
import { withoutTab } from './receive.ts';
import type { LogKey, LogView, WindowState } from './window-state.ts';

/** A tab as it is stored for the next start. The host reopens the files; the window finds its tabs by their paths. */
export interface KeptTab {
  readonly folder: string;
  readonly name: string;
  /** As in `LogView`. */
  readonly label: string;
  /** Its scope, filter of rows, split methods and zoom; undefined where everything was shown. */
  readonly shown: LinkedScope | undefined;
  /** As in `LogView`: a scope is of the samples that were read so. */
  readonly chosen?: Chosen | undefined;
  /** Path to the zoom, because the file may have other call nodes by then; see `zoomedPathText`. */
  readonly zoomedPath: string | undefined;
  /** Places of its parts, if it is several logs that are merged. */
  readonly merge: { readonly threads: MergedThreads; readonly parts: readonly number[] } | undefined;
  /** It is read without a tab, for merged logs. */
  readonly isHidden: boolean;
  readonly isActive: boolean;
}

/** Tabs that have not come yet, in the order that they had, and logs that are not to be changed any more. */
export interface Restoring {
  readonly tabs: readonly KeptTab[];
  readonly seen: ReadonlySet<LogKey>;
  /** Logs that were restored -> the place of their tab. */
  readonly places: ReadonlyMap<LogKey, number>;
}

export function restoringOf(tabs: readonly KeptTab[]): Restoring {
  return { tabs, seen: new Set(), places: new Map() };
}

interface Tabs {
  readonly logs: readonly LogView[];
  readonly active: LogKey | undefined;
}

/**
 * The tabs with the names, scopes and places that those which are new had when the window was closed. `withScopes`:
 * false where the address of the page has the scopes. The same tabs if there is nothing to restore.
 */
export function withRestored(
  { logs, active }: Tabs,
  { tabs, seen, places }: Restoring,
  withScopes: boolean,
): { readonly tabs: Tabs; readonly restoring: Restoring } {
  const nowSeen = new Set(logs.map(({ key }) => key));
  const placed = new Map(places);
  let nowActive = active;
  const changed = logs.map((log) => {
    const place = seen.has(log.key) || !isFollowed(log) ? -1 : placeOf(log, tabs, placed);
    if (place < 0) return log;
    placed.set(log.key, place);
    const { label, shown, chosen, zoomedPath, isActive } = tabs[place];
    if (isActive) nowActive = log.key;
    const named = { ...log, label };
    if (!withScopes) return named;
    const read = { ...named, chosen };
    if (shown === undefined) return read;
    const restored = withLink(read, shown, true);
    return shown.zoom === undefined ? restored : { ...restored, zoomedPath };
  });
  if (placed.size === places.size)
    return { tabs: { logs, active }, restoring: { tabs, seen: nowSeen, places } };
  const behind = tabs.length;
  const ordered = changed.toSorted((a, b) => (placed.get(a.key) ?? behind) - (placed.get(b.key) ?? behind));
  return {
    tabs: { logs: ordered, active: nowActive },
    restoring: { tabs, seen: nowSeen, places: placed },
  };
}

/** The tab of this path that has no log yet. */
function placeOf(
  { folder, name, merge }: LogView,
  tabs: readonly KeptTab[],
  placed: ReadonlyMap<LogKey, number>,
): number {
  const taken = new Set(placed.values());
  return tabs.findIndex(
    (tab, at) =>
      tab.folder === folder &&
      tab.name === name &&
      (tab.merge === undefined) === (merge === undefined) &&
      !taken.has(at),
  );
}

/** Longest text that is stored and read, characters. Browsers store five million per site. */
const MOST_CHARACTERS = 2_000_000;
const MOST_TABS = 100;

/**
 * The text in the storage of the page. Files that the window reads itself cannot be opened again. Where the scopes are too
 * long for it, the longest are left out: names and order of the tabs are kept.
 */
export function keptText(
  { logs: shownLogs, background = [], active }: Tabs & Partial<Pick<WindowState, 'background'>>,
  { frames }: Pick<Preferences, 'frames'>,
): string {
  const logs = [...shownLogs, ...background];
  const isOfHost = (key: LogKey): boolean => logs.some((log) => log.key === key && log.hostLog !== undefined);
  const kept = logs
    .filter(({ key, merge }) => isOfHost(key) || merge?.parts.every(isOfHost))
    .slice(0, MOST_TABS);
  const tabs = kept.map((log) => {
    const { key, folder, name, label, scope, where, split, hidesErrors, keepsZoom, zoom } = log;
    const chosen = keptChoice(log, logs);
    const zoomedPath = zoomedPathOf(log);
    const shown: LinkedScope = {
      ...{ name, scope, where, split, hidesErrors, keepsZoom },
      ...{ chartThreads: log.panes.chart.only, timeZoom: log.timelineZoom },
      ...keptBaseline(log, logs),
      zoom: zoomedPath === undefined ? undefined : zoom,
    };
    return {
      ...{ folder, name, label },
      scope: fragmentOf({ frames, threads: undefined, logs: [shown] }),
      ...(zoomedPath === undefined ? {} : { zoomedPath }),
      ...(chosen === undefined ? {} : { chosen }),
      ...(log.merge === undefined
        ? {}
        : {
            threads: log.merge.threads,
            parts: log.merge.parts.map((part) => kept.findIndex((each) => each.key === part)),
          }),
      ...(background.includes(log) ? { isHidden: true } : {}),
      isActive: key === active,
    };
  });
  const textOf = (): string => JSON.stringify({ version: 1, tabs });
  let excess = textOf().length - MOST_CHARACTERS;
  for (const tab of tabs.toSorted((a, b) => b.scope.length - a.scope.length)) {
    if (excess <= 0) break;
    excess -= tab.scope.length;
    tab.scope = '';
  }
  return textOf();
}

/**
 * How the log is read. Of a file with two tabs each keeps it, also where the user has changed nothing: they find their
 * logs by its path, in any order.
 */
function keptChoice(log: LogView, logs: readonly LogView[]): Chosen | undefined {
  const { chosen, status, key, folder, name } = log;
  const hasOther = logs.some((each) => each.key !== key && each.folder === folder && each.name === name);
  return chosen ?? (hasOther && status !== undefined ? chosenOf(status.choices) : undefined);
}

/** The baseline, and the path of another log: that has another key then. */
function keptBaseline(
  { baseline, awaitedBase }: LogView,
  logs: readonly LogView[],
): Pick<LinkedScope, 'baseline' | 'base'> {
  if (baseline === undefined && awaitedBase?.isRestored === true)
    return { baseline: awaitedBase.rest, base: awaitedBase.name };
  const other = logs.find(({ key, hostLog }) => key === baseline?.log && hostLog !== undefined);
  return other === undefined ? { baseline: ownBaseline(baseline) } : { baseline, base: fullLinkName(other) };
}

/** The path by which a zoom is known again; undefined for a block of several, and while it is not drawn. */
function zoomedPathOf({ zoom, zoomedPath, panes }: LogView): string | undefined {
  if (zoom === undefined || zoom.run !== undefined) return undefined;
  if (zoomedPath !== undefined) return zoomedPath;
  const { shown } = panes[isBottomUpZoom(zoom) ? 'bottomUpFlame' : 'flame'];
  return shown !== undefined && isSameZoom(shown.zoom, zoom) ? zoomedPathText(shown) : undefined;
}

/** A tab as it is written. Its scope is that of an address, which has one printer and one reader. */
const STORED_TAB = z.object({
  folder: z.string(),
  name: z.string(),
  label: z.string(),
  scope: fallingBack(z.string(), ''),
  chosen: z.catch(z.optional(z.record(z.string(), z.string())), undefined),
  zoomedPath: z.catch(z.optional(z.string()), undefined),
  threads: fallingBack(z.enum(MERGED_THREADS), 'groups'),
  parts: z.catch(z.optional(z.array(z.number().check(z.multipleOf(1))).check(z.minLength(2))), undefined),
  isHidden: fallingBack(z.boolean(), false),
  isActive: fallingBack(z.boolean(), false),
});
const STORED = z.object({ version: z.literal(1), tabs: listOf(STORED_TAB, MOST_TABS) });

/** Reads what is stored, of any version: what is invalid is left out. Never throws. */
export function readKeptTabs(text: string | null): readonly KeptTab[] {
  const stored = STORED.safeParse(
    text === null || text.length > MOST_CHARACTERS ? undefined : parsedJson(text),
  );
  return (stored.data?.tabs ?? []).map(({ scope, threads, parts, zoomedPath, ...tab }) => {
    const linked = readFragment(scope).logs.at(0);
    return {
      ...tab,
      zoomedPath,
      shown: linked && { ...linked, zoom: zoomedPath === undefined ? undefined : linked.zoom },
      merge: parts && { threads, parts },
    };
  });
}

/** Where the tabs are stored; both may throw, for example where storage is forbidden. */
export interface TabStorage {
  read(): string | null;
  write(text: string): void;
}

/**
 * Restores names, order and scopes of tabs when their logs come, and keeps them for the next start. `choose` has a log read
 * as the user chose.
 */
export function keepTabs(
  storage: TabStorage,
  withScopes: boolean,
  choose: (log: LogView, chosen: Chosen) => void,
): void {
  let text: string | null = null;
  try {
    text = storage.read();
  } catch {
    // Nothing is restored.
  }
  let restoring = restoringOf(readKeptTabs(text));
  const merged = new Set<KeptTab>();
  const hidden = new Set<LogKey>();

  subscribe((state, before) => {
    const { logs, background, active, preferences } = state;
    if (logs === before.logs && background === before.background && active === before.active) return;
    const restored = withRestored({ logs, active }, restoring, withScopes);
    const { places } = restoring;
    restoring = restored.restoring;
    for (const log of restored.tabs.logs)
      if (log.chosen !== undefined && restoring.places.has(log.key) && !places.has(log.key))
        choose(log, log.chosen);
    if (restored.tabs.logs !== logs) {
      // Calls this function again.
      useWindow.setState(restored.tabs);
      return;
    }
    // The address of the page says what is merged, if it has one.
    const merge = withScopes ? withNextMerge(state, restoring, merged) : undefined;
    const next = merge ?? withNextHidden(state, restoring, hidden);
    if (next !== undefined) {
      useWindow.setState(next);
      return;
    }
    // Before the host has said which logs are open, there are none.
    if (state.hostRun === '') return;
    const kept = keptText({ logs, background, active }, preferences);
    if (kept === text) return;
    text = kept;
    try {
      storage.write(kept);
    } catch {
      // Names and order then last as long as the window.
    }
  });
}

/** The state with the next merged logs whose parts have come; undefined: there are none. `done`: those before, added to. */
function withNextMerge(
  state: WindowState,
  { tabs, places }: Restoring,
  done: Set<KeptTab>,
): WindowState | undefined {
  for (const tab of tabs) {
    if (tab.merge === undefined || done.has(tab)) continue;
    const { parts: wanted, threads } = tab.merge;
    const parts = wanted.flatMap(
      (place) => readLogs(state).find(({ key }) => places.get(key) === place) ?? [],
    );
    if (parts.length < wanted.length) continue;
    done.add(tab);
    return { ...withMerge(state, parts, { name: tab.name, threads }), active: state.active };
  }
  return undefined;
}

/** The state without the tab of a log that had none, and that merged logs need now; undefined: there is none. */
function withNextHidden(
  state: WindowState,
  { tabs, places }: Restoring,
  done: Set<LogKey>,
): WindowState | undefined {
  const log = state.logs.find(
    ({ key }) =>
      tabs.at(places.get(key) ?? tabs.length)?.isHidden === true && !done.has(key) && isPart(state, key),
  );
  if (log === undefined) return undefined;
  done.add(log.key);
  return withoutTab(state, log.key);
}
