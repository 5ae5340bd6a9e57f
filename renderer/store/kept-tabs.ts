import { isBottomUpZoom } from '../../shared/engine/query.ts';
import { type Chosen, chosenOf } from '../../shared/facts/choice.ts';
import type { LogId } from '../../shared/protocol/messages.ts';
import { ownBaseline } from '../../shared/scope/scope.ts';
import { fullLinkName } from './link-names.ts';
import { timeViewsOf, withTimeViews } from './linked-scopes.ts';
import { fragmentOf, type LinkedScope, readFragment } from './scope-address.ts';
import type { Preferences } from './preferences.ts';
import { zoomedPathText } from './zoom-history.ts';
import { isSameZoom } from './panes.ts';
import { withScope } from './scope-history.ts';
import { subscribe } from './subscribe.ts';
import type { LogKey, LogView, ScopeStep } from './window-state.ts';
import { useWindow } from './window-store.ts';

/** A tab as it is stored for the next start. The host reopens the files; the window finds its tabs by their paths. */
export interface KeptTab {
  readonly folder: string;
  readonly name: string;
  /** As in `LogView`. */
  readonly label: string;
  /** Its scope, filter of rows, split methods and zoom; undefined where everything was shown. */
  readonly shown: (ScopeStep & Pick<LinkedScope, 'chart' | 'heatmapScale'>) | undefined;
  /** Path of the log that it is compared with; undefined: no other log. */
  readonly base: string | undefined;
  /** As in `LogView`: a scope is of the samples that were read so. */
  readonly chosen: Chosen | undefined;
  /** Path to the zoom, because the file may have other call nodes by then; see `zoomedPathText`. */
  readonly zoomedPath: string | undefined;
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
    const place = seen.has(log.key) || log.hostLog === undefined ? -1 : placeOf(log, tabs, placed);
    if (place < 0) return log;
    placed.set(log.key, place);
    const { label, shown, base, chosen, zoomedPath, isActive } = tabs[place];
    if (isActive) nowActive = log.key;
    const named = { ...log, label };
    if (!withScopes) return named;
    const read = { ...named, chosen };
    if (shown === undefined) return read;
    const { chart, heatmapScale, ...step } = shown;
    const restored = withTimeViews(withScope(read, step), { chart, heatmapScale });
    const compared = base === undefined ? restored : withRestoredBase(restored, base);
    return step.zoom === undefined ? compared : { ...compared, zoomedPath };
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

/** Waits for the log that was compared with; what was compared of it is the baseline until then. */
function withRestoredBase(log: LogView, name: string): LogView {
  const { baseline: rest = {} } = log;
  return { ...log, baseline: undefined, awaitedBase: { name, rest, known: [], isRestored: true } };
}

/** The tab of this path that has no log yet. */
function placeOf(
  { folder, name }: LogView,
  tabs: readonly KeptTab[],
  placed: ReadonlyMap<LogKey, number>,
): number {
  const taken = new Set(placed.values());
  return tabs.findIndex((tab, at) => tab.folder === folder && tab.name === name && !taken.has(at));
}

/** Longest text that is stored and read, characters. Browsers store five million per site. */
const MOST_CHARACTERS = 2_000_000;
const MOST_TABS = 100;

/**
 * The text in the storage of the page. Files that the window reads itself cannot be opened again. Where the scopes are too
 * long for it, the longest are left out: names and order of the tabs are kept.
 */
export function keptText({ logs, active }: Tabs, { frames }: Pick<Preferences, 'frames'>): string {
  const tabs = logs
    .filter(({ hostLog }) => hostLog !== undefined)
    .slice(0, MOST_TABS)
    .map((log) => {
      const { key, folder, name, label, scope, where, split, hidesErrors, zoom } = log;
      const chosen = keptChoice(log, logs);
      const zoomedPath = zoomedPathOf(log);
      const shown: LinkedScope = {
        ...{ name, scope, where, split, hidesErrors, ...timeViewsOf(log) },
        ...keptBaseline(log, logs),
        zoom: zoomedPath === undefined ? undefined : zoom,
      };
      return {
        ...{ folder, name, label },
        scope: fragmentOf({ frames, threads: undefined, logs: [shown] }),
        ...(zoomedPath === undefined ? {} : { zoomedPath }),
        ...(chosen === undefined ? {} : { chosen }),
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

/** Reads what is stored, of any version: what is invalid is left out. Never throws. */
export function readKeptTabs(text: string | null): readonly KeptTab[] {
  if (text === null || text.length > MOST_CHARACTERS) return [];
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return [];
  }
  const tabs = isRecord(stored) && stored.version === 1 && Array.isArray(stored.tabs) ? stored.tabs : [];
  return tabs.slice(0, MOST_TABS).flatMap((tab: unknown): KeptTab[] => {
    if (!isRecord(tab)) return [];
    const { folder, name, label, scope, chosen, zoomedPath, isActive } = tab;
    if (typeof folder !== 'string' || typeof name !== 'string' || typeof label !== 'string') return [];
    const linked = typeof scope === 'string' ? readFragment(scope).logs.at(0) : undefined;
    const isZoomed = typeof zoomedPath === 'string';
    const shown = linked && {
      ...{ scope: linked.scope, where: linked.where, split: linked.split },
      ...(linked.hidesErrors === true ? { hidesErrors: true } : {}),
      ...(isZoomed && linked.zoom !== undefined ? { zoom: linked.zoom } : {}),
      ...(linked.baseline === undefined ? {} : { baseline: linked.baseline }),
      ...(linked.chart === undefined ? {} : { chart: linked.chart }),
      ...(linked.heatmapScale === undefined ? {} : { heatmapScale: linked.heatmapScale }),
    };
    return [
      {
        ...{ folder, name, label, shown },
        base: linked?.base,
        chosen: isRecord(chosen) && Object.values(chosen).every(isText) ? (chosen as Chosen) : undefined,
        zoomedPath: isZoomed ? zoomedPath : undefined,
        isActive: isActive === true,
      },
    ];
  });
}

const isText = (value: unknown): value is string => typeof value === 'string';

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
  choose: (log: LogId, chosen: Chosen) => void,
): void {
  let text: string | null = null;
  try {
    text = storage.read();
  } catch {
    // Nothing is restored.
  }
  let restoring = restoringOf(readKeptTabs(text));

  subscribe((state, before) => {
    const { logs, active, preferences } = state;
    if (logs === before.logs && active === before.active) return;
    const restored = withRestored({ logs, active }, restoring, withScopes);
    const { places } = restoring;
    restoring = restored.restoring;
    for (const { key, hostLog, chosen } of restored.tabs.logs)
      if (hostLog !== undefined && chosen !== undefined && restoring.places.has(key) && !places.has(key))
        choose(hostLog, chosen);
    if (restored.tabs.logs !== logs) {
      // Calls this function again.
      useWindow.setState(restored.tabs);
      return;
    }
    // Before the host has said which logs are open, there are none.
    if (state.hostRun === '') return;
    const next = keptText({ logs, active }, preferences);
    if (next === text) return;
    text = next;
    try {
      storage.write(next);
    } catch {
      // Names and order then last as long as the window.
    }
  });
}
