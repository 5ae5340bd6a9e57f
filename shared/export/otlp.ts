import { NONE } from '../profile/columns.ts';
import { int64 } from '../profile/int64.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { type TimeSpan, withinTest } from '../engine/values/time-range.ts';
import type { TimedSamples } from '../engine/views/row-times.ts';
import { sampleSpan } from '../profile/sample-table.ts';
import type { SelfTable } from '../profile/self-table.ts';
import { isDate } from '../scope/time-range.ts';
import { type ByteSink, type ExportWriter, roundedCounts } from './export-input.ts';
import { MessageWriter, Strings } from './binary-writer.ts';
import { functionOf, periodOf, type PprofOptions, spanOf } from './pprof.ts';

/** Fields of opentelemetry-proto 1.10 and 1.11, profiles/v1development. */
const Data = { resourceProfiles: 1, dictionary: 2 } as const;
/** Fields of ResourceProfiles and of ScopeProfiles, which are alike: what they are of, and their members. */
const Group = { of: 1, members: 2 } as const;
const Profile = { sampleType: 1, sample: 2, time: 3, duration: 4, periodType: 5, period: 6, id: 7 } as const;
const Sample = { stack: 1, attributes: 2, values: 4, times: 5 } as const;
const Table = { mapping: 1, location: 2, function: 3, link: 4, string: 5, attribute: 6, stack: 7 } as const;

interface OtlpOptions extends PprofOptions {
  /** The name of the service; undefined: the receiver calls it unknown. */
  readonly service?: string | undefined;
  /** The samples of the profile with their times; undefined: these are not known. */
  readonly timed?: TimedSamples | undefined;
}

export const writeOtlp: ExportWriter = (input, sink, addNote) =>
  addNote(
    exportOtlp(input.profile, { units: input.units, span: spanOf(input), timed: input.timed?.() }, sink),
    roundedCounts,
  );

/**
 * Writes the complete profile as a message of OpenTelemetry, not compressed: a profile of counts, and one of values if there
 * are some, with a sample for each call node that has such a value of its own. Their stacks and names are in one
 * dictionary. Counts are integers there; others are rounded, and the number of rounded counts is returned. BCIs are left out.
 * The message is put together in memory, because its parts begin with their length.
 *
 * Where times since 1970 are known, a sample has those at which it was taken: eight bytes each, and in the profile of values
 * its value besides. What has no time is a sample of its own.
 *
 *   profile      samples/count         sample: stack 3, value 17, attributes 1 2
 *   profile      time/nanoseconds      sample: stack 3, value 170000000, attributes 1 2
 *   dictionary   stack 3: locations 3 2 1      location 3: function 2 line 12      attribute 1: thread.name = main
 */
export function exportOtlp(profile: LeanProfile, options: OtlpOptions, sink: ByteSink): number {
  const { units, span, timed } = options;
  const { selfValues } = profile;
  const strings = new Strings();
  const dictionary = new MessageWriter();
  const attributesOf = writeAttributes(profile, strings, dictionary);
  const group = new MessageWriter();
  scopeOf(options, group);
  let rounded = 0;
  const scope = new MessageWriter();
  scope.raw(nameOf('leanscope'));
  const counts = new MessageWriter();
  typed(counts, Profile.sampleType, strings, units.counted.many.replaceAll(' ', '_'), 'count');
  const stamped = timed && stampsOf(timed, selfValues);
  writeSamples(profile, attributesOf, counts, {
    valueOf: (self) => {
      const count = Math.round(selfValues.count[self]);
      if (count !== selfValues.count[self]) rounded++;
      return BigInt(count);
    },
    stamps: stamped?.counts,
  });
  endProfile(counts, span);
  scope.message(Group.members, counts);
  const { value } = units;
  if (value !== undefined) {
    const name = value.name.toLowerCase().replaceAll(' ', '_');
    const values = new MessageWriter();
    typed(values, Profile.sampleType, strings, name, value.unit === 'ns' ? 'nanoseconds' : 'bytes');
    writeSamples(profile, attributesOf, values, {
      valueOf: (self) => selfValues.time.exact(self),
      stamps: stamped?.values,
    });
    const period = periodOf(profile, units);
    if (period !== undefined) {
      typed(values, Profile.periodType, strings, name, 'nanoseconds');
      values.integer(Profile.period, period);
    }
    endProfile(values, span);
    scope.message(Group.members, values);
  }
  group.message(Group.members, scope);
  const out = new MessageWriter();
  out.message(Data.resourceProfiles, group);
  sink(out.take(), 1 / 2);
  writeDictionary(profile, strings, dictionary);
  out.message(Data.dictionary, dictionary);
  sink(out.take(), 1);
  return rounded;
}

