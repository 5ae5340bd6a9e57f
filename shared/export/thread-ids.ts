import { int64 } from '../profile/int64.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';

/**
 * thread -> its id, for formats in which an id means one thread. Logs that were merged may have used the same id: the first
 * thread keeps it, and the others get unused ones.
 */
export function uniqueThreadIds({ threads }: LeanProfile): readonly bigint[] {
  const ids = Array.from({ length: threads.length }, (_, row) => int64(threads.idHi[row], threads.idLo[row]));
  const used = new Set(ids);
  if (used.size === ids.length) return ids;
  const given = new Set<bigint>();
  let next = 1n;
  return ids.map((id) => {
    if (!given.has(id)) {
      given.add(id);
      return id;
    }
    while (used.has(next)) next++;
    return next++;
  });
}
