import {
  firstNumber,
  MessageCursor,
  type Range,
  Ranges,
  RepeatedIntegers,
  Wire,
} from '../../read/protobuf.ts';
import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import type { Dictionary } from './dictionary.ts';
import { LAYOUTS, type SampleLayout } from './sample-layouts.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';

/** Places of a file that contradict a layout. */
interface Misfit {
  readonly byteOffset: number;
  /** Number of the sample in the file. */
  readonly record: number;
  readonly found: string;
}

type LayoutChoice =
  | {
      readonly layout: SampleLayout;
      /** Versions of another layout that the file fits as well, and in which it has other samples. */
      readonly alternative: string | undefined;
    }
  | { readonly misfit: Misfit };

/** Attributes that only samples have. */
const THREAD_KEYS: ReadonlySet<string> = new Set(['thread.name', 'thread.id']);
/** Attributes of a sample that are compared with each other. More are rare, and a sample may have millions. */
const MOST_COMPARED = 16;
const WIRE_TEXTS: Readonly<Record<number, string>> = {
  [Wire.varint]: 'a varint',
  [Wire.fixed64]: 'eight bytes',
  [Wire.bytes]: 'bytes with a length',
  [Wire.fixed32]: 'four bytes',
};

/** The tables and lists to which samples refer. `isWhole`: nothing of them is missing. */
interface FitInput {
  readonly input: Uint8Array;
  readonly dictionary: Dictionary;
  readonly isWhole: boolean;
}

/**
 * The layout that all profiles of a file fit exactly: each field is of its type, and each index is one of its table. If
 * several fit, that which contradicts the fewest rules of the format, names threads, and is the newest.
 */
export function chooseLayout(profiles: readonly OtlpProfile[], from: FitInput): LayoutChoice {
  const fits = LAYOUTS.map((layout) => new LayoutFit(layout, from));
  for (const fit of fits) profiles.every((profile) => fit.takes(profile));
  const possible = fits.filter(({ misfit }) => misfit === undefined);
  if (possible.length === 0) return { misfit: misfitOf(fits) };
  const fewest = Math.min(...possible.map(({ doubts }) => doubts));
  let best = possible.filter(({ doubts }) => doubts === fewest);
  if (best.length > 1 && best.some(({ differs }) => differs)) {
    const naming = best.filter(({ layout }) => namesThread(profiles, layout, from));
    if (naming.length > 0) best = naming;
  }
  const [first, second] = best as [LayoutFit, LayoutFit?];
  // Samples of nothing but a stack and time stamps are the same in all layouts with stacks.
  const isSame = second === undefined || (!first.differs && (first.samples === 0 || !second.layout.isRange));
  return { layout: first.layout, alternative: isSame ? undefined : second.layout.versions };
}

/** The misfit that contradicts each of the layouts, at the latest of these places. */
function misfitOf(fits: readonly LayoutFit[]): Misfit {
  const misfits = fits.flatMap(({ layout: { versions }, misfit }) =>
    misfit === undefined ? [] : [{ ...misfit, found: `${misfit.found} (in ${versions})` }],
  );
  const last = misfits.reduce((a, b) => (b.byteOffset > a.byteOffset ? b : a));
  return { ...last, found: misfits.map(({ found }) => found).join(', ') };
}

function namesThread(
  profiles: readonly OtlpProfile[],
  { attributes }: SampleLayout,
  { input, dictionary }: FitInput,
): boolean {
  for (const { samples } of profiles)
    for (let row = 0; row < samples.length; row++) {
      const indexes = new RepeatedIntegers(input, samples.at(row), attributes);
      while (indexes.next())
        if (THREAD_KEYS.has(dictionary.attribute(Number(indexes.integer))?.key ?? '')) return true;
    }
  return false;
}

/** Whether the profiles of a file fit one layout, and how well. */
class LayoutFit {
  readonly layout: SampleLayout;
  misfit: Misfit | undefined;
  /** Contradictions to rules that writers do not always follow. */
  doubts = 0;
  /** True after a sample with fields that have another meaning in another layout with stacks. */
  differs = false;
  readonly #from: FitInput;
  /** Steps through packed integers. */
  readonly #packed: MessageCursor;
  /** Number of samples that it fits. */
  samples = 0;
  /** First attributes of the current sample. */
  readonly #attributes: number[] = [];
  /** The largest attribute of the field that was read last; above all tables if it is no index. */
  #largest = 0;

