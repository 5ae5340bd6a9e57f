import { MessageCursor, type Range, Ranges, Texts, Wire } from '../../read/protobuf.ts';
import type { SymbolLocation, SymbolTables } from '../location-stack.ts';
import { int64 } from '../../profile/int64.ts';
import type { MemoryBudget } from '../../aggregate/memory-budget.ts';

interface Attribute {
  readonly key: string;
  readonly value: string | number;
}

/** The tables to which all profiles of a file refer by index. Entry 0 of a table stands for none. */
export class Dictionary implements SymbolTables {
  readonly functions: { readonly name: number; readonly file: number }[] = [];
  readonly locations: SymbolLocation[] = [];
  /** Messages with indexes of locations, leaf first. Empty in the older form, in which a profile has them. */
  readonly stacks: Ranges;
  /** Messages with the ids of a trace and a span. */
  readonly links: Ranges;
  readonly #input: Uint8Array;
  readonly #memory: MemoryBudget;
  readonly #texts: Texts;
  readonly #attributes: Ranges;
  readonly #decodedAttributes = new Map<number, Attribute>();

  /** Reading stops when the sink is full. */
  constructor(input: Uint8Array, memory: MemoryBudget) {
    this.#input = input;
    this.#memory = memory;
    this.stacks = new Ranges(memory);
    this.links = new Ranges(memory);
    this.#texts = new Texts(input, memory);
    this.#attributes = new Ranges(memory);
  }

  /** Reads the dictionary in input[from … to), up to what is invalid. */
  read(from: number, to: number): void {
    const cursor = new MessageCursor(this.#input, from, to);
    while (!this.#memory.isExceeded && cursor.next()) {
      if (cursor.wire !== Wire.bytes) continue;
      if (cursor.field === 2) this.#location(cursor);
      else if (cursor.field === 3) this.#function(cursor);
      else if (cursor.field === 4) this.links.push(cursor);
      else if (cursor.field === 5) this.#texts.push(cursor);
      else if (cursor.field === 6) this.#attributes.push(cursor);
      else if (cursor.field === 7) this.stacks.push(cursor);
    }
  }

  /** '' for an invalid index. */
  text(index: number): string {
    return this.#texts.at(index);
  }

  get attributeCount(): number {
    return this.#attributes.length;
  }

  /** Undefined for an invalid index. */
  attribute(index: number): Attribute | undefined {
    const known = this.#decodedAttributes.get(index);
    if (known !== undefined || index < 0 || index >= this.#attributes.length) return known;
    if (!this.#memory.keepRow()) return undefined;
    const attribute = this.#attribute(this.#attributes.at(index));
    this.#decodedAttributes.set(index, attribute);
    return attribute;
  }

  /** The id of a trace, or of a span, to which a link leads, in hexadecimal digits; '' for none. */
  idOfLink(index: number, of: 'trace_id' | 'span_id'): string {
    if (index <= 0 || index >= this.links.length) return '';
    const { from, to } = this.links.at(index);
    const cursor = new MessageCursor(this.#input, from, to);
    let digits = '';
    while (cursor.next())
      if (cursor.field === (of === 'trace_id' ? 1 : 2) && cursor.wire === Wire.bytes)
        digits = Array.from(this.#input.subarray(cursor.from, cursor.to), hexByte).join('');
    return /^0*$/.test(digits) ? '' : digits;
  }

  #attribute(range: Range): Attribute {
    const cursor = new MessageCursor(this.#input, range.from, range.to);
    let key = '';
    let value: string | number = '';
    while (cursor.next()) {
      // The key is an index, or in the older form a text.
      if (cursor.field === 1)
        key = cursor.wire === Wire.varint ? this.text(cursor.index) : this.#texts.decoded(cursor);
      if (cursor.field !== 2 || cursor.wire !== Wire.bytes) continue;
      const inner = new MessageCursor(this.#input, cursor.from, cursor.to);
      while (inner.next()) {
        if (inner.field === 1 && inner.wire === Wire.bytes) value = this.#texts.decoded(inner);
        else if (inner.wire !== Wire.varint) continue;
        else if (inner.field === 3) value = inner.number;
        else if (inner.field === 8) value = this.text(inner.index);
      }
    }
    return { key, value };
  }

  #function({ from, to }: Range): void {
    if (!this.#memory.keepRow()) return;
    const cursor = new MessageCursor(this.#input, from, to);
    let [name, systemName, file] = [0, 0, 0];
    while (cursor.next()) {
      if (cursor.wire !== Wire.varint) continue;
      if (cursor.field === 1) name = cursor.index;
      else if (cursor.field === 2) systemName = cursor.index;
      else if (cursor.field === 3) file = cursor.index;
    }
    this.functions.push({ name: name > 0 ? name : systemName, file });
  }

  #location({ from, to }: Range): void {
    if (!this.#memory.keepRow()) return;
    const cursor = new MessageCursor(this.#input, from, to);
    const lines: { function: number; line: number }[] = [];
    let address = '0x0';
    while (cursor.next()) {
      if (cursor.field === 2 && cursor.wire === Wire.varint)
        address = `0x${BigInt.asUintN(64, int64(cursor.hi, cursor.lo)).toString(16)}`;
      if (cursor.field !== 3 || cursor.wire !== Wire.bytes) continue;
      if (!this.#memory.keepRow()) return;
      const inner = new MessageCursor(this.#input, cursor.from, cursor.to);
      let [called, line] = [0, 0];
      while (inner.next()) {
        if (inner.wire !== Wire.varint) continue;
        if (inner.field === 1) called = inner.index;
        else if (inner.field === 2) line = inner.index;
      }
      lines.push({ function: Math.max(0, called), line });
    }
    this.locations.push({ lines, address });
  }
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
