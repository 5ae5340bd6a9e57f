import { JfrBytes, type TextKind } from './jfr-bytes.ts';
import { type EventName, metadataFields, type TypeName, typeId } from './jfr-types.ts';

const METADATA = 0;
const CONSTANT_POOLS = 1;
const TYPES_OF_FRAMES = ['Interpreted', 'JIT compiled', 'Inlined', 'Native'] as const;
const HEADER_BYTES = 68;

/** `Shop.main:12`; a line of 65535 is one that the JVM does not know. */
export interface WrittenFrame {
  readonly method: number;
  readonly line: number;
  readonly bci: number;
  readonly type: (typeof TYPES_OF_FRAMES)[number];
}

/** Constants of one type that were not written yet: key and fields each. */
interface Pool {
  count: number;
  readonly constants: JfrBytes;
}

export interface ChunkEnd {
  /** False: as a killed JVM leaves it, with a size of 0 and no offsets. */
  readonly isFinished?: boolean;
}

/**
 * One chunk of a recording, as a JVM writes it: events, constant pools, metadata, more constant pools. Keys begin at 1;
 * a name that occurs again has the same key.
 *
 *   const chunk = new JfrChunk(['jdk.ExecutionSample']);
 *   const stack = chunk.stack([{ method: chunk.method('Shop', 'main', '()V'), line: 3, bci: 0, type: 'Inlined' }]);
 *   chunk.executionSample(5_000, chunk.thread('main', 1), stack, chunk.state('STATE_RUNNABLE'));
 *   chunk.finish();
 */
export class JfrChunk {
  readonly #events: readonly EventName[];
  readonly #textKind: TextKind;
  readonly #out = new JfrBytes();
  readonly #pools = new Map<TypeName, Pool>();
  readonly #keys = new Map<string, number>();
  #lastPools = 0;
  readonly #fields = new JfrBytes();

  constructor(events: readonly EventName[], textKind: TextKind = 'utf8') {
    this.#events = events;
    this.#textKind = textKind;
    this.#out.append(new Uint8Array(HEADER_BYTES));
  }

  get length(): number {
    return this.#out.length;
  }

  /** With `id` 0 it is not a Java thread. `name`: undefined where the JVM writes null. */
  thread(name: string | undefined, id: number, osId = 1000 + id): number {
    return this.#constant('java.lang.Thread', `${name} ${id} ${osId}`, (fields) => {
      fields.text(name, this.#textKind);
      fields.integer(osId);
      fields.text(id === 0 ? undefined : name, this.#textKind);
      fields.integer(id);
    });
  }

  state(name: string): number {
    return this.#constant('jdk.types.ThreadState', name, (fields) => fields.text(name, this.#textKind));
  }

  symbol(text: string): number {
    return this.#constant('jdk.types.Symbol', text, (fields) => fields.text(text, this.#textKind));
  }

  /** A symbol whose string is a constant of its own. */
  pooledSymbol(text: string): number {
    const string = this.#constant('java.lang.String', text, (fields) => fields.text(text, this.#textKind));
    return this.#constant('jdk.types.Symbol', text, (fields) => fields.pooledText(string));
  }

  /** With slashes. */
  class(name: string): number {
    const symbol = this.symbol(name);
    return this.#constant('java.lang.Class', name, (fields) => fields.integer(symbol));
  }

