import { is, isNot, isPossible, type ProfileFormat } from '../profile-format.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { type Choice, type Chosen, chosenOption, SAMPLE_TYPE_CHOICE } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import {
  type FactTable,
  factTable,
  type FormatFacts,
  MOST_THREAD_ROWS,
  NO_FACTS,
} from '../../facts/format-facts.ts';
import { lossNotes, lossOf, noteOf } from '../../facts/losses.ts';
import { NONE } from '../../profile/columns.ts';
import {
  elementsOf,
  isList,
  isObject,
  JsonDecoder,
  type JsonList,
  type JsonObject,
  listOf,
  numberOf,
  textOf,
  unexpectedValue,
} from '../json.ts';
import { NamedFrames } from '../named-frames.ts';
import { RepeatedTimes } from '../repeated-times.ts';
import { type FirefoxKind, kindsOf, tableFor, type Weighed, weightsOf } from './kinds.ts';
import { FirefoxTables, indexOf, tableOf } from './tables.ts';

/** Processed profiles, as samply, Firefox and many converters write them (specs: Firefox Profiler). */
export const FIREFOX: ProfileFormat = {
  id: 'firefox',
  name: 'Firefox Profiler profile',
  listed: { group: 'Exchange formats', entry: 'Firefox Profiler, samply' },
  extensions: ['.json', '.json.gz'],
  follows: false,
  notRecorded: [
    'whether a stack was truncated',
    'names of functions, in a recording of samply that was not symbolicated',
    'CPU time, unless the profiler measured it',
  ],
  recognise: (head) => {
    const text = new TextDecoder().decode(head);
    if (!/^\ufeff?\s*\{/.test(text)) return isNot(0, 'it is not a JSON object');
    if (/"preprocessedProfileVersion"\s*:/.test(text))
      return is('it names the version of a processed profile of the Firefox Profiler');
    return isPossible(0.2, 'it names no version of a processed profile of the Firefox Profiler');
  },
  createDecoder: (sink, chosen) => new FirefoxDecoder(sink, chosen),
};

const NS_PER_MS = 1e6;
const ALL = 'all';
const CATEGORY_CHOICE = 'category';
const LARGEST_ID = 2 ** 31 - 1;

/**
 * Decodes a processed profile of the Firefox Profiler, of any version: call nodes, and the one at which each sample ends,
 * with its weight and time.
 *
 *   stack        3   3     null   5
 *   weight       1   1     1      4      samples, ms or bytes
 *   timeDeltas   0   1     1      1      ms since the sample before, or `time`, ms since the start
 *   CPU delta    9   800   0      300    µs or ns since the sample before; that of the first says nothing
 *
 * A sample stands for the sampling interval as often as its weight says.
 */
class FirefoxDecoder extends JsonDecoder {
  readonly #chosen: Chosen;
  readonly #named: NamedFrames;
  readonly #repeated = new RepeatedTimes();
  #kinds: readonly FirefoxKind[] = [];
  #kind: FirefoxKind | undefined;
  /** Category -> its name. */
  #categories: readonly string[] = [];
  #defaultCategory = NONE;
  /** The category whose samples are counted; NONE: all. */
  #wanted = NONE;
  /** Category -> rows of the table of samples. */
  readonly #inCategory = new Map<number, number>();
  /** ns since 1970 to which the times of samples are relative; 0 if the file does not say it. */
  #start = 0n;
  /** ns after it. */
  #earliest = Infinity;
  #latest = -Infinity;
  readonly #processes: [thread: string, process: string][] = [];
  readonly #ids = new Set<number>();
  #threads = 0;
  #empty = 0;
  #negative = 0;
  #invalid = 0;
  #withoutTime = 0;
  #functions = 0;
  #addresses = 0;
  #hasCycles = false;
  /** In profiles of sizes, the time of a sample is an offset in a file. */
  #areOffsets = false;

  constructor(sink: SampleSink, chosen: Chosen) {
    super(sink);
    this.#chosen = chosen;
    this.#named = new NamedFrames(sink);
  }

  protected override decodeValue(file: unknown): Damage | undefined {
    const threads = isObject(file) ? listOf(file.threads) : [];
    if (!isObject(file) || threads.length === 0)
      return unexpectedValue('threads', isObject(file) ? file.threads : file, 'a list of threads');
    const [meta, shared] = [tableOf(file, 'meta'), tableOf(file, 'shared')];
    const [first] = threads;
    const samples = isObject(first) ? tableOf(first, 'samples').stack : first;
    if (!isList(samples)) return unexpectedValue('samples', samples, 'a list of stacks');
    this.#kinds = kindsOf(threads, meta);
    const ids = this.#kinds.map(({ id }) => id);
    const id = chosenOption(this.#chosen, SAMPLE_TYPE_CHOICE, ids, ids[0]);
    this.#kind = this.#kinds.find((kind) => kind.id === id);
    this.#readMeta(meta);
    if (this.#kind !== undefined) this.#readThreads(threads, shared, this.#kind);
    return undefined;
  }

  #readMeta(meta: JsonObject): void {
    const categories = Array.from(listOf(meta.categories), (category) =>
      isObject(category) ? category : {},
    );
    this.#categories = categories.map(({ name }) => textOf(name));
    this.#defaultCategory = categories.findIndex(({ color }) => color === 'grey');
    this.#wanted = this.#categories.indexOf(this.#chosen[CATEGORY_CHOICE] ?? ALL);
    const { threadCPUDelta, time } = tableOf(meta, 'sampleUnits');
    this.#areOffsets = time === 'bytes';
    this.#hasCycles = textOf(threadCPUDelta).includes('cycles');
    const us = Math.round((numberOf(meta.startTime) ?? 0) * 1000);
    if (us > 0 && us <= Number.MAX_SAFE_INTEGER) this.#start = BigInt(us) * 1000n;
  }

  #readThreads(threads: JsonList, shared: JsonObject, kind: FirefoxKind): void {
    const tables = (owner: JsonObject): FirefoxTables =>
      new FirefoxTables(owner, shared, this.#defaultCategory, { sink: this.sink, named: this.#named });
    const ofAll = isObject(shared.stackTable) ? tables(shared) : undefined;
    const processes = new Set<unknown>();
    for (const thread of threads)
      if (isObject(thread)) processes.add(textOf(thread.pid) || numberOf(thread.pid));
    for (const thread of threads) {
      if (this.sink.isFull) break;
      const table = isObject(thread) ? tableFor(thread, kind) : undefined;
      if (!isObject(thread) || table === undefined || listOf(table.stack).length === 0) continue;
      const index = this.#threadOf(thread, processes.size > 1);
      const own = isObject(thread.stackTable) ? tables(thread) : undefined;
      const used = own ?? ofAll;
      if (used === undefined) this.#invalid += listOf(table.stack).length;
      else this.#readSamples(table, used, index, kind);
      if (own !== undefined) this.#end(own);
    }
    if (ofAll !== undefined) this.#end(ofAll);
  }

  #end(tables: FirefoxTables): void {
    this.#functions += tables.functions;
    this.#addresses += tables.addresses;
    tables.release();
  }

  #readSamples(table: JsonObject, tables: FirefoxTables, thread: number, kind: FirefoxKind): void {
    const nextTime = this.#areOffsets ? () => undefined : timesOf(table);
    const nextWeight = weightsOf(table, kind);
    const root = this.sink.root(thread);
    for (const cell of listOf(table.stack)) {
      if (this.sink.isFull) break;
      const stack = indexOf(cell);
      const [time, weighed] = [nextTime(), nextWeight()];
      if (weighed === undefined || weighed.count === 0) continue;
      if (stack === NONE) this.#empty++;
      else if (!tables.has(stack) || !isExact(weighed)) this.#invalid++;
      else if (weighed.count < 0) this.#negative++;
      else {
        this.records++;
        const category = tables.categoryOf(stack);
        this.#inCategory.set(category, (this.#inCategory.get(category) ?? 0) + 1);
        if (this.#wanted === NONE || this.#wanted === category)
          this.#count(tables.nodeOf(stack, thread, root), weighed, time);
      }
    }
  }

  /** `time`: ms after the start; undefined if it is not known. */
  #count(node: number, { count, value }: Weighed, time: number | undefined): void {
    const { sink } = this;
    const ns = Math.round((time ?? NaN) * NS_PER_MS);
    const isTimed = Number.isSafeInteger(ns);
    sink.takenAt(isTimed ? this.#start : undefined, isTimed ? ns : 0);
    if (isTimed) {
      this.#earliest = Math.min(this.#earliest, ns);
      this.#latest = Math.max(this.#latest, ns);
    } else this.#withoutTime++;
    if (count === 1 || !isTimed || !sink.keepsTimes) sink.samplesAt(node, count, value);
    else if (Number.isInteger(count) && this.#repeated.allows(count, sink.timesAllowed)) {
      const each = Math.floor(value / count);
      for (let left = count; left > 1; left--) sink.samplesAt(node, 1, each);
      sink.samplesAt(node, 1, value - each * (count - 1));
    } else {
      sink.takenAt(undefined, 0);
      sink.samplesAt(node, count, value);
    }
  }

  /** `hasProcesses`: threads of several processes are in the file, so that a name does not tell which one it is. */
  #threadOf(thread: JsonObject, hasProcesses: boolean): number {
    const { tid, pid } = thread;
    const number = typeof tid === 'string' && /^\d{1,10}$/.test(tid) ? Number(tid) : (numberOf(tid) ?? 0);
    const isOwn = Number.isInteger(number) && number > 0 && number <= LARGEST_ID && !this.#ids.has(number);
    if (isOwn) this.#ids.add(number);
    const index = isOwn ? this.sink.thread(0, number) : this.sink.thread(-1, -1 - this.#threads++);
    let name = textOf(thread.name);
    if (hasProcesses) {
      const process = textOf(thread.processName) || textOf(thread.processType) || 'process';
      const of = `${process} ${textOf(pid) || (numberOf(pid) ?? '')}`.trim();
      name = `${of}: ${name}`;
      if (this.#processes.length < MOST_THREAD_ROWS) this.#processes.push([name, of]);
    }
    this.sink.nameThread(index, name);
    return index;
  }

  facts(): FormatFacts {
    const kind = this.#kind;
    if (kind === undefined) return NO_FACTS;
    const hasTimes = this.#latest >= this.#earliest;
    const isDated = hasTimes && this.#start > 0n;
    const losses = lossOf(
      'uncounted',
      [this.#negative, 'sample'],
      'They have a negative weight, as in a difference of profiles.',
    );
    return {
      ...NO_FACTS,
      units: kind.units,
      choices: [kindChoice(this.#kinds, kind), ...this.#categoryChoice()],
      skips: noteOf([this.#invalid, 'sample'], 'with an unknown stack or an invalid weight: not counted.'),
      notes: [...this.#notes(), ...lossNotes(losses)],
      losses,
      tables: this.#tables(),
      firstTime: isDated ? this.#start + BigInt(this.#earliest) : undefined,
      lastTime: isDated ? this.#start + BigInt(this.#latest) : undefined,
      hasSampleTimes: hasTimes,
    };
  }

  #categoryChoice(): Choice[] {
    const used = this.#categories.filter(
      (name, at) => name !== '' && (at === this.#wanted || this.#inCategory.has(at)),
    );
    if (used.length < 2) return [];
    return [
      {
        id: CATEGORY_CHOICE,
        name: 'Category',
        hint: 'Counts only samples whose frame is of this category.',
        kind: 'one',
        options: [
          { value: ALL, text: 'All' },
          ...[...new Set(used)].map((name) => ({ value: name, text: name })),
        ],
        chosen: this.#categories[this.#wanted] ?? ALL,
      },
    ];
  }

  #tables(): FactTable[] {
    const tables: FactTable[] = [];
    const rows = Array.from(
      this.#inCategory,
      ([at, samples]) => [this.#categories[at] ?? '', samples] as const,
    );
    if (rows.length > 1)
      tables.push(
        factTable(
          'Categories',
          'Category | Samples:count',
          rows.sort(([, a], [, b]) => b - a),
        ),
      );
    if (this.#processes.length > 0)
      tables.push(factTable('Threads', 'Thread | Group', this.#processes, MOST_THREAD_ROWS));
    return tables;
  }

  #notes(): string[] {
    const withoutTime = this.#latest >= this.#earliest ? this.#withoutTime : 0;
    const notes = [
      ...noteOf(
        [this.#addresses, 'function'],
        `of ${this.#functions} are addresses without a name: open the file with samply load, and save it from there with names.`,
      ),
      ...noteOf([this.#empty, 'sample'], 'with an empty stack, when nothing ran: not counted.'),
      ...noteOf(
        [this.#repeated.withoutTime, 'sample'],
        'of rows that stand for too many: in no range of time.',
      ),
      ...noteOf([withoutTime, 'sample'], 'without a time: in no range of time.'),
    ];
    if (this.#hasCycles)
      notes.push('CPU use was measured in cycles of changing length: there is no profile of CPU time.');
    return notes;
  }
}

function kindChoice(kinds: readonly FirefoxKind[], chosen: FirefoxKind): Choice {
  return {
    id: SAMPLE_TYPE_CHOICE,
    name: 'Sample type',
    hint: 'Which samples are counted, and what of them is summed.',
    kind: 'one',
    options: kinds.map(({ id, name }) => ({ value: id, text: name })),
    chosen: chosen.id,
  };
}

/** Returns the time of the next row each time, in ms after the start. */
function timesOf(table: JsonObject): () => number | undefined {
  if (isList(table.time)) {
    const next = elementsOf(table.time);
    return () => numberOf(next());
  }
  const next = elementsOf(table.timeDeltas);
  let at: number | undefined = isList(table.timeDeltas) ? 0 : undefined;
  return () => {
    const delta = numberOf(next());
    at = at === undefined || delta === undefined ? undefined : at + delta;
    return at;
  };
}

function isExact({ count, value }: Weighed): boolean {
  return Math.abs(count) <= Number.MAX_SAFE_INTEGER && Number.isSafeInteger(value);
}
