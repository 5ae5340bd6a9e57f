import type { RecentlyGrown } from '../profile-worker/pane-messages.ts';
import { isFrozen, mayGrow } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { stateText } from './log-state.ts';

type Method = RecentlyGrown['methods'][number];

export interface RecentMethod extends Method {
  readonly perSecond: { readonly self: number; readonly total: number };
}

const MOST_ROWS = 15;

/**
 * The methods that grew most, by their own samples or by all. Those in `held`, ids, keep their order, and the others
 * follow.
 */
export function recentRows(
  recent: RecentlyGrown | undefined,
  by: 'self' | 'total',
  held: readonly number[],
): readonly RecentMethod[] {
  if (recent === undefined || recent.seconds === 0) return [];
  const { seconds, methods } = recent;
  const other = by === 'self' ? 'total' : 'self';
  const places = new Map(held.map((id, at) => [id, at]));
  const placeOf = ({ id }: Method): number => places.get(id) ?? held.length;
  return methods
    .filter((method) => method[by] > 0)
    .toSorted((a, b) => b[by] - a[by] || b[other] - a[other] || (a.label < b.label ? -1 : 1))
    .slice(0, MOST_ROWS)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((method) => ({
      ...method,
      perSecond: { self: method.self / seconds, total: method.total / seconds },
    }));
}

/** Why there is nothing to list; undefined where there is. */
export function quietText(log: LogView, isConnected: boolean): string | undefined {
  const { recent, scope } = log;
  if (isFrozen(log)) return 'The view is frozen. Resume to measure what grows.';
  if (!isConnected) return 'Not connected: nothing new arrives.';
  if (!mayGrow(log)) {
    const { text } = stateText(log);
    return text.startsWith('reading')
      ? 'What was written earlier is still being read.'
      : `This log does not grow any more: ${text}.`;
  }
  if (scope.range?.kind === 'latest')
    return 'Not measured while only the latest samples are looked at: follow all of them.';
  if (recent === undefined || recent.seconds === 0) return 'Measuring…';
  if (recent.samples <= 0 && recent.methods.length === 0)
    return `Nothing ran in the last ${Math.round(recent.seconds)} s.`;
  return undefined;
}
