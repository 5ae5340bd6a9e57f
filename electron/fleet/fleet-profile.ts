/** The answer of a fleet's database as a profile. */
import { FRAME_CELLS, type SampleSink } from '../../shared/aggregate/sample-sink.ts';
import { SAMPLES, type ProfileUnits } from '../../shared/profile/profile-units.ts';
import { NATIVE_BCI, NO_BCI, NO_LINE } from '../../shared/profile/frame-table.ts';
import { formatCount } from '../../shared/text/format-value.ts';
import { NamedFrames } from '../../shared/formats/named-frames.ts';
import { type Cell, type FleetEngine, FleetError } from './fleet-engine.ts';

/** The columns that samples can be grouped by: each of their values is a thread of the profile. */
export const FLEET_GROUPS = [
  'thread',
  'pool',
  'host',
  'instance',
  'service',
  'date',
  'state',
  'operation',
] as const;
export type FleetGroup = (typeof FLEET_GROUPS)[number];

/** A question about a fleet. */
export interface FleetQuestion {
  /** A condition of SQL about the columns of the samples; undefined: all. */
  readonly where: string | undefined;
  readonly group: FleetGroup;
  /** The sample type; undefined: the one with most samples. */
  readonly type: string | undefined;
}

/** The facts of an answer besides its samples. */
export interface FleetRead {
  readonly units: ProfileUnits;
  readonly type: string;
  /** ns since 1970 of the first and last interval; undefined: no times. */
  readonly span: { readonly from: bigint; readonly to: bigint } | undefined;
  /** Sentences: what else there is, and what was left out. */
  readonly notes: readonly string[];
}

/**
 * Asks for the samples of a fleet, summed by stack and group, and adds them to a profile. Rejects with FleetError: where
 * the database cannot answer, where there is no sample, and where stacks or frames are missing or contradict each other.
 */
export async function readFleet(
  engine: FleetEngine,
  question: FleetQuestion,
  sink: SampleSink,
): Promise<FleetRead> {
  const kinds = await rowsOf(
    engine,
    `SELECT type, unit, sum(samples) AS total, min(time) AS first, max(time) AS last FROM ${engine.tables.samples}${conditions(question.where)} GROUP BY type, unit ORDER BY total DESC`,
  );
  const found = kinds.map(([type, unit, total, first, last]) => ({
    type: String(type),
    unit: String(unit),
    total: Number(total),
    span: first === null || last === null ? undefined : { from: wholeOf(first), to: wholeOf(last) },
  }));
  const chosen = question.type === undefined ? found.at(0) : found.find(({ type }) => type === question.type);
  if (chosen === undefined)
    throw nothingFound(
      question,
      found.map(({ type }) => type),
    );
  const ofType = `type = ${engine.text(chosen.type)} AND unit = ${engine.text(chosen.unit)}`;
  const where = conditions(question.where, ofType);
  const frames = new KnownFrames(sink);
  await frames.read(engine, where);
  const threads = new Threads(sink);
  const sums = await engine.query(
    `SELECT stack, ${question.group} AS grouped, sum(samples) AS count, sum(weight) AS weight FROM ${engine.tables.samples}${where} GROUP BY stack, grouped`,
  );
  for await (const [stacks, groups, counts, weights] of sums.batches) {
    for (let row = 0; row < stacks.length && !sink.isFull; row++) {
      const thread = threads.of(groups[row] === null ? '' : String(groups[row]));
      const stack = frames.stack(stacks[row]);
      sink.samples(thread, stack, stack.length / FRAME_CELLS, Number(counts[row]), wholeOf(weights[row]));
    }
  }
  const others = found.filter((each) => each !== chosen);
  return {
    units: unitsOf(chosen.unit),
    type: chosen.type,
    span: chosen.span,
    notes: others.map(
      ({ type, total }) =>
        `${formatCount(total)} samples of the type ${type} are not counted: choose sample-type=${type}.`,
    ),
  };
}

