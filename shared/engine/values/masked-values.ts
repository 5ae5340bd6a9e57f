import { TimeColumn } from '../../profile/time-column.ts';
import { NO_SAMPLES, OwnValues, type SampleSum, type SelfValues } from './self-values.ts';

/** A copy of self values in which some rows are set to zero. */
export class MaskedValues extends OwnValues {
  /** Sum of the rows that were set to zero. */
  leftOut = NO_SAMPLES;

  readonly #source: SelfValues;

  constructor(source: SelfValues) {
    super();
    this.#source = source;
  }

  /**
   * Copies the present values of the source, and sets the rows to zero whose entry in `mask` is 1. `isComplete`: these are
   * of another profile. O(rows).
   */
  update(mask: Uint8Array, isComplete = false): void {
    this.isComplete = isComplete;
    const { length, time } = this.#source;
    this.takeRows(this.#source);
    if (time.sumsStayExact(length)) {
      this.time.bigints = undefined;
      this.leftOut = maskDoubles(this.#source, mask, this.count, this.time.ns);
    } else this.leftOut = this.#maskExactly(mask);
    this.revision++;
  }

  #maskExactly(mask: Uint8Array): SampleSum {
    const { length, count, time } = this.#source;
    let samples = 0;
    const timeLeftOut = new TimeColumn(1);
    for (let row = 0; row < length; row++) {
      const isLeftOut = mask[row] === 1;
      this.count[row] = isLeftOut ? 0 : count[row];
      this.time.set(row, isLeftOut ? 0 : (time.bigints?.get(row) ?? time.ns[row]));
      if (!isLeftOut) continue;
      samples += count[row];
      timeLeftOut.addFrom(0, time, row);
    }
    return { samples, time: timeLeftOut.ns[0] };
  }
}

/** The values without the rows whose entry in `mask` is 1. */
export function maskedValues(values: SelfValues, mask: Uint8Array): SelfValues {
  const left = new MaskedValues(values);
  left.update(mask);
  return left;
}

/** A separate function with arrays only, so that V8 compiles the loop early. Returns the sum of what is left out. */
function maskDoubles(
  { length, count, time: { ns } }: SelfValues,
  mask: Uint8Array,
  intoCount: Float64Array,
  intoNs: Float64Array,
): SampleSum {
  let samples = 0;
  let time = 0;
  for (let row = 0; row < length; row++) {
    const isLeftOut = mask[row] === 1;
    intoCount[row] = isLeftOut ? 0 : count[row];
    intoNs[row] = isLeftOut ? 0 : ns[row];
    if (!isLeftOut) continue;
    samples += count[row];
    time += ns[row];
  }
  return { samples, time };
}

/** Row -> 1 where one of the masks has 1; undefined where neither has any. */
export function either(a: Uint8Array | undefined, b: Uint8Array | undefined): Uint8Array | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.map((mark, row) => mark | b[row]);
}
