import { FRAME_CELLS, type SampleSink } from '../../aggregate/sample-sink.ts';
import { type Choice, type Chosen, chosenOption } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import { type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import { formatQuantity } from '../../text/format-value.ts';
import { functionNames } from '../pprof/function-names.ts';
import { MessageCursor, Wire } from '../pprof/message-cursor.ts';
import { type Measure, measureOf, type SampleType } from '../pprof/sample-types.ts';
import { WholeInputDecoder } from '../whole-input.ts';
import { Dictionary, numbersOf, type Range } from './dictionary.ts';
import { locationsOf, type OtlpProfile, readOtlpProfile } from './profiles.ts';

/**
 * Decodes profiles of OpenTelemetry. A file has a dictionary and profiles of one or several resources. Profiles of the
 * chosen sample type are read as one.
 *
 *   ProfilesData ▸ dictionary 2 ▸ locations 2, functions 3, strings 5, attributes 6, stacks 7
 *                └ resource profiles 1 ▸ scope profiles 2 ▸ profile 2 ▸ sample type 1, samples 2
 */
export class OtlpDecoder extends WholeInputDecoder {
  readonly #sink: SampleSink;
  readonly #chosen: Chosen;
  readonly #threads = new Map<string, number>();
  #facts: FormatFacts = NO_FACTS;
  #stack = new Int32Array(64 * FRAME_CELLS);
  #withoutStack = 0;

  constructor(sink: SampleSink, chosen: Chosen) {
    super();
    this.#sink = sink;
    this.#chosen = chosen;
  }

  facts(): FormatFacts {
    return this.#facts;
  }

  protected decodeInput(input: Uint8Array): { readonly accepted: number; readonly damage?: Damage } {
    const dictionary = new Dictionary(input);
    const profiles: OtlpProfile[] = [];
    const cursor = new MessageCursor(input);
    let accepted = 0;
    while (cursor.next()) {
      if (cursor.wire === Wire.bytes && cursor.field === 2) dictionary.read(cursor.from, cursor.to);
      if (cursor.wire === Wire.bytes && cursor.field === 1)
        for (const scope of messagesOf(input, cursor, 2))
          for (const profile of messagesOf(input, scope, 2)) profiles.push(readOtlpProfile(input, profile));
      accepted = cursor.at;
    }
    this.#count(input, dictionary, profiles);
    if (accepted === input.length) return { accepted };
    const damage: Damage = {
      what: 'field',
      byteOffset: accepted,
      record: this.records,
      found: `${input.length - accepted} bytes that are not a complete field`,
      expected: 'a complete field of a profile',
    };
    return { accepted, damage };
  }

  #count(input: Uint8Array, dictionary: Dictionary, profiles: readonly OtlpProfile[]): void {
    const types = sampleTypesOf(profiles, dictionary);
    if (types.length === 0) return;
    const ids = types.map(({ id }) => id);
    const id = chosenOption(this.#chosen, 'sample-type', ids, ids[0]);
    const chosen = types.find((type) => type.id === id) ?? types[0];
    const measure = measureOf({ ...chosen, at: 0 }, [chosen]);
    this.#defineMethods(dictionary);
    for (const profile of profiles) {
      const at = profile.types.findIndex((type) => idOf(type, dictionary) === id);
      if (at < 0) continue;
      for (const sample of profile.samples) {
        if (this.#sink.isFull) break;
        this.#sample(input, sample, at, { profile, dictionary, measure });
      }
    }
    this.#facts = this.#factsOf(types, chosen, measure, profiles);
  }

  /** Defines a method per function, and one per location without lines, which is named after its address. */
  #defineMethods(dictionary: Dictionary): void {
    const sink = this.#sink;
    const { functions, locations } = dictionary;
    for (const [row, { name, file }] of functions.entries())
      sink.defineMethod(sink.method(0, row), functionNames(dictionary.text(name), dictionary.text(file)));
    for (const [row, { address, lines }] of locations.entries())
      if (lines.length === 0)
        sink.defineMethod(sink.method(0, functions.length + row), {
          file: '',
          className: '',
          methodName: address,
        });
  }

  #sample(
    input: Uint8Array,
    sample: Range,
    type: number,
    { profile, dictionary, measure }: { profile: OtlpProfile; dictionary: Dictionary; measure: Measure },
  ): void {
    this.records++;
    const { fields, types } = profile;
    const values = numbersOf(input, sample, fields.values);
    const times = timesOf(input, sample, fields.times);
    // With several types, a value each. Otherwise the values of one type, or only the times at which it was 1.
    let value = types.length > 1 ? (values[type] ?? 0) : values.reduce((sum, each) => sum + each, 0);
    if (values.length === 0) value = times;
    if (!(value > 0)) return;
    let cells = 0;
    for (const location of locationsOf(input, sample, profile, dictionary))
      cells = this.#push(location, cells, dictionary);
    if (cells === 0) {
      this.#withoutStack++;
      return;
    }
    const thread = this.#thread(numbersOf(input, sample, fields.attributes), dictionary);
    const isCount = measure.valueAt === undefined;
    const count = isCount ? value : Math.max(1, times);
    this.#sink.samples(thread, this.#stack, cells / FRAME_CELLS, count, isCount ? 0 : value * measure.factor);
  }

  /** Appends the frames of a location to the stack; returns the number of cells used. */
  #push(location: number, cells: number, { locations, functions }: Dictionary): number {
    const found = locations[location] as (typeof locations)[number] | undefined;
    if (found === undefined) return cells;
    const { lines } = found;
    const end = cells + Math.max(1, lines.length) * FRAME_CELLS;
    if (end > this.#stack.length) this.#stack = grown(this.#stack, nextCapacity(this.#stack.length, end));
    if (lines.length === 0) this.#frame(cells, functions.length + location, NO_LINE);
    for (const [at, { function: called, line }] of lines.entries())
      this.#frame(cells + at * FRAME_CELLS, Math.max(0, called), line > 0 && line < 0xffff ? line : NO_LINE);
    return end;
  }

  #frame(cell: number, method: number, line: number): void {
    this.#stack[cell] = 0;
    this.#stack[cell + 1] = method;
    this.#stack[cell + 2] = line;
    this.#stack[cell + 3] = NO_BCI;
  }

  /** The thread that a sample's attributes name. Samples without one belong to one thread without a name. */
  #thread(indexes: readonly number[], dictionary: Dictionary): number {
    let [name, id] = ['', ''];
    for (const index of indexes) {
      const attribute = dictionary.attribute(index);
      if (attribute?.key === 'thread.name') name = String(attribute.value);
      else if (attribute?.key === 'thread.id') id = String(attribute.value);
    }
    const both = /^\[(.*) tid=(\d{1,9})\]$/s.exec(name);
    if (both !== null) [, name, id] = both;
    const key = `${id}\n${name}`;
    let thread = this.#threads.get(key);
    if (thread === undefined) {
      const isNumber = /^\d{1,9}$/.test(id);
      thread = isNumber ? this.#sink.thread(0, Number(id)) : this.#sink.thread(-1, -1 - this.#threads.size);
      if (name !== '') this.#sink.nameThread(thread, name);
      this.#threads.set(key, thread);
    }
    return thread;
  }

  #factsOf(
    types: readonly SampleType[],
    chosen: SampleType,
    { units }: Measure,
    profiles: readonly OtlpProfile[],
  ): FormatFacts {
    const choice: Choice = {
      id: 'sample-type',
      name: 'Sample type',
      hint: 'Which of the values is shown.',
      kind: 'one',
      options: types.map(({ id, name, unit }) => ({ value: id, text: `${name} (${unit})` })),
      chosen: chosen.id,
    };
    const timed = profiles.filter(({ timeNs }) => timeNs > 0n);
    const firsts = timed.map(({ timeNs }) => timeNs);
    const lasts = timed.map(({ timeNs, durationNs }) => timeNs + durationNs);
    const missing = this.#withoutStack;
    return {
      ...NO_FACTS,
      units,
      choices: [choice],
      notes: missing === 0 ? [] : [`${formatQuantity(missing, 'sample')} without a stack: not counted.`],
      firstTime: firsts.reduce<bigint | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined),
      lastTime: lasts.reduce<bigint | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined),
    };
  }
}

