import { PER_CHOICE } from '../../../shared/facts/choice.ts';
import { attributeOf } from '../../../shared/engine/trees/grouping.ts';
import { EMPTY_SCOPE } from '../../../shared/scope/scope.ts';
import { threadsOfRow, withoutThreads } from '../../../shared/scope/thread-pattern.ts';
import type { SpreadPart } from '../../profile-worker/pane-messages.ts';
import type { SpreadSpec } from '../../profile-worker/pane-specs.ts';
import { changeActive } from './actions.ts';
import { activeLog } from '../state/selectors.ts';
import { wholeRange } from './compare-actions.ts';
import { choose } from './log-actions.ts';
import { selectAnyRequests, selectRequests } from './request-actions.ts';
import { withScope } from '../state/scope-history.ts';
import { isOnlyPart, scopeOfPart, showsOnlyPart, withParts } from '../state/spread-parts.ts';
import { useWindow } from '../state/window-store.ts';

type SpreadParts = SpreadSpec['parts'];

/** Other parts of the active log; `per:host`: its dataset is asked for those. */
export function chooseParts(parts: SpreadParts | `per:${string}`): void {
  const own = isAsked(parts) ? 'name' : parts;
  changeActive((log) => ({ ...log, panes: { ...log.panes, spread: withParts(log, own) } }));
  if (isAsked(parts)) choose(PER_CHOICE, parts.slice('per:'.length));
}

function isAsked(parts: SpreadParts | `per:${string}`): parts is `per:${string}` {
  return parts.startsWith('per:');
}

/** Another look at the parts of the active log. */
export function chooseSpread(change: Partial<Pick<SpreadSpec, 'by' | 'isOfCall'>>): void {
  changeActive((log) => ({
    ...log,
    panes: { ...log.panes, spread: { ...log.panes.spread, ...change } },
  }));
}

/** Only the samples of a part; of all parts where the scope is that part already. */
export function onlyPart(parts: SpreadParts, part: SpreadPart): void {
  const { scope } = activeLog(useWindow.getState()) ?? {};
  if (scope === undefined) return;
  const isOnly = isOnlyPart(scope, parts, part);
  const key = attributeOf(parts);
  if (key !== undefined) return isOnly ? selectAnyRequests(key) : selectRequests(key, part.name, 'all');
  const all = parts === 'time' ? { range: undefined } : { threads: [] };
  changeActive((log) =>
    withScope(log, { scope: isOnly ? { ...scope, ...all } : scopeOfPart(scope, parts, part) }),
  );
}

/** Compares a part with all others: one step for undo. */
export function comparePart(parts: SpreadParts, part: SpreadPart): void {
  const key = attributeOf(parts);
  if (key !== undefined) return selectRequests(key, part.name, 'all against the others');
  changeActive((log) => {
    const scope = scopeOfPart(log.scope, parts, part);
    const before = showsOnlyPart(log, parts) ? EMPTY_SCOPE : log.scope;
    if (parts !== 'time') {
      const threads = withoutThreads(before.threads, threadsOfRow(part.name, parts));
      return withScope(log, { scope, baseline: { threads } });
    }
    const range = before.range ?? wholeRange(log);
    return range === undefined ? log : withScope(log, { scope, baseline: { range } });
  });
}
