import * as z from 'zod/mini';
import { isBottomUpZoom, isSameZoom } from '../../../shared/engine/query.ts';
import { attributeOf } from '../../../shared/engine/trees/grouping.ts';
import { type Chosen, chosenOf, MERGED_THREADS } from '../../../shared/facts/choice.ts';
import { ownBaseline } from '../../../shared/scope/scope.ts';
import type { PageAddress } from '../../connection/page-address.ts';
import { prefer } from '../actions/actions.ts';
import { linkedScope, typedExpressions, withLink, withLinkUntilConsent } from './linked-scopes.ts';
import { fullLinkName, inHostOrder, isLinkPath } from '../state/log-names.ts';
import { isPart, mergeable, readLogs, withMerge } from '../state/merged-logs.ts';
import { fallingBack, ifValid, listOf, parsedJson, type Preferences } from '../state/preferences.ts';
import { withoutTab } from '../events/receive.ts';
import { fragmentOf, readFragment } from './scope-address.ts';
import { zoomedPathText, stepOf, NO_ZOOM } from '../state/scope-history.ts';
import { shownThreads } from '../state/selectors.ts';
import type { LinkedScope, LogKey, LogView, WindowState } from '../state/window-state.ts';
import { subscribe, useWindow } from '../state/window-store.ts';

/**
 * A tab that is awaited: an address says how its log is shown, and what is stored for the next start says more. The host opens
 * the files; the window finds the tab of a log by its name.
 */
interface AwaitedTab extends LinkedScope {
  /** The stored part; undefined for an address. */
  readonly kept?: KeptTab;
}

/** The stored part of a tab besides its name and scope. */
type KeptTab = Omit<z.output<typeof STORED_TAB>, 'name' | 'scope' | 'threads'>;

/** The tabs that are awaited, and what has become of them. */
export interface Session {
  /** In the order of their tabs; those that have come, too. */
  readonly places: readonly Place[];
  /** They are of this window, before a reload: their expressions need no consent. */
  readonly isOwn: boolean;
  /** False where the address of the page says what is shown and merged: these tabs have only names and places. */
  readonly hasScopes: boolean;
  /** Logs that are not to be changed any more. */
  seen: ReadonlySet<LogKey>;
}

interface Place {
  readonly tab: AwaitedTab;
  /** The log that was found for it. */
  log?: LogKey;
  /** Its parts were merged, or it was hidden: only once, since the user may change it. */
  isDone?: boolean;
}

export function sessionOf(tabs: readonly AwaitedTab[], { isOwn = false, hasScopes = true } = {}): Session {
  return { places: tabs.map((tab) => ({ tab })), isOwn, hasScopes, seen: new Set() };
}

/** The tabs whose logs have not come. */
export function waitingTabs({ places }: Session): readonly AwaitedTab[] {
  return places.flatMap(({ tab, log }) => (log === undefined ? [tab] : []));
}

/** A folder says more than a name, and that more than what is merged. A merged log may have the name of a file. */
const MATCHES: readonly ((tab: AwaitedTab, log: LogView) => boolean)[] = [
  ({ name, merge }, log) => (merge === undefined) === (log.merge === undefined) && isLinkPath(name, log),
  ({ name, merge }, log) => (merge === undefined) === (log.merge === undefined) && name === log.name,
  // The name of a link may be too long.
  ({ merge }, log) =>
    merge !== undefined &&
    merge.threads === log.merge?.threads &&
    merge.parts.length === log.merge.names.length &&
    log.merge.names.every((name, at) => endsAlike(name, merge.parts[at])),
];

/** A link may have more or fewer folders in front of a name than merged logs, which have as few as possible. */
function endsAlike(a: string, b: string): boolean {
  return `/${a}`.endsWith(`/${b}`) || `/${b}`.endsWith(`/${a}`);
}

/**
 * The state with the next of what is awaited: logs get the names, scopes and places of their tabs, then logs are merged whose
 * parts have come, then tabs hidden. The same state where there is nothing to do.
 */
export function settled(session: Session, state: WindowState): WindowState {
  return withFoundTabs(session, state) ?? withNextMerge(session, state) ?? withNextHidden(session, state);
}

function withFoundTabs(session: Session, state: WindowState): WindowState | undefined {
  const { places, seen } = session;
  const { logs } = state;
  const found = new Map<LogKey, AwaitedTab>();
  for (const matches of MATCHES) {
    for (const log of logs) {
      if (seen.has(log.key) || places.some((place) => place.log === log.key)) continue;
      const place = places.find((each) => each.log === undefined && matches(each.tab, log));
      if (place === undefined) continue;
      place.log = log.key;
      found.set(log.key, place.tab);
    }
  }
  session.seen = new Set(logs.map(({ key }) => key));
  if (found.size === 0) return undefined;
  const changed = logs.map((log) => withTab(log, found.get(log.key), session));
  const active = logs.find(({ key }) => found.get(key)?.kept?.isActive)?.key ?? state.active;
  // Links have no places: those of their tabs are the user's.
  const placeOf = ({ key }: LogView): number => {
    const at = places.findIndex(({ tab, log }) => log === key && tab.kept !== undefined);
    return at < 0 ? places.length : at;
  };
  return { ...state, logs: changed.toSorted((a, b) => placeOf(a) - placeOf(b)), active };
}

