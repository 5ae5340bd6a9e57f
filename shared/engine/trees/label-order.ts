import { grown, nextCapacity } from '../../profile/columns.ts';
import { compareKeys, type KeyTable } from './keys.ts';

/**
 * The order of the labels of a key table, as numbers, so that siblings are sorted by comparing integers instead of
 * strings. Samples without a stack are last.
 * An update sorts the new labels and merges them into the old order: O(keys + new keys · log new keys).
 *
 *   key      0          1           2
 *   label    Shop.main  Cart.add    Shop.parse
 *   rankOf   1          0           2
 */
export class LabelOrder {
  readonly keys: KeyTable;
  /** key -> its place in the order of all labels. */
  rankOf = new Int32Array(0);
  /** rank -> key. */
  #keyAt: number[] = [];

  constructor(keys: KeyTable) {
    this.keys = keys;
  }

  /** Adds the labels that are new in the table. */
  update(): void {
    const { keys } = this;
    const { labels } = keys;
    const known = this.#keyAt;
    if (known.length === labels.length) return;
    const byLabel = (a: number, b: number): number =>
      Number(keys.isNoStack(a)) - Number(keys.isNoStack(b)) || compareKeys(labels[a], labels[b]);
    const gained = Array.from({ length: labels.length - known.length }, (_, at) => known.length + at);
    gained.sort(byLabel);
    const merged: number[] = [];
    let next = 0;
    for (const key of gained) {
      while (next < known.length && byLabel(known[next], key) < 0) merged.push(known[next++]);
      merged.push(key);
    }
    while (next < known.length) merged.push(known[next++]);
    this.#keyAt = merged;
    if (labels.length > this.rankOf.length)
      this.rankOf = grown(this.rankOf, nextCapacity(this.rankOf.length, labels.length), 0);
    for (let rank = 0; rank < merged.length; rank++) this.rankOf[merged[rank]] = rank;
  }
}
