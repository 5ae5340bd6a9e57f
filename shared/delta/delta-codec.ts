import type { MethodNames } from '../profile/method-table.ts';
import type { ContextDelta, CountColumn, DeltaCursor, ProfileDelta, SampleDelta } from './profile-delta.ts';

/**
 * A delta as one ArrayBuffer, to be transferred to another thread or sent over a socket as one message:
 *
 *   prefix       bytes left free for the id of the log (a multiple of 8)
 *   u32, u32     length of the header in bytes, little-endian; zero
 *   header       JSON: epoch, base, to, complete, names, column lengths; padded to a multiple of 8 bytes
 *   columns      in the order of `encodeDelta`, each padded to a multiple of 8 bytes; the header says whether counts are
 *                u32 or f64, and whether frames of nodes are u16 or i32
 *
 * Columns have the byte order of the machine: both ends of a connection are on the same machine.
 */
interface Header {
  readonly epoch: number;
  readonly base: DeltaCursor;
  readonly to: DeltaCursor;
  readonly complete: boolean;
  readonly capacity: number;
  /** Lengths of `reparented` and `changed`. */
  readonly reparented: number;
  readonly changed: number;
  /** Bytes per frame of a node. */
  readonly frameBytes: number;
  /** Bytes per count in `selfValues` and in `changed`. */
  readonly countBytes: readonly [selfValues: number, changed: number];
  readonly threadGroups: ProfileDelta['threadGroups'];
  readonly threadNames: ProfileDelta['threadNames'];
  /** row, file, class, method. Arrays without keys, because names are most of a small delta. */
  readonly methodNames: readonly (readonly [number, string, string, string])[];
  readonly bigintTimes: ProfileDelta['bigintTimes'];
  /** Its columns are the last ones. */
  readonly samples:
    | (Omit<SampleDelta, 'at' | 'self' | 'valueSelf' | 'value' | 'contexts' | 'areCalls'> & {
        readonly areCalls?: true;
        readonly length: number;
        readonly values: number;
        readonly hasValueSelf: boolean;
      })
    | undefined;
  /** Their columns are behind those of the samples. */
  readonly contexts:
    | (Pick<ContextDelta, 'origin' | 'firstText' | 'texts'> & {
        readonly length: number;
        readonly attributes: number;
      })
    | undefined;
}

type Column = Int32Array | Uint32Array | Uint16Array | Float64Array;

const padded = (bytes: number): number => (bytes + 7) & ~7;

export function encodeDelta(delta: ProfileDelta, prefix: number): ArrayBuffer {
  const selfCounts = narrowest(delta.selfValues.count);
  const changedCounts = narrowest(delta.changed.count);
  const header: Header = {
    epoch: delta.epoch,
    base: delta.base,
    to: delta.to,
    complete: delta.complete,
    capacity: delta.capacity,
    reparented: delta.reparented.node.length,
    changed: delta.changed.row.length,
    frameBytes: delta.nodes.frame.BYTES_PER_ELEMENT,
    countBytes: [selfCounts.BYTES_PER_ELEMENT, changedCounts.BYTES_PER_ELEMENT],
    threadGroups: delta.threadGroups,
    threadNames: delta.threadNames,
    methodNames: delta.methodNames.map(([row, names]) => [
      row,
      names.file,
      names.className,
      names.methodName,
    ]),
    bigintTimes: delta.bigintTimes,
    samples: delta.samples && {
      origin: delta.samples.origin,
      length: delta.samples.self.length,
      values: delta.samples.value.length,
      hasValueSelf: delta.samples.valueSelf !== undefined,
      ...(delta.samples.areCalls && { areCalls: true }),
      bigintAts: delta.samples.bigintAts,
      bigintValues: delta.samples.bigintValues,
      provisional: delta.samples.provisional,
      capacity: delta.samples.capacity,
    },
    contexts: headOfContexts(delta.samples?.contexts),
  };
  const head = new TextEncoder().encode(JSON.stringify(header));
  const columns: readonly Column[] = [
    delta.threads.idHi,
    delta.threads.idLo,
    delta.methods.idHi,
    delta.methods.idLo,
    delta.frames.method,
    delta.frames.line,
    delta.frames.bci,
    delta.nodes.frame,
    delta.reparented.node,
    delta.reparented.parent,
    delta.selfValues.node,
    selfCounts,
    delta.selfValues.ns,
    delta.changed.row,
    changedCounts,
    delta.changed.ns,
    ...samplesColumns(delta.samples),
    ...contextColumns(delta.samples?.contexts),
  ];
  let size = prefix + 8 + padded(head.length);
  for (const column of columns) size += padded(column.byteLength);
  const message = new Uint8Array(size);
  new DataView(message.buffer).setUint32(prefix, head.length, true);
  message.set(head, prefix + 8);
  let at = prefix + 8 + padded(head.length);
  for (const column of columns) {
    message.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at += padded(column.byteLength);
  }
  return message.buffer;
}