function nothingFound({ where, type }: FleetQuestion, types: readonly string[]): FleetError {
  if (type !== undefined && types.length > 0)
    return new FleetError(`has no samples of the type '${type}'; there are ${types.join(', ')}`);
  return new FleetError(where === undefined ? 'has no samples' : `no sample fulfils the condition ${where}`);
}

/** A 64-bit number of an answer. */
function wholeOf(cell: Cell): bigint {
  if (typeof cell === 'bigint' || Number.isInteger(cell)) return BigInt(cell as bigint | number);
  throw new FleetError(
    `answers with ${String(cell)} where a whole number is expected: the tables are not those of a dataset`,
  );
}

/** ` WHERE (…) AND (…)`, or nothing. */
function conditions(...given: readonly (string | undefined)[]): string {
  const parts = given.filter((part) => part !== undefined);
  return parts.length === 0 ? '' : ` WHERE ${parts.map((part) => `(${part})`).join(' AND ')}`;
}

/** All rows of a short answer. */
export async function rowsOf(engine: FleetEngine, sql: string): Promise<readonly (readonly Cell[])[]> {
  const { batches } = await engine.query(sql);
  const rows: Cell[][] = [];
  for await (const columns of batches) {
    for (let row = 0; row < (columns.at(0)?.length ?? 0); row++)
      rows.push(columns.map((column) => column[row]));
  }
  return rows;
}

/** The columns of a result that is a profile. */
const SQL_COLUMNS =
  'stack (a list of texts, or one text with ; between frames), samples or value, and optionally thread';

/**
 * Asks by a query of one's own, whose result is a profile: a column `stack`, a list of frames or a text with semicolons,
 * a column `samples` or `value`, or both, and optionally `thread`; each column whose name begins with `label_` is a part
 * of the thread's name. Rejects with FleetError.
 */
export async function readSql(
  engine: FleetEngine,
  { sql, order }: { readonly sql: string; readonly order: 'leaf' | 'root' },
  sink: SampleSink,
): Promise<FleetRead> {
  const { columns, batches } = await engine.query(sql);
  const at = (name: string): number => columns.indexOf(name);
  const [stackAt, samplesAt, valueAt] = ['stack', 'samples', 'value'].map(at);
  if (stackAt < 0 || (samplesAt < 0 && valueAt < 0))
    throw new FleetError(
      `the result has the columns ${columns.join(', ')}, and a profile needs ${SQL_COLUMNS}`,
    );
  const threadsAt = columns.flatMap((name, column) =>
    name === 'thread' || name.startsWith('label_') ? [column] : [],
  );
  const frames = new NamedFrames(sink);
  const threads = new Threads(sink);
  let empty = 0;
  for await (const batch of batches) {
    for (let row = 0; row < batch[stackAt].length && !sink.isFull; row++) {
      const stack = framesOf(batch[stackAt][row]);
      if (stack.length === 0) empty++;
      if (order === 'root') stack.reverse();
      const cells = Int32Array.from(
        stack.flatMap((frame) => {
          const { method, line } = frames.ofText(frame);
          return [0, method, line, NO_BCI];
        }),
      );
      const value = valueAt < 0 ? 0 : Number(batch[valueAt][row]);
      const count = samplesAt < 0 ? value : Number(batch[samplesAt][row]);
      if (!Number.isFinite(count) || !Number.isFinite(value) || count < 0)
        throw new FleetError(
          `a row has the number ${String(batch[samplesAt < 0 ? valueAt : samplesAt][row])}: samples and values are numbers, and not negative`,
        );
      const name = threadsAt.map((column) => batch[column][row] ?? '').join(' ');
      sink.samples(threads.of(name), cells, stack.length, count, samplesAt < 0 ? 0 : Math.round(value));
    }
  }
  const units: ProfileUnits =
    samplesAt >= 0 && valueAt >= 0
      ? { counted: SAMPLES, value: { name: 'Time', unit: 'ns' } }
      : { counted: SAMPLES, value: undefined };
  return {
    units,
    type: 'sql',
    span: undefined,
    notes: empty === 0 ? [] : [`${formatCount(empty)} rows have an empty stack, and are not counted.`],
  };
}

