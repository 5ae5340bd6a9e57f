import { withAnyKey, withKey, withoutKey } from '../../../shared/scope/context-condition.ts';
import type { ContextScope } from '../../../shared/scope/scope.ts';
import { changeActive } from './actions.ts';
import { withOperations } from '../panes/pane-views.ts';
import { withScope } from '../state/scope-history.ts';

/** Samples of any request, and of none. Requests are compared no more. */
export function removeContexts(): void {
  changeContexts(() => ({ contexts: undefined }));
}

/** Lists the requests of the active log by another attribute, in another order, or with another row selected. */
export function listOperations(change: Parameters<typeof withOperations>[1]): void {
  changeActive((log) => ({ ...log, panes: withOperations(log.panes, change) }));
}

/** Percent: the slow requests of an operation are those that last as long as its 95th percentile. */
const SLOW = 95;

/**
 * Only samples of the requests in which an attribute has a value: all of them, alone or compared with those of other values,
 * the slow ones, or the slow ones compared with the rest. Conditions on other attributes stay.
 */
export function selectRequests(
  key: string,
  value: string,
  which: 'all' | 'all against the others' | 'slow' | 'slow against the rest',
): void {
  changeContexts((contexts) => {
    const all = withKey(contexts, key, value);
    if (which === 'all') return { contexts: all };
    if (which === 'all against the others') return { contexts: all, base: withAnyKey(contexts, key) };
    const slow = { ...all, slower: SLOW };
    return which === 'slow' ? { contexts: slow } : { contexts: slow, base: all };
  });
}

/**
 * Only samples of the requests that took so long and began then, alone or compared with those of all others that meet the
 * conditions.
 */
export function selectDurations(spans: Pick<ContextScope, 'took' | 'began'>, isCompared: boolean): void {
  changeContexts((contexts) => {
    const where = contexts?.where ?? [];
    // A scope that says nothing has no text in a link.
    const base = where.length === 0 ? { where, took: {} } : { where };
    return { contexts: { where, ...spans }, ...(isCompared && { base }) };
  });
}

/** Samples of requests, however long they took and whenever they began. */
export function selectAnyDuration(): void {
  changeContexts((contexts) => {
    const { where = [] } = contexts ?? {};
    return { contexts: where.length === 0 ? undefined : { where } };
  });
}

/** Samples of requests with any value of an attribute, and without it. */
export function selectAnyRequests(key: string): void {
  changeContexts((contexts) => ({ contexts: withoutKey(contexts, key) }));
}

/** `base`: the requests that the others are compared with. A comparison with something else stays. */
function changeContexts(
  change: (contexts: ContextScope | undefined) => {
    readonly contexts: ContextScope | undefined;
    readonly base?: ContextScope;
  },
): void {
  changeActive((log) => {
    const { scope, baseline } = log;
    const { contexts, base } = change(scope.contexts);
    const others = baseline?.contexts === undefined ? baseline : undefined;
    return withScope(log, {
      scope: { ...scope, contexts },
      baseline: base === undefined ? others : { contexts: base },
    });
  });
}