  constructor(layout: SampleLayout, from: FitInput) {
    this.layout = layout;
    this.#from = from;
    this.#packed = new MessageCursor(from.input, 0, 0);
  }

  /** False at the first misfit. */
  takes(profile: OtlpProfile): boolean {
    const { range, samples } = profile;
    const cursor = new MessageCursor(this.#from.input, range.from, range.to);
    while (cursor.next()) {
      const wires = this.layout.profile[cursor.field] as readonly number[] | undefined;
      if (wires?.includes(cursor.wire) !== true) return this.#fails(range, fieldText(cursor, 'a profile'));
    }
    if (cursor.isBroken) return this.#fails(range, 'a profile that ends within a field');
    for (let row = 0; row < samples.length; row++) {
      if (!this.#takesSample(samples.at(row), profile)) return false;
      this.samples++;
    }
    return true;
  }

  #takesSample(sample: Range, profile: OtlpProfile): boolean {
    const { layout } = this;
    const { dictionary, isWhole } = this.#from;
    const cursor = new MessageCursor(this.#from.input, sample.from, sample.to);
    let [first, length, link] = [0, 0, 0];
    let [values, stamps] = [0, 0];
    let seen = 0;
    this.#attributes.length = 0;
    while (cursor.next()) {
      const { field } = cursor;
      if (field > 1 && field < 5) this.differs = true;
      const isSingle = field === 1 || field === layout.link || (layout.isRange && field === 2);
      if (isSingle) {
        if (cursor.wire !== Wire.varint) return this.#fails(sample, fieldText(cursor, 'a sample'));
        if ((seen & (1 << field)) !== 0) return this.#fails(sample, `field ${field} of a sample twice`);
        seen |= 1 << field;
        const { index } = cursor;
        if (field === 1) first = index;
        else if (field === layout.link) link = index;
        else length = index;
        continue;
      }
      const count =
        field === layout.times && !layout.isRange
          ? timesIn(cursor)
          : field === layout.values || field === layout.attributes || field === layout.times
            ? this.#integers(cursor, field === layout.attributes)
            : -1;
      if (count < 0) return this.#fails(sample, fieldText(cursor, 'a sample'));
      if (field === layout.values) values += count;
      else if (field === layout.times) stamps += count;
      else if (isWhole && this.#largest >= Math.max(1, dictionary.attributeCount))
        return this.#fails(sample, `attribute ${this.#largest} in a table of ${dictionary.attributeCount}`);
    }
    if (cursor.isBroken) return this.#fails(sample, 'a sample that ends within a field');
    this.#doubt(values, stamps, profile.types.length);
    if (!isWhole) return true;
    const { links, stacks } = dictionary;
    if (link !== 0 && !(link > 0 && link < links.length))
      return this.#fails(sample, `link ${link} in a table of ${links.length}`);
    if (layout.isRange) {
      const { locations } = profile;
      if (first < 0 || length < 0 || first + length > locations.length)
        return this.#fails(sample, `${length} locations from ${first} in a list of ${locations.length}`);
    } else if (first !== 0 && !(first > 0 && first < stacks.length))
      return this.#fails(sample, `stack ${first} in a table of ${stacks.length}`);
    return true;
  }

  /** Number of integers in the field at a cursor; -1 if it has others. */
  #integers({ wire, from, to, index }: MessageCursor, areAttributes: boolean): number {
    this.#largest = 0;
    if (wire === Wire.varint) {
      if (areAttributes) this.#attribute(index);
      return 1;
    }
    if (wire !== Wire.bytes) return -1;
    const packed = this.#packed;
    packed.moveTo(from, to);
    let count = 0;
    for (; packed.at < to; count++) {
      if (!packed.varint()) return -1;
      if (areAttributes) this.#attribute(packed.index);
    }
    return count;
  }

  #attribute(index: number): void {
    const known = this.#attributes;
    if (index < 0) this.#largest = Infinity;
    else if (index > this.#largest) this.#largest = index;
    // A sample has each attribute once.
    if (known.includes(index)) this.doubts++;
    if (known.length < MOST_COMPARED) known.push(index);
  }

  /** A sample has values or time stamps; if it has both, as many. With several types, it has a value of each. */
  #doubt(values: number, stamps: number, types: number): void {
    if (values === 0 ? stamps === 0 : types > 1 ? values !== types : stamps > 0 && stamps !== values)
      this.doubts++;
  }

  #fails({ from }: Range, found: string): false {
    this.misfit = { byteOffset: from, record: this.samples, found };
    return false;
  }
}

