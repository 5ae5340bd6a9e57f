import { type Range, RepeatedIntegers, Wire } from '../../read/protobuf.ts';
import { product } from '../value-types.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { compareInt64, int64 } from '../../profile/int64.ts';
import { RepeatedTimes } from '../repeated-times.ts';

/**
 * Numbers of a sample's fields, which differ between versions of opentelemetry-proto, and so do the fields of a profile.
 * A file does not say its version.
 *
 *   1.7          1 first location, 2 number of locations, 3 values, 4 attributes, 5 link, 6 time stamps
 *   1.8 and 1.9  1 stack, 2 values, 3 attributes, 4 link, 5 time stamps
 *   1.10, 1.11   1 stack, 2 attributes, 3 link, 4 values, 5 time stamps
 */
export interface SampleLayout {
  readonly versions: string;
  /** Stacks are ranges of a list of locations, and time stamps varints instead of eight bytes each. */
  readonly isRange: boolean;
  readonly values: number;
  readonly attributes: number;
  readonly link: number;
  readonly times: number;
  /** Field of a profile -> its wire types. */
  readonly profile: readonly (readonly number[])[];
}

const { varint, fixed64, bytes } = Wire;
const INTEGERS = [varint, bytes];

export const LAYOUTS: readonly SampleLayout[] = [
  {
    versions: '1.10 and 1.11',
    isRange: false,
    attributes: 2,
    link: 3,
    values: 4,
    times: 5,
    profile: [
      [],
      [bytes],
      [bytes],
      [fixed64],
      [varint],
      [bytes],
      [varint],
      [bytes],
      [varint],
      [bytes],
      [bytes],
      INTEGERS,
    ],
  },
  {
    versions: '1.8 and 1.9',
    isRange: false,
    values: 2,
    attributes: 3,
    link: 4,
    times: 5,
    // In 1.8, comments stand at 7 and move the fields after them.
    profile: [
      [],
      [bytes],
      [bytes],
      [fixed64],
      [varint],
      [bytes],
      [varint],
      INTEGERS,
      INTEGERS,
      INTEGERS,
      [bytes],
      INTEGERS,
      INTEGERS,
    ],
  },
  {
    versions: '1.7',
    isRange: true,
    values: 3,
    attributes: 4,
    link: 5,
    times: 6,
    // A default sample type stands at 9 and moves the fields after it; it was dropped before 1.8.
    profile: [
      [],
      [bytes],
      [bytes],
      INTEGERS,
      [varint],
      [varint],
      [bytes],
      [varint],
      INTEGERS,
      INTEGERS,
      INTEGERS,
      INTEGERS,
      [bytes],
      INTEGERS,
      INTEGERS,
    ],
  },
];

/** `1.7, 1.8 and 1.9, or …` */
export const LAYOUT_VERSIONS = LAYOUTS.map(({ versions }) => versions)
  .reverse()
  .join(', or ');

/** A sample with time stamps. */
interface StampedSample {
  readonly input: Uint8Array;
  readonly sample: Range;
  readonly layout: SampleLayout;
  /** Number of stamps, above 0. */
  readonly stamps: number;
  /** The sum of all stamps, above 0. */
  readonly total: number | bigint;
  /** Each stamp has a value of its own. Otherwise all have about the same share of the total. */
  readonly isEach: boolean;
}

/** The halves of a time, ns since 1970. */
interface Halves {
  readonly hi: number;
  readonly lo: number;
}

/** So far apart, the upper halves of two times may differ by more than a safe integer. */
const FAR_HI = 1 << 20;

/**
 * Counts samples at their time stamps.
 *
 *   stamps 5000 7000 8000      values 2 0 3      counts: two samples at 5000, three at 8000; bytes: one at each stamp
 *                              value  10         counts: three at 5000, four at 7000, three at 8000
 */
export class StampedSamples {
  /** Samples without a stamp. */
  withoutStamp = 0;
  /** Stamps that stand for several samples. */
  readonly repeated = new RepeatedTimes();
  readonly #sink: SampleSink;
  #earliest: Halves | undefined;
  #latest: Halves | undefined;
  /** The first stamp: others are passed on relative to it. */
  #base: (Halves & { readonly ns: bigint }) | undefined;

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  /** ns since 1970 of the earliest stamp; undefined if there is none. */
  get firstTime(): bigint | undefined {
    return this.#earliest && int64(this.#earliest.hi, this.#earliest.lo);
  }

