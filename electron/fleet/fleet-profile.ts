/** The answer of a fleet's database as a profile. */
import { NO_CONTEXT } from '../../shared/text/format-frame.ts';
import type { SampleSink } from '../../shared/aggregate/sample-sink.ts';
import { SAMPLES, type ProfileUnits } from '../../shared/profile/profile-units.ts';
import { NONE } from '../../shared/profile/columns.ts';
import { NO_BCI } from '../../shared/profile/frame-table.ts';
import { formatCount, formatQuantity, formatSpan } from '../../shared/text/format-value.ts';
import { NamedFrames } from '../../shared/formats/named-frames.ts';
import type { FleetGroup } from './fleet-address.ts';
import { type Cell, type FleetEngine, FleetError } from './fleet-engine.ts';
import { foreign, KnownStacks, wholeOf } from './known-stacks.ts';

/** Samples that get times of their own: 80 MB. */
const MOST_TIMED = 1 << 22;
/** Times are shown where there are at least so many intervals: with fewer, samples that are spread evenly would say nothing. */
const LEAST_INTERVALS = 10n;

/** A question about a fleet. */
interface FleetQuestion {
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
  /** The sample types that there are, those with most samples first. */
  readonly types: readonly { readonly type: string; readonly samples: number }[];
}

/**
 * Asks for the samples of a fleet, summed by stack and group, and adds them to a profile. A profile that keeps times gets
 * those of the intervals, if they are short and not too many samples fulfil the condition. Rejects with FleetError: where
 * the database cannot answer, where there is no sample, and where stacks or frames are missing or contradict each other.
 */
export async function readFleet(
  engine: FleetEngine,
  question: FleetQuestion,
  sink: SampleSink,
): Promise<FleetRead> {
  const { tables } = engine;
  const kinds = await rowsOf(
    engine,
    `SELECT type, unit, sum(samples) AS total, min(time) AS first, max(time) AS last, max(duration_ns) AS longest FROM ${tables.samples}${conditions(question.where)} GROUP BY type, unit ORDER BY total DESC`,
  );
  const found = kinds.map(([type, unit, total, first, last, longest]) => ({
    type: String(type),
    unit: String(unit),
    total: Number(total),
    span: first === null || last === null ? undefined : { from: wholeOf(first), to: wholeOf(last) },
    longestNs: longest === null ? undefined : wholeOf(longest),
  }));
  if (kinds.some(([type]) => type === null)) throw foreign('samples');
  const chosen = question.type === undefined ? found.at(0) : found.find(({ type }) => type === question.type);
  if (chosen === undefined)
    throw nothingFound(
      question,
      found.map(({ type }) => type),
    );
  const { span, longestNs } = chosen;
  const ofType = `type = ${engine.text(chosen.type)} AND unit = ${engine.text(chosen.unit)}`;
  const hasTimes =
    sink.keepsTimes &&
    chosen.total <= MOST_TIMED &&
    span !== undefined &&
    longestNs !== undefined &&
    longestNs * LEAST_INTERVALS <= span.to - span.from + longestNs;
  const group = question.group === 'hour' ? engine.hour : question.group;
  const columns = `stack, ${group} AS grouped, ${hasTimes ? 'time, duration_ns, ' : ''}`;
  const groups = `stack, grouped${hasTimes ? ', time, duration_ns' : ''}`;
  const sums = await engine.keep(
    `SELECT ${columns}sum(samples) AS count, sum(weight) AS weight FROM ${tables.samples}${conditions(question.where, ofType)} GROUP BY ${groups}`,
  );
  const stacks = new KnownStacks(sink);
  await stacks.read(engine, sums);
  const threads = new Threads(sink, question.group === 'operation' ? NO_CONTEXT : '');
  if (hasTimes) await addTimed(engine, sums, stacks, threads, sink, span.from);
  else {
    const { batches } = await engine.query(`SELECT stack, grouped, count, weight FROM ${sums}`);
    for await (const [ids, groupOf, counts, weights] of batches) {
      for (let row = 0; row < ids.length && !sink.isFull; row++) {
        const node = stacks.leafIn(threads.of(groupOf[row]), ids[row]);
        sink.samplesAt(node, Number(counts[row]), wholeOf(weights[row]));
      }
    }
  }
  const others = found.filter((each) => each !== chosen);
  return {
    units: unitsOf(chosen.unit),
    type: chosen.type,
    types: found.map(({ type, total }) => ({ type, samples: total })),
    // The last interval ends later than it begins.
    span: span && { from: span.from, to: span.to + (longestNs ?? 0n) },
    notes: [
      ...others.map(
        ({ type, unit, total }) =>
          `${formatCount(total)} samples of the type ${type} ${type === chosen.type ? `in '${unit}' are not counted: ask for them by unit.` : `are not counted: choose sample-type=${type}.`}`,
      ),
      ...(hasTimes
        ? [
            `Times are those of intervals of ${formatSpan(Number(longestNs))}: within one, samples are spread evenly.`,
          ]
        : []),
    ],
  };
}

