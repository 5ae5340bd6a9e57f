import { AGCT_ERRORS } from '../facts/agct-errors.ts';
import { NONE } from '../profile/columns.ts';
import { NO_BCI, NO_LINE } from '../profile/frame-table.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { isErrorMethod, type MethodNames } from '../profile/method-table.ts';
import { encodeModifiedUtf8 } from '../text/modified-utf8.ts';
import { truncatedAt, TRUNCATED_NAME } from '../text/pseudo-frames.ts';
import type { ByteSink } from './byte-sink.ts';
import { ByteWriter } from './byte-writer.ts';
import type { SampleTable } from '../profile/sample-table.ts';
import type { TracedSamples } from './hpl-samples.ts';

/** Types of records and the bytes of those with a fixed size (specs: hpl-and-lean-profile, section 1). */
const TRACE_START = 1;
const FRAME_BCI_ONLY = 2;
const METHOD = 3;
const THREAD_META = 4;
const TRACE_START_WITH_TIME = 11;
const FRAME_FULL = 21;
const TRACE_BYTES = 29;
const FRAME_BYTES = 17;
/** Readers take a longer string for damage. */
const MOST_STRING_BYTES = 1 << 20;
/** Ids of pseudo methods, which readers know without a record: errors, and (truncated). */
const LAST_ERROR_CODE = 1000;
const TRUNCATED_ID = '-2:0';
const NS_PER_SECOND = 1_000_000_000n;
/** The reference reader measures no time from a trace start whose seconds are not positive. */
const LEAST_TIME = NS_PER_SECOND;

/** What of a profile a log cannot hold. */
export interface HplLosses {
  /** Names of classes with a slash, which becomes a point, and names that are cut. */
  readonly changedNames: number;
  /** By how much all times were moved; 0 for times since 1970. */
  readonly shiftNs: bigint;
}

/**
 * The bytes of a log with these samples, at most, without names: each sample is a trace with all of its frames.
 */
export function hplBytes(profile: LeanProfile, { untimed, leaves }: TracedSamples): number {
  const depth = depthOfNodes(profile);
  const { node } = profile.selfValues;
  const bytesOf = (leaf: number): number => TRACE_BYTES + FRAME_BYTES * depth[leaf];
  let bytes = 0;
  for (let self = 0; self < untimed.length; self++) bytes += untimed[self] * bytesOf(node[self]);
  for (const leaf of leaves) bytes += bytesOf(leaf);
  return bytes;
}

/**
 * Samples as an Honest Profiler log: threads, traces with their frames, leaf first, methods after the frames that use
 * them first. Errors of AsyncGetCallTrace become traces without frames again. Samples without a time come first, as traces
 * of old agents, because a trace without a time after one with a time would have a negative interval.
 */
export function exportHpl(
  profile: LeanProfile,
  traced: TracedSamples,
  samples: SampleTable | undefined,
  sink: ByteSink,
): HplLosses {
  const { threads, selfValues } = profile;
  const writer = new TraceWriter(profile, sink);
  let done = 0;
  const progress = (): void => {
    writer.bytes.share = ++done / traced.total;
  };
  for (let self = 0; self < traced.untimed.length; self++)
    for (let count = traced.untimed[self]; count > 0; count--) {
      writer.trace(selfValues.node[self], undefined);
      progress();
    }
  const shiftNs = samples === undefined ? 0n : shiftOf(samples, traced.rows);
  for (const [at, row] of traced.rows.entries()) {
    writer.trace(traced.leaves[at], (samples?.timeOf(row) ?? 0n) + shiftNs);
    progress();
  }
  // Those that were never sampled.
  for (let thread = 0; thread < threads.length; thread++) writer.nameThread(thread);
  writer.bytes.flush();
  return { changedNames: writer.changedNames, shiftNs };
}

