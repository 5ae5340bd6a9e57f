import { type DecodedInput, WholeInputDecoder } from '../whole-input.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { formatQuantity } from '../../text/format-value.ts';
import { EMPTY_STACK_NAME } from '../../text/pseudo-frames.ts';
import { type Chosen, chosenOption, SAMPLE_TYPE_CHOICE } from '../../facts/choice.ts';
import { type Damage, tooManyReferences } from '../../facts/damage.ts';
import { factTable, type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { lossOf } from '../../facts/losses.ts';
import { endOfFields, LocationStack } from '../location-stack.ts';
import {
  type Measure,
  measureOf,
  product,
  ROUNDED_COUNTS,
  type SampleType,
  sampleTypeChoice,
} from '../value-types.ts';
import { MessageCursor, Wire } from '../../read/protobuf.ts';
import { defaultSampleType, ProfileTables, sampleTypesOf, typesWithValues } from './profile-tables.ts';

/** Decodes pprof profiles (specs: pprof; github.com/google/pprof, proto/profile.proto). */
export class PprofDecoder extends WholeInputDecoder {
  readonly #chosen: Chosen;
  readonly #threads: SampleThreads;
  #facts: FormatFacts = NO_FACTS;
  /** Values of the sample that is being read. */
  #values: (number | bigint)[] = [];
  /** Samples without a stack. They have a frame that says so, as in other formats, because they are part of the total. */
  #withoutStack = 0;
  /** Sum of all counts, rounded. */
  #countSum = 0;
  /** Samples that are not counted because their count is negative. */
  #negative = 0;

  constructor(sink: SampleSink, chosen: Chosen) {
    super(sink);
    this.#chosen = chosen;
    this.#threads = new SampleThreads(sink);
  }

  facts(): FormatFacts {
    return this.#facts;
  }

  protected override decodeInput(input: Uint8Array): DecodedInput {
    const tables = new ProfileTables(input, this.sink.memory);
    const types = sampleTypesOf(tables);
    const otherwise = defaultSampleType(types, tables);
    this.records = tables.fields;
    let limit: Damage | undefined;
    if (otherwise !== undefined) {
      const ids = types.map(({ id }) => id);
      const id = chosenOption(this.#chosen, SAMPLE_TYPE_CHOICE, ids, otherwise.id);
      const first = types.find((type) => type.id === id) ?? otherwise;
      const stack = new LocationStack(tables, this.sink);
      // After a collection, a heap profile may have nothing in use, and much that was allocated.
      const others =
        id === this.#chosen[SAMPLE_TYPE_CHOICE] ? [] : types.filter((type) => type !== first).reverse();
      const present = typesWithValues(input, tables, first.at);
      const chosen = [first, ...others].find(({ at }) => present.has(at)) ?? first;
      const cursor = new MessageCursor(input);
      const measure = measureOf(chosen, types);
      const { samples } = tables;
      for (let at = 0; at < samples.length && !this.sink.isFull && limit === undefined; at++) {
        cursor.moveTo(samples.from[at], samples.to[at]);
        this.#sample(cursor, tables, stack, measure);
        if (stack.isOverspent(input.length))
          limit = tooManyReferences({ byteOffset: samples.from[at], record: at });
      }
      this.#facts = this.#factsOf(tables, types, chosen, measure);
      if (chosen !== first)
        this.#facts = {
          ...this.#facts,
          notes: [`The default sample type, ${first.name}, is empty.`, ...this.#facts.notes],
        };
    }
    return endOfFields(input, tables.accepted, tables.fields, limit);
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
    else this.#count(stack, measure);
  }

  #count(stack: LocationStack, { countAt, valueAt, factor }: Measure): void {
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

  #factsOf(
    tables: ProfileTables,
    types: readonly SampleType[],
    chosen: SampleType,
    { units }: Measure,
  ): FormatFacts {
    const { timeNanos, durationNanos } = tables;
    const typeRows = types.map(({ name, unit }) => [name, unit]);
    const columns = [
      { name: 'Sample type', kind: 'text' },
      { name: 'Unit', kind: 'text' },
    ] as const;
    return {
      ...NO_FACTS,
      units,
      choices: [sampleTypeChoice(types, chosen)],
      skips: tables.broken === 0 ? [] : [`${formatQuantity(tables.broken, 'invalid message')} skipped.`],
      notes: this.#notes(tables),
      losses: lossOf(
        'uncounted',
        [this.#negative, 'sample'],
        'They have a negative count, as in a difference of profiles.',
      ),
      tables: [factTable('Sample types', columns, typeRows)],
      firstTime: timeNanos > 0n ? timeNanos : undefined,
      lastTime: timeNanos > 0n && durationNanos >= 0n ? timeNanos + durationNanos : undefined,
    };
  }

  #notes(tables: ProfileTables): string[] {
    const notes: string[] = [];
    const note = (count: number, one: string, what: string): void => {
      if (count > 0) notes.push(`${formatQuantity(count, one)} ${what}`);
    };
    note(this.#negative, 'sample', 'with a negative count, as in a difference of profiles: not counted.');
    note(this.#withoutStack, 'sample', `without a stack: counted as ${EMPTY_STACK_NAME}.`);
    if (this.#countSum > Number.MAX_SAFE_INTEGER) notes.push(ROUNDED_COUNTS);
    const folded = tables.locations.filter(({ isFolded }) => isFolded).length;
    note(folded, 'location', 'folded: locations with the same symbols are one.');
    for (const comment of tables.comments.slice(0, 3)) {
      const text = tables.text(comment);
      if (text !== '') notes.push(`Comment: ${text}`);
    }
    return notes;
  }
}

const NAME_LABELS: ReadonlySet<string> = new Set(['thread', 'thread name', 'thread_name', 'threadname']);
const ID_LABELS: ReadonlySet<string> = new Set(['thread id', 'thread_id', 'tid', 'os_thread_id']);
/** async-profiler writes name and id in one label. */
const NAME_AND_ID = /^\[(.*) tid=(\d{1,9})\]$/s;

/** Finds the thread of a sample by its labels. All samples without such labels belong to one thread without a name. */
class SampleThreads {
  readonly #sink: SampleSink;
  readonly #byName = new Map<string, number>();
  #name = '';
  #hasId = false;
  #idHi = 0;
  #idLo = 0;

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  /** Starts another sample. */
  begin(): void {
    this.#name = '';
    this.#hasId = false;
    this.#idHi = 0;
    this.#idLo = 0;
  }

  /** Reads the label in the current field of a cursor: 1 key, 2 text, 3 number. */
  label({ from, to }: MessageCursor, tables: ProfileTables): void {
    const cursor = tables.cursor(from, to);
    let [key, text] = [0, 0];
    let [hi, lo] = [0, 0];
    while (cursor.next()) {
      if (cursor.wire !== Wire.varint) continue;
      if (cursor.field === 1) key = cursor.index;
      else if (cursor.field === 2) text = cursor.index;
      else if (cursor.field === 3) ({ hi, lo } = cursor);
    }
    const name = tables.text(key);
    if (NAME_LABELS.has(name)) this.#name = tables.text(text);
    else if (ID_LABELS.has(name) && text === 0) {
      this.#hasId = true;
      this.#idHi = hi;
      this.#idLo = lo;
    }
  }

  /** The thread of the current sample. */
  thread(): number {
    const both = NAME_AND_ID.exec(this.#name);
    const name = both === null ? this.#name : both[1];
    let thread: number;
    if (this.#hasId) thread = this.#sink.thread(this.#idHi, this.#idLo);
    else thread = both === null ? this.#named(name) : this.#sink.thread(0, Number(both[2]));
    // A thread that has an id and no name is told apart by it.
    if (name !== '' || this.#hasId) this.#sink.nameThread(thread, name);
    return thread;
  }

  /** The thread of a name without id. Such threads get negative ids, which differ from real ones. */
  #named(name: string): number {
    if (name === '') return this.#sink.thread(0, 0);
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const thread = this.#sink.thread(-1, -1 - this.#byName.size);
    this.#byName.set(name, thread);
    return thread;
  }
}
