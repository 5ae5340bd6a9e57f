import { type KnownTexts, type MethodNumbers, parametersOf } from './known-texts.ts';
import { Cursor } from './cursor.ts';
import { type FieldPlan, type FieldPlanner, FieldValues, Shape, type WantedNames } from './field-plan.ts';
import type { HeldMemory } from '../../../aggregate/memory-budget.ts';
import { Int64Index } from '../../../aggregate/int64-index.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../../profile/columns.ts';

/** Bytes of a constant, with its entry in an index and the copy that is made while the table grows. */
const CONSTANT_BYTES = 48;

/**
 * The constants of one type in one chunk: key -> offset of its fields. The fields are read on demand; most are never
 * needed.
 *
 *   row   key       at
 *   0     0,1077    8120
 *   1     0,1078    8146
 */
export class ConstantPool {
  length = 0;
  at = new Int32Array(FIRST_ROWS);
  readonly #keys = new Int64Index();
  readonly #memory: HeldMemory;

  constructor(memory: HeldMemory) {
    this.#memory = memory;
  }

  /** The row of a key, or -1. */
  find(hi: number, lo: number): number {
    return this.#keys.find(hi, lo);
  }

  /**
   * The last constant with a key replaces earlier ones: a thread that was renamed is written again. False if the memory
   * budget does not allow another one.
   */
  set(hi: number, lo: number, at: number): boolean {
    const known = this.#keys.find(hi, lo);
    if (known >= 0) {
      this.at[known] = at;
      return true;
    }
    if (this.length === this.at.length) {
      const capacity = nextCapacity(this.length, this.length + 1);
      if (!this.#memory.hold((capacity - this.length) * CONSTANT_BYTES)) return false;
      this.at = grown(this.at, capacity);
    }
    const row = this.#keys.add(hi, lo);
    this.at[row] = at;
    this.length = row + 1;
    return true;
  }
}

/**
 * Reads an event of constant pools; the cursor is at the byte after its size and type (specs: JFR).
 *
 *   start, duration, delta to the previous such event, mask, number of pools
 *   pool: type, number of constants, (key, fields)…
 *
 * The delta is ignored: reading all events of a chunk finds each such event once, even if the chain is damaged. Returns
 * false if the event is invalid, or if the memory budget allows no more; the constants before are kept.
 */
export function readConstantPools(
  cursor: Cursor,
  planner: FieldPlanner,
  pools: Map<number, ConstantPool>,
  memory: HeldMemory,
): boolean {
  cursor.skipIntegers(3);
  cursor.skip(1);
  for (let left = cursor.count(); left > 0 && !cursor.hasFailed(); left--) {
    const type = cursor.number();
    const plan = planner.skipping(type);
    const count = cursor.count();
    if (plan === undefined) return false;
    let pool = pools.get(type);
    if (pool === undefined) {
      pool = new ConstantPool(memory);
      pools.set(type, pool);
    }
    for (let constant = 0; constant < count && !cursor.hasFailed(); constant++) {
      cursor.integer();
      const { hi, lo, at } = cursor;
      plan.skip(cursor, 0);
      if (!cursor.hasFailed() && !pool.set(hi, lo, at)) return false;
    }
  }
  return !cursor.hasFailed();
}

/** A constant's name may be in another constant. A longer chain is a cycle. */
const MAX_NAME_DEPTH = 4;

const NAME: WantedNames = [['string', 'name', 'description']];
const THREAD_IDS: WantedNames = ['javaThreadId', 'osThreadId'];
const JAVA_NAME: WantedNames = ['javaName'];
const OS_NAME: WantedNames = ['osName'];
const IS_VIRTUAL: WantedNames = ['virtual'];
const GROUP: WantedNames = ['group'];
const METHOD: WantedNames = ['type', 'name', 'descriptor'];

/** The name of virtual threads that their program has not named, as few do. */
const UNNAMED_VIRTUAL = 'virtual thread';

export interface RecordedThread {
  readonly idHi: number;
  readonly idLo: number;
  readonly name: string | undefined;
}

/** Names of the constants of one type. */
interface PooledTexts {
  readonly pool: ConstantPool | undefined;
  /** By row of the pool; undefined if not read yet or unknown. */
  readonly texts: (string | undefined)[];
  /** Reads the name of a constant that is not a string. */
  readonly plan: FieldPlan | undefined;
  readonly isString: boolean;
}

/** Looks up constants of one chunk by their type and key. */
export class ChunkConstants {
  readonly planner: FieldPlanner;
  readonly pools: ReadonlyMap<number, ConstantPool>;
  readonly methods: MethodNumbers;
  readonly #knownTexts: KnownTexts;
  readonly #cursor: Cursor;
  readonly #end: number;
  readonly #values = new FieldValues();
  readonly #texts = new Map<number, PooledTexts>();