/** Number of times of eight bytes in the field at a cursor; -1 if it has something else. */
function timesIn({ wire, from, to }: MessageCursor): number {
  if (wire === Wire.fixed64) return 1;
  return wire === Wire.bytes && (to - from) % 8 === 0 ? (to - from) / 8 : -1;
}

function fieldText({ field, wire }: MessageCursor, of: string): string {
  return `field ${field} of ${of} as ${WIRE_TEXTS[wire]}`;
}

/** Bytes of an index of a location, while the column is copied to grow. */
const INDEX_BYTES = 8;

/** A profile of the file: samples of one type, or in the older form of several. */
export interface OtlpProfile {
  /** Indexes of texts. */
  readonly types: readonly { readonly type: number; readonly unit: number }[];
  readonly samples: Ranges;
  /** Indexes of locations to which samples refer in the older form. */
  readonly locations: Int32Array;
  /** The bytes of the message. */
  readonly range: Range;
}

/** Undefined if the memory budget allows no more profiles; one that is too large has the first of its samples. */
export function readOtlpProfile(
  input: Uint8Array,
  { from, to }: Range,
  memory: MemoryBudget,
): OtlpProfile | undefined {
  if (!memory.keepRow()) return undefined;
  const types: { type: number; unit: number }[] = [];
  const samples = new Ranges(memory);
  let hasLocations = false;
  const cursor = new MessageCursor(input, from, to);
  while (!memory.isExceeded && cursor.next()) {
    const { field, wire } = cursor;
    const range = { from: cursor.from, to: cursor.to };
    if (field === 1 && wire === Wire.bytes) {
      if (memory.keepRow())
        types.push({ type: firstNumber(input, range, 1), unit: firstNumber(input, range, 2) });
    } else if (field === 2 && wire === Wire.bytes) samples.push(range);
    else if (field === 3 && wire !== Wire.fixed64) hasLocations = true;
  }
  // A profile that does not say what its samples are has samples all the same.
  if (types.length === 0 && samples.length > 0) types.push({ type: 0, unit: 0 });
  const locations = hasLocations ? indexesOf(input, { from, to }, memory) : new Int32Array(0);
  return { types, samples, locations, range: { from, to } };
}

/** First and last time of a profile, ns since 1970; undefined if it has none. */
export function timesOf(
  input: Uint8Array,
  { range }: OtlpProfile,
  { isRange }: SampleLayout,
): readonly [first: bigint, last: bigint] | undefined {
  let [first, duration] = [0n, 0n];
  const cursor = new MessageCursor(input, range.from, range.to);
  while (cursor.next()) {
    const { field, wire } = cursor;
    if (!isRange && field === 3 && wire === Wire.fixed64) first = BigInt.asUintN(64, BigInt(cursor.integer));
    else if (wire !== Wire.varint) continue;
    else if (isRange && field === 4) first = BigInt(cursor.integer);
    else if (field === (isRange ? 5 : 4)) duration = BigInt(cursor.integer);
  }
  return first > 0n ? [first, first + duration] : undefined;
}

/** The indexes of locations in a profile of the older form. */
function indexesOf(input: Uint8Array, profile: Range, memory: MemoryBudget): Int32Array {
  let indexes = new Int32Array(FIRST_ROWS);
  let length = 0;
  for (const integers = new RepeatedIntegers(input, profile, 3); integers.next();) {
    if (length === indexes.length) {
      const capacity = nextCapacity(length, length + 1);
      if (!memory.hold((capacity - length) * INDEX_BYTES)) break;
      indexes = grown(indexes, capacity);
    }
    indexes[length++] = integers.index;
  }
  return indexes.subarray(0, length);
}

/** Calls `take` with the index of each location of a sample, leaf first, until it returns false. */
export function eachLocation(
  input: Uint8Array,
  sample: Range,
  { locations }: OtlpProfile,
  { layout: { isRange }, dictionary: { stacks } }: { layout: SampleLayout; dictionary: Dictionary },
  take: (location: number) => boolean,
): void {
  const first = Math.max(0, firstNumber(input, sample, 1));
  if (!isRange) {
    if (first >= stacks.length) return;
    const indexes = new RepeatedIntegers(input, stacks.at(first), 1);
    while (indexes.next() && take(indexes.number));
    return;
  }
  const end = Math.min(locations.length, first + Math.max(0, firstNumber(input, sample, 2)));
  for (let row = first; row < end; row++) if (!take(locations[row])) return;
}