function framesOf(stack: Cell): string[] {
  if (stack === null || stack === '') return [];
  if (typeof stack === 'object') return stack.map(String);
  return String(stack).split(';');
}

/** The threads of a profile by their names. */
class Threads {
  readonly #sink: SampleSink;
  readonly #known = new Map<string, number>();

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  of(name: string): number {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const thread = this.#sink.thread(0, this.#known.size + 1);
    this.#sink.nameThread(thread, name);
    this.#sink.openThread(thread);
    this.#known.set(name, thread);
    return thread;
  }
}

function unitsOf(unit: string): ProfileUnits {
  if (unit === 'ns') return { counted: SAMPLES, value: { name: 'Time', unit: 'ns' } };
  if (unit === 'bytes')
    return {
      counted: { one: 'allocation', many: 'allocations', isSampled: true, isDependent: true },
      value: { name: 'Size', unit: 'bytes' },
    };
  return { counted: SAMPLES, value: undefined };
}

/** The stacks that samples name, as cells of the sink. */
class KnownFrames {
  readonly #sink: SampleSink;
  /** Id of a frame -> its cells. */
  readonly #frames = new Map<bigint, Int32Array>();
  readonly #stacks = new Map<bigint, Int32Array>();
  readonly #methods = new Map<string, number>();

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  async read(engine: FleetEngine, where: string): Promise<void> {
    const { tables, inWord } = engine;
    const frames = await engine.query(
      `SELECT frame, class, method, file, line, bci, kind FROM ${tables.frames}`,
    );
    for await (const [ids, classes, methods, files, lines, bcis, kinds] of frames.batches) {
      for (let row = 0; row < ids.length; row++) {
        const id = wholeOf(ids[row]);
        if (this.#frames.has(id)) continue;
        const names = [classes[row], methods[row], files[row]].map((name) =>
          name === null ? '' : String(name),
        );
        const method = this.#method(names);
        const line = lines[row] === null ? NO_LINE : Number(lines[row]);
        this.#frames.set(
          id,
          Int32Array.of(
            0,
            method,
            line,
            bcis[row] === null ? (kinds[row] === 'native' ? NATIVE_BCI : NO_BCI) : Number(bcis[row]),
          ),
        );
      }
    }
    const stacks = await engine.query(
      `SELECT stack, frames FROM ${tables.stacks} WHERE stack ${inWord} (SELECT stack FROM ${tables.samples}${where})`,
    );
    for await (const [ids, lists] of stacks.batches) {
      for (let row = 0; row < ids.length; row++)
        this.#addStack(wholeOf(ids[row]), lists[row] as readonly bigint[]);
    }
  }

  /** The cells of a stack, leaf first. */
  stack(id: Cell): Int32Array {
    const cells = this.#stacks.get(wholeOf(id));
    if (cells !== undefined) return cells;
    throw new FleetError(
      `samples name the stack ${String(id)}, which no file of stacks has: the dataset is not complete, copy it again`,
    );
  }

  #addStack(id: bigint, frames: readonly (bigint | number)[]): void {
    const cells = new Int32Array(frames.length * FRAME_CELLS);
    for (const [at, frame] of frames.entries()) {
      const known = this.#frames.get(BigInt(frame));
      if (known === undefined)
        throw new FleetError(
          `the stack ${id} names the frame ${frame}, which no file of frames has: the dataset is not complete, copy it again`,
        );
      cells.set(known, at * FRAME_CELLS);
    }
    const before = this.#stacks.get(id);
    if (before === undefined) this.#stacks.set(id, cells);
    else if (before.length !== cells.length || before.some((cell, at) => cell !== cells[at]))
      throw new FleetError(
        `two different stacks have the id ${id}: their hashes collide, or one file is foreign`,
      );
  }

  /** The number of a method; methods with equal names are one. */
  #method(names: readonly string[]): number {
    const key = names.join('\0');
    const known = this.#methods.get(key);
    if (known !== undefined) return known;
    const number = this.#methods.size + 1;
    this.#methods.set(key, number);
    const [className, methodName, file] = names;
    this.#sink.defineMethod(this.#sink.method(0, number), { className, methodName, file });
    return number;
  }
}