/** The log as its tab shows it. */
function withTab(log: LogView, tab: AwaitedTab | undefined, { isOwn, hasScopes }: Session): LogView {
  if (tab === undefined) return log;
  const { kept, ...linked } = tab;
  if (kept === undefined) return isOwn ? withLink(log, linked) : withLinkUntilConsent(log, linked);
  const { label, chosen, zoomedPath } = kept;
  if (!hasScopes) return { ...log, label };
  const shown = withLink({ ...log, label, chosen }, linked, true);
  return linked.zoom === undefined ? shown : { ...shown, zoomedPath };
}

function withNextMerge({ places, hasScopes }: Session, state: WindowState): WindowState | undefined {
  for (const place of places) {
    const { name, merge, kept } = place.tab;
    if (merge === undefined || !hasScopes || place.log !== undefined || place.isDone) continue;
    const parts = partsOf(place.tab, places, state);
    if (parts.length < merge.parts.length) continue;
    place.isDone = true;
    const merged = withMerge(state, parts, { name, threads: merge.threads });
    // The tab that was on screen when the window was closed is known.
    return kept === undefined ? merged : { ...merged, active: state.active };
  }
  return undefined;
}

/** The open logs that a tab merges, each once: those of its places, or with names that may begin with folders. */
function partsOf(
  { merge, kept }: AwaitedTab,
  places: readonly Place[],
  state: WindowState,
): readonly LogView[] {
  const left = [...mergeable(readLogs(state))];
  return (merge?.parts ?? []).flatMap((name, part) => {
    const at = left.findIndex((log) =>
      kept?.parts === undefined
        ? `/${fullLinkName(log)}`.endsWith(`/${name}`)
        : places.some(({ log: found }, place) => found === log.key && place === kept.parts?.[part]),
    );
    return at < 0 ? [] : left.splice(at, 1);
  });
}

/** Without the tab of a log that had none, and that merged logs need now. */
function withNextHidden({ places }: Session, state: WindowState): WindowState {
  const place = places.find(
    ({ tab, log, isDone }) =>
      tab.kept?.isHidden === true &&
      isDone !== true &&
      state.logs.some(({ key }) => key === log && isPart(state, key)),
  );
  if (place?.log === undefined) return state;
  place.isDone = true;
  return withoutTab(state, place.log);
}

/**
 * Keeps the scopes of all logs in the address of the page, so that they are there after a reload and a link restores
 * them, and what is merged. No entries are added to the browser's history: its "back" leaves the page, as it does without a scope.
 */
