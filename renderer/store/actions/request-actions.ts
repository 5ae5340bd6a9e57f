import { withAnyKey, withKey, withoutKey } from '../../../shared/scope/context-condition.ts';
import type { ContextScope } from '../../../shared/scope/scope.ts';
import { changeScope } from './actions.ts';

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

/** Samples of requests with any value of an attribute, and without it. */
export function selectAnyRequests(key: string): void {
  changeContexts((contexts) => ({ contexts: withoutKey(contexts, key) }));
}

/** `base`: the requests that the others are compared with. A comparison with something else stays. */
export function changeContexts(
  change: (contexts: ContextScope | undefined) => {
    readonly contexts: ContextScope | undefined;
    readonly base?: ContextScope;
  },
): void {
  changeScope(({ scope, baseline }) => {
    const { contexts, base } = change(scope.contexts);
    const others = baseline?.contexts === undefined ? baseline : undefined;
    return {
      scope: { ...scope, contexts },
      baseline: base === undefined ? others : { contexts: base },
    };
  });
}
