/** Unknown kinds that are counted separately; the others share a count. A file could contain any number of kinds. */
const MAX_KINDS = 200;

export function countUnknown(counts: Map<string, number>, kind: string): void {
  const key = counts.has(kind) || counts.size < MAX_KINDS ? kind : 'others';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