  constructor(
    bytes: Uint8Array,
    planner: FieldPlanner,
    pools: ReadonlyMap<number, ConstantPool>,
    methods: MethodNumbers,
    knownTexts: KnownTexts,
  ) {
    this.planner = planner;
    this.pools = pools;
    this.methods = methods;
    this.#knownTexts = knownTexts;
    this.#cursor = new Cursor(bytes);
    this.#end = bytes.length;
  }

  /** The text of a string, or the name of a symbol, thread state or frame type; undefined if the chunk has none. */
  text(type: number, hi: number, lo: number, depth = 0): string | undefined {
    let pooled = this.#texts.get(type);
    if (pooled === undefined) this.#texts.set(type, (pooled = this.#textsOf(type)));
    const { pool, texts } = pooled;
    const row = pool?.find(hi, lo) ?? -1;
    if (pool === undefined || row < 0 || depth > MAX_NAME_DEPTH) return undefined;
    const known = texts[row];
    if (known !== undefined) return known;
    const text = this.#readText(pooled, type, pool.at[row], depth);
    texts[row] = text;
    return text;
  }

  #textsOf(type: number): PooledTexts {
    const isString = this.planner.types.get(type)?.name === 'java.lang.String';
    return {
      pool: this.pools.get(type),
      texts: [],
      plan: isString ? undefined : this.planner.reading(type, NAME),
      isString,
    };
  }

  #readText({ isString, plan }: PooledTexts, type: number, at: number, depth: number): string | undefined {
    if (!isString) return this.#textField(plan, at, depth);
    const cursor = this.#cursor;
    cursor.moveTo(at, this.#end);
    return this.#textHere(type, depth);
  }

