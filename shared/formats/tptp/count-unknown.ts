/** So many unknown kinds are told apart; hostile input could name any number. */
const MOST_KINDS = 200;

export function countUnknown(counts: Map<string, number>, kind: string): void {
  const key = counts.has(kind) || counts.size < MOST_KINDS ? kind : 'others';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
