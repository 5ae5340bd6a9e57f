/** The rows of a dataset that hold a profile. */
import { createHash } from 'node:crypto';
import { poolOf } from '../../shared/text/thread-pools.ts';
import { NONE } from '../../shared/profile/columns.ts';
import { NATIVE_BCI, NO_BCI, NO_LINE } from '../../shared/profile/frame-table.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { SampleTable } from '../../shared/profile/sample-table.ts';
import type { SelfValues } from '../../shared/engine/values/self-values.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';

/** The origin of samples. The service is a folder of the dataset. */
export interface DatasetLabels {
  readonly service: string;
  readonly host: string;
  readonly instance: string;
  /** The version that was deployed; undefined: not known. */
  readonly version?: string;
}

/** A profile, and how its samples become rows. */
interface DatasetInput {
  readonly profile: LeanProfile;
  /** The groups of threads are operations. */
  readonly isByOperation?: boolean;
  /** The samples that count, and their sums; undefined: those of the profile. */
  readonly samples?: SampleTable | undefined;
  readonly values?: SelfValues;
  readonly units: ProfileUnits;
  /** The sample type: `cpu`. */
  readonly type: string;
  readonly labels: DatasetLabels;
  /** ns since 1970 of the first and last sample; undefined: the file does not tell. */
  readonly span: { readonly from: bigint; readonly to: bigint } | undefined;
  /** The length of an interval in ns; undefined: all samples of a thread and stack are one row. It needs the times of samples. */
  readonly everyNs: bigint | undefined;
  /** The bounds of the samples that count, ns since 1970. */
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
  /** Row of the SelfTable -> 1: its samples do not count; undefined: all do. */
  readonly isOutside: Uint8Array | undefined;
}

/** Values of a column, in the order of the rows; null where a row has none. */
type ColumnValues = (string | bigint | number | boolean | null | readonly bigint[])[];

/** The columns of a table by their names. */
export type TableRows = Readonly<Record<string, ColumnValues>>;

/** The rows of a profile. */
export interface DatasetRows {
  /** The day of samples, `2026-11-28` in UTC, or `unknown` -> their rows. */
  readonly samples: ReadonlyMap<string, TableRows>;
  readonly stacks: TableRows;
  readonly frames: TableRows;
  /** Samples that were written. */
  readonly written: bigint;
  /** Counts that are no whole numbers, as of sampled allocations, and were rounded. */
  readonly rounded: number;
}

/** The day of samples whose time is not known. */
const UNKNOWN_DATE = 'unknown';

const NS_PER_MS = 1_000_000n;
/** A hash is the first eight bytes of SHA-256, as a signed number. */
const HASH = 'sha256';

/** The rows of a profile. Takes time in the order of its samples or self values, and of the depth of its stacks. */
export function datasetRows(input: DatasetInput): DatasetRows {
  const stacks = new Stacks(input.profile);
  const sums =
    input.everyNs === undefined ? sumAll(input, stacks) : sumByInterval(input, input.everyNs, stacks);
  const { labels, units, type, everyNs, span } = input;
  const { unit = '' } = units.value ?? {};
  const samples = new Map<string, Record<string, ColumnValues>>();
  let written = 0n;
  let rounded = 0;
  for (const { time, thread, operation, stack, count, weight } of sums.values()) {
    const whole = Math.round(count);
    if (whole !== count) rounded++;
    if (whole === 0 && weight === 0n) continue;
    written += BigInt(whole);
    const date = time === undefined ? UNKNOWN_DATE : dateOf(time);
    const rows = samples.get(date) ?? {};
    samples.set(date, rows);
    append(rows, {
      time: time ?? null,
      duration_ns: everyNs ?? (span === undefined ? null : span.to - span.from),
      host: labels.host,
      instance: labels.instance,
      version: labels.version ?? null,
      thread,
      pool: poolOf(thread),
      state: null,
      type,
      unit,
      samples: BigInt(whole),
      weight,
      stack,
      trace_id: null,
      span_id: null,
      operation: operation ?? null,
    });
  }
  return { samples, stacks: stacks.rows, frames: stacks.frames, written, rounded };
}

/** `2026-11-28` in UTC. */
function dateOf(ns: bigint): string {
  return new Date(Number(ns / NS_PER_MS)).toISOString().slice(0, 10);
}

function append(
  rows: Record<string, ColumnValues>,
  values: Readonly<Record<string, ColumnValues[number]>>,
): void {
  for (const [name, value] of Object.entries(values)) (rows[name] ??= []).push(value);
}

// ---- Sums ----

/** Samples of one stack in one thread or pool and operation, in one interval. */
interface StackSum {
  readonly time: bigint | undefined;
  readonly thread: string;
  readonly operation: string | undefined;
  readonly stack: bigint;
  count: number;
  weight: bigint;
}

type StackSums = Map<string, StackSum>;

function addTo(
  sums: StackSums,
  time: bigint | undefined,
  thread: string,
  operation: string | undefined,
  stack: bigint,
  count: number,
  weight: bigint,
): void {
  const key = [time ?? '', stack, thread, operation === undefined ? '' : `\0${operation}`].join('\0');
  const known = sums.get(key);
  if (known === undefined) sums.set(key, { time, thread, operation, stack, count, weight });
  else {
    known.count += count;
    known.weight += weight;
  }
}