/** The resource of the profiles: an attribute with the name of the service. */
function scopeOf({ service }: OtlpOptions, group: MessageWriter): void {
  if (service === undefined) return;
  const [resource, attribute, value] = [new MessageWriter(), new MessageWriter(), new MessageWriter()];
  value.text(1, service);
  attribute.text(1, 'service.name');
  attribute.message(2, value);
  resource.message(1, attribute);
  group.message(Group.of, resource);
}

/** The instrumentation scope. */
function nameOf(scope: string): Uint8Array {
  const [name, field] = [new MessageWriter(), new MessageWriter()];
  name.text(1, scope);
  field.message(Group.of, name);
  return field.take();
}

function typed(out: MessageWriter, field: number, strings: Strings, name: string, unit: string): void {
  const type = new MessageWriter();
  type.integer(1, strings.index(name));
  type.integer(2, strings.index(unit));
  out.message(field, type);
}

interface WrittenValues {
  /** Row of the SelfTable -> its value. */
  readonly valueOf: (self: number) => bigint;
  readonly stamps: Stamps | undefined;
}

/** Samples with their times by row of the SelfTable: those of row 1 are `start[1]` to `start[2]`. */
interface Stamps {
  readonly start: Int32Array;
  /** ns since 1970. */
  readonly times: BigInt64Array;
  /** undefined: each is 1. */
  readonly values: BigInt64Array | undefined;
}

/**
 * A sample for each call node whose value is not 0, with the times of those that have one, and one for the rest. Its stack
 * has the number of the row of the node's values, from 1 on.
 */
function writeSamples(
  { nodes, selfValues }: LeanProfile,
  attributesOf: readonly Uint8Array[],
  out: MessageWriter,
  { valueOf, stamps }: WrittenValues,
): void {
  const [sample, packed] = [new MessageWriter(), new MessageWriter()];
  for (let self = 0; self < selfValues.length; self++) {
    let rest = valueOf(self);
    let node = selfValues.node[self];
    while (nodes.parent[node] !== NONE) node = nodes.parent[node];
    const begin = (): void => {
      sample.integer(Sample.stack, self + 1);
      sample.bytes(Sample.attributes, attributesOf[~nodes.frame[node]]);
    };
    const [first, end] = stamps === undefined ? [0, 0] : [stamps.start[self], stamps.start[self + 1]];
    if (stamps !== undefined && end > first) {
      begin();
      for (let at = first; at < end; at++) {
        const value = stamps.values?.[at] ?? 1n;
        rest -= value;
        if (stamps.values !== undefined) packed.varint(value);
      }
      if (stamps.values !== undefined) sample.message(Sample.values, packed);
      const times = stamps.times.subarray(first, end);
      sample.bytes(Sample.times, new Uint8Array(times.buffer, times.byteOffset, times.byteLength));
      out.message(Profile.sample, sample);
    }
    if (rest === 0n) continue;
    begin();
    packed.varint(rest);
    sample.message(Sample.values, packed);
    out.message(Profile.sample, sample);
  }
}