  /** Reads the string at the cursor, which may refer to a constant of the type. */
  #textHere(type: number, depth: number): string | undefined {
    const cursor = this.#cursor;
    return cursor.text(
      () => this.text(type, cursor.hi, cursor.lo, depth + 1),
      (bytes, from, to) => this.#knownTexts.of(bytes, from, to),
    );
  }

  /** The text of a string field at an offset; it may refer to a constant. */
  textAt(type: number, at: number): string | undefined {
    this.#cursor.moveTo(at, this.#end);
    return this.#textHere(type, 0);
  }

  /** The name of a class, with dots; undefined if the chunk has none. */
  className(type: number, hi: number, lo: number): string | undefined {
    const name = this.text(type, hi, lo);
    return name === undefined ? undefined : this.#knownTexts.dottedClass(name);
  }

  thread(type: number, hi: number, lo: number): RecordedThread {
    const at = this.#find(type, hi, lo);
    if (at === undefined) return { idHi: hi, idLo: lo, name: undefined };
    const { idHi, idLo } = this.#threadId(type, at) ?? { idHi: hi, idLo: lo };
    return { idHi, idLo, name: this.#threadName(type, at) };
  }

  /** Calls `take` for the threads of the chunk that are wanted, with samples or without, in the order of their pool. */
  eachThread(
    isWanted: (idHi: number, idLo: number) => boolean,
    take: (thread: RecordedThread) => void,
  ): void {
    for (const [type, { length, at }] of this.pools) {
      if (this.planner.types.get(type)?.name !== 'java.lang.Thread') continue;
      for (let row = 0; row < length; row++) {
        const id = this.#threadId(type, at[row]);
        if (id !== undefined && isWanted(id.idHi, id.idLo))
          take({ ...id, name: this.#threadName(type, at[row]) });
      }
    }
  }

  /** The id of the thread at an offset; undefined if it has none. */
  #threadId(type: number, at: number): { readonly idHi: number; readonly idLo: number } | undefined {
    const values = this.#read(this.planner.reading(type, THREAD_IDS), at);
    const [javaHi, javaLo, osLo] = [values.hi[0], values.lo[0], values.lo[1]];
    if (javaHi >= 0 && (javaHi | javaLo) !== 0) return { idHi: javaHi, idLo: javaLo };
    // Not a Java thread. The operating system's id is negated, so that it differs from ids of Java threads.
    return osLo === 0 ? undefined : { idHi: -1, idLo: -osLo };
  }

  #threadName(type: number, at: number): string | undefined {
    const javaName = this.#textField(this.planner.reading(type, JAVA_NAME), at, 0) ?? '';
    if (javaName !== '') return javaName;
    const osName = this.#textField(this.planner.reading(type, OS_NAME), at, 0);
    if (osName !== undefined && osName !== '') return osName;
    // A JVM records the virtual thread, and not the carrier that it runs on.
    return this.#read(this.planner.reading(type, IS_VIRTUAL), at).lo[0] === 1 ? UNNAMED_VIRTUAL : osName;
  }

  /** The name of the group of a thread; undefined if the chunk has none. */
  threadGroup(type: number, hi: number, lo: number): string | undefined {
    const at = this.#find(type, hi, lo);
    return at === undefined ? undefined : this.#textField(this.planner.reading(type, GROUP), at, 0);
  }

  /**
   * Finds the numbers of the methods of a type, once each; that of '(unknown method)' if the chunk does not contain a
   * method. A chunk has millions of frames.
   */
  methodsOf(type: number): (hi: number, lo: number) => number {
    const pool = this.pools.get(type);
    /** Row of the pool -> number + 1, 0 if it is not known yet. */
    const numbers = new Int32Array(pool?.length ?? 0);
    return (hi, lo) => {
      const row = pool?.find(hi, lo) ?? -1;
      if (pool === undefined || row < 0) return this.methods.ofPseudo('(unknown method)');
      if (numbers[row] === 0) numbers[row] = this.#methodNumber(type, pool.at[row]) + 1;
      return numbers[row] - 1;
    };
  }

  #methodNumber(type: number, at: number): number {
    const { className, methodName, descriptor } = this.#methodAt(type, at);
    return this.methods.of(className, methodName, descriptor);
  }

  /** A method with its parameters, `shop.Cart.add(int)`; undefined if the chunk does not contain it. */
  methodText(type: number, hi: number, lo: number): string | undefined {
    const at = this.#find(type, hi, lo);
    if (at === undefined) return undefined;
    const { className, methodName, descriptor } = this.#methodAt(type, at);
    return `${className === '' ? '' : `${className}.`}${methodName}(${parametersOf(descriptor)})`;
  }

  #methodAt(
    type: number,
    at: number,
  ): { readonly className: string; readonly methodName: string; readonly descriptor: string } {
    const plan = this.planner.reading(type, METHOD);
    const values = this.#read(plan, at);
    const { hi, lo } = values;
    // Reading a text overwrites `values`.
    const classHi = hi[0];
    const classLo = lo[0];
    const nameHi = hi[1];
    const nameLo = lo[1];
    const descriptorHi = hi[2];
    const descriptorLo = lo[2];
    const klass = plan?.wanted[0];
    const name = plan?.wanted[1];
    const descriptor = plan?.wanted[2];
    const className = klass === undefined ? undefined : this.className(klass.type, classHi, classLo);
    const methodName = name === undefined ? undefined : this.text(name.type, nameHi, nameLo);
    const signature =
      descriptor === undefined ? undefined : this.text(descriptor.type, descriptorHi, descriptorLo);
    return {
      className: className ?? '',
      methodName: methodName ?? '(unknown method)',
      descriptor: signature ?? '',
    };
  }

  /** Reads the text in the only field of a plan. */
  #textField(plan: FieldPlan | undefined, at: number, depth: number): string | undefined {
    const field = plan?.wanted[0];
    if (field === undefined) return undefined;
    const values = this.#read(plan, at);
    const cursor = this.#cursor;
    if (cursor.hasFailed()) return undefined;
    if (field.shape === Shape.integer)
      return field.isPooled ? this.text(field.type, values.hi[0], values.lo[0], depth + 1) : undefined;
    if (field.shape !== Shape.text) return undefined;
    cursor.moveTo(values.at[0], this.#end);
    return this.#textHere(field.type, depth);
  }

  #find(type: number, hi: number, lo: number): number | undefined {
    const pool = this.pools.get(type);
    const row = pool?.find(hi, lo) ?? -1;
    return row < 0 ? undefined : pool?.at[row];
  }

  #read(plan: FieldPlan | undefined, at: number): FieldValues {
    this.#values.clear();
    this.#cursor.moveTo(at, this.#end);
    plan?.read(this.#cursor, this.#values);
    return this.#values;
  }
}