/** Adds sums by interval as samples with times, which are spread over the interval. */
async function addTimed(
  engine: FleetEngine,
  sums: string,
  stacks: KnownStacks,
  threads: Threads,
  sink: SampleSink,
  base: bigint,
): Promise<void> {
  const { batches } = await engine.query(
    `SELECT stack, grouped, count, weight, time, duration_ns FROM ${sums} ORDER BY time, duration_ns`,
  );
  let interval: Interval | undefined;
  for await (const [ids, groups, counts, weights, times, lengths] of batches) {
    for (let row = 0; row < ids.length && !sink.isFull; row++) {
      const thread = threads.of(groups[row]);
      const node = stacks.leafIn(thread, ids[row]);
      const count = Number(counts[row]);
      const weight = wholeOf(weights[row]);
      if (times[row] === null || lengths[row] === null || count === 0) {
        sink.takenAt(undefined, 0);
        sink.samplesAt(node, count, weight);
        continue;
      }
      const [time, length] = [wholeOf(times[row]), wholeOf(lengths[row])];
      if (interval?.time !== time || interval.length !== length) {
        interval?.addTo(sink, base);
        interval = new Interval(time, length);
      }
      const phase = fraction(Number(BigInt.asUintN(32, wholeOf(ids[row]))) * GOLDEN + threads.phase[thread]);
      interval.sums.push({ node, count, weight, phase });
    }
  }
  interval?.addTo(sink, base);
}

/** Multiples of it are spread evenly between whole numbers. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

function fraction(value: number): number {
  return value - Math.floor(value);
}

/** Samples of a stack in one interval. */
interface StackSum {
  readonly node: number;
  readonly count: number;
  readonly weight: bigint;
  /** Where between equal parts of the interval its samples are: with one for all, most would be in its middle. */
  readonly phase: number;
}

/** Sums of one interval. */
class Interval {
  readonly time: bigint;
  readonly length: bigint;
  readonly sums: StackSum[] = [];

  constructor(time: bigint, length: bigint) {
    this.time = time;
    this.length = length;
  }

  /** Adds the samples in the order of their times. */
  addTo(sink: SampleSink, base: bigint): void {
    const samples: { readonly at: number; readonly node: number; readonly value: bigint }[] = [];
    const length = Number(this.length);
    for (const { node, count, weight, phase } of this.sums) {
      const each = weight / BigInt(count);
      const rest = Number(weight % BigInt(count));
      for (let at = 0; at < count; at++)
        samples.push({
          at: Math.floor(((at + phase) / count) * length),
          node,
          value: at < rest ? each + 1n : each,
        });
    }
    samples.sort((a, b) => a.at - b.at);
    for (const { at, node, value } of samples) {
      sink.takenAt(base, this.time - base + BigInt(at));
      sink.sampleAt(node, value);
    }
  }
}

function nothingFound({ where, type }: FleetQuestion, types: readonly string[]): FleetError {
  if (type !== undefined && types.length > 0)
    return new FleetError(`has no samples of the type '${type}'; there are ${types.join(', ')}`);
  return new FleetError(where === undefined ? 'has no samples' : `no sample fulfils the condition ${where}`);
}

