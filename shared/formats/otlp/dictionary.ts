import { int64 } from '../../profile/int64.ts';
import { MessageCursor, Wire } from '../pprof/message-cursor.ts';

/** Bytes of the input. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface OtlpLocation {
  /** Leaf first; several if functions are inlined. */
  readonly lines: readonly { readonly function: number; readonly line: number }[];
  /** Address of the machine code, as text. */
  readonly address: string;
}

interface Attribute {
  readonly key: string;
  readonly value: string | number;
}

/** The tables to which all profiles of a file refer by index. Entry 0 of a table stands for none. */
export class Dictionary {
  readonly functions: { readonly name: number; readonly file: number }[] = [];
  readonly locations: OtlpLocation[] = [];
  /** Indexes of locations, leaf first. Empty in the older form, in which a profile has them. */
  readonly stacks: (readonly number[])[] = [];
  readonly #input: Uint8Array;
  readonly #strings: Range[] = [];
  readonly #texts: (string | undefined)[] = [];
  readonly #attributes: Range[] = [];
  readonly #decodedAttributes: (Attribute | undefined)[] = [];

  constructor(input: Uint8Array) {
    this.#input = input;
  }

  /** Reads the dictionary in input[from … to). False if it is invalid. */
  read(from: number, to: number): boolean {
    const cursor = new MessageCursor(this.#input, from, to);
    while (cursor.next()) {
      if (cursor.wire !== Wire.bytes) continue;
      const range = { from: cursor.from, to: cursor.to };
      if (cursor.field === 2) this.locations.push(this.#location(range));
      else if (cursor.field === 3) this.functions.push(this.#function(range));
      else if (cursor.field === 5) this.#strings.push(range);
      else if (cursor.field === 6) this.#attributes.push(range);
      else if (cursor.field === 7) this.stacks.push(numbersOf(this.#input, range, 1));
    }
    return !cursor.isBroken;
  }

  /** '' for an invalid index. */
  text(index: number): string {
    const range = this.#strings[index] as Range | undefined;
    return range === undefined ? '' : (this.#texts[index] ??= this.#decoded(range));
  }

  /** Undefined for an invalid index. */
  attribute(index: number): Attribute | undefined {
    const range = this.#attributes[index] as Range | undefined;
    if (range === undefined) return undefined;
    return (this.#decodedAttributes[index] ??= this.#attribute(range));
  }

  #attribute(range: Range): Attribute {
    const cursor = new MessageCursor(this.#input, range.from, range.to);
    let key = '';
    let value: string | number = '';
    while (cursor.next()) {
      // The key is an index, or in the older form a text.
      if (cursor.field === 1)
        key = cursor.wire === Wire.varint ? this.text(cursor.index) : this.#decoded(cursor);
      if (cursor.field !== 2 || cursor.wire !== Wire.bytes) continue;
      const inner = new MessageCursor(this.#input, cursor.from, cursor.to);
      while (inner.next()) {
        if (inner.field === 1 && inner.wire === Wire.bytes) value = this.#decoded(inner);
        else if (inner.field === 3 && inner.wire === Wire.varint) value = inner.number;
      }
    }
    return { key, value };
  }

  #decoded({ from, to }: Range): string {
    return new TextDecoder().decode(this.#input.subarray(from, to));
  }

  #function({ from, to }: Range): { name: number; file: number } {
    const cursor = new MessageCursor(this.#input, from, to);
    let [name, systemName, file] = [0, 0, 0];
    while (cursor.next()) {
      if (cursor.wire !== Wire.varint) continue;
      if (cursor.field === 1) name = cursor.index;
      else if (cursor.field === 2) systemName = cursor.index;
      else if (cursor.field === 3) file = cursor.index;
    }
    return { name: name > 0 ? name : systemName, file };
  }

  #location({ from, to }: Range): OtlpLocation {
    const cursor = new MessageCursor(this.#input, from, to);
    const lines: { function: number; line: number }[] = [];
    let address = '0x0';
    while (cursor.next()) {
      if (cursor.field === 2 && cursor.wire === Wire.varint)
        address = `0x${BigInt.asUintN(64, int64(cursor.hi, cursor.lo)).toString(16)}`;
      if (cursor.field !== 3 || cursor.wire !== Wire.bytes) continue;
      const inner = new MessageCursor(this.#input, cursor.from, cursor.to);
      let [called, line] = [0, 0];
      while (inner.next()) {
        if (inner.wire !== Wire.varint) continue;
        if (inner.field === 1) called = inner.index;
        else if (inner.field === 2) line = inner.index;
      }
      lines.push({ function: called, line });
    }
    return { lines, address };
  }
}

/** The integers of a repeated field of a message, packed or not; the nearest doubles beyond 2^53. */
export function numbersOf(input: Uint8Array, message: Range, field: number): number[] {
  const numbers: number[] = [];
  eachVarint(input, message, field, (cursor) => numbers.push(cursor.number));
  return numbers;
}

/** The same, exact: bigints for those that are not safe integers. */
export function integersOf(input: Uint8Array, message: Range, field: number): (number | bigint)[] {
  const integers: (number | bigint)[] = [];
  eachVarint(input, message, field, (cursor) => integers.push(cursor.integer));
  return integers;
}

function eachVarint(
  input: Uint8Array,
  { from, to }: Range,
  field: number,
  take: (cursor: MessageCursor) => void,
): void {
  const cursor = new MessageCursor(input, from, to);
  while (cursor.next()) {
    if (cursor.field !== field) continue;
    if (cursor.wire === Wire.varint) take(cursor);
    if (cursor.wire !== Wire.bytes) continue;
    const packed = new MessageCursor(input, cursor.from, cursor.to);
    while (packed.at < cursor.to && packed.varint()) take(packed);
  }
}
