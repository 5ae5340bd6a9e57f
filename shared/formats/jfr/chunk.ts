import { NONE } from '../../profile/columns.ts';
import { CHUNK_HEADER_BYTES, type ChunkHeader } from './chunk-header.ts';
import { type ConstantPool, readConstantPools } from './constant-pools.ts';
import { Cursor } from './cursor.ts';
import { type FieldPlan, FieldPlanner, FieldValues } from './field-plan.ts';
import { KeyColumn } from './key-column.ts';
import { type RecordedType, readMetadata } from './metadata.ts';
import { SampleGroups } from './sample-groups.ts';
import { SAMPLE_FIELDS, SAMPLE_TYPES, sampleFields, type SampleType } from './sample-types.ts';

const METADATA = 0;
const CONSTANT_POOLS = 1;
/** Of one event; more would be a broken count. */
const MOST_SAMPLES = 1e9;

/** What goes wrong in a chunk, at an offset in it. */
export interface ChunkDamage {
  readonly what: string;
  readonly at: number;
  readonly found: string;
  readonly expected: string;
}

/** How the events of one type are read. */
interface SampleEvent {
  readonly plan: FieldPlan;
  /** What it has read: its own, so that what an event lacks stays 0. */
  readonly values: FieldValues;
  readonly groups: SampleGroups;
  readonly hasState: boolean;
  readonly hasSamples: boolean;
  readonly hasClass: boolean;
  readonly hasValue: boolean;
}

/** Events of one type of one chunk. */
export interface EventCount {
  readonly name: string;
  count: number;
  /** What they are samples of. */
  readonly sampleType: SampleType | undefined;
  readonly plan: FieldPlan | undefined;
  /** Of the sample type that is read: the others are only counted. */
  sample: SampleEvent | undefined;
}

/** What is wanted of a recording. */
export interface Wanted {
  readonly withClasses: boolean;
  /** undefined until a chunk has any samples. */
  readonly sampleType: SampleType | undefined;
  /** Settles the sample type by those that a chunk has. */
  chooseFrom(present: ReadonlySet<SampleType>): void;
}

/**
 * One chunk, walked once from its first event to its last: samples of the type that is wanted are summed up under their keys, constants
 * are noted, everything else is counted and passed over.
 *
 *   header │ event size type fields… │ event │ constant pools │ event │ … │ metadata │ constant pools
 */
export class Chunk {
  readonly bytes: Uint8Array;
  readonly header: ChunkHeader;
  planner: FieldPlanner | undefined;
  readonly pools = new Map<number, ConstantPool>();
  readonly events = new Map<number, EventCount>();
  /** Samples of the type that is wanted. */
  readonly groups = new SampleGroups();
  /** What samples refer to. */
  readonly threads = new KeyColumn();
  readonly stacks = new KeyColumn();
  readonly states = new KeyColumn();
  readonly classes = new KeyColumn();
  /** The types of those keys, by the field that has them: NONE while there is none. */
  threadType = NONE;
  stackType = NONE;
  stateType = NONE;
  classType = NONE;

  damage: ChunkDamage | undefined;
  /** Offset behind the last whole event. */
  end = CHUNK_HEADER_BYTES;
  records = 0;
  /** Events whose fields do not fit their description, and their bytes. */
  misfits = 0;
  misfitBytes = 0;

  readonly #cursor: Cursor;
  readonly #ofSmallType: (EventCount | undefined)[] = [];

  constructor(bytes: Uint8Array, header: ChunkHeader) {
    this.bytes = bytes;
    this.header = header;
    this.#cursor = new Cursor(bytes);
  }