export function keepScopesInAddress(address: PageAddress): void {
  let session = sessionOf([]);
  let written = '';
  /** Nothing of what was written waits for consent. */
  let wasOwn = false;

  function follow(): void {
    written = address.read();
    const { frames, threads, logs } = readFragment(written);
    wasOwn = address.isOwn();
    session = sessionOf(logs, { isOwn: wasOwn });
    if (logs.length > 0 || threads !== undefined) prefer({ frames });
    const zoomed = logs.flatMap(({ zoom }) => zoom ?? []).at(0);
    if (zoomed !== undefined) prefer({ flame: isBottomUpZoom(zoomed) ? 'bottom-up' : 'calls' });
    if (threads !== undefined) prefer({ threads });
    if (logs.some(({ chartThreads }) => chartThreads !== undefined)) prefer({ flame: 'chart' });
  }

  function update(): void {
    const state = useWindow.getState();
    const next = settled(session, state);
    // Calls this function again.
    if (next !== state) return useWindow.setState(next);
    const { logs, preferences } = state;
    const waiting = waitingTabs(session);
    const linked = [...inHostOrder(logs).map((log) => linkedScope(log, preferences, logs)), ...waiting];
    const fragment = fragmentOf({
      frames: preferences.frames,
      threads:
        linked.some(({ zoom }) => zoom !== undefined) || isByAttribute(state)
          ? preferences.threads
          : undefined,
      logs: linked,
    });
    const needsConsent = !session.isOwn && waiting.some((each) => typedExpressions(each).length > 0);
    const isOwn = !needsConsent && logs.every(({ unapplied }) => unapplied === undefined);
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

/** Threads are grouped by an attribute in some log. */
function isByAttribute({ logs, preferences: { threads } }: WindowState): boolean {
  return logs.some((log) => attributeOf(shownThreads(log, threads)) !== undefined);
}

/** Longest text that is stored and read, characters. Browsers store five million per site. */
const MOST_CHARACTERS = 2_000_000;
const MOST_TABS = 100;

/**
 * The text in the storage of the page. Files that the window reads itself cannot be opened again. Where the scopes are too
 * long for it, the longest are left out: names and order of the tabs are kept.
 */
export function keptText(
  { logs: tabs, background, active }: Pick<WindowState, 'logs' | 'background' | 'active'>,
  { frames }: Pick<Preferences, 'frames'>,
): string {
  const logs = [...tabs, ...background];
  const isOfHost = (key: LogKey): boolean => logs.some((log) => log.key === key && log.hostLog !== undefined);
  const kept = logs
    .filter(({ key, merge }) => isOfHost(key) || merge?.parts.every(isOfHost))
    .slice(0, MOST_TABS);
  const stored = kept.map((log) => {
    const { label, merge } = log;
    const name = fullLinkName(log);
    const zoomedPath = zoomedPathOf(log);
    const shown: LinkedScope = {
      ...stepOf(log),
      ...(zoomedPath === undefined && NO_ZOOM),
      name,
      chartThreads: log.panes.chart.only,
      timeZoom: log.timelineZoom,
      ...keptBaseline(log, logs),
    };
    return {
      name,
      label,
      scope: fragmentOf({ frames, threads: undefined, logs: [shown] }),
      zoomedPath,
      chosen: keptChoice(log, logs),
      threads: merge?.threads,
      parts: merge?.parts.map((part) => kept.findIndex((each) => each.key === part)),
      isHidden: background.includes(log),
      isActive: log.key === active,
    };
  });
  const textOf = (): string => JSON.stringify({ version: 2, tabs: stored });
  let excess = textOf().length - MOST_CHARACTERS;
  for (const tab of stored.toSorted((a, b) => b.scope.length - a.scope.length)) {
    if (excess <= 0) break;
    excess -= tab.scope.length;
    tab.scope = '';
  }
  return textOf();
}

/**
 * The choices with which the log is read. A file with two tabs keeps those of each, also where the user has changed
 * nothing: they find their logs by its path, in any order.
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

/** A tab as it is written. */
const STORED_TAB = z.object({
  /** See `fullLinkName`. */
  name: z.string(),
  /** As in `LogView`. */
  label: z.string(),
  /** That of an address, which has one printer and one reader. */
  scope: fallingBack(z.string(), ''),
  /** As in `LogView`: a scope is of the samples that were read so. */
  chosen: ifValid(z.record(z.string(), z.string())),
  /** Path to the zoom, because the file may have other call nodes by then; see `zoomedPathText`. */
  zoomedPath: ifValid(z.string()),
  /** Places of its parts, if it is several logs that are merged, and how their threads are told apart. */
  parts: ifValid(z.array(z.int()).check(z.minLength(2))),
  threads: fallingBack(z.enum(MERGED_THREADS), 'groups'),
  /** It is read without a tab, for merged logs. */
  isHidden: fallingBack(z.boolean(), false),
  isActive: fallingBack(z.boolean(), false),
});
const STORED = z.object({ version: z.literal(2), tabs: listOf(STORED_TAB, MOST_TABS) });

/** Reads what is stored: what is invalid, or of another version, is left out. Never throws. */
export function readKeptTabs(text: string | null): readonly AwaitedTab[] {
  const isLong = text !== null && text.length > MOST_CHARACTERS;
  const { tabs } = STORED.safeParse(isLong ? undefined : parsedJson(text)).data ?? { tabs: [] };
  return tabs.map(({ name, scope, threads, ...kept }) => {
    const [linked = readFragment('#log=x').logs[0]] = readFragment(scope).logs;
    const { zoomedPath, parts } = kept;
    return {
      ...linked,
      name,
      kept,
      zoom: zoomedPath === undefined ? undefined : linked.zoom,
      merge: parts && { threads, parts: parts.map((part) => tabs.at(part)?.name ?? '') },
    };
  });
}

/**
 * Restores names, order and scopes of tabs when their logs come, and keeps them for the next start. `hasScopes`: as in
 * `Session`. `choose` has a log read as the user chose.
 */
export function keepTabs(
  storage: { read(): string | null; write(text: string): void },
  hasScopes: boolean,
  choose: (log: LogView, chosen: Chosen) => void,
): void {
  let text = storage.read();
  const session = sessionOf(readKeptTabs(text), { hasScopes });

  subscribe((state, before) => {
    const { logs, background, active, preferences } = state;
    if (logs === before.logs && background === before.background && active === before.active) return;
    const waiting = waitingTabs(session);
    const next = settled(session, state);
    for (const { tab, log: key } of session.places) {
      const log = waiting.includes(tab) ? next.logs.find((each) => each.key === key) : undefined;
      if (log?.chosen !== undefined) choose(log, log.chosen);
    }
    // Calls this function again.
    if (next !== state) return useWindow.setState(next);
    // Before the host has said which logs are open, there are none.
    if (state.hostRun === '') return;
    const kept = keptText(state, preferences);
    if (kept === text) return;
    text = kept;
    storage.write(kept);
  });
}
