import { expressionOf, foundOnly, NO_CONDITIONS } from '../../../shared/engine/views/row-conditions.ts';
import { isExpression } from '../../../shared/engine/views/search.ts';
import { isTypedCondition } from '../../../shared/scope/context-condition.ts';
import type { Baseline } from '../../../shared/scope/scope.ts';
import { isTyped } from '../../../shared/scope/thread-pattern.ts';
import { withChartThreads } from '../panes/pane-views.ts';
import type { Preferences } from '../state/preferences.ts';
import { linkName } from '../state/log-names.ts';
import { withScope, stepOf, NO_ZOOM } from '../state/scope-history.ts';
import { leavesErrorsOut } from '../state/selectors.ts';
import type { LinkedScope, LogView } from '../state/window-state.ts';
import { changeActive } from '../actions/actions.ts';

/** The log as a link shows it. `isRestored`: as in `LogView`. */
export function withLink(log: LogView, linked: LinkedScope, isRestored = false): LogView {
  const { scope, where, split, zoom, hidesErrors = false, keepsZoom = false, baseline, base } = linked;
  const { chartThreads = log.panes.chart.only, timeZoom, search = log.searchText } = linked;
  const own = { scope, where, split, zoom, hidesErrors, keepsZoom };
  const shown = withScope(
    { ...log, panes: withChartThreads(log.panes, chartThreads), timelineZoom: timeZoom },
    base === undefined ? { ...own, baseline } : own,
  );
  const awaitedBase =
    base === undefined ? undefined : { name: base, rest: baseline ?? {}, known: [], isRestored };
  return { ...shown, searchText: foundOnly(where) ?? search, awaitedBase, unapplied: undefined };
}

/** The log as a link shows it, but for its regular expressions that somebody has typed: these wait for the user's consent. */
export function withLinkUntilConsent(log: LogView, linked: LinkedScope): LogView {
  if (typedExpressions(linked).length === 0) return withLink(log, linked);
  return { ...withLink(log, withoutTyped(linked)), unapplied: linked };
}

/** The regular expressions of a link that somebody has typed, as `/…/`, those of attributes as `customer=/…/`. */
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
    ...[scope, baseline].flatMap((side) => side?.contexts?.where.filter(isTypedCondition) ?? []),
    ...where.flat().flatMap((each) => expressionOf(each) ?? []),
  ];
}

/** The link without the choices that have such an expression. */
function withoutTyped(linked: LinkedScope): LinkedScope {
  const { scope, where, baseline, base, chartThreads, search = '' } = linked;
  /** The threads and the requests of a side that wait for nobody. */
  const safe = ({ threads, contexts }: Baseline): Pick<Baseline, 'threads' | 'contexts'> => ({
    threads: threads?.some(isTyped) === true ? undefined : threads,
    contexts: contexts?.where.some(isTypedCondition) === true ? undefined : contexts,
  });
  const left = { ...baseline, ...safe(baseline ?? {}) };
  const isCompared = base !== undefined || Object.values(left).some((value) => value !== undefined);
  const { threads = [], contexts } = safe(scope);
  return {
    ...linked,
    scope: { ...scope, threads, contexts },
    where: where.flat().some((each) => expressionOf(each) !== undefined) ? NO_CONDITIONS : where,
    baseline: isCompared ? left : undefined,
    chartThreads: chartThreads?.some(isTyped) === true ? undefined : chartThreads,
    search: isExpression(search) ? undefined : linked.search,
  };
}

/** Applies the link of the active log with its expressions, or, without consent, forgets these. */
export function decideLink(isApplied: boolean): void {
  changeActive((log) => {
    const { unapplied } = log;
    return isApplied && unapplied !== undefined ? withLink(log, unapplied) : { ...log, unapplied: undefined };
  });
}

export function linkedScope(
  log: LogView,
  { flame }: Pick<Preferences, 'flame'>,
  logs: readonly LogView[],
): LinkedScope {
  const { unapplied, merge } = log;
  if (unapplied !== undefined) return { ...unapplied, name: linkName(log, logs) };
  // While a range is dragged, the address stays: browsers allow only so many changes.
  const { scope, baseline: shown } = log.beforeDrag ?? log;
  const other = shown?.log === undefined ? undefined : logs.find(({ key }) => key === shown.log);
  // Its times and threads are not those of this log.
  const isClosed = shown?.log !== undefined && other === undefined;
  const compared = isClosed ? undefined : shown;
  // Not what would replace it.
  const awaited = compared === undefined ? log.awaitedBase : undefined;
  return {
    ...stepOf(log),
    hidesErrors: leavesErrorsOut(log),
    ...(flame === 'chart' && NO_ZOOM),
    name: linkName(log, logs),
    scope,
    // A link shows what was on screen.
    chartThreads: flame === 'chart' ? log.panes.chart.only : undefined,
    timeZoom: log.timelineZoom,
    // The filter has it where only matches are shown.
    search: log.searchText === '' || foundOnly(log.where) !== undefined ? undefined : log.searchText,
    baseline: awaited?.rest ?? compared,
    base: awaited?.name ?? (other && linkName(other, logs)),
    merge: merge && { threads: merge.threads, parts: merge.names },
  };
}
