import { is, isNot, isPossible, type ProfileFormat, type Recognition } from '../profile-format.ts';
import { MessageCursor, type Range, Wire } from '../../read/protobuf.ts';
import { type DecodedInput, WholeInputDecoder } from '../whole-input.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { formatCount, formatQuantity } from '../../text/format-value.ts';
import { EMPTY_STACK_NAME } from '../../text/pseudo-frames.ts';
import { type Chosen, chosenOption, PER_CHOICE, SAMPLE_TYPE_CHOICE } from '../../facts/choice.ts';
import { type Damage, tooManyReferences } from '../../facts/damage.ts';
import { factTable, type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { lossNotes, lossOf, noteOf } from '../../facts/losses.ts';
import { LocationStack } from '../location-stack.ts';
import { endOfFields } from '../whole-input.ts';
import {
  type Measure,
  measureOf,
  product,
  ROUNDED_COUNTS,
  type SampleType,
  sampleTypeChoice,
} from '../value-types.ts';
import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { NamedMethods } from '../named-frames.ts';
import { isThreadLabel, labelOf, SampleThreads } from './sample-threads.ts';
import { defaultSampleType, ProfileTables, sampleTypesOf, typesWithValues } from './profile-tables.ts';

/** Unpacked profiles of Go, async-profiler's converter and many agents (specs: pprof). */
export const PPROF: ProfileFormat = {
  id: 'pprof',
  name: 'pprof profile',
  listed: { group: 'Exchange formats', entry: 'pprof' },
  extensions: ['.pprof', '.pb', '.prof', '.pb.gz'],
  follows: false,
  joinsEntries: 'files',
  notRecorded: ['threads, unless samples have a label for them', 'when a sample was taken', 'thread states'],
  recognise: recognisePprof,
  createDecoder: (sink, chosen) => new PprofDecoder(sink, chosen),
};

/** Field of a profile -> its valid wire types (profile.proto). */
const WIRES: readonly (readonly number[])[] = [
  [],
  [Wire.bytes],
  [Wire.bytes],
  [Wire.bytes],
  [Wire.bytes],
  [Wire.bytes],
  [Wire.bytes],
  [Wire.varint],
  [Wire.varint],
  [Wire.varint],
  [Wire.varint],
  [Wire.bytes],
  [Wire.varint],
  [Wire.varint, Wire.bytes],
  [Wire.varint],
  [Wire.varint],
];
/** Field of a profile -> the wire types of the fields of its message: 1 sample type, 2 sample, 4 location, 5 function. */
const INNER: Readonly<Record<number, readonly (readonly number[])[] | undefined>> = {
  1: [[], [Wire.varint], [Wire.varint]],
  2: [[], [Wire.varint, Wire.bytes], [Wire.varint, Wire.bytes], [Wire.bytes]],
  4: [[], [Wire.varint], [Wire.varint], [Wire.varint], [Wire.bytes], [Wire.varint]],
  5: [[], [Wire.varint], [Wire.varint], [Wire.varint], [Wire.varint], [Wire.varint]],
};

/**
 * The format has no magic number. It is recognised if the head consists of valid fields of a profile, with at least one
 * valid message.
 */
function recognisePprof(head: Uint8Array): Recognition {
  const cursor = new MessageCursor(head);
  let messages = 0;
  let at = 0;
  while (cursor.next()) {
    const { field, wire, from, to } = cursor;
    if (!(WIRES[field] ?? []).includes(wire)) return mismatch(messages, field);
    if (wire === Wire.bytes && field in INNER) {
      if (!isMessage(head, from, to, INNER[field] ?? [])) return mismatch(messages, field);
      messages++;
    }
    at = cursor.at;
  }
  const isIncomplete = cursor.isBroken && mayBeField(head, at);
  if (cursor.isBroken && !isIncomplete) return mismatch(messages, 0);
  if (messages > 0) return is('it is made of the fields of a pprof profile');
  return isIncomplete || head.length === 0
    ? isPossible(0.2, 'it ends within its first field')
    : isNot(0.2, 'it has no sample type and no sample');
}

function mismatch(messages: number, field: number): Recognition {
  const what = field === 0 ? 'what follows is no field' : `field ${field} is not written as it is there`;
  return isNot(messages > 0 ? 0.4 : 0, messages > 0 ? what : 'its first field is none of a profile');
}

function isMessage(
  head: Uint8Array,
  from: number,
  to: number,
  wires: readonly (readonly number[])[],
): boolean {
  const cursor = new MessageCursor(head, from, to);
  while (cursor.next()) if (!(wires[cursor.field] ?? []).includes(cursor.wire)) return false;
  return !cursor.isBroken && to > from;
}

/** Whether the incomplete field at `at` can be a field of a profile. */
function mayBeField(head: Uint8Array, at: number): boolean {
  const cursor = new MessageCursor(head, at);
  if (!cursor.varint()) return true;
  const wire = cursor.lo & 7;
  if (!(WIRES[cursor.index >> 3] ?? []).includes(wire)) return false;
  return wire === Wire.varint || !cursor.varint() || cursor.index >= 0;
}

/**
 * Decodes pprof profiles (specs: pprof; github.com/google/pprof, proto/profile.proto). Those of an archive are one: its sample
 * types are those of all of them, and samples of one type are added up.
 */
class PprofDecoder extends WholeInputDecoder {
  readonly #chosen: Chosen;
  #threads: SampleThreads;
  #facts: FormatFacts = NO_FACTS;
  /** Values of the sample that is being read. */
  #values: (number | bigint)[] = [];
  /** Samples without a stack. They have a frame that says so, as in other formats, because they are part of the total. */
  #withoutStack = 0;
  /** Sum of all counts, rounded. */
  #countSum = 0;
  /** Samples that are not counted because their count is negative. */
  #negative = 0;
  /** Files with samples of the type that is shown. */
  #counted = 0;
  /** A sentence, if the default sample type is empty and another one is shown. */
  #passedOver: string | undefined;

  constructor(sink: SampleSink, chosen: Chosen) {
    super(sink);
    this.#chosen = chosen;
    this.#threads = new SampleThreads(sink, undefined);
  }

  facts(): FormatFacts {
    return this.#facts;
  }

  protected override decodeInput(input: Uint8Array): DecodedInput {
    const files = this.filesOf(input).map((range) => new PprofFile(input, range, this.sink.memory));
    const types = typesOfAll(files);
    const chosen = this.#choose(files, types);
    const per = this.#chosen[PER_CHOICE] as string | undefined;
    if (per !== undefined && files.some((file) => file.hasLabel(per)))
      this.#threads = new SampleThreads(this.sink, per);
    const shared = files.length > 1 ? new NamedMethods(this.sink) : undefined;
    let end: DecodedInput = { accepted: 0 };
    for (const file of files) {
      if (end.damage !== undefined || this.sink.isFull) break;
      this.records += file.tables.fields;
      const limit = chosen && this.#count(file, chosen.id, shared);
      const { accepted, damage } = endOfFields(file.bytes, file.tables.accepted, file.tables.fields, limit);
      end = {
        accepted: file.from + accepted,
        damage: damage && { ...damage, byteOffset: file.from + damage.byteOffset },
      };
    }
    if (chosen !== undefined) this.#facts = this.#factsOf(files, types, chosen);
    return end;
  }

  /** The sample type that is shown; undefined if there is none. */
  #choose(files: readonly PprofFile[], types: readonly SampleType[]): SampleType | undefined {
    const withTypes = files.find((file) => file.types.length > 0);
    const otherwise = withTypes && defaultSampleType(withTypes.types, withTypes.tables);
    if (otherwise === undefined) return undefined;
    const ids = types.map(({ id }) => id);
    const id = chosenOption(this.#chosen, SAMPLE_TYPE_CHOICE, ids, otherwise.id);
    const first = types.find((type) => type.id === id) ?? otherwise;
    // After a collection, a heap profile may have nothing in use, and much that was allocated.
    const others =
      id === this.#chosen[SAMPLE_TYPE_CHOICE] ? [] : types.filter((type) => type !== first).reverse();
    const present = new Set(files.flatMap((file) => file.typesWithValues(first.id)));
    const chosen = [first, ...others].find((type) => present.has(type.id)) ?? first;
    if (chosen !== first) this.#passedOver = `The default sample type, ${first.name}, is empty.`;
    return chosen;
  }

  /** Counts the samples of a file. Returns the limit at which they ended, if there was one. */
  #count(file: PprofFile, type: string, shared: NamedMethods | undefined): Damage | undefined {
    const { bytes, tables } = file;
    const measure = file.measureOf(type);
    if (measure === undefined) return undefined;
    this.#counted++;
    const stack = new LocationStack(tables, this.sink, shared);
    const cursor = new MessageCursor(bytes);
    const { samples } = tables;
    for (let at = 0; at < samples.length && !this.sink.isFull; at++) {
      cursor.moveTo(samples.from[at], samples.to[at]);
      this.#sample(cursor, tables, stack, measure);
      if (stack.isOverspent(bytes.length))
        return tooManyReferences({ byteOffset: samples.from[at], record: at });
    }
    return undefined;
  }

  /** Reads the sample in which the cursor is. */
  #sample(cursor: MessageCursor, tables: ProfileTables, stack: LocationStack, measure: Measure): void {
    this.#values.length = 0;
    const wanted = Math.max(measure.countAt ?? 0, measure.valueAt ?? 0) + 1;
    // Further values have no type that is shown, and there may be millions.
    const addValue = (): void => {
      if (this.#values.length < wanted) this.#values.push(cursor.integer);
    };
    const pushLocation = (): void => {
      const row = tables.locationRow(cursor.hi, cursor.lo);
      if (row >= 0 && !stack.isFull) stack.push(row);
    };
    stack.clear();
    this.#threads.begin();
    while (cursor.next()) {
      const { field, wire } = cursor;
      if (field === 1 && wire === Wire.varint) pushLocation();
      else if (field === 2 && wire === Wire.varint) addValue();
      else if (field === 3 && wire === Wire.bytes) this.#threads.label(cursor, tables);
      else if (field <= 2 && wire === Wire.bytes) {
        const end = cursor.end;
        cursor.moveTo(cursor.from, cursor.to);
        while (cursor.at < cursor.end && cursor.varint()) {
          if (field === 1) pushLocation();
          else addValue();
        }
        if (cursor.isBroken) break;
        cursor.moveTo(cursor.end, end);
      }
    }
    if (cursor.isBroken) tables.broken++;
    else this.#add(stack, measure);
  }

  #add(stack: LocationStack, { countAt, valueAt, factor }: Measure): void {
    const of = (at: number): number | bigint => (at < this.#values.length ? this.#values[at] : 0);
    const count = countAt === undefined ? 1 : Number(of(countAt));
    const value = valueAt === undefined ? 0 : product(of(valueAt), factor);
    if (count === 0 && Number(value) === 0) return;
    if (count < 0) {
      this.#negative++;
      return;
    }
    this.#countSum += count;
    if (stack.depth === 0) {
      this.#withoutStack++;
      stack.pushEmpty();
    }
    this.sink.samples(this.#threads.thread(), stack.cells, stack.depth, count, value);
  }

  #factsOf(files: readonly PprofFile[], types: readonly SampleType[], chosen: SampleType): FormatFacts {
    const units = files
      .map((file) => file.measureOf(chosen.id))
      .find((measure) => measure !== undefined)?.units;
    const columns = 'Sample type | Unit' as const;
    const broken = files.reduce((sum, { tables }) => sum + tables.broken, 0);
    const dated = files.map(({ tables }) => tables).filter(({ timeNanos }) => timeNanos > 0n);
    const ends = dated.map(
      ({ timeNanos, durationNanos }) => timeNanos + (durationNanos > 0n ? durationNanos : 0n),
    );
    const losses = lossOf(
      'uncounted',
      [this.#negative, 'sample'],
      'They have a negative count, as in a difference of profiles.',
    );
    return {
      ...NO_FACTS,
      units: units ?? NO_FACTS.units,
      choices: [sampleTypeChoice(types, chosen), ...this.#threads.choices],
      skips: noteOf([broken, 'invalid message'], 'skipped.'),
      notes: [...this.#notes(files), ...lossNotes(losses)],
      losses,
      tables: [
        factTable(
          'Sample types',
          columns,
          types.map(({ name, unit }) => [name, unit]),
        ),
      ],
      firstTime: least(dated.map(({ timeNanos }) => timeNanos)),
      lastTime: most(ends),
    };
  }

  #notes(files: readonly PprofFile[]): string[] {
    const notes = this.#passedOver === undefined ? [] : [this.#passedOver];
    if (files.length > 1)
      notes.push(
        `${formatCount(this.#counted)} of ${formatQuantity(files.length, 'file')} have samples of this type: they are added up.`,
      );
    notes.push(...noteOf([this.#withoutStack, 'sample'], `without a stack: counted as ${EMPTY_STACK_NAME}.`));
    if (this.#countSum > Number.MAX_SAFE_INTEGER) notes.push(ROUNDED_COUNTS);
    const folded = files.reduce(
      (sum, { tables }) => sum + tables.locations.filter(({ isFolded }) => isFolded).length,
      0,
    );
    notes.push(...noteOf([folded, 'location'], 'folded: locations with the same symbols are one.'));
    const comments = files.flatMap(({ tables }) =>
      tables.comments.slice(0, 3).map((comment) => tables.text(comment)),
    );
    for (const text of comments.slice(0, 3)) if (text !== '') notes.push(`Comment: ${text}`);
    return notes;
  }
}

/** One of the files that are read as one profile. */
class PprofFile {
  /** Its first byte in the input. */
  readonly from: number;
  readonly bytes: Uint8Array;
  readonly tables: ProfileTables;
  types: readonly SampleType[];

  constructor(input: Uint8Array, { from, to }: Range, memory: MemoryBudget) {
    this.from = from;
    this.bytes = input.subarray(from, to);
    this.tables = new ProfileTables(this.bytes, memory);
    this.types = sampleTypesOf(this.tables);
  }

  /** Undefined if the file has no samples of this type. */
  measureOf(id: string): Measure | undefined {
    const type = this.types.find((each) => each.id === id);
    return type && measureOf(type, this.types);
  }

  /** Ids of the types of which a sample has a value. `enough`: it need not be looked further if it has this one. */
  typesWithValues(enough: string): readonly string[] {
    const at = this.types.find(({ id }) => id === enough)?.at ?? -1;
    const present = typesWithValues(this.bytes, this.tables, at);
    return this.types.filter((type) => present.has(type.at)).map(({ id }) => id);
  }

  /** Whether a sample has a label with this key that is none of threads. O(labels up to the first). */
  hasLabel(key: string): boolean {
    const { samples } = this.tables;
    const cursor = new MessageCursor(this.bytes);
    for (let at = 0; at < samples.length; at++) {
      cursor.moveTo(samples.from[at], samples.to[at]);
      while (cursor.next())
        if (cursor.field === 3 && cursor.wire === Wire.bytes && labelOf(cursor, this.tables).key === key)
          return !isThreadLabel(key);
    }
    return false;
  }
}

/** The sample types of all files, each once. A type that has another unit than one before it has it in its id. */
function typesOfAll(files: readonly PprofFile[]): readonly SampleType[] {
  const all = new Map<string, SampleType>();
  for (const file of files) {
    file.types = file.types.map((type) => {
      const isOther = (all.get(type.id)?.unit ?? type.unit) !== type.unit;
      return isOther ? { ...type, id: `${type.id}-${type.unit}` } : type;
    });
    for (const type of file.types) if (!all.has(type.id)) all.set(type.id, type);
  }
  return [...all.values()];
}

function least(times: readonly bigint[]): bigint | undefined {
  return times.reduce<bigint | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined);
}

function most(times: readonly bigint[]): bigint | undefined {
  return times.reduce<bigint | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
}
