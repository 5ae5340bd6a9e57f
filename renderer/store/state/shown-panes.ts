import { type PaneOfLog, type Place, PLACES } from '../panes/pane-list.ts';
import {
  choicesOf,
  definitionOf,
  isFlamePane,
  isRowsPane,
  PANE_IDS,
  type PaneId,
  PANES,
  panesOfChoice,
} from '../panes/panes.ts';
import type { PaneChoice } from './preferences.ts';
import {
  activeLog,
  detailOf,
  hasContexts,
  hasSamples,
  hasSampleTimes,
  isPartial,
  unitsOf,
} from './selectors.ts';
import { haveOnlyCpuTimes } from '../../../shared/facts/sample-kind.ts';
import { shownParts } from './spread-parts.ts';
import type { LogView, WindowState } from './window-state.ts';

/** The panes that are chosen to be visible. A small window shows one place: of all, the one used last. */
export function shownPanes({ preferences: { panes }, isSmall, focusedPane }: WindowState): PaneChoice {
  if (isSmall) return panes === 'all' ? PANES[focusedPane].place : panes;
  // The summary is beside the others there.
  return panes === 'summary' ? 'all' : panes;
}

/** The flame graph of its place: what exports and zooms are of, also while the chart is there. */
export function wholeFlame({ preferences }: WindowState): 'flame' | 'bottomUpFlame' {
  return preferences.flame === 'bottom-up' ? 'bottomUpFlame' : 'flame';
}

const NEEDS: Readonly<
  Record<
    NonNullable<PaneOfLog['needs']>,
    { readonly has: (log: LogView) => boolean; readonly lack: (log: LogView) => string }
  >
> = {
  times: { has: hasSampleTimes, lack: () => 'This file does not record when samples were taken.' },
  parts: {
    has: (log) => shownParts(log) !== undefined,
    lack: () => 'This log has one thread, and no times of samples. Merge logs to see which of them differ.',
  },
  requests: {
    has: hasContexts,
    lack: (log) =>
      haveOnlyCpuTimes(unitsOf(log))
        ? 'CPU times do not say when a call began. Choose the times of the clock behind the options button: then calls are requests.'
        : 'This log tells of no requests. JDK 25 records events with @Contextual fields and traced methods, async-profiler spans, SkyWalking the spans of a trace, and TPTP each call.',
  },
};

/** The sentence that says why a log has nothing for a pane; undefined: it has, or no log is open. */
export function lackOf({ needs }: Pick<PaneOfLog, 'needs'>, log: LogView | undefined): string | undefined {
  if (needs === undefined || log === undefined || NEEDS[needs].has(log)) return undefined;
  return NEEDS[needs].lack(log);
}

/** The log with the panes that it has nothing for noted, once all of it is shown that was there when it was opened. */
export function withLatePanes(log: LogView): LogView {
  if (log.late !== undefined || !hasSamples(log) || isPartial(log) || log.mirrored?.complete === false)
    return log;
  return { ...log, late: PANE_IDS.flatMap((id) => (lackOf(definitionOf(id), log) === undefined ? [] : id)) };
}

/**
 * A pane that has content only since the log has grown waits until the user chooses it: nothing that appears takes the place
 * of what is being read.
 */
export function isLate({ id, ...pane }: Pick<PaneOfLog, 'id' | 'needs'>, log: LogView | undefined): boolean {
  return log?.late?.includes(id as PaneId) === true && lackOf(pane, log) === undefined;
}

/** The choices of a place that a log has something for. */
export function choicesFor(place: Place, log: LogView | undefined): readonly PaneOfLog[] {
  return choicesOf(place).filter((pane) => lackOf(pane, log) === undefined);
}

type TabChoice = NonNullable<PaneOfLog['tab']> & { readonly value: string; readonly isNew: boolean };

/** Choices for the control of their place. */
export function tabsOf(panes: readonly PaneOfLog[], log?: LogView): readonly TabChoice[] {
  return panes.flatMap((pane) => {
    const { choice: value, tab } = pane;
    return value === undefined || tab === undefined ? [] : [{ value, ...tab, isNew: isLate(pane, log) }];
  });
}

/** The choices beside the methods, where these are shown alone. */
export function choicesBesideMethods(log: LogView | undefined): readonly PaneOfLog[] {
  return choicesFor('tree', log).filter(({ isBesideMethods }) => isBesideMethods);
}

/** The panes beside the methods: those of the tree, if they can be there. */
export function panesBesideMethods(state: WindowState): readonly PaneId[] {
  return panesAt('tree', state, choicesBesideMethods(activeLog(state)));
}

/** The panes on screen. */
export function panesOnScreen(state: WindowState): readonly PaneId[] {
  const { preferences, isSmall } = state;
  const shown = shownPanes(state);
  const places = PLACES.filter(({ id, isOfAll }) => (shown === 'all' ? isOfAll : id === shown));
  const beside = shown === 'flat' && !isSmall ? panesBesideMethods(state) : [];
  const summary = preferences.summary && !isSmall ? ['summary' as const] : [];
  return [...places.flatMap(({ id }) => panesAt(id, state)), ...beside, ...summary];
}

/**
 * The panes that are chosen for a place, if the active log has something for them; those of the first choice, while the
 * chosen one waits.
 */
export function panesAt(
  place: Place,
  state: WindowState,
  choices = choicesFor(place, activeLog(state)),
): readonly PaneId[] {
  const chosen = place === 'flame' || place === 'tree' ? state.preferences[place] : undefined;
  const log = activeLog(state);
  const isShown = (pane: PaneOfLog): boolean => pane.choice === chosen && !isLate(pane, log);
  return panesOfChoice(place, (choices.find(isShown) ?? choices.at(0))?.choice);
}

/** The pane that keys apply to: of those on screen the one used last. */
export function currentPane(state: WindowState): PaneId {
  const onScreen = panesOnScreen(state);
  return onScreen.includes(state.focusedPane) ? state.focusedPane : onScreen[0];
}

/**
 * The pane in which matches are found: the one that has the keys, or where that cannot be searched, another one on screen.
 * Matches are found by their weight, so not in the chart.
 */
export function searchedPane(state: WindowState, log: LogView): PaneId | undefined {
  const onScreen = panesOnScreen(state);
  const isSearchable = (pane: PaneId): boolean =>
    onScreen.includes(pane) &&
    (isRowsPane(pane) || isFlamePane(pane)) &&
    (definitionOf(pane).isOfMethod !== true || detailOf(log) !== undefined);
  return [currentPane(state), 'flat' as const, ...onScreen].find(isSearchable);
}
