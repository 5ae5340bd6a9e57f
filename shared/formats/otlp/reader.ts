import { firstNumber, MessageCursor, type Range, RepeatedIntegers, Wire } from '../../read/protobuf.ts';
import { LocationStack } from '../location-stack.ts';
import { endOfFields } from '../whole-input.ts';
import {
  labelChoices,
  type Measure,
  measureOf,
  MOST_LABELS,
  product,
  THREADS,
  ROUNDED_COUNTS,
  type SampleType,
  sampleTypeChoice,
} from '../value-types.ts';
import { Int64Index } from '../../aggregate/int64-index.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import {
  type Chosen,
  chosenOption,
  chosenSampleType,
  PER_CHOICE,
  SAMPLE_TYPE_CHOICE,
} from '../../facts/choice.ts';
import { type Damage, tooManyReferences } from '../../facts/damage.ts';
import { type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { noteOf, lossNotes, lossOf } from '../../facts/losses.ts';
import { NONE } from '../../profile/columns.ts';
import { exactSum } from '../../profile/int64.ts';
import { EMPTY_STACK_NAME } from '../../text/pseudo-frames.ts';
import { NamedMethods } from '../named-frames.ts';
import type { DecodedInput } from '../whole-input.ts';
import { chooseLayout, eachLocation, type OtlpProfile, readOtlpProfile, timesOf } from './choose-layout.ts';
import { Dictionary } from './dictionary.ts';
import { StampedSamples, stampsOf, LAYOUT_VERSIONS, type SampleLayout } from './sample-layouts.ts';

/** Values of the choice of what threads are that mean threads. */
const OF_THREADS: readonly string[] = [THREADS, 'thread.name', 'thread.id'];
/** The ids of a span to which a sample has a link. */
const LINK_KEYS = ['trace_id', 'span_id'] as const;
/** Bytes of a stack that a thread had before. */
const PLACED_BYTES = 64;
const EXPECTED = `a profile of opentelemetry-proto ${LAYOUT_VERSIONS}`;

/** The tables that all samples of a file need to be read. */
interface OtlpFile {
  readonly input: Uint8Array;
  readonly dictionary: Dictionary;
  readonly layout: SampleLayout;
  readonly stack: LocationStack;
}

/** A stack that a thread had before in the same message. */
interface PlacedStacks {
  /** (thread, index of a stack) -> row of the two lists. */
  readonly rows: Int64Index;
  readonly nodes: number[];
  readonly isEmpty: boolean[];
}

/**
 * Reads messages of OpenTelemetry, one or more, into one profile. A message has a dictionary and profiles of one or several
 * resources. Profiles of the chosen sample type are read as one.
 *
 *   ProfilesData ▸ dictionary 2 ▸ locations 2, functions 3, strings 5, attributes 6, stacks 7
 *                └ resource profiles 1 ▸ scope profiles 2 ▸ profile 2 ▸ sample type 1, samples 2
 */
export class OtlpReader {
  /** Samples of all types that were read. */
  records = 0;
  readonly #sink: SampleSink;
  readonly #chosen: Chosen;
  /** For several messages: methods of one name are one. */
  readonly #shared: NamedMethods | undefined;
  /** Name -> number -> thread, as the attributes have them. */
  readonly #threads = new Map<string, Map<string, number>>();
  #threadCount = 0;
  /** The attribute or id of a link whose values are threads; undefined: those of threads. */
  readonly #per: string | undefined;
  /** Keys of attributes that are none of threads, and of links. */
  readonly #keys = new Set<string>();
  /** The sample types of all messages, by their ids. */
  readonly #types = new Map<string, SampleType>();
  /** The id of the one that is read; undefined until there is one. */
  #id: string | undefined;
  #measure: Measure | undefined;
  #placed: PlacedStacks = { rows: new Int64Index(), nodes: [], isEmpty: [] };
  /** Samples without a stack. They have a frame that says so, as in other formats, because they are part of the total. */
  #withoutStack = 0;
  /** Frames of stacks that refer to no location. */
  #lostFrames = 0;
  /** Samples that are not counted because their value is negative. */
  #negative = 0;
  /** Sum of all counts, rounded. */
  #countSum = 0;
  readonly #stamped: StampedSamples;
  /** When profiles began and ended, ns since 1970. */
  #first: bigint | undefined;
  #last: bigint | undefined;
  /** Versions of the format that a message fits as well as that in which it is read. */
  #alternative: string | undefined;

  /** `isSeries`: several messages follow each other. */
  constructor(sink: SampleSink, chosen: Chosen, isSeries: boolean) {
    this.#sink = sink;
    this.#stamped = new StampedSamples(sink);
    this.#chosen = chosen;
    const per = chosen[PER_CHOICE] as string | undefined;
    this.#per = per !== undefined && OF_THREADS.includes(per) ? undefined : per;
    this.#shared = isSeries ? new NamedMethods(sink) : undefined;
  }

  /** Reads a message to its end, or to damage. */
  read(input: Uint8Array): DecodedInput {
    const { memory } = this.#sink;
    const dictionary = new Dictionary(input, memory);
    const profiles: OtlpProfile[] = [];
    const cursor = new MessageCursor(input);
    let accepted = 0;
    const readProfile = (range: Range): void => {
      const profile = readOtlpProfile(input, range, memory);
      if (profile !== undefined) profiles.push(profile);
    };
    while (!this.#sink.isFull && cursor.next()) {
      if (cursor.wire === Wire.bytes && cursor.field === 2) dictionary.read(cursor.from, cursor.to);
      if (cursor.wire === Wire.bytes && cursor.field === 1)
        eachMessage(input, cursor, (scope) => eachMessage(input, scope, readProfile));
      accepted = cursor.at;
    }
    const isWhole = accepted === input.length && !this.#sink.isFull;
    const choice = chooseLayout(profiles, { input, dictionary, isWhole });
    if ('misfit' in choice)
      return { accepted: 0, damage: { what: 'sample', ...choice.misfit, expected: EXPECTED } };
    this.#alternative ??= choice.alternative;
    const limit = this.#count(input, dictionary, choice.layout, profiles);
    return endOfFields(input, accepted, this.records, limit);
  }

  /** Returns the limit at which the samples ended, if there was one. */
  #count(
    input: Uint8Array,
    dictionary: Dictionary,
    layout: SampleLayout,
    profiles: readonly OtlpProfile[],
  ): Damage | undefined {
    for (const type of sampleTypesOf(profiles, dictionary))
      if (!this.#types.has(type.id)) this.#types.set(type.id, type);
    const ids = [...this.#types.keys()];
    if (ids.length === 0) return undefined;
    let limit: Damage | undefined;
    // In a series, the chosen type may come later.
    const wanted = chosenSampleType(this.#chosen);
    const isAwaited = this.#shared !== undefined && wanted !== undefined;
    const id = (this.#id ??= isAwaited
      ? wanted
      : chosenOption(this.#chosen, SAMPLE_TYPE_CHOICE, ids, ids[0]));
    const chosen = this.#types.get(id);
    if (chosen === undefined) return undefined;
    const measure = (this.#measure ??= measureOf({ ...chosen, at: 0 }, [chosen]));
    this.#placed = { rows: new Int64Index(), nodes: [], isEmpty: [] };
    const stack = new LocationStack(dictionary, this.#sink, this.#shared);
    const file: OtlpFile = { input, dictionary, layout, stack };
    for (const profile of profiles) {
      const at = profile.types.findIndex((type) => idOf(type, dictionary) === id);
      if (at < 0) continue;
      const { samples } = profile;
      for (let row = 0; row < samples.length && !this.#sink.isFull && limit === undefined; row++) {
        const sample = samples.at(row);
        this.#sample(sample, at, file, { profile, measure });
        if (stack.isOverspent(input.length))
          limit = tooManyReferences({ byteOffset: sample.from, record: this.records });
      }
    }
    for (const profile of profiles) {
      const [began, ended] = timesOf(input, profile, layout) ?? [];
      if (began !== undefined && (this.#first === undefined || began < this.#first)) this.#first = began;
      if (ended !== undefined && (this.#last === undefined || ended > this.#last)) this.#last = ended;
    }
    return limit;
  }

  #sample(
    sample: Range,
    type: number,
    file: OtlpFile,
    { profile, measure }: { profile: OtlpProfile; measure: Measure },
  ): void {
    this.records++;
    const { types } = profile;
    const { input, layout } = file;
    const stamps = lengthOf(stampsOf(input, sample, layout));
    // With several types, a value each. Otherwise the values of one type, or only the times at which it was 1.
    const value = valueOf(input, sample, layout.values, types.length > 1 ? type : undefined) ?? stamps;
    if (value === 0) return;
    if (value < 0) {
      this.#negative++;
      return;
    }
    const thread = this.#thread(sample, file);
    const isCount = measure.valueAt === undefined;
    const count = isCount ? Number(value) : Math.max(1, stamps);
    const summed = isCount ? 0 : product(value, measure.factor);
    this.#countSum += count;
    // Rounded counts depend on how they are added: as one.
    const isStamped = stamps > 0 && this.#countSum <= Number.MAX_SAFE_INTEGER;
    if (!isStamped) this.#stamped.withoutStamp += count;
    this.#sink.takenAt(undefined, 0);
    const node = this.#nodeOf(sample, thread, profile, file);
    if (!isStamped) {
      this.#sink.samplesAt(node, count, summed);
      return;
    }
    const isEach =
      types.length === 1 && lengthOf(new RepeatedIntegers(input, sample, layout.values)) === stamps;
    const stamped = { input, sample, layout, stamps, total: value, isEach };
    if (isCount) this.#stamped.addCounts(node, stamped);
    else this.#stamped.addValues(node, stamped, measure.factor);
  }

  /** The call node at the end of a sample's stack. */
  #nodeOf(
    sample: Range,
    thread: number,
    profile: OtlpProfile,
    { input, layout, dictionary, stack }: OtlpFile,
  ): number {
    // A stack that the thread had before is not visited again.
    const number = layout.isRange ? NONE : firstNumber(input, sample, 1);
    const { rows, nodes, isEmpty: areEmpty } = this.#placed;
    const row = number < 0 ? NONE : rows.find(thread, number);
    if (row >= 0) {
      if (areEmpty[row]) this.#withoutStack++;
      return nodes[row];
    }
    stack.clear();
    eachLocation(input, sample, profile, { layout, dictionary }, (location) => {
      if (stack.isFull || stack.isOverspent(input.length)) return false;
      if (!stack.push(location)) this.#lostFrames++;
      return true;
    });
    const isEmpty = stack.depth === 0;
    if (isEmpty) {
      this.#withoutStack++;
      stack.pushEmpty();
    }
    const node = this.#sink.samples(thread, stack.cells, stack.depth, 0, 0);
    if (number < 0 || !this.#sink.memory.keep(PLACED_BYTES)) return node;
    rows.add(thread, number);
    nodes.push(node);
    areEmpty.push(isEmpty);
    return node;
  }

  /** The thread that a sample's attributes name. Samples without one belong to one thread without a name. */
  #thread(sample: Range, { input, layout, dictionary }: OtlpFile): number {
    let [name, id, value] = ['', '', ''];
    const link = firstNumber(input, sample, layout.link);
    for (const key of LINK_KEYS) {
      if (link > 0) this.#keys.add(key);
      if (key === this.#per) value = dictionary.idOfLink(link, key);
    }
    for (const indexes = new RepeatedIntegers(input, sample, layout.attributes); indexes.next();) {
      const attribute = dictionary.attribute(indexes.number);
      if (attribute?.key === 'thread.name') name = String(attribute.value);
      else if (attribute?.key === 'thread.id') id = String(attribute.value);
      else if (attribute !== undefined && attribute.key !== '') {
        if (this.#keys.size < MOST_LABELS) this.#keys.add(attribute.key);
        if (attribute.key === this.#per) value = String(attribute.value);
      }
    }
    if (this.#per !== undefined) [name, id] = [value === '' ? `no ${this.#per}` : value, ''];
    const known = this.#threads.get(name)?.get(id);
    if (known !== undefined) return known;
    if (this.#sink.isFull) return 0;
    let ofName = this.#threads.get(name);
    if (ofName === undefined) this.#threads.set(name, (ofName = new Map<string, number>()));
    const thread = this.#newThread(name, id);
    ofName.set(id, thread);
    return thread;
  }

  #newThread(name: string, id: string): number {
    // async-profiler writes the number into the name.
    const both = /^\[(.*) tid=(\d{1,9})\]$/s.exec(name);
    const [shown, number] = both === null ? [name, id] : [both[1], both[2]];
    const isNumber = /^\d{1,9}$/.test(number);
    const thread = isNumber
      ? this.#sink.thread(0, Number(number))
      : this.#sink.thread(-1, -1 - this.#threadCount);
    this.#threadCount++;
    // A thread that has an id and no name is told apart by it.
    if (shown !== '' || isNumber) this.#sink.nameThread(thread, shown);
    return thread;
  }

  facts(): FormatFacts {
    const chosen = this.#id === undefined ? undefined : this.#types.get(this.#id);
    const measure = this.#measure;
    const types = [...this.#types.values()];
    if (chosen === undefined || measure === undefined)
      return types.length === 0 ? NO_FACTS : { ...NO_FACTS, choices: [sampleTypeChoice(types, types[0])] };
    const { firstTime, lastTime } = this.#stamped;
    const losses = lossOf('uncounted', [this.#negative, 'sample'], 'They have a negative value.');
    return {
      ...NO_FACTS,
      units: measure.units,
      choices: [sampleTypeChoice(types, chosen), ...labelChoices(this.#keys, this.#per)],
      skips: noteOf([this.#lostFrames, 'frame'], 'of stacks skipped: no location has their index.'),
      notes: [...this.#notes(), ...lossNotes(losses)],
      losses,
      firstTime: firstTime ?? this.#first,
      lastTime: lastTime ?? this.#last,
      hasSampleTimes: firstTime !== undefined,
    };
  }

  #notes(): string[] {
    const notes: string[] = [];
    if (this.#alternative !== undefined)
      notes.push(
        `The samples also fit version ${this.#alternative} of the format, in which they have other values: read as the version that fits best.`,
      );
    const { withoutStamp, repeated, firstTime } = this.#stamped;
    const unstamped = firstTime === undefined ? 0 : withoutStamp;
    notes.push(
      ...noteOf([this.#withoutStack, 'sample'], `without a stack: counted as ${EMPTY_STACK_NAME}.`),
      ...noteOf(
        [unstamped, 'sample'],
        'without a time stamp: in the whole profile, but in no range of time.',
      ),
      ...noteOf([repeated.withoutTime, 'sample'], 'of stamps that stand for too many: in no range of time.'),
    );
    if (this.#countSum > Number.MAX_SAFE_INTEGER) notes.push(ROUNDED_COUNTS);
    return notes;
  }
}

/**
 * The value of a sample, exact: a bigint if it is not a safe integer. `at`: the index of one of several; undefined: their
 * sum. Undefined if the sample has none.
 */
function valueOf(
  input: Uint8Array,
  sample: Range,
  field: number,
  at: number | undefined,
): number | bigint | undefined {
  let values = 0;
  let sum: number | bigint = 0;
  const integers = new RepeatedIntegers(input, sample, field);
  while ((at === undefined || values <= at) && integers.next()) {
    if (at === undefined || values === at) sum = exactSum(sum, integers.integer);
    values++;
  }
  return values === 0 ? undefined : sum;
}

/** Calls `take` with each message in field 2 of a message. */
function eachMessage(input: Uint8Array, { from, to }: Range, take: (message: Range) => void): void {
  const cursor = new MessageCursor(input, from, to);
  while (cursor.next())
    if (cursor.field === 2 && cursor.wire === Wire.bytes) take({ from: cursor.from, to: cursor.to });
}

function lengthOf(integers: RepeatedIntegers): number {
  let length = 0;
  while (integers.next()) length++;
  return length;
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