  /** `isWhole`: nothing of the chunk is missing. */
  read(isWhole: boolean, wanted: Wanted): void {
    const types = this.#metadata(isWhole);
    if (types === undefined) return;
    this.planner = new FieldPlanner(types);
    this.#planEvents(this.planner);
    if (wanted.sampleType === undefined) wanted.chooseFrom(this.#typesPresent());
    for (const event of this.events.values()) {
      if (event.sampleType === wanted.sampleType) event.sample = this.#sampleEvent(event, wanted.withClasses);
    }
    this.#walk(this.planner, isWhole);
    if (this.damage !== undefined) this.#poolsBehind(this.planner, this.end);
  }

  #metadata(isWhole: boolean): ReadonlyMap<number, RecordedType> | undefined {
    const { metadataOffset } = this.header;
    const at = metadataOffset >= CHUNK_HEADER_BYTES ? metadataOffset : this.#lastMetadata();
    const isThere = at !== undefined && this.#enter(at) && this.#cursor.value === METADATA;
    const types = isThere ? readMetadata(this.#cursor) : undefined;
    if (types !== undefined) return types;
    if (isWhole) {
      const found = isThere ? 'one that does not hold together' : 'none where the header says';
      this.damage = {
        what: 'metadata',
        at: isThere ? at : 0,
        found,
        expected: 'a description of all events',
      };
    } else {
      this.damage = {
        what: 'chunk',
        at: 0,
        found: 'one that ends before the description of its events',
        expected: 'a finished recording (jcmd JFR.dump, JFR.stop)',
      };
    }
    return undefined;
  }

  /** Moves into the event at an offset: its type has been read. False when it is none. */
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

  /** Of a chunk whose header does not tell where it is: the last one knows the most types. */
  #lastMetadata(): number | undefined {
    let last: number | undefined;
    for (let at = CHUNK_HEADER_BYTES; this.#enter(at); at = this.#cursor.end)
      if (this.#cursor.value === METADATA) last = at;
    return last;
  }

  #planEvents(planner: FieldPlanner): void {
    for (const { id, name } of planner.types.values()) {
      const sampleType = SAMPLE_TYPES.find(({ events }) => events.has(name));
      const plan =
        sampleType === undefined ? undefined : planner.reading(id, sampleFields(sampleType.events.get(name)));
      const isSample = plan !== undefined && pooledType(plan, SAMPLE_FIELDS.stackTrace) !== NONE;
      const event: EventCount = {
        name,
        count: 0,
        sampleType: isSample ? sampleType : undefined,
        plan,
        sample: undefined,
      };
      this.events.set(id, event);
      if (id >= 0 && id < 4096) this.#ofSmallType[id] = event;
    }
  }

  /** Sample types of which there is an event; ends at the first of the type that comes before all others. */
  #typesPresent(): ReadonlySet<SampleType> {
    const present = new Set<SampleType>();
    for (let at = CHUNK_HEADER_BYTES; this.#enter(at); at = this.#cursor.end) {
      const type = this.events.get(this.#cursor.value)?.sampleType;
      if (type !== undefined) present.add(type);
      if (type === SAMPLE_TYPES[0]) break;
    }
    return present;
  }

  #sampleEvent({ sampleType, plan }: EventCount, withClasses: boolean): SampleEvent | undefined {
    if (sampleType === undefined || plan === undefined) return undefined;
    const { groups } = this;
    const threadType = pooledType(plan, SAMPLE_FIELDS.thread);
    const stateType = pooledType(plan, SAMPLE_FIELDS.state);
    const classType = pooledType(plan, SAMPLE_FIELDS.class);
    this.stackType = pooledType(plan, SAMPLE_FIELDS.stackTrace);
    if (threadType !== NONE) this.threadType = threadType;
    if (stateType !== NONE) this.stateType = stateType;
    if (classType !== NONE) this.classType = classType;
    return {
      plan,
      values: new FieldValues(),
      groups,
      hasState: stateType !== NONE,
      hasSamples: plan.wanted[SAMPLE_FIELDS.samples] !== undefined,
      hasClass: withClasses && classType !== NONE,
      hasValue: plan.wanted[SAMPLE_FIELDS.value] !== undefined,
    };
  }

