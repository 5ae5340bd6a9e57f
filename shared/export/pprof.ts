import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { int64 } from '../profile/int64.ts';
import { type TimeSpan, UNBOUNDED } from '../engine/values/time-range.ts';
import { type ByteSink, type ExportInput, type ExportWriter, roundedCounts } from './export-input.ts';
import { MessageWriter, Strings } from './binary-writer.ts';

/** Fields of a profile (github.com/google/pprof, proto/profile.proto). */
const SAMPLE_TYPE = 1;
const SAMPLE = 2;
const LOCATION = 4;
const FUNCTION = 5;
const STRING = 6;
const TIME = 9;
const DURATION = 10;
const PERIOD_TYPE = 11;
const PERIOD = 12;

/** Bytes passed to the sink at once. */
const PIECE = 1 << 16;

export interface PprofOptions {
  readonly units: ProfileUnits;
  /** ns since 1970 of the first and last sample; undefined if they are not known. */
  readonly span: TimeSpan | undefined;
}

export const writePprof: ExportWriter = (input, sink, addNote) =>
  addNote(exportPprof(input.profile, { units: input.units, span: spanOf(input) }, sink), roundedCounts);

/** When the samples were taken: the range that is looked at, within the times of the file. */
export function spanOf({ facts, range }: ExportInput): TimeSpan | undefined {
  if (facts?.lastTime === undefined || facts.spanNs === undefined) return undefined;
  const last = BigInt(facts.lastTime);
  const { from = last - BigInt(facts.spanNs), to = last } = range?.bounds ?? UNBOUNDED;
  return { from, to: to < last ? to : last };
}

/**
 * Writes the complete profile for pprof, not compressed: one sample per call node with self values, with its thread as
 * labels. Counts are integers in pprof; others are rounded, and the number of rounded counts is returned. BCIs are left
 * out. Values are times or bytes, depending on `units`, and left out if the profile has none. The sampling period is
 * written if all samples have the same time.
 *
 *   sample type   samples/count, time/nanoseconds
 *   sample        locations 3 2 1, values 17 170000000, label thread=main, thread_id=1
 *   location 3    function 2 line 12
 *   function 2    shop.Cart.add, Cart.java
 */
export function exportPprof(profile: LeanProfile, { units, span }: PprofOptions, sink: ByteSink): number {
  const { threads, methods, frames, nodes, selfValues } = profile;
  const strings = new Strings();
  const out = new MessageWriter();
  const inner = new MessageWriter();
  const packed = new MessageWriter();
  const parts = selfValues.length + frames.length + methods.length;
  let done = 0;
  const emit = (threshold: number): void => {
    if (out.length <= threshold) return;
    sink(out.take(), Math.min(1, done / Math.max(1, parts)));
  };

  const type = (field: number, name: string, unit: string): void => {
    inner.integer(1, strings.index(name));
    inner.integer(2, strings.index(unit));
    out.message(field, inner);
  };
  type(SAMPLE_TYPE, units.counted.many.replaceAll(' ', '_'), 'count');
  const { value } = units;
  const valueName = value?.name.toLowerCase().replaceAll(' ', '_') ?? '';
  if (value !== undefined) type(SAMPLE_TYPE, valueName, value.unit === 'ns' ? 'nanoseconds' : 'bytes');
  // Only a time since 1970 is one for pprof.
  if (span !== undefined && span.from > 0n) {
    out.integer(TIME, span.from);
    out.integer(DURATION, span.to - span.from);
  }
  const period = periodOf(profile, units);
  if (period !== undefined) {
    type(PERIOD_TYPE, valueName, 'nanoseconds');
    out.integer(PERIOD, period);
  }

  const labels = threads.name.map((name, row): Uint8Array => {
    const label = (key: string, field: number, content: number | bigint): void => {
      packed.integer(1, strings.index(key));
      packed.integer(field, content);
      inner.message(3, packed);
    };
    if (name !== undefined && name !== '') label('thread', 2, strings.index(name));
    label('thread_id', 3, int64(threads.idHi[row], threads.idLo[row]));
    return inner.take();
  });

  let rounded = 0;
  for (let self = 0; self < selfValues.length; self++, done++) {
    const exact = selfValues.count[self];
    const count = Math.round(exact);
    if (count !== exact) rounded++;
    const sum = selfValues.time.exact(self);
    if (count === 0 && (sum === 0n || value === undefined)) continue;
    let node = selfValues.node[self];
    for (; nodes.parent[node] !== NONE; node = nodes.parent[node]) packed.varint(nodes.frame[node] + 1);
    inner.message(1, packed);
    packed.varint(count);
    if (value !== undefined) packed.varint(sum);
    inner.message(2, packed);
    inner.raw(labels[~nodes.frame[node]]);
    out.message(SAMPLE, inner);
    emit(PIECE);
  }
  for (let frame = 0; frame < frames.length; frame++, done++) {
    packed.integer(1, frames.method[frame] + 1);
    if (frames.line[frame] > 0) packed.integer(2, frames.line[frame]);
    inner.integer(1, frame + 1);
    inner.message(4, packed);
    out.message(LOCATION, inner);
    emit(PIECE);
  }
  for (let method = 0; method < methods.length; method++, done++) {
    const { file, name } = functionOf(methods, method);
    inner.integer(1, method + 1);
    inner.integer(2, strings.index(name));
    if (file !== '') inner.integer(4, strings.index(file));
    out.message(FUNCTION, inner);
    emit(PIECE);
  }
  for (const text of strings.texts) {
    out.text(STRING, text);
    emit(PIECE);
  }
  emit(0);
  return rounded;
}

/** The name and the file of a method; the file may be empty. */
export function functionOf(
  { names }: LeanProfile['methods'],
  method: number,
): { readonly name: string; readonly file: string } {
  const { file, className, methodName } = names[method] ?? UNKNOWN;
  return { name: className === '' ? methodName : `${className}.${methodName}`, file };
}

const UNKNOWN = { file: '', className: '', methodName: '(unknown method)' };

/** ns for which each sample stands; undefined if they differ, or if there are too few stacks to tell. */
export function periodOf({ selfValues }: LeanProfile, { counted, value }: ProfileUnits): number | undefined {
  if (value?.unit !== 'ns' || counted.one !== 'sample') return undefined;
  const { length, count, time } = selfValues;
  let period = 0;
  let stacks = 0;
  for (let self = 0; self < length; self++) {
    const ns = time.ns[self];
    if (count[self] === 0 && ns === 0) continue;
    if (stacks++ === 0) period = ns / count[self];
    if (!Number.isSafeInteger(ns) || ns !== period * count[self]) return undefined;
  }
  return stacks > 1 && period > 0 && Number.isSafeInteger(period) ? period : undefined;
}
