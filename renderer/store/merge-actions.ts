import type { MergedThreads } from '../../shared/facts/merged-threads.ts';
import { MOST_MERGE_NAME_CHARACTERS } from '../../shared/protocol/messages.ts';
import type { LogKey, LogView } from './window-state.ts';
import { services, useWindow } from './window-store.ts';

/** The logs that the host can merge: those that it follows, and that are not merged themselves. */
export function mergeable(logs: readonly LogView[]): readonly LogView[] {
  return logs.filter(({ hostLog, parts }) => hostLog !== undefined && parts === undefined);
}

/** Opens the dialog to merge logs, with the focus on this one; undefined closes it. Not opened for fewer than two logs. */
export function openMerge(merging: LogKey | undefined): void {
  const { logs } = useWindow.getState();
  if (merging === undefined || mergeable(logs).length > 1) useWindow.setState({ merging });
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