/** Formats that know only the time since the beginning of a recording have times that start at 0. */
function shiftOf(samples: SampleTable, rows: Int32Array): bigint {
  let earliest: bigint | undefined;
  for (const row of rows) {
    const time = samples.timeOf(row);
    if (earliest === undefined || time < earliest) earliest = time;
  }
  return earliest === undefined || earliest >= LEAST_TIME ? 0n : LEAST_TIME - earliest;
}

/** node -> its frames, with those of its callers. */
function depthOfNodes({ nodes }: LeanProfile): Int32Array {
  const depth = new Int32Array(nodes.length);
  for (let node = 0; node < nodes.length; node++)
    if (nodes.parent[node] !== NONE) depth[node] = depth[nodes.parent[node]] + 1;
  return depth;
}

class TraceWriter {
  readonly bytes: ByteWriter;
  changedNames = 0;
  readonly #profile: LeanProfile;
  /** row -> halves of the id in the log. Merged logs may have used the same id for different things. */
  readonly #threadIds: WrittenIds;
  readonly #methodIds: WrittenIds;
  readonly #isNamed: Uint8Array;
  readonly #isDefined: Uint8Array;
  /** Frame -> 1 if it stands for callers that were cut off, which a log leaves out. */
  readonly #isTruncated: Uint8Array;
  /** Method -> its error code, 0 or negative; undefined for any other method. */
  readonly #errorCodes: readonly (number | undefined)[];
  #stack = new Int32Array(256);

  constructor(profile: LeanProfile, sink: ByteSink) {
    const { threads, methods, frames } = profile;
    this.bytes = new ByteWriter(sink);
    this.#profile = profile;
    this.#errorCodes = Array.from({ length: methods.length }, (_, method) =>
      errorCode(methods.names[method]),
    );
    this.#threadIds = writtenIds(threads, () => false);
    this.#methodIds = writtenIds(methods, (id, row) => isReserved(id) && this.#errorCodes[row] === undefined);
    this.#isNamed = new Uint8Array(threads.length);
    this.#isDefined = new Uint8Array(methods.length);
    this.#isTruncated = Uint8Array.from({ length: frames.length }, (_, frame) =>
      isTruncated(methods.names[frames.method[frame]]) ? 1 : 0,
    );
  }

  /** Writes a sample that ended at a node. */
  trace(leaf: number, time: bigint | undefined): void {
    const { bytes } = this;
    const { nodes } = this.#profile;
    let depth = 0;
    let node = leaf;
    for (; nodes.parent[node] !== NONE; node = nodes.parent[node]) {
      const frame = nodes.frame[node];
      if (this.#isTruncated[frame] === 1 && depth > 0) continue;
      if (depth === this.#stack.length) {
        const longer = new Int32Array(depth * 2);
        longer.set(this.#stack);
        this.#stack = longer;
      }
      this.#stack[depth++] = frame;
    }
    const thread = ~nodes.frame[node];
    this.nameThread(thread);
    const error = depth === 1 ? this.#errorOf(this.#stack[0]) : undefined;
    bytes.u1(time === undefined ? TRACE_START : TRACE_START_WITH_TIME);
    // A stack without frames that announces none would be an error.
    bytes.u4(error ?? Math.max(1, depth));
    this.#id(this.#threadIds, thread);
    if (time !== undefined) {
      this.#i64(time / NS_PER_SECOND);
      this.#i64(time % NS_PER_SECOND);
    }
    if (error !== undefined) return;
    for (let at = 0; at < depth; at++) this.#frame(this.#stack[at]);
  }

  /** Writes the name of a thread, unless it was written before. */
  nameThread(thread: number): void {
    const name = this.#profile.threads.name[thread];
    if (name === undefined || this.#isNamed[thread] === 1) return;
    this.#isNamed[thread] = 1;
    this.bytes.u1(THREAD_META);
    this.#id(this.#threadIds, thread);
    this.#text(name);
  }

  /** The code of the error for which a frame stands, as the only one of its stack. */
  #errorOf(frame: number): number | undefined {
    const { method, line, bci } = this.#profile.frames;
    return line[frame] === NO_LINE && bci[frame] === NO_BCI ? this.#errorCodes[method[frame]] : undefined;
  }

  #frame(frame: number): void {
    const { bytes } = this;
    const { method, line, bci } = this.#profile.frames;
    const hasLine = line[frame] !== NO_LINE;
    bytes.u1(hasLine ? FRAME_FULL : FRAME_BCI_ONLY);
    bytes.u4(bci[frame]);
    if (hasLine) bytes.u4(line[frame]);
    this.#id(this.#methodIds, method[frame]);
    this.#define(method[frame]);
  }

  /** Writes the names of a method, unless they were written before or are not known. */
  #define(method: number): void {
    const names = this.#profile.methods.names[method];
    if (names === undefined || this.#isDefined[method] === 1) return;
    this.#isDefined[method] = 1;
    this.bytes.u1(METHOD);
    this.#id(this.#methodIds, method);
    this.#text(names.file);
    if (names.className.includes('/')) this.changedNames++;
    this.#text(names.className === '' ? '' : `L${names.className.replaceAll('.', '/')};`);
    this.#text(names.methodName);
  }

  #text(text: string): void {
    const whole = encodeModifiedUtf8(text);
    if (whole.length > MOST_STRING_BYTES) this.changedNames++;
    const encoded = whole.subarray(0, MOST_STRING_BYTES);
    this.bytes.u4(encoded.length);
    this.bytes.bytes(encoded);
  }

  #id({ hi, lo }: WrittenIds, row: number): void {
    this.bytes.u4(hi[row]);
    this.bytes.u4(lo[row]);
  }

  #i64(value: bigint): void {
    this.bytes.u4(Number(BigInt.asIntN(32, value >> 32n)));
    this.bytes.u4(Number(BigInt.asIntN(32, value)));
  }
}