  method(className: string, methodName: string, descriptor = '()V'): number {
    const keys = [this.class(className), this.symbol(methodName), this.symbol(descriptor)];
    return this.#constant('jdk.types.Method', keys.join(), (fields) => {
      for (const key of keys) fields.integer(key);
    });
  }

  /** Innermost first. Every call writes a stack trace of its own. */
  stack(frames: readonly WrittenFrame[], isTruncated = false): number {
    const types = TYPES_OF_FRAMES.map((type) =>
      this.#constant('jdk.types.FrameType', type, (fields) => fields.text(type)),
    );
    return this.#constant('jdk.types.StackTrace', undefined, (fields) => {
      fields.byte(isTruncated ? 1 : 0);
      fields.integer(frames.length);
      for (const { method, line, bci, type } of frames) {
        fields.integer(method);
        fields.integer(line);
        fields.integer(bci);
        fields.integer(types[TYPES_OF_FRAMES.indexOf(type)]);
      }
    });
  }

  /** Fields in the order in which the type has them; all of them are integers. */
  event(name: EventName, ...values: readonly number[]): void {
    const fields = this.#fields;
    fields.length = 0;
    for (const value of values) fields.integer(value);
    this.#out.event(typeId(name), fields);
  }

  /** A setting of the recording, as the JVM writes them at the beginning of a chunk. */
  setting(of: EventName, name: string, value: string): void {
    const fields = this.#fields;
    fields.length = 0;
    fields.integer(1_000);
    fields.integer(typeId(of));
    fields.text(name);
    fields.text(value);
    fields.integer(0);
    this.#out.event(typeId('jdk.ActiveSetting'), fields);
  }

  /** A span of async-profiler. */
  span(start: number, duration: number, thread: number, tag: string): void {
    const fields = this.#fields;
    fields.length = 0;
    for (const value of [start, duration, thread]) fields.integer(value);
    fields.text(tag, this.#textKind);
    this.#out.event(typeId('profiler.Span'), fields);
  }

  /** What the JVM says about itself at the beginning of a chunk. */
  jvm(name: string, version: string, options: string, program: string): void {
    const fields = this.#fields;
    fields.length = 0;
    fields.integer(1_000);
    for (const text of [name, version, options, program]) fields.text(text);
    fields.integer(29);
    this.#out.event(typeId('jdk.JVMInformation'), fields);
  }

  /** Integers, and then floating-point numbers of four bytes. */
  eventWithFloat(name: EventName, values: readonly number[], ...last: readonly number[]): void {
    const fields = this.#fields;
    fields.length = 0;
    for (const value of values) fields.integer(value);
    const bytes = new Uint8Array(4 * last.length);
    const view = new DataView(bytes.buffer);
    for (const [at, value] of last.entries()) view.setFloat32(4 * at, value);
    fields.append(bytes);
    this.#out.event(typeId(name), fields);
  }

  /** Bytes that a test supplies, as an event or instead of one. */
  raw(bytes: Uint8Array): void {
    this.#out.append(bytes);
  }

  /** Writes the constants so far, as a JVM does from time to time. */
  writePools(): void {
    if (this.#pools.size === 0) return;
    const fields = new JfrBytes();
    fields.integer(1);
    fields.integer(0);
    // Back to the event before: negative, which is nine bytes.
    const delta = this.#lastPools === 0 ? 0 : this.#lastPools - this.#out.length;
    writeSigned(fields, delta);
    fields.byte(0);
    fields.integer(this.#pools.size);
    for (const [type, { count, constants }] of this.#pools) {
      fields.integer(typeId(type));
      fields.integer(count);
      fields.append(constants.written);
    }
    this.#lastPools = this.#out.event(CONSTANT_POOLS, fields);
    this.#pools.clear();
  }

  finish({ isFinished = true }: ChunkEnd = {}): Uint8Array<ArrayBuffer> {
    const out = this.#out;
    const metadata = out.event(METADATA, metadataFields(this.#events));
    this.writePools();
    const bytes = out.written.slice();
    const view = new DataView(bytes.buffer);
    bytes.set([0x46, 0x4c, 0x52, 0x00]);
    view.setUint16(4, 2);
    view.setUint16(6, 1);
    if (isFinished) {
      view.setBigInt64(8, BigInt(bytes.length));
      view.setBigInt64(16, BigInt(this.#lastPools));
      view.setBigInt64(24, BigInt(metadata));
    }
    view.setBigInt64(32, START_NS);
    view.setBigInt64(40, 1_000_000_000n);
    view.setBigInt64(48, 1_000n);
    view.setBigInt64(56, 1_000_000_000n);
    view.setInt32(64, 1);
    return bytes;
  }

  #constant(type: TypeName, name: string | undefined, write: (fields: JfrBytes) => void): number {
    const known = name === undefined ? undefined : this.#keys.get(`${type} ${name}`);
    if (known !== undefined) return known;
    const counter = `${type} `;
    const key = (this.#keys.get(counter) ?? 0) + 1;
    this.#keys.set(counter, key);
    if (name !== undefined) this.#keys.set(`${type} ${name}`, key);
    let pool = this.#pools.get(type);
    if (pool === undefined) this.#pools.set(type, (pool = { count: 0, constants: new JfrBytes() }));
    pool.count++;
    pool.constants.integer(key);
    write(pool.constants);
    return key;
  }
}

/** When every chunk begins: its tick 1000, of a nanosecond each. */
export const START_NS = 1_700_000_000_000_000_000n;

function writeSigned(fields: JfrBytes, value: number): void {
  if (value >= 0) {
    fields.integer(value);
    return;
  }
  let left = BigInt.asUintN(64, BigInt(value));
  for (let byte = 0; byte < 8; byte++, left >>= 7n) fields.byte(Number(left & 0x7fn) | 0x80);
  fields.byte(Number(left));
}
