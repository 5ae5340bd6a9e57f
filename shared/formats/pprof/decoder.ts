import { MOST_FRAMES } from '../../aggregate/node-limit.ts';
import { FRAME_CELLS, type SampleSink } from '../../aggregate/sample-sink.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { formatQuantity } from '../../text/format-value.ts';
import { type Choice, type Chosen, chosenOption } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import { factTable, type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { WholeInputDecoder } from '../whole-input.ts';
import { functionNames } from './function-names.ts';
import { int64 } from '../../profile/int64.ts';
import { MessageCursor, Wire } from './message-cursor.ts';
import { ProfileTables, type Range } from './profile-tables.ts';
import {
  defaultSampleType,
  hasValues,
  type Measure,
  measureOf,
  type SampleType,
  sampleTypesOf,
} from './sample-types.ts';
import { SampleThreads } from './sample-threads.ts';

/** async-profiler's converter writes this if the JVM does not know the line. */
const UNKNOWN_LINE = 0xffff;

/** Decodes pprof profiles (specs: pprof; github.com/google/pprof, proto/profile.proto). */
export class PprofDecoder extends WholeInputDecoder {
  readonly #sink: SampleSink;
  readonly #chosen: Chosen;
  readonly #threads: SampleThreads;
  #facts: FormatFacts = NO_FACTS;
  #stack = new Int32Array(64 * FRAME_CELLS);
  /** Values of the sample that is being read. */
  #values: (number | bigint)[] = [];
  /** Samples that are not counted because they have no stack. */
  #withoutStack = 0;
  /** Samples that are not counted because their count is negative. */
  #negative = 0;

  constructor(sink: SampleSink, chosen: Chosen) {
    super();
    this.#sink = sink;
    this.#chosen = chosen;
    this.#threads = new SampleThreads(sink);
  }

  facts(): FormatFacts {
    return this.#facts;
  }

  protected override decodeInput(input: Uint8Array): { readonly accepted: number; readonly damage?: Damage } {
    const tables = new ProfileTables(input);
    const types = sampleTypesOf(tables);
    const otherwise = defaultSampleType(types, tables);
    this.records = tables.fields;
    if (otherwise !== undefined) {
      const ids = types.map(({ id }) => id);
      const id = chosenOption(this.#chosen, 'sample-type', ids, otherwise.id);
      const first = types.find((type) => type.id === id) ?? otherwise;
      this.#defineMethods(tables);
      // After a collection, a heap profile may have nothing in use, and much that was allocated.
      const others =
        id === this.#chosen['sample-type'] ? [] : types.filter((type) => type !== first).reverse();
      const chosen = [first, ...others].find((type) => hasValues(type, input, tables)) ?? first;
      const cursor = new MessageCursor(input);
      const measure = measureOf(chosen, types);
      for (const sample of tables.samples) {
        if (this.#sink.isFull) break;
        this.#sample(sample, cursor, tables, measure);
      }
      this.#facts = this.#factsOf(tables, types, chosen, measure);
      if (chosen !== first)
        this.#facts = {
          ...this.#facts,
          notes: [`The default sample type, ${first.name}, is empty.`, ...this.#facts.notes],
        };
    }
    const { accepted, fields } = tables;
    if (accepted === input.length) return { accepted };
    const damage: Damage = {
      what: 'field',
      byteOffset: accepted,
      record: fields,
      found: `${input.length - accepted} bytes that are not a complete field`,
      expected: 'a complete field of a profile',
    };
    return { accepted, damage };
  }

  /** Defines a method per function, and one per location without lines, which is named after its address. */
  #defineMethods(tables: ProfileTables): void {
    const sink = this.#sink;
    for (const [row, { name, file }] of tables.functions.entries())
      sink.defineMethod(sink.method(0, row), functionNames(tables.text(name), tables.text(file)));
    for (const [row, { address, lines }] of tables.locations.entries()) {
      if (lines.length > 0) continue;
      const method = sink.method(0, tables.functions.length + row);
      sink.defineMethod(method, { file: '', className: '', methodName: address });
    }
  }

  #sample({ from, to }: Range, cursor: MessageCursor, tables: ProfileTables, measure: Measure): void {
    this.#values.length = 0;
    let cells = 0;
    this.#threads.begin();
    cursor.moveTo(from, to);
    while (cursor.next()) {
      const { field, wire } = cursor;
      if (field === 1 && wire === Wire.varint) cells = this.#push(cursor, cells, tables);
      else if (field === 2 && wire === Wire.varint) this.#values.push(valueOf(cursor));
      else if (field === 3 && wire === Wire.bytes) this.#threads.label(cursor, tables);
      else if (field <= 2 && wire === Wire.bytes) {
        const end = cursor.end;
        cursor.moveTo(cursor.from, cursor.to);
        while (cursor.at < cursor.end && cursor.varint()) {
          if (field === 1) cells = this.#push(cursor, cells, tables);
          else this.#values.push(valueOf(cursor));
        }
        if (cursor.isBroken) break;
        cursor.moveTo(cursor.end, end);
      }
    }
    if (cursor.isBroken) tables.broken++;
    else this.#count(cells / FRAME_CELLS, measure);
  }

  #count(depth: number, { countAt, valueAt, factor }: Measure): void {
    const of = (at: number): number | bigint => (at < this.#values.length ? this.#values[at] : 0);
    const count = countAt === undefined ? 1 : Number(of(countAt));
    const summed = valueAt === undefined ? 0 : of(valueAt);
    const value = typeof summed === 'bigint' ? summed * BigInt(factor) : summed * factor;
    if (count === 0 && Number(value) === 0) return;
    if (count < 0) this.#negative++;
    else if (depth === 0) this.#withoutStack++;
    else this.#sink.samples(this.#threads.thread(), this.#stack, depth, count, value);
  }

  /**
   * Appends the frames of a location to the stack; returns the number of cells used. A location of many lines may be
   * repeated: a stack that the sink refuses is not extended.
   */
  #push(cursor: MessageCursor, cells: number, tables: ProfileTables): number {
    if (cells > MOST_FRAMES * FRAME_CELLS) return cells;
    const row = tables.locationRow(cursor.hi, cursor.lo);
    if (row < 0) return cells;
    const { lines } = tables.locations[row];
    const end = cells + Math.max(1, lines.length) * FRAME_CELLS;
    if (end > this.#stack.length) this.#stack = grown(this.#stack, nextCapacity(this.#stack.length, end));
    if (lines.length === 0) this.#frame(cells, tables.functions.length + row, NO_LINE);
    for (const [at, { function: called, line }] of lines.entries())
      this.#frame(
        cells + at * FRAME_CELLS,
        called < 0 ? tables.functions.length + tables.locations.length : called,
        line > 0 && line !== UNKNOWN_LINE ? line : NO_LINE,
      );
    return end;
  }

  #frame(cell: number, method: number, line: number): void {
    this.#stack[cell] = 0;
    this.#stack[cell + 1] = method;
    this.#stack[cell + 2] = line;
    this.#stack[cell + 3] = NO_BCI;
  }

  #factsOf(
    tables: ProfileTables,
    types: readonly SampleType[],
    chosen: SampleType,
    { units }: Measure,
  ): FormatFacts {
    const { timeNanos, durationNanos } = tables;
    const choice: Choice = {
      id: 'sample-type',
      name: 'Sample type',
      hint: 'Which of the values of each sample is shown.',
      kind: 'one',
      options: types.map(({ id, name, unit }) => ({ value: id, text: `${name} (${unit})` })),
      chosen: chosen.id,
    };
    const typeRows = types.map(({ name, unit }) => [name, unit]);
    const columns = [
      { name: 'Sample type', kind: 'text' },
      { name: 'Unit', kind: 'text' },
    ] as const;
    return {
      ...NO_FACTS,
      units,
      choices: [choice],
      notes: this.#notes(tables),
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
    note(this.#withoutStack, 'sample', 'without a stack: not counted.');
    note(tables.broken, 'invalid message', 'skipped.');
    const folded = tables.locations.filter(({ isFolded }) => isFolded).length;
    note(folded, 'location', 'folded: locations with the same symbols are one.');
    for (const comment of tables.comments.slice(0, 3)) {
      const text = tables.text(comment);
      if (text !== '') notes.push(`Comment: ${text}`);
    }
    return notes;
  }
}

/** The varint read last; a bigint if it is not a safe integer. */
function valueOf(cursor: MessageCursor): number | bigint {
  const { number } = cursor;
  return Number.isSafeInteger(number) ? number : int64(cursor.hi, cursor.lo);
}