/** The times of samples and of their values; undefined without a date, because only a time since 1970 is one there. O(samples). */
function stampsOf(
  { samples, bounds, leaves }: TimedSamples,
  selfValues: SelfTable,
): { readonly counts: Stamps; readonly values: Stamps } | undefined {
  const span = sampleSpan(samples);
  if (span === undefined || !isDate(span.first)) return undefined;
  const isWithin = withinTest(samples, bounds);
  const selfOf = leaves.map((leaf) => (leaf === NONE ? NONE : selfValues.find(leaf)));
  const { self, valueSelf = self, value, length } = samples;
  const byRow = (of: Int32Array, hasValues: boolean): Stamps => {
    const rowOf = (row: number): number =>
      of[row] < selfOf.length && isWithin(row) ? selfOf[of[row]] : NONE;
    const start = new Int32Array(selfValues.length + 1);
    for (let row = 0; row < length; row++) if (rowOf(row) !== NONE) start[rowOf(row) + 1]++;
    for (let at = 0; at < selfValues.length; at++) start[at + 1] += start[at];
    const next = start.slice();
    const times = new BigInt64Array(start[selfValues.length]);
    const values = hasValues ? new BigInt64Array(times.length) : undefined;
    for (let row = 0; row < length; row++) {
      const into = rowOf(row);
      if (into === NONE) continue;
      const at = next[into]++;
      times[at] = samples.timeOf(row);
      if (values !== undefined) values[at] = value.exact(row);
    }
    return { start, times, values };
  };
  return { counts: byRow(self, false), values: byRow(valueSelf, true) };
}

/** The times of a profile, and an id that tells it from others: one that is sent again has the same. */
function endProfile(out: MessageWriter, span: TimeSpan | undefined): void {
  // Only a time since 1970 is one for OpenTelemetry.
  if (span !== undefined && span.from > 0n) {
    out.fixed64(Profile.time, span.from);
    out.integer(Profile.duration, span.to - span.from);
  }
  const id = Uint32Array.of(0x811c9dc5, 0x01000193, 0x9e3779b1, 0x85ebca6b);
  for (const byte of out.written)
    for (let part = 0; part < id.length; part++) id[part] = Math.imul(id[part] ^ byte, 0x01000193 + 2 * part);
  out.bytes(Profile.id, new Uint8Array(id.buffer));
}

/** Writes the attributes of threads. Returns for each thread the packed numbers of its own. */
function writeAttributes(
  { threads }: LeanProfile,
  strings: Strings,
  dictionary: MessageWriter,
): Uint8Array[] {
  const [attribute, value, packed] = [new MessageWriter(), new MessageWriter(), new MessageWriter()];
  let attributes = 0;
  const add = (key: string): void => {
    if (key !== '') attribute.integer(1, strings.index(key));
    attribute.message(2, value);
    dictionary.message(Table.attribute, attribute);
    if (attributes++ > 0) packed.varint(attributes - 1);
  };
  // The first entry of each table stands for nothing.
  add('');
  return threads.name.map((name, row) => {
    if (name !== undefined && name !== '') {
      value.text(1, name);
      add('thread.name');
    }
    value.integer(3, int64(threads.idHi[row], threads.idLo[row]));
    add('thread.id');
    return packed.take();
  });
}

function writeDictionary(
  { methods, frames, nodes, selfValues }: LeanProfile,
  strings: Strings,
  out: MessageWriter,
): void {
  const [row, inner] = [new MessageWriter(), new MessageWriter()];
  for (const table of [Table.mapping, Table.location, Table.function, Table.link, Table.stack])
    out.message(table, row);
  for (let frame = 0; frame < frames.length; frame++) {
    inner.integer(1, frames.method[frame] + 1);
    if (frames.line[frame] > 0) inner.integer(2, frames.line[frame]);
    row.message(3, inner);
    out.message(Table.location, row);
  }
  for (let method = 0; method < methods.length; method++) {
    const { file, name } = functionOf(methods, method);
    if (name !== '') row.integer(1, strings.index(name));
    if (file !== '') row.integer(3, strings.index(file));
    out.message(Table.function, row);
  }
  for (let self = 0; self < selfValues.length; self++) {
    for (let node = selfValues.node[self]; nodes.parent[node] !== NONE; node = nodes.parent[node])
      inner.varint(nodes.frame[node] + 1);
    row.message(1, inner);
    out.message(Table.stack, row);
  }
  for (const text of strings.texts) out.text(Table.string, text);
}
