import { HeldMemory, type MemoryBudget } from '../../../aggregate/memory-budget.ts';
import { NONE } from '../../../profile/columns.ts';
import { CHUNK_HEADER_BYTES, type ChunkHeader } from '../chunk/chunk-header.ts';
import { type ConstantPool, readConstantPools } from '../chunk/chunk-constants.ts';
import { Cursor } from '../chunk/cursor.ts';
import {
  CONSTANT_POOLS,
  type EventTypes,
  METADATA,
  type SampleEvent,
  type SampleEvents,
  type SampleSelection,
  type KnownTypes,
} from './event-types.ts';
import { type FieldPlanner, FieldValues } from '../chunk/field-plan.ts';
import { type KeyColumn, MAX_SAMPLES, type SampleGroups, stateKey } from './sample-groups.ts';
import { SAMPLE_FIELDS, SAMPLE_TYPES, type SampleType } from './sample-types.ts';

/** Damage in a chunk. */
interface ChunkDamage {
  readonly what: string;
  /** Offset in the chunk. */
  readonly at: number;
  readonly found: string;
  readonly expected: string;
}

/** Fewer bytes of a chunk than a sample has on average, even where nearly all events are samples. */
const TIMED_SAMPLE_BYTES = 16;
/** Bytes of an entry of `noted`, and of what is kept of the event. */
const NOTED_BYTES = 64;

/**
 * Reads one chunk in a single pass: samples of the selected type are summed by their keys, the offsets of constants are
 * stored, all other events are counted and skipped.
 *
 *   header │ event size type fields… │ event │ constant pools │ event │ … │ metadata │ constant pools
 */
export class Chunk {
  readonly bytes: Uint8Array;
  readonly header: ChunkHeader;
  /** Undefined if the chunk has no valid metadata. */
  types: EventTypes | undefined;
  /** The readers of samples of the selected type. */
  samples: SampleEvents | undefined;
  readonly pools: Map<number, ConstantPool>;
  /** The memory for constants and values of this chunk. */
  readonly memory: HeldMemory;
  /** Samples of the selected type. */
  readonly groups: SampleGroups;

  damage: ChunkDamage | undefined;
  /** Offset after the last complete event. */
  end: number;
  records = 0;
  /** Events whose fields do not match the metadata, and their bytes. */
  misfits = 0;
  misfitBytes = 0;
  /** Samples without a stack because the JVM failed to walk it, and those whose stack is that of the next safepoint. */
  failed = 0;
  biased = 0;
  /** Events that say something besides samples, in turn: the row of the type, and the offsets of the fields and of the end. */
  readonly noted: number[] = [];
  /** Rows of event types of other sample types that have a stack trace in an event. */
  readonly withStacks = new Set<number>();

  /** Offset of the first event to read. */
  readonly #start: number;
  readonly #cursor: Cursor;
  readonly #values = new FieldValues();
  readonly #view: DataView;
  /** Number of events by row of their type. */
  counts = new Int32Array(0);

