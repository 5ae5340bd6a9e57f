import type { MergedThreads } from '../../shared/facts/choice.ts';
import { MOST_MERGE_NAME_CHARACTERS } from '../../shared/protocol/messages.ts';
import type { LogView } from './window-state.ts';
import { services } from './window-store.ts';

/** The logs that the host can merge: those that it follows, and that are not merged themselves. */
export function mergeable(logs: readonly LogView[]): readonly LogView[] {
  return logs.filter(({ hostLog, parts }) => hostLog !== undefined && parts === undefined);
}

/**
 * Asks the host to show these logs as one, in a tab of its own. If `name` is empty, the host makes one of their names; so
 * it does if the name is too long, as that of a link can be.
 */
export function mergeLogs(logs: readonly LogView[], name: string, threads: MergedThreads): void {
  const ids = logs.flatMap(({ hostLog }) => hostLog ?? []);
  const given = name.length > MOST_MERGE_NAME_CHARACTERS ? '' : name.trim();
  services().client.send({ type: 'merge', logs: ids, name: given, threads });
}