  get lastTime(): bigint | undefined {
    return this.#latest && int64(this.#latest.hi, this.#latest.lo);
  }

  /** Counts one sample at each stamp, with its value; `factor` converts values to ns or bytes. */
  addValues(node: number, stamped: StampedSample, factor: number): void {
    this.#each(stamped, (part, hasTime) => {
      if (!hasTime) this.withoutStamp++;
      this.#sink.samplesAt(node, 1, product(part, factor));
    });
  }

  /** Counts as many samples at each stamp as its value says. `total` is a safe integer, and so are all sums of counts. */
  addCounts(node: number, stamped: StampedSample): void {
    const sink = this.#sink;
    const { keepsTimes } = sink;
    const total = Number(stamped.total);
    let withoutTime = total;
    let tooMany = 0;
    this.#each(stamped, (part, hasTime) => {
      // Invalid values, such as 9 and -2: no more are counted with a time than the sum has.
      if (!hasTime || typeof part !== 'number' || part <= 0 || part > withoutTime - tooMany) return;
      if (keepsTimes && part > 1 && !this.repeated.allows(part, sink.timesAllowed)) {
        tooMany += part;
        return;
      }
      withoutTime -= part;
      if (keepsTimes) for (let sample = 0; sample < part; sample++) sink.samplesAt(node, 1, 0);
    });
    this.withoutStamp += withoutTime - tooMany;
    sink.takenAt(undefined, 0);
    if (withoutTime > 0 || !keepsTimes) sink.samplesAt(node, keepsTimes ? withoutTime : total, 0);
  }

  /** Calls `take` with the value of each stamp, after its time has been passed to the sink. */
  #each(
    { input, sample, layout, stamps, total, isEach }: StampedSample,
    take: (part: number | bigint, hasTime: boolean) => void,
  ): void {
    const times = stampsOf(input, sample, layout);
    const values = isEach ? new RepeatedIntegers(input, sample, layout.values) : undefined;
    for (let stamp = 0; times.next() && !this.#sink.isFull; stamp++) {
      values?.next();
      const part = values?.integer ?? shareOf(total, stamp, stamps);
      // 0 is no time, and neither is what no clock says before the year 2262.
      const hasTime = times.hi >= 0 && (times.hi | times.lo) !== 0;
      if (hasTime) this.#note(times);
      else this.#sink.takenAt(undefined, 0);
      take(part, hasTime);
    }
  }

  #note({ hi, lo }: Halves): void {
    const [earliest, latest] = [this.#earliest, this.#latest];
    if (earliest === undefined || compareInt64(hi, lo, earliest.hi, earliest.lo) < 0)
      this.#earliest = { hi, lo };
    if (latest === undefined || compareInt64(hi, lo, latest.hi, latest.lo) > 0) this.#latest = { hi, lo };
    const base = (this.#base ??= { hi, lo, ns: int64(hi, lo) });
    const upper = hi - base.hi;
    const offset = upper * 4_294_967_296 + ((lo >>> 0) - (base.lo >>> 0));
    this.#sink.takenAt(base.ns, Math.abs(upper) < FAR_HI ? offset : int64(hi, lo) - base.ns);
  }
}

/** The time stamps of a sample: of eight bytes each or, in the older form, varints. */
export function stampsOf(
  input: Uint8Array,
  sample: Range,
  { times, isRange }: SampleLayout,
): RepeatedIntegers {
  return new RepeatedIntegers(input, sample, times, !isRange);
}

/** The share of one of several, so that all shares add up to the total: those of 10 are 3, 4 and 3. */
function shareOf(total: number | bigint, at: number, of: number): number | bigint {
  if (typeof total === 'bigint')
    return (total * BigInt(at + 1)) / BigInt(of) - (total * BigInt(at)) / BigInt(of);
  const until = (shares: number): number => (shares === of ? total : Math.round(total * (shares / of)));
  return until(at + 1) - until(at);
}
