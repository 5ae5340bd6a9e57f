import { MERGED_THREADS_CHOICE, type MergedThreads } from '../../shared/facts/merged-threads.ts';
import { mergeable, mergeLogs } from './merge-actions.ts';
import type { LinkedMerge, LinkedScope } from './scope-address.ts';
import type { LogView } from './window-state.ts';

/** How an address says what a log merges; undefined for a single log. */
export function linkedMerge({ partNames, status }: LogView): LinkedMerge | undefined {
  if (partNames === undefined) return undefined;
  const chosen = status?.choices.find(({ id }) => id === MERGED_THREADS_CHOICE)?.chosen;
  const threads: MergedThreads = chosen === 'together' ? 'together' : 'groups';
  return { threads, parts: partNames };
}

/** The open logs with these names, which may begin with folders; each log once. Undefined while one is missing. */
export function logsOfParts(
  logs: readonly LogView[],
  parts: readonly string[],
): readonly LogView[] | undefined {
  const left = [...mergeable(logs)];
  const found = parts.flatMap((part) => {
    const at = left.findIndex((log) => `/${placeOf(log)}`.endsWith(`/${part}`));
    return at < 0 ? [] : left.splice(at, 1);
  });
  return found.length === parts.length ? found : undefined;
}

function placeOf({ folder, name }: LogView): string {
  return `${folder}/${name}`.replaceAll('\\', '/');
}

/** Merges what links wait for, as soon as its logs are open; each only once, since the user may close it. */
export class LinkedMerges {
  readonly #asked = new Set<LinkedMerge>();

  update(logs: readonly LogView[], waiting: readonly LinkedScope[]): void {
    for (const { name, merge } of waiting) {
      const parts =
        merge === undefined || this.#asked.has(merge) ? undefined : logsOfParts(logs, merge.parts);
      if (merge === undefined || parts === undefined) continue;
      this.#asked.add(merge);
      mergeLogs(parts, name, merge.threads);
    }
  }
}
