/** A binary hprof file as Android's reader represents it. */
export interface StrictHprof {
  readonly startMillis: number;
  readonly flags: number | undefined;
  readonly depth: number | undefined;
  readonly totalSamples: number;
  readonly threadEvents: readonly StrictThreadEvent[];
  readonly traces: readonly StrictTrace[];
}

export interface StrictThreadEvent {
  readonly type: 'START' | 'END';
  readonly threadId: number;
  readonly objectId?: number;
  readonly name?: string;
  readonly group?: string | null;
  readonly parentGroup?: string | null;
}

export interface StrictTrace {
  readonly id: number;
  readonly threadId: number;
  count: number;
  /** Class, method, file, line; innermost first. */
  readonly frames: readonly (readonly [string, string, string | null, number])[];
}

const ID_SIZE = 4;
/** Tag -> length of its body; negative: at least so long (specs: hprof, section 2; AOSP BinaryHprof.Tag). */
const SIZES: Readonly<Record<number, number | undefined>> = {
  0x01: -4,
  0x02: 16,
  0x03: 4,
  0x04: 24,
  0x05: -12,
  0x07: 24,
  0x0a: 24,
  0x0b: 4,
  0x0d: -8,
  0x0e: 6,
};

/**
 * Reads a binary file as AOSP's BinaryHprofReader does in strict mode, and throws in the same cases: identifiers that
 * are not 4 bytes, lengths that do not fit, names, classes, frames, traces and threads that are unknown or defined
 * twice, the same stack twice, counts of 0, a total that is not the sum. Beyond that, nothing may follow the last
 * complete record.
 */
export function readStrictHprof(bytes: Uint8Array): StrictHprof {
  return new StrictReader(bytes).read();
}

class StrictReader {
  readonly #bytes: Buffer;
  #at = 0;
  readonly #strings = new Map<number, string>();
  readonly #classes = new Map<number, string>();
  readonly #frames = new Map<number, StrictTrace['frames'][number]>();
  readonly #traces = new Map<number, StrictTrace>();
  readonly #stacks = new Set<string>();
  readonly #threads = new Set<number>();
  readonly #events: StrictThreadEvent[] = [];
  #flags: number | undefined;
  #depth: number | undefined;
  #total = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  read(): StrictHprof {
    const nul = this.#bytes.subarray(0, 512).indexOf(0);
    const magic = this.#bytes.toString('latin1', 0, nul);
    if (nul < 0 || !magic.startsWith('JAVA PROFILE ')) throw new Error(`no hprof version: ${magic}`);
    this.#at = nul + 1;
    const idSize = this.#i4();
    if (idSize !== ID_SIZE) throw new Error(`unsupported identifier size: ${idSize}`);
    const startMillis = Number(this.#bytes.readBigInt64BE(this.#take(8)));
    while (this.#at < this.#bytes.length) this.#record();
    return {
      startMillis,
      flags: this.#flags,
      depth: this.#depth,
      totalSamples: this.#total,
      threadEvents: this.#events,
      traces: Array.from(this.#traces.values()),
    };
  }

  #record(): void {
    const tag = this.#bytes[this.#take(1)];
    this.#i4();
    const length = this.#i4() >>> 0;
    const size = SIZES[tag];
    if (size !== undefined && (size < 0 ? length < -size : length !== size))
      throw new Error(`record ${tag}: a length of ${length}`);
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error(`record ${tag}: cut by the end of the file`);
    this.#body(tag, length);
    if (this.#at !== end) throw new Error(`record ${tag}: ${end - this.#at} bytes left`);
  }

  #body(tag: number, length: number): void {
    switch (tag) {
      case 0x01: {
        const id = this.#i4();
        const from = this.#take(length - ID_SIZE);
        const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
          this.#bytes.subarray(from, this.#at),
        );
        return define(this.#strings, id, text, 'string');
      }
      case 0x02: {
        const serial = this.#i4();
        this.#i4();
        this.#i4();
        return define(this.#classes, serial, notNull(this.#string(), 'class name'), 'class');
      }
      case 0x04: {
        const id = this.#i4();
        const method = notNull(this.#string(), 'method name');
        this.#string();
        const file = this.#string();
        const className = known(this.#classes, this.#i4(), 'class');
        return define(this.#frames, id, [className, method, file, this.#i4()], 'frame');
      }
      case 0x05:
        return this.#trace(length);
      case 0x0a: {
        const threadId = this.#i4();
        const objectId = this.#i4();
        this.#i4();
        const name = notNull(this.#string(), 'thread name');
        const group = this.#string();
        const parentGroup = this.#string();
        if (this.#threads.has(threadId)) throw new Error(`thread ${threadId} is registered already`);
        this.#threads.add(threadId);
        this.#events.push({ type: 'START', threadId, objectId, name, group, parentGroup });
        return;
      }
      case 0x0b:
        this.#events.push({ type: 'END', threadId: this.#i4() });
        return;
      case 0x0d:
        return this.#samples(length);
      case 0x0e:
        this.#flags = this.#i4();
        this.#depth = this.#bytes.readInt16BE(this.#take(2));
        return;
      default:
        this.#take(length);
    }
  }

  #trace(length: number): void {
    const id = this.#i4();
    const threadId = this.#i4();
    const count = this.#i4();
    if (length !== 12 + count * ID_SIZE) throw new Error(`trace ${id}: ${count} frames in ${length} bytes`);
    const frames = Array.from({ length: count }, () => known(this.#frames, this.#i4(), 'frame'));
    if (!this.#threads.has(threadId)) throw new Error(`trace ${id}: unknown thread ${threadId}`);
    const stack = JSON.stringify([threadId, frames]);
    if (this.#stacks.has(stack)) throw new Error(`trace ${id}: the same stack twice`);
    this.#stacks.add(stack);
    define(this.#traces, id, { id, threadId, frames, count: 0 }, 'trace');
  }

  #samples(length: number): void {
    const total = this.#i4();
    const rows = this.#i4();
    if (length !== 8 + rows * 8) throw new Error(`samples: ${rows} rows in ${length} bytes`);
    let sum = 0;
    for (let row = 0; row < rows; row++) {
      const count = this.#i4();
      const trace = known(this.#traces, this.#i4(), 'trace');
      if (count === 0) throw new Error(`trace ${trace.id}: a count of 0`);
      if (trace.count !== 0) throw new Error(`trace ${trace.id}: counted already`);
      trace.count = count;
      sum = (sum + count) | 0;
    }
    if (sum !== total) throw new Error(`samples: ${sum} instead of ${total}`);
    this.#total = total;
  }

  #string(): string | null {
    const id = this.#i4();
    return id === 0 ? null : known(this.#strings, id, 'string');
  }

  #i4(): number {
    return this.#bytes.readInt32BE(this.#take(4));
  }

  /** Skips `length` bytes; returns the offset of the first. */
  #take(length: number): number {
    const at = this.#at;
    this.#at += length;
    return at;
  }
}

function define<Value>(table: Map<number, Value>, id: number, value: Value, what: string): void {
  if (table.has(id)) throw new Error(`${what} ${id} twice`);
  table.set(id, value);
}

function known<Value>(table: ReadonlyMap<number, Value>, id: number, what: string): Value {
  const value = table.get(id);
  if (value === undefined) throw new Error(`unknown ${what} ${id}`);
  return value;
}

function notNull(text: string | null, what: string): string {
  if (text === null) throw new Error(`no ${what}`);
  return text;
}