/** Sums by thread and stack. */
function sumAll(
  { profile, values = profile.selfValues, span, isOutside, isByOperation }: DatasetInput,
  stacks: Stacks,
): StackSums {
  const { nodes, threads } = profile;
  const { node, count, time, length } = values;
  const sums: StackSums = new Map();
  for (let self = 0; self < length; self++) {
    if (isOutside?.[self] === 1) continue;
    const found = stacks.of(node[self]);
    if (found === undefined) continue;
    const row = ~nodes.frame[found.root];
    const operation = isByOperation === true ? threads.group[row] : undefined;
    addTo(sums, span?.from, threads.name[row] ?? '', operation, found.stack, count[self], time.exact(self));
  }
  return sums;
}

/** Sums by interval, pool and stack. Intervals begin at multiples of their length since 1970, so that those of all hosts agree. */
function sumByInterval(
  { profile, samples = profile.samples, isOutside, from, to, isByOperation }: DatasetInput,
  everyNs: bigint,
  stacks: Stacks,
): StackSums {
  const { selfValues, nodes, threads } = profile;
  const sums: StackSums = new Map();
  if (samples === undefined) return sums;
  const { origin = 0n, self: selfOf, valueSelf = selfOf } = samples;
  const add = (self: number, time: bigint, count: number, weight: bigint): void => {
    if (isOutside?.[self] === 1) return;
    const found = stacks.of(selfValues.node[self]);
    if (found === undefined) return;
    const row = ~nodes.frame[found.root];
    const operation = isByOperation === true ? threads.group[row] : undefined;
    addTo(sums, time, poolOf(threads.name[row] ?? ''), operation, found.stack, count, weight);
  };
  for (let row = 0; row < samples.length; row++) {
    const at = origin + samples.at.exact(row);
    if ((from !== undefined && at < from) || (to !== undefined && at >= to)) continue;
    const time = at - (at % everyNs);
    const weight = samples.value.column.exact(row & samples.value.mask);
    if (valueSelf[row] === selfOf[row]) add(selfOf[row], time, 1, weight);
    else {
      add(selfOf[row], time, 1, 0n);
      add(valueSelf[row], time, 0, weight);
    }
  }
  return sums;
}

// ---- Stacks and frames ----

/** The stacks of a profile by call node, with the rows of those that were asked for. */
class Stacks {
  readonly rows: Record<string, ColumnValues> = { stack: [], frames: [], truncated: [] };
  readonly frames: Record<string, ColumnValues> = {
    frame: [],
    class: [],
    method: [],
    descriptor: [],
    file: [],
    line: [],
    bci: [],
    kind: [],
  };
  readonly #profile: LeanProfile;
  readonly #byNode = new Map<number, { readonly root: number; readonly stack: bigint } | undefined>();
  readonly #written = new Set<bigint>();
  readonly #frameIds: (bigint | undefined)[] = [];
  readonly #writtenFrames = new Set<bigint>();

  constructor(profile: LeanProfile) {
    this.#profile = profile;
  }

  /** The root and the stack of a call node; undefined for a root, which has no stack. */
  of(node: number): { readonly root: number; readonly stack: bigint } | undefined {
    if (this.#byNode.has(node)) return this.#byNode.get(node);
    const { nodes } = this.#profile;
    const ids: bigint[] = [];
    let root = node;
    for (; nodes.parent[root] !== NONE; root = nodes.parent[root]) ids.push(this.#frameId(nodes.frame[root]));
    const found = ids.length === 0 ? undefined : { root, stack: stackId(ids) };
    this.#byNode.set(node, found);
    if (found !== undefined && !this.#written.has(found.stack)) {
      this.#written.add(found.stack);
      append(this.rows, { stack: found.stack, frames: ids, truncated: false });
    }
    return found;
  }

  #frameId(frame: number): bigint {
    const known = this.#frameIds[frame];
    if (known !== undefined) return known;
    const { frames, methods } = this.#profile;
    const { className, methodName, file } = methods.namesOf(frames.method[frame]);
    const line = frames.line[frame] > 0 ? frames.line[frame] : null;
    const bci = frames.bci[frame] >= 0 ? frames.bci[frame] : null;
    const kind = frames.bci[frame] === NATIVE_BCI ? 'native' : null;
    const id = hashOf([className, methodName, file, line ?? NO_LINE, bci ?? NO_BCI, kind ?? ''].join('\0'));
    this.#frameIds[frame] = id;
    if (this.#writtenFrames.has(id)) return id;
    this.#writtenFrames.add(id);
    append(this.frames, {
      frame: id,
      class: className,
      method: methodName,
      descriptor: null,
      file: file === '' ? null : file,
      line,
      bci,
      kind,
    });
    return id;
  }
}

/** The id of a stack: the hash of those of its frames, leaf first. */
function stackId(frames: readonly bigint[]): bigint {
  const bytes = new Uint8Array(frames.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [at, frame] of frames.entries()) view.setBigInt64(at * 8, frame);
  return hashOf(bytes);
}

function hashOf(content: string | Uint8Array): bigint {
  return createHash(HASH).update(content).digest().readBigInt64BE(0);
}