function samplesColumns(samples: SampleDelta | undefined): readonly Column[] {
  if (samples === undefined) return [];
  const { at, self, valueSelf, value } = samples;
  return valueSelf === undefined ? [at, self, value] : [at, self, valueSelf, value];
}

function headOfContexts(contexts: ContextDelta | undefined): Header['contexts'] {
  if (contexts === undefined) return undefined;
  const { origin, firstText, texts, thread, key } = contexts;
  return { origin, firstText, texts, length: thread.length, attributes: key.length };
}

function contextColumns(contexts: ContextDelta | undefined): readonly Column[] {
  if (contexts === undefined) return [];
  const { thread, from, to, name, attributesEnd, key, value } = contexts;
  return [thread, from, to, name, attributesEnd, key, value];
}

/** The counts in four bytes each if all of them are whole and less than 2^32. */
function narrowest(counts: CountColumn): CountColumn {
  const narrow = new Uint32Array(counts);
  for (let row = 0; row < counts.length; row++) if (narrow[row] !== counts[row]) return counts;
  return narrow;
}

/**
 * Decodes a message. The columns of the delta are views of the message. Throws RangeError if the message is truncated.
 */
export function decodeDelta(message: ArrayBuffer, prefix: number): ProfileDelta {
  const headLength = new DataView(message).getUint32(prefix, true);
  const header = JSON.parse(
    new TextDecoder().decode(new Uint8Array(message, prefix + 8, headLength)),
  ) as Header;
  const { base, to } = header;
  let at = prefix + 8 + padded(headLength);
  const next = <Cells extends Column>(column: Cells): Cells => {
    at += padded(column.byteLength);
    return column;
  };
  const ints = (length: number): Int32Array => next(new Int32Array(message, at, length));
  const newThreads = to.threads - base.threads;
  const newMethods = to.methods - base.methods;
  const newFrames = to.frames - base.frames;
  const newNodes = to.nodes - base.nodes;
  const threads = { idHi: ints(newThreads), idLo: ints(newThreads) };
  const methods = { idHi: ints(newMethods), idLo: ints(newMethods) };
  const frames = { method: ints(newFrames), line: ints(newFrames), bci: ints(newFrames) };
  const Frames = header.frameBytes === Uint16Array.BYTES_PER_ELEMENT ? Uint16Array : Int32Array;
  const nodes = { frame: next(new Frames(message, at, newNodes)) };
  const reparented = { node: ints(header.reparented), parent: ints(header.reparented) };
  const values = (length: number, countBytes: number): { count: CountColumn; ns: Float64Array } => {
    const Counts = countBytes === Uint32Array.BYTES_PER_ELEMENT ? Uint32Array : Float64Array;
    return { count: next(new Counts(message, at, length)), ns: next(new Float64Array(message, at, length)) };
  };
  const newSelfValues = to.selfValues - base.selfValues;
  const selfValues = { node: ints(newSelfValues), ...values(newSelfValues, header.countBytes[0]) };
  const changed = { row: ints(header.changed), ...values(header.changed, header.countBytes[1]) };
  const doubles = (length: number): Float64Array => next(new Float64Array(message, at, length));
  let samples: SampleDelta | undefined;
  if (header.samples !== undefined) {
    const { length, values: valueCount, hasValueSelf, origin, areCalls = false, ...rest } = header.samples;
    const times = doubles(length);
    const self = ints(length);
    const valueSelf = hasValueSelf ? ints(length) : undefined;
    const value = doubles(valueCount);
    samples = {
      origin,
      areCalls,
      at: times,
      self,
      valueSelf,
      value,
      ...rest,
      contexts: decodedContexts(header.contexts, ints, doubles),
    };
  }
  return {
    epoch: header.epoch,
    base,
    to,
    complete: header.complete,
    capacity: header.capacity,
    threads,
    methods,
    frames,
    nodes,
    reparented,
    threadGroups: header.threadGroups,
    threadNames: header.threadNames,
    methodNames: header.methodNames.map(([row, file, className, methodName]): [number, MethodNames] => [
      row,
      { file, className, methodName },
    ]),
    selfValues,
    changed,
    bigintTimes: header.bigintTimes,
    samples,
  };
}

function decodedContexts(
  head: Header['contexts'],
  ints: (length: number) => Int32Array,
  doubles: (length: number) => Float64Array,
): ContextDelta | undefined {
  if (head === undefined) return undefined;
  const { length, attributes, ...rest } = head;
  return {
    ...rest,
    thread: ints(length),
    from: doubles(length),
    to: doubles(length),
    name: ints(length),
    attributesEnd: ints(length),
    key: ints(attributes),
    value: ints(attributes),
  };
}
