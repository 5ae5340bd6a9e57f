import type { SampleTable } from '../../profile/sample-table.ts';

/** The samples of a part, and its rows of the SelfTable -> those of the union. */
export interface PartSamples {
  readonly table: SampleTable | undefined;
  readonly rowOf: Int32Array;
}

/**
 * When the samples of several profiles were taken, in one table. Times since 1970 are on one axis, as exactly as the clocks
 * of the machines agree. Times since a recording began are counted from there in each profile. The two kinds cannot be compared:
 * see `timesAgree`.
 *
 * The last samples of each profile may be provisional. All of these are kept at the end of the table.
 */
export class UnionSamples {
  readonly #table: SampleTable;
  /** Part -> its final samples in the table. */
  readonly #taken: number[] = [];
  /** Part -> revision of its samples when they were taken. */
  readonly #revisions: number[] = [];
  #conversions = 0;
  #hasDates = false;
  #hasOwnTimes = false;

  constructor(table: SampleTable) {
    this.#table = table;
  }

  /** False if some profiles have times since 1970 and others since their recording began. */
  get timesAgree(): boolean {
    return !(this.#hasDates && this.#hasOwnTimes);
  }

  /** Takes in what all parts have gained. O(new samples + provisional ones). */
  update(parts: readonly PartSamples[]): void {
    const revisions = parts.map(({ table }) => table?.revision ?? 0);
    if (revisions.every((revision, at) => revision === this.#revisions[at])) return;
    const conversions = parts.reduce((sum, { table }) => sum + (table?.conversions ?? 0), 0);
    const table = this.#table;
    table.truncate(conversions === this.#conversions ? table.finalLength : 0);
    if (conversions !== this.#conversions) this.#taken.length = 0;
    this.#conversions = conversions;
    for (const [at, { table: source, rowOf }] of parts.entries()) {
      if (source === undefined) continue;
      this.#append(source, this.#taken.at(at) ?? 0, source.finalLength, rowOf);
      this.#taken[at] = source.finalLength;
    }
    const final = table.length;
    for (const { table: source, rowOf } of parts)
      if (source !== undefined) this.#append(source, source.finalLength, source.length, rowOf);
    table.provisional = table.length - final;
    for (const [at, revision] of revisions.entries()) this.#revisions[at] = revision;
  }

  #append(source: SampleTable, from: number, end: number, rowOf: Int32Array): void {
    if (from === end) return;
    const { at, self, valueSelf = self, value } = source;
    const { column, mask } = value;
    const shift = this.#shift(source.origin);
    for (let row = from; row < end; row++) {
      const time = at.bigints?.get(row) ?? at.ns[row];
      const each = row & mask;
      const ns = column.bigints?.get(each) ?? column.ns[each];
      this.#table.append(moved(time, shift), rowOf[self[row]], ns, rowOf[valueSelf[row]]);
    }
  }

  /** ns from the origin of the table to that of a profile. */
  #shift(origin: bigint | undefined): number | bigint {
    if (origin === undefined) return 0;
    if (origin === 0n) this.#hasOwnTimes = true;
    else this.#hasDates = true;
    this.#table.origin ??= origin;
    const exact = origin - this.#table.origin;
    const nearest = Number(exact);
    return Number.isSafeInteger(nearest) ? nearest : exact;
  }
}

function moved(at: number | bigint, shift: number | bigint): number | bigint {
  if (shift === 0) return at;
  if (typeof at === 'number' && typeof shift === 'number') {
    const sum = at + shift;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return BigInt(at) + BigInt(shift);
}
