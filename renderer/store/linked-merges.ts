import { MERGED_THREADS_CHOICE, type MergedThreads } from '../../shared/facts/choice.ts';
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

/**
 * Whether a log is the result of such a merge. Its name may differ from the link's: the host trims names, and escapes
 * characters that are not printable. How threads are merged is known from the first status on; before, either matches.
 */
export function isMergeOf(merge: LinkedMerge | undefined, log: LogView): boolean {
  const own = linkedMerge(log);
  if (merge === undefined || own === undefined || merge.parts.length !== own.parts.length) return false;
  const areSame = merge.parts.every((part, at) => endsAlike(part, own.parts[at]));
  return areSame && (log.status === undefined || merge.threads === own.threads);
}

/** A link may have more or fewer folders in front of a name than the host, which has as few as possible. */
function endsAlike(a: string, b: string): boolean {
  return `/${a}`.endsWith(`/${b}`) || `/${b}`.endsWith(`/${a}`);
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