  /**
   * `groups`: empty, and used by no other chunk until the samples of this one are written. `before`: the same chunk as it
   * was at an earlier flush. Reading continues at its end, and its constants stay valid; `bytes` contain the bytes before
   * as well.
   */
  constructor(
    bytes: Uint8Array,
    header: ChunkHeader,
    groups: SampleGroups,
    budget: MemoryBudget,
    before?: Chunk,
  ) {
    this.bytes = bytes;
    this.header = header;
    this.groups = groups;
    this.pools = before?.pools ?? new Map<number, ConstantPool>();
    this.memory = before?.memory ?? new HeldMemory(budget);
    this.#start = before?.end ?? CHUNK_HEADER_BYTES;
    this.end = this.#start;
    this.#cursor = new Cursor(bytes);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /**
   * Reads the metadata; call it before `read`. `isWhole`: `bytes` are the complete chunk. Without valid metadata,
   * `damage` is set.
   */
  describe(isWhole: boolean, known: KnownTypes): void {
    this.types = this.#metadata(isWhole, known);
  }

  read(isWhole: boolean, selection: SampleSelection): void {
    if (this.types === undefined) return;
    this.samples = this.types.samplesOf(selection);
    this.groups.times?.reserve(Math.floor((this.bytes.length - this.#start) / TIMED_SAMPLE_BYTES));
    this.counts = new Int32Array(this.types.names.length);
    this.#walk(this.types, this.samples, isWhole);
    if (this.isRefused) return;
    this.#findStacks(this.types);
    if (this.damage !== undefined) this.#poolsAfterDamage(this.types.planner, this.end);
  }

  /** The memory budget has not allowed all tables: the chunk was read in part. */
  get isRefused(): boolean {
    return this.memory.isExceeded;
  }

  #metadata(isWhole: boolean, known: KnownTypes): EventTypes | undefined {
    const { metadataOffset } = this.header;
    const at = metadataOffset >= CHUNK_HEADER_BYTES ? metadataOffset : this.#lastMetadata();
    const isThere = at !== undefined && this.#enter(at) && this.#cursor.value === METADATA;
    const types = isThere ? known.read(this.#cursor) : undefined;
    if (types !== undefined) return types;
    if (isWhole) {
      const found = isThere ? 'an invalid metadata event' : 'no metadata event at the offset in the header';
      this.damage = {
        what: 'metadata',
        at: isThere ? at : 0,
        found,
        expected: 'a description of all events',
      };
    } else {
      const { size } = this.header;
      const isCut = size > this.bytes.length;
      this.damage = {
        what: 'chunk',
        at: 0,
        found: `a chunk that ends before its metadata${isCut ? `, after ${this.bytes.length} bytes` : ''}`,
        expected: isCut
          ? `${size} bytes, as its header says: the file was cut`
          : 'a finished recording (jcmd JFR.dump, JFR.stop)',
      };
    }
    return undefined;
  }

  /** Moves the cursor to the byte after the type of the event at an offset. False if there is no valid event. */
  #enter(at: number): boolean {
    const cursor = this.#cursor;
    if (at >= this.bytes.length) return false;
    cursor.moveTo(at, this.bytes.length);
    const size = cursor.number();
    cursor.integer();
    const next = at + size;
    if (cursor.hasFailed() || next > this.bytes.length || cursor.at > next) return false;
    cursor.end = next;
    return true;
  }

  /** Offset of the last metadata event, which describes the most types; for a header without this offset. */
  #lastMetadata(): number | undefined {
    let last: number | undefined;
    for (let at = CHUNK_HEADER_BYTES; this.#enter(at); at = this.#cursor.end)
      if (this.#cursor.value === METADATA) last = at;
    return last;
  }

  /**
   * Sample types of which the chunk has events. Stops at the first event of a type that is selected, whatever comes after
   * it: see `RecordingFacts.selects`.
   */
  presentTypes(selects: (type: SampleType) => boolean): ReadonlySet<SampleType> {
    const present = new Set<SampleType>();
    const { types } = this;
    if (types === undefined) return present;
    for (let at = this.#start; this.#enter(at); at = this.#cursor.end) {
      const row = types.row(this.#cursor.value);
      const type = row === NONE ? undefined : types.sampleTypes[row];
      if (type === undefined || present.has(type)) continue;
      if (SAMPLE_TYPES.includes(type) || this.#hasStack(types, row)) present.add(type);
      if (present.has(type) && selects(type)) break;
    }
    return present;
  }

  /** Finds the event types of other sample types of which some event has a stack trace: not all that declare one do. */
  #findStacks(types: EventTypes): void {
    const { counts } = this;
    const open = new Set<number>();
    for (const [row, type] of types.sampleTypes.entries())
      if (type !== undefined && counts[row] > 0 && !SAMPLE_TYPES.includes(type)) open.add(row);
    for (let at = this.#start; open.size > 0 && at < this.end && this.#enter(at);) {
      const row = types.row(this.#cursor.value);
      const next = this.#cursor.end;
      if (open.has(row) && this.#hasStack(types, row)) {
        this.withStacks.add(row);
        open.delete(row);
      }
      at = next;
    }
  }

  /** Whether the event whose fields the cursor is at has a stack trace. */
  #hasStack(types: EventTypes, row: number): boolean {
    const { end } = this.#cursor;
    const values = this.#values;
    values.clear();
    types.planOf(row)?.read(this.#cursor, values);
    const isThere =
      !this.#cursor.hasFailed() &&
      (values.lo[SAMPLE_FIELDS.stackTrace] | values.hi[SAMPLE_FIELDS.stackTrace]) !== 0;
    this.#cursor.moveTo(end, end);
    return isThere;
  }

  #walk(types: EventTypes, samples: SampleEvents, isWhole: boolean): void {
    const cursor = this.#cursor;
    const end = this.bytes.length;
    let at = this.#start;
    while (at < end && !this.isRefused) {
      cursor.moveTo(at, end);
      cursor.integer();
      const next = cursor.hi === 0 && cursor.lo > 0 ? at + cursor.lo : at;
      cursor.integer();
      if (cursor.hasFailed() || next > end || cursor.at > next) {
        // The last event of an unfinished chunk may be incomplete.
        const isIncomplete = !isWhole && (cursor.hasFailed() || next > end);
        if (!isIncomplete) this.#badSize(at, next - at);
        break;
      }
      cursor.end = next;
      const type = cursor.value;
      const isFine =
        type === CONSTANT_POOLS
          ? readConstantPools(cursor, types.planner, this.pools, this.memory)
          : this.#event(cursor, types.row(type), types, samples) || type === METADATA;
      if (!isFine) {
        this.misfits++;
        this.misfitBytes += next - at;
      }
      this.records++;
      at = next;
    }
    this.end = at;
  }

  /** False if the event is of an unknown type, or a sample that does not match the metadata. */
  #event(cursor: Cursor, row: number, types: EventTypes, samples: SampleEvents): boolean {
    if (row < 0) return false;
    this.counts[row]++;
    if (types.noted[row] !== undefined && this.memory.hold(NOTED_BYTES))
      this.noted.push(row, cursor.at, cursor.end);
    const event = samples.events[row];
    return event === undefined || this.#sample(cursor, event);
  }

  #sample(cursor: Cursor, event: SampleEvent): boolean {
    const { values } = event;
    event.plan.read(cursor, values);
    if (cursor.hasFailed()) return false;
    const { hi, lo } = values;
    const { groups } = this;
    const { threads, stacks, classes } = groups;
    groups.ticks = values.number(SAMPLE_FIELDS.startTime);
    groups.noteTicks(groups.ticks);
    // Fields that other events do not have stay 0.
    this.failed += lo[SAMPLE_FIELDS.failed] & 1;
    this.biased += lo[SAMPLE_FIELDS.biased] & 1;
    let count = 1;
    let value = event.hasValue ? values.number(SAMPLE_FIELDS.value) : 0;
    if (event.samplesBytes > 0) {
      const weight = this.#float(values.at[SAMPLE_FIELDS.samples], event.samplesBytes);
      if (weight >= 1 && weight <= MAX_SAMPLES) {
        count = Math.round(weight);
        value = Math.round(value * weight);
      }
    } else if (event.hasSamples) {
      count = values.number(SAMPLE_FIELDS.samples);
      if (!(count >= 1 && count <= MAX_SAMPLES)) count = 1;
    }
    groups.noteCount(count);
    const short = (keys: KeyColumn, slot: number): number => keys.short(hi[slot], lo[slot]);
    groups.add(
      short(threads, SAMPLE_FIELDS.thread),
      short(stacks, SAMPLE_FIELDS.stackTrace),
      event.hasState || event.number > 0 ? this.#stateKey(event) : NONE,
      event.hasClass ? short(classes, SAMPLE_FIELDS.class) : NONE,
      count,
      value,
    );
    return true;
  }

  #stateKey({ values: { hi, lo }, number }: SampleEvent): number {
    const at = SAMPLE_FIELDS.state;
    return this.groups.states.short(stateKey.hi(hi[at], lo[at]), stateKey.lo(lo[at], number));
  }

  /** The floating-point number at an offset, which has four or eight bytes. */
  #float(at: number, length: number): number {
    return length === 4 ? this.#view.getFloat32(at) : length === 8 ? this.#view.getFloat64(at) : 1;
  }

  #badSize(at: number, size: number): void {
    const left = this.bytes.length - at;
    const found = size === 0 ? 'an event without a size' : `an event of ${size} bytes`;
    this.damage = { what: 'event', at, found, expected: `2 to ${left} bytes, up to the end of the chunk` };
  }

  /**
   * Reads the constant pools after damage, because samples before it may refer to them. Starts at the last event of
   * constant pools, whose offset is in the header, and follows the deltas backwards. Each event must end before the one
   * read before it, so the chain ends and no byte is read twice.
   */
  #poolsAfterDamage(planner: FieldPlanner, from: number): void {
    const cursor = this.#cursor;
    let at = this.header.poolsOffset;
    let before = this.bytes.length;
    while (at > from && this.#enter(at) && cursor.value === CONSTANT_POOLS && cursor.end <= before) {
      const fields = cursor.at;
      cursor.skipIntegers(2);
      const delta = cursor.number();
      const { end } = cursor;
      cursor.moveTo(fields, end);
      readConstantPools(cursor, planner, this.pools, this.memory);
      before = at;
      if (!(delta < 0)) return;
      at += delta;
    }
  }
}