/** The messages in a field of a message. */
function messagesOf(input: Uint8Array, { from, to }: Range, field: number): Range[] {
  const messages: Range[] = [];
  const cursor = new MessageCursor(input, from, to);
  while (cursor.next())
    if (cursor.field === field && cursor.wire === Wire.bytes)
      messages.push({ from: cursor.from, to: cursor.to });
  return messages;
}

/** Number of time stamps of a sample, each of eight bytes or, in the older form, a varint. */
function timesOf(input: Uint8Array, sample: Range, field: number): number {
  if (field === 6) return numbersOf(input, sample, field).length;
  let bytes = 0;
  const cursor = new MessageCursor(input, sample.from, sample.to);
  while (cursor.next())
    if (cursor.field === field) bytes += cursor.wire === Wire.varint ? 8 : cursor.to - cursor.from;
  return Math.floor(bytes / 8);
}

function idOf({ type, unit }: OtlpProfile['types'][number], dictionary: Dictionary): string {
  return `${dictionary.text(type) || 'samples'}-${dictionary.text(unit) || 'count'}`;
}

/** The sample types of all profiles that have samples; types of empty profiles come last. */
function sampleTypesOf(profiles: readonly OtlpProfile[], dictionary: Dictionary): SampleType[] {
  const types = new Map<string, SampleType>();
  const ordered = [...profiles].sort((a, b) => Number(b.samples.length > 0) - Number(a.samples.length > 0));
  for (const each of ordered.flatMap((profile) => profile.types)) {
    const id = idOf(each, dictionary);
    const [name, unit] = [dictionary.text(each.type) || 'samples', dictionary.text(each.unit) || 'count'];
    if (!types.has(id)) types.set(id, { at: 0, id, name, unit });
  }
  return [...types.values()];
}
