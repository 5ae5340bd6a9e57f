import { MessageCursor, type Range, Ranges, Texts, Wire } from '../../read/protobuf.ts';
import type { SymbolLocation, SymbolTables } from '../location-stack.ts';
import type { SampleType } from '../value-types.ts';
import { Int64Index } from '../../aggregate/int64-index.ts';
import { int64 } from '../../profile/int64.ts';
import type { MemoryBudget } from '../../aggregate/memory-budget.ts';

/** Fields of a profile (profile.proto). */
const Field = {
  sampleType: 1,
  sample: 2,
  location: 4,
  function: 5,
  string: 6,
  timeNanos: 9,
  durationNanos: 10,
  comment: 13,
  defaultSampleType: 14,
} as const;

/** Type and unit of a value: indexes of strings. */
export interface ValueType {
  readonly type: number;
  readonly unit: number;
}

interface PprofLocation extends SymbolLocation {
  /** The location stands for several with the same symbols. */
  readonly isFolded: boolean;
}

/**
 * The tables of a profile. Messages are read in any order, because they may refer to later ones. Strings are decoded on
 * demand; samples are not copied.
 */
export class ProfileTables implements SymbolTables {
  readonly sampleTypes: ValueType[] = [];
  readonly samples: Ranges;
  readonly functions: { readonly name: number; readonly file: number }[] = [];
  readonly locations: PprofLocation[] = [];
  readonly comments: number[] = [];
  timeNanos = 0n;
  durationNanos = 0n;
  /** Index of a string, 0 for none. */
  defaultSampleType = 0;
  /** Number of invalid messages, which were skipped. */
  broken = 0;
  /** Number of fields of the profile. */
  fields = 0;
  /** Number of bytes in these fields. */
  accepted = 0;

  readonly #memory: MemoryBudget;
  readonly #texts: Texts;
  readonly #functionIds = new Int64Index();
  readonly #locationIds = new Int64Index();
  readonly #inner: MessageCursor;

  /** Reading stops when the sink is full. */
  constructor(input: Uint8Array, memory: MemoryBudget) {
    this.#memory = memory;
    this.samples = new Ranges(memory);
    this.#texts = new Texts(input, memory);
    this.#inner = new MessageCursor(input);
    const locations = new Ranges(memory);
    const cursor = new MessageCursor(input);
    while (!memory.isExceeded && cursor.next()) {
      this.#field(cursor, locations);
      this.fields++;
      this.accepted = cursor.at;
    }
    // Read last because their lines refer to functions, which usually come later.
    for (let row = 0; row < locations.length && !memory.isExceeded; row++) this.#location(locations.at(row));
  }

  /** '' for an invalid index. */
  text(index: number): string {
    return this.#texts.at(index);
  }

  /** A cursor for a message within another; borrowed until the next call. */
  cursor(from: number, to: number): MessageCursor {
    this.#inner.moveTo(from, to);
    return this.#inner;
  }

  /** The row of a location, or -1. */
  locationRow(hi: number, lo: number): number {
    return this.#locationIds.find(hi, lo);
  }

