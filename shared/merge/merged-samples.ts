import type { SampleDelta } from '../delta/profile-delta.ts';
import { exactOf, valuesOf } from '../delta/apply-delta.ts';
import type { SampleTable } from '../profile/sample-table.ts';

interface TimedSample {
  readonly at: number | bigint;
  readonly self: number;
  readonly value: number | bigint;
  readonly valueSelf: number;
}

/**
 * When the samples of several logs were taken, in one table. Times since 1970 are on one axis, as exactly as the clocks of
 * the machines agree. Times since a recording began are counted from there in each log. The two kinds cannot be compared:
 * see `timesAgree`.
 *
 * The last samples of each log may be provisional. All of these are kept at the end of the table.
 */
export class MergedSamples {
  readonly #table: SampleTable;
  /** Part -> its provisional samples. */
  readonly #provisional: TimedSample[][];
  #hasDates = false;
  #hasOwnTimes = false;

  constructor(table: SampleTable, parts: number) {
    this.#table = table;
    this.#provisional = Array.from({ length: parts }, () => []);
  }

  /** False if some logs have times since 1970 and others since their recording began. */
  get timesAgree(): boolean {
    return !(this.#hasDates && this.#hasOwnTimes);
  }

  /** Adds the new samples of a log; `rowOf`: its rows of the SelfTable -> those of the merged one. */
  add(part: number, added: SampleDelta, rowOf: Int32Array): void {
    const table = this.#table;
    table.truncate(table.finalLength);
    const shift = this.#shift(added.origin);
    const ats = new Map(added.bigintAts);
    const valueOf = valuesOf(added);
    const { self, valueSelf = self } = added;
    const { length } = self;
    const final = length - added.provisional;
    const provisional: TimedSample[] = [];
    for (let row = 0; row < length; row++) {
      const sample: TimedSample = {
        at: moved(exactOf(ats, row, added.at[row]), shift),
        self: rowOf[self[row]],
        value: valueOf(row),
        valueSelf: rowOf[valueSelf[row]],
      };
      if (row < final) append(table, sample);
      else provisional.push(sample);
    }
    this.#provisional[part] = provisional;
    for (const samples of this.#provisional) for (const sample of samples) append(table, sample);
    table.provisional = this.#provisional.reduce((sum, samples) => sum + samples.length, 0);
  }

  /** ns from the origin of the table to that of a log. */
  #shift(text: string | undefined): number | bigint {
    if (text === undefined) return 0;
    const origin = BigInt(text);
    if (origin === 0n) this.#hasOwnTimes = true;
    else this.#hasDates = true;
    this.#table.origin ??= origin;
    const exact = origin - this.#table.origin;
    const nearest = Number(exact);
    return Number.isSafeInteger(nearest) ? nearest : exact;
  }
}

function append(table: SampleTable, { at, self, value, valueSelf }: TimedSample): void {
  table.append(at, self, value, valueSelf);
}

function moved(at: number | bigint, shift: number | bigint): number | bigint {
  if (shift === 0) return at;
  if (typeof at === 'number' && typeof shift === 'number') {
    const sum = at + shift;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return BigInt(at) + BigInt(shift);
}
