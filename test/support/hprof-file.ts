import { closeSync, openSync, writeSync } from 'node:fs';
import { hprofFile, hprofRecords } from './hprof-bytes.ts';
import { SeededRandom } from './seeded-random.ts';

const METHODS = 20_000;
const CALLEES = 4;
const SHALLOWEST = 40;
const DEEPEST = 120;
const THREAD = 200_001;
const FIRST_TRACE = 300_001;
/** Number of stacks that new ones branch off from, so that neighbouring stacks have little in common. */
const BRANCHES = 500;

/**
 * A profile of about `bytes` bytes as an agent with a depth limit of 128 would write it, mostly traces: stacks of 40 to
 * 120 frames out of 20 000, that share their root side with some stack before them, in no order; then the counts.
 */
export function writeHprofFile(path: string, form: 'binary' | 'text', bytes: number): void {
  const file = openSync(path, 'w');
  let written = 0;
  const write = (piece: Uint8Array | string): void => {
    written += writeSync(file, typeof piece === 'string' ? Buffer.from(piece) : piece);
  };
  const traces = form === 'binary' ? new BinaryForm(write) : new TextForm(write);
  let trace = FIRST_TRACE;
  for (const stack of stacks()) {
    traces.trace(trace++, stack);
    // A row of the table is 8 bytes, or about 60.
    if (written + (trace - FIRST_TRACE) * (form === 'binary' ? 8 : 60) > bytes) break;
  }
  traces.samples(trace);
  closeSync(file);
}

/** Stacks, innermost first. */
function* stacks(): Generator<number[]> {
  const random = new SeededRandom(7);
  const branches: number[][] = Array.from({ length: BRANCHES }, () => [0]);
  for (;;) {
    const at = random.below(BRANCHES);
    const known = branches[at];
    // Most differ near the leaf only.
    const stack = known.slice(0, Math.ceil(known.length * (1 - random.next() ** 4)));
    const length = Math.max(stack.length + 1, SHALLOWEST + random.below(DEEPEST - SHALLOWEST));
    while (stack.length < length && stack.length < DEEPEST) {
      const caller = stack[stack.length - 1];
      const callee = random.next() < 0.95 ? 0 : random.below(CALLEES);
      stack.push((Math.imul(caller * CALLEES + callee + 1, 0x9e3779b1) >>> 0) % METHODS);
    }
    branches[at] = stack;
    yield stack.toReversed();
  }
}

const className = (method: number): string => `com.example.shop.part${method % 97}.Worker${method % 1999}`;

class BinaryForm {
  readonly #write: (piece: Uint8Array) => void;
  readonly #records = hprofRecords(4);
  #pieces: Uint8Array[] = [];

  constructor(write: (piece: Uint8Array) => void) {
    this.#write = write;
    const { settings, string, startThread, loadClass, frame } = this.#records;
    write(
      hprofFile(
        { magic: 'JAVA PROFILE 1.0.1' },
        settings(2, 128),
        string(1, 'main'),
        startThread(THREAD, 1, 1, 1),
      ),
    );
    for (let method = 0; method < METHODS; method++) {
      const name = 2 + method * 2;
      write(
        Buffer.concat([
          string(name, className(method)),
          string(name + 1, `method${method}`),
          loadClass(method + 1, name),
          frame(method + 1, name + 1, 0, method + 1, 1 + (method % 900)),
        ]),
      );
    }
  }

  trace(trace: number, stack: readonly number[]): void {
    this.#pieces.push(this.#records.trace(trace, THREAD, ...stack.map((method) => method + 1)));
    if (this.#pieces.length >= 1_000) this.#flush();
  }

  samples(end: number): void {
    this.#flush();
    const rows = Array.from({ length: end - FIRST_TRACE }, (_, row) => [1, FIRST_TRACE + row] as const);
    const table = Buffer.alloc(8 + rows.length * 8);
    table.writeUInt32BE(rows.length, 0);
    table.writeUInt32BE(rows.length, 4);
    for (const [row, [count, trace]] of rows.entries()) {
      table.writeUInt32BE(count, 8 + row * 8);
      table.writeUInt32BE(trace, 12 + row * 8);
    }
    this.#write(this.#records.record(0x0d, table));
  }

  #flush(): void {
    this.#write(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }
}

class TextForm {
  readonly #write: (piece: string) => void;
  readonly #frames = Array.from(
    { length: METHODS },
    (_, method) =>
      `\t${className(method)}.method${method}(Worker${method % 1999}.java:${1 + (method % 900)})\n`,
  );
  #text = `THREAD START (obj=1, id = ${THREAD}, name="main", group="main")\n`;

  constructor(write: (piece: string) => void) {
    this.#write = write;
  }

  trace(trace: number, stack: readonly number[]): void {
    this.#text += `TRACE ${trace}: (thread=${THREAD})\n${stack.map((method) => this.#frames[method]).join('')}`;
    if (this.#text.length > 1_000_000) this.#flush();
  }

  samples(end: number): void {
    const total = end - FIRST_TRACE;
    this.#text += `CPU SAMPLES BEGIN (total = ${total}) Fri Nov 20 11:30:22 2026\nrank   self  accum   count trace method\n`;
    for (let row = 0; row < total; row++) {
      this.#text += `${String(row + 1).padStart(4)}  0.01% ${((row / total) * 100).toFixed(2)}%       1 ${FIRST_TRACE + row} com.example.Worker.method\n`;
      if (this.#text.length > 1_000_000) this.#flush();
    }
    this.#text += 'CPU SAMPLES END\n';
    this.#flush();
  }

  #flush(): void {
    this.#write(this.#text);
    this.#text = '';
  }
}