interface WrittenIds {
  readonly hi: Int32Array;
  readonly lo: Int32Array;
}

interface Identified {
  readonly length: number;
  readonly idHi: Int32Array;
  readonly idLo: Int32Array;
}

/** The ids of the rows, and unused ones for rows whose id another row has or `isTaken`. */
function writtenIds(
  { length, idHi, idLo }: Identified,
  isTaken: (id: string, row: number) => boolean,
): WrittenIds {
  const hi = idHi.slice(0, length);
  const lo = idLo.slice(0, length);
  const used = new Set<string>();
  const others: number[] = [];
  for (let row = 0; row < length; row++) {
    const id = `${hi[row]}:${lo[row]}`;
    if (used.has(id) || isTaken(id, row)) others.push(row);
    else used.add(id);
  }
  let next = 1;
  for (const row of others) {
    while (used.has(`0:${next}`)) next++;
    hi[row] = 0;
    lo[row] = next++;
  }
  return { hi, lo };
}

function isReserved(id: string): boolean {
  const error = /^-1:-(\d+)$/.exec(id)?.[1];
  return id === TRUNCATED_ID || (error !== undefined && Number(error) <= LAST_ERROR_CODE + 1);
}

function isTruncated(names: MethodNames | undefined): boolean {
  if (names?.className !== '') return false;
  return names.methodName === TRUNCATED_NAME || truncatedAt(names.methodName) !== undefined;
}

function errorCode(names: MethodNames | undefined): number | undefined {
  if (names === undefined || !isErrorMethod(names)) return undefined;
  const known = AGCT_ERRORS.findIndex(({ frame }) => frame === names.methodName);
  if (known >= 0) return -known;
  const code = Number(/^UnknownErrCode(\d{1,4})$/.exec(names.methodName)?.[1]);
  return code >= AGCT_ERRORS.length && code <= LAST_ERROR_CODE ? -code : undefined;
}