  #field(cursor: MessageCursor, locations: Ranges): void {
    const range = { from: cursor.from, to: cursor.to };
    const { field, wire } = cursor;
    if (wire === Wire.bytes) {
      if (field === Field.sampleType) this.#sampleType(range);
      else if (field === Field.sample) this.samples.push(range);
      else if (field === Field.location) locations.push(range);
      else if (field === Field.function) this.#function(range);
      else if (field === Field.string) this.#texts.push(range);
      else if (field === Field.comment) this.#comments(range);
    } else if (wire === Wire.varint) {
      if (field === Field.timeNanos) this.timeNanos = int64(cursor.hi, cursor.lo);
      else if (field === Field.durationNanos) this.durationNanos = int64(cursor.hi, cursor.lo);
      else if (field === Field.comment) this.#comment(cursor.index);
      else if (field === Field.defaultSampleType) this.defaultSampleType = cursor.index;
    }
  }

  #sampleType({ from, to }: Range): void {
    const inner = this.cursor(from, to);
    let [type, unit] = [0, 0];
    while (inner.next()) {
      if (inner.wire !== Wire.varint) continue;
      if (inner.field === 1) type = inner.index;
      if (inner.field === 2) unit = inner.index;
    }
    if (!this.#memory.keepRow()) return;
    // Added even if it is broken, because the types of a sample's values are given by their order.
    this.sampleTypes.push({ type, unit });
    if (inner.isBroken) this.broken++;
  }

  #function({ from, to }: Range): void {
    const inner = this.cursor(from, to);
    let [idHi, idLo, name, systemName, file] = [0, 0, 0, 0, 0];
    while (inner.next()) {
      if (inner.wire !== Wire.varint) continue;
      if (inner.field === 1) [idHi, idLo] = [inner.hi, inner.lo];
      else if (inner.field === 2) name = inner.index;
      else if (inner.field === 3) systemName = inner.index;
      else if (inner.field === 4) file = inner.index;
    }
    if (inner.isBroken || this.#functionIds.find(idHi, idLo) >= 0) {
      this.broken++;
      return;
    }
    if (!this.#memory.keepRow()) return;
    this.#functionIds.add(idHi, idLo);
    this.functions.push({ name: name > 0 ? name : systemName, file });
  }

  #location({ from, to }: Range): void {
    const inner = this.cursor(from, to);
    let [idHi, idLo] = [0, 0];
    let address = '0x0';
    let isFolded = false;
    const lines: Range[] = [];
    if (!this.#memory.keepRow()) return;
    while (inner.next()) {
      if (inner.field === 4 && inner.wire === Wire.bytes) {
        if (!this.#memory.keepRow()) return;
        lines.push({ from: inner.from, to: inner.to });
      }
      if (inner.wire !== Wire.varint) continue;
      if (inner.field === 1) [idHi, idLo] = [inner.hi, inner.lo];
      else if (inner.field === 3) address = `0x${BigInt.asUintN(64, int64(inner.hi, inner.lo)).toString(16)}`;
      else if (inner.field === 5) isFolded = inner.lo !== 0;
    }
    if (inner.isBroken || this.#locationIds.find(idHi, idLo) >= 0) {
      this.broken++;
      return;
    }
    this.#locationIds.add(idHi, idLo);
    this.locations.push({ address, lines: lines.map((line) => this.#line(line)), isFolded });
  }

  #line({ from, to }: Range): { function: number; line: number } {
    const inner = this.cursor(from, to);
    let [idHi, idLo, line] = [0, 0, 0];
    while (inner.next()) {
      if (inner.wire !== Wire.varint) continue;
      if (inner.field === 1) [idHi, idLo] = [inner.hi, inner.lo];
      else if (inner.field === 2) line = inner.index;
    }
    return { function: inner.isBroken ? -1 : this.#functionIds.find(idHi, idLo), line };
  }

  #comments({ from, to }: Range): void {
    const inner = this.cursor(from, to);
    while (inner.at < to && inner.varint() && !this.#memory.isExceeded) this.#comment(inner.index);
  }

  #comment(text: number): void {
    if (this.#memory.keepRow()) this.comments.push(text);
  }
}

export function sampleTypesOf(tables: ProfileTables): SampleType[] {
  const types = tables.sampleTypes.map(({ type, unit }, at) => ({
    at,
    name: tables.text(type) || 'samples',
    unit: tables.text(unit) || 'count',
  }));
  const withName = new Map<string, number>();
  for (const { name } of types) withName.set(name, (withName.get(name) ?? 0) + 1);
  const ids = new Set<string>();
  return types.map((type) => {
    let id = (withName.get(type.name) ?? 0) > 1 ? `${type.name}-${type.unit}` : type.name;
    while (ids.has(id)) id += `-${type.at}`;
    ids.add(id);
    return { ...type, id };
  });
}

/** The sample type that pprof shows first: the default of the profile, or the last one. */
export function defaultSampleType(
  types: readonly SampleType[],
  tables: ProfileTables,
): SampleType | undefined {
  const name = tables.text(tables.defaultSampleType);
  return types.find((type) => name !== '' && type.name === name) ?? types[types.length - 1];
}

/** Indexes of the types of which a sample has a value other than 0. `enough`: stop when this one is among them. */
export function typesWithValues(input: Uint8Array, tables: ProfileTables, enough: number): Set<number> {
  const found = new Set<number>();
  const cursor = new MessageCursor(input);
  const { samples } = tables;
  const types = tables.sampleTypes.length;
  for (let row = 0; row < samples.length && !found.has(enough); row++) {
    let value = 0;
    cursor.moveTo(samples.from[row], samples.to[row]);
    while (cursor.next()) {
      if (cursor.field !== 2) continue;
      if (cursor.wire === Wire.varint && (cursor.hi | cursor.lo) !== 0 && value < types) found.add(value);
      if (cursor.wire === Wire.varint) value++;
      if (cursor.wire !== Wire.bytes) continue;
      const inner = new MessageCursor(input, cursor.from, cursor.to);
      for (; inner.at < cursor.to && inner.varint(); value++)
        if ((inner.hi | inner.lo) !== 0 && value < types) found.add(value);
    }
  }
  return found;
}