  #walk(planner: FieldPlanner, isWhole: boolean): void {
    const cursor = this.#cursor;
    const end = this.bytes.length;
    let at = CHUNK_HEADER_BYTES;
    while (at < end) {
      cursor.moveTo(at, end);
      cursor.integer();
      const next = cursor.hi === 0 && cursor.lo > 0 ? at + cursor.lo : at;
      cursor.integer();
      if (cursor.hasFailed() || next > end || cursor.at > next) {
        // What is missing may end here.
        const isCut = !isWhole && (cursor.hasFailed() || next > end);
        if (!isCut) this.#badSize(at, next - at);
        break;
      }
      cursor.end = next;
      const isFine =
        cursor.hi === 0 && cursor.lo === CONSTANT_POOLS
          ? readConstantPools(cursor, planner, this.pools)
          : this.#event(cursor);
      if (!isFine) {
        this.misfits++;
        this.misfitBytes += next - at;
      }
      this.records++;
      at = next;
    }
    this.end = at;
  }

  #event(cursor: Cursor): boolean {
    const { hi, lo } = cursor;
    const event =
      hi === 0 && lo >= 0 && lo < this.#ofSmallType.length
        ? this.#ofSmallType[lo]
        : this.events.get(cursor.value);
    if (event === undefined) return hi === 0 && lo === METADATA;
    event.count++;
    return event.sample === undefined || this.#sample(cursor, event.sample);
  }

  #sample(cursor: Cursor, event: SampleEvent): boolean {
    const { values } = event;
    event.plan.read(cursor, values);
    if (cursor.hasFailed()) return false;
    const { hi, lo } = values;
    const { groups } = event;
    const ticks = values.number(SAMPLE_FIELDS.startTime);
    if (ticks < groups.firstTicks) groups.firstTicks = ticks;
    if (ticks > groups.lastTicks) groups.lastTicks = ticks;
    let count = 1;
    if (event.hasSamples) {
      count = values.number(SAMPLE_FIELDS.samples);
      if (!(count >= 1 && count <= MOST_SAMPLES)) count = 1;
    }
    groups.add(
      this.threads.row(hi[SAMPLE_FIELDS.thread], lo[SAMPLE_FIELDS.thread]),
      this.stacks.row(hi[SAMPLE_FIELDS.stackTrace], lo[SAMPLE_FIELDS.stackTrace]),
      event.hasState ? this.states.row(hi[SAMPLE_FIELDS.state], lo[SAMPLE_FIELDS.state]) : NONE,
      event.hasClass ? this.classes.row(hi[SAMPLE_FIELDS.class], lo[SAMPLE_FIELDS.class]) : NONE,
      count,
      event.hasValue ? values.number(SAMPLE_FIELDS.value) : 0,
    );
    return true;
  }

  #badSize(at: number, size: number): void {
    const left = this.bytes.length - at;
    const found = size === 0 ? 'an event without a size' : `an event of ${size} bytes`;
    this.damage = { what: 'event', at, found, expected: `2 to ${left} bytes, which the chunk has left` };
  }

  /**
   * The walk has ended at a damage, but what samples before it refer to may lie behind it: from the last event of
   * constant pools, which the header tells, back along their chain. Each must lie before the one it comes from, so it
   * ends, and reads no byte twice.
   */
  #poolsBehind(planner: FieldPlanner, from: number): void {
    const cursor = this.#cursor;
    let at = this.header.poolsOffset;
    let before = this.bytes.length;
    while (at > from && this.#enter(at) && cursor.value === CONSTANT_POOLS && cursor.end <= before) {
      const fields = cursor.at;
      cursor.skipIntegers(2);
      const delta = cursor.number();
      const { end } = cursor;
      cursor.moveTo(fields, end);
      readConstantPools(cursor, planner, this.pools);
      before = at;
      if (!(delta < 0)) return;
      at += delta;
    }
  }
}

/** Type of the constants that a slot's field refers to; NONE where there is no such field. */
function pooledType(plan: FieldPlan, slot: number): number {
  const field = plan.wanted[slot];
  return field?.isPooled === true ? field.type : NONE;
}