/** ` WHERE (…) AND (…)`, or nothing. Throws FleetError for a condition that would end before its own bracket does. */
function conditions(...given: readonly (string | undefined)[]): string {
  const parts = given.filter((part) => part !== undefined);
  for (const part of parts) {
    let depth = 0;
    for (const [bracket] of part.replaceAll(/'[^']*'|"[^"]*"/g, '').matchAll(/[()]/g))
      if ((depth += bracket === '(' ? 1 : -1) < 0) break;
    if (depth !== 0) throw new FleetError(`the brackets of the condition ${part} are not closed`);
  }
  // A comment ends with its line.
  return parts.length === 0 ? '' : ` WHERE ${parts.map((part) => `(${part}\n)`).join(' AND ')}`;
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
  'stack (a list of texts, or one text with ; between frames), samples or value, and optionally time and thread';

/**
 * Asks by a query of one's own, whose result is a profile: a column `stack`, a list of frames or a text with semicolons,
 * a column `samples` or `value`, or both, and optionally `time`, a timestamp or ns since 1970, and `thread`; each column
 * whose name begins with `label_` is a part of the thread's name. Rejects with FleetError.
 */
export async function readSql(
  engine: FleetEngine,
  { sql, order }: { readonly sql: string; readonly order: 'leaf' | 'root' },
  sink: SampleSink,
): Promise<FleetRead> {
  const { columns, batches } = await engine.query(sql);
  const at = (name: string): number => columns.indexOf(name);
  const [stackAt, samplesAt, valueAt, timeAt] = ['stack', 'samples', 'value', 'time'].map(at);
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
  let counted = 0;
  const timed = new TimedRows(sink);
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
      const value = valueAt < 0 ? 0 : Number(batch[valueAt][row] ?? NaN);
      const count = samplesAt < 0 ? value : Number(batch[samplesAt][row] ?? NaN);
      if (!Number.isFinite(count) || !Number.isFinite(value) || count < 0)
        throw new FleetError(
          `a row has the number ${String(batch[samplesAt < 0 ? valueAt : samplesAt][row])}: samples and values are numbers, and not negative`,
        );
      const name = threadsAt.map((column) => batch[column][row] ?? '').join(' ');
      if (stack.length > 0) counted += count;
      const sum = samplesAt < 0 ? 0 : Math.round(value);
      const time = timeAt < 0 ? null : batch[timeAt][row];
      timed.add(time, threads.of(name), cells, stack.length, count, sum);
    }
  }
  if (counted === 0 && !sink.isFull)
    throw new FleetError(
      empty === 0
        ? 'the query answers with no samples'
        : `the query answers with ${formatQuantity(empty, 'row')}, all without a stack`,
    );
  const units: ProfileUnits =
    samplesAt >= 0 && valueAt >= 0
      ? { counted: SAMPLES, value: { name: 'Time', unit: 'ns' } }
      : { counted: SAMPLES, value: undefined };
  return {
    units,
    type: 'sql',
    types: [],
    span: timed.span,
    notes: empty === 0 ? [] : [`${formatCount(empty)} rows have an empty stack, and are not counted.`],
  };
}

/** Rows of a query with times of their own. */
class TimedRows {
  span: { readonly from: bigint; readonly to: bigint } | undefined;
  readonly #sink: SampleSink;
  #base: bigint | undefined;
  #timed = 0;

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  /** Adds samples of one stack. Counts that are no whole numbers have no time, nor have more samples than MOST_TIMED. */
  add(cell: Cell, thread: number, cells: Int32Array, depth: number, count: number, sum: number): void {
    const sink = this.#sink;
    if (cell === null || cell === '') return void sink.samples(thread, cells, depth, count, sum);
    if (typeof cell !== 'bigint' && !(typeof cell === 'number' && Number.isInteger(cell)))
      throw new FleetError(
        `a row has the time ${String(cell)}: it is a timestamp, or a number of ns since 1970`,
      );
    const time = BigInt(cell);
    const from = this.span === undefined || time < this.span.from ? time : this.span.from;
    const to = this.span === undefined || time > this.span.to ? time : this.span.to;
    this.span = { from, to };
    if (sink.keepsTimes && Number.isInteger(count) && this.#timed + count <= MOST_TIMED) {
      this.#timed += count;
      this.#base ??= time;
      sink.takenAt(this.#base, time - this.#base);
      const each = Math.trunc(sum / count);
      const rest = sum - each * count;
      for (let at = 0, node = NONE; at < count; at++) {
        const value = each + (at < Math.abs(rest) ? Math.sign(rest) : 0);
        if (at === 0) node = sink.sample(thread, cells, depth, value);
        else sink.sampleAt(node, value);
      }
      sink.takenAt(undefined, 0);
    } else sink.samples(thread, cells, depth, count, sum);
  }
}

function framesOf(stack: Cell): string[] {
  if (stack === null || stack === '') return [];
  if (typeof stack === 'object') return Array.from(stack, String);
  return String(stack).split(';');
}

/** The threads of a profile by their names. */
class Threads {
  readonly #sink: SampleSink;
  readonly #known = new Map<string, number>();
  /** Thread -> a part of the phase of its samples, by its name: the answer is the same in any order of rows. */
  readonly phase: number[] = [];

  readonly #ofNull: string;

  /** `ofNull`: the name for rows without one. */
  constructor(sink: SampleSink, ofNull = '') {
    this.#sink = sink;
    this.#ofNull = ofNull;
  }

  of(group: Cell): number {
    const name = group === null ? this.#ofNull : String(group);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const thread = this.#sink.thread(0, this.#known.size + 1);
    this.#sink.nameThread(thread, name);
    this.#sink.openThread(thread);
    this.#known.set(name, thread);
    let hash = 0;
    for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) >>> 0;
    this.phase[thread] = fraction(hash * GOLDEN);
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
