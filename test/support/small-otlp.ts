/** Which version of the development: see SampleFields. */
export type OtlpForm = 'range' | 'values' | 'links';

/** A field of a protobuf message: its number, and a varint, eight bytes, or a text or message. */
export type MessageField = readonly [field: number, value: number | bigint | string | Uint8Array];

/** Bytes of a protobuf message. */
export function message(...fields: readonly MessageField[]): Uint8Array {
  return Buffer.concat(
    fields.map(([field, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(field << 3), varint(value)]);
      if (typeof value === 'bigint')
        return Buffer.concat([varint((field << 3) | 1), new Uint8Array(BigInt64Array.of(value).buffer)]);
      const bytes = Buffer.from(value);
      return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
    }),
  );
}

export function varint(value: number | bigint): Uint8Array {
  const bytes = [];
  let left = BigInt(value);
  for (; left >= 0x80n; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  return Uint8Array.from([...bytes, Number(left)]);
}

export const packed = (...values: readonly (number | bigint)[]): Uint8Array =>
  Buffer.concat(values.map(varint));

/**
 * Two profiles, of samples and of nanoseconds. A stack of two locations, one with an inlined function; a stack of a
 * location without lines; a thread with name and number, and one without.
 */
export function otlpProfile(form: OtlpForm): Uint8Array {
  const texts = [
    '',
    'java.util.HashMap.get',
    'shop.Cart.put',
    'Cart.java',
    'shop/Main.main',
    'samples',
    'count',
    'cpu',
    'nanoseconds',
    'thread.name',
    'thread.id',
  ];
  const text = (value: string): number => texts.indexOf(value);
  const called = (name: string, file = ''): Uint8Array => message([1, text(name)], [3, text(file)]);
  const line = (called: number, number: number): Uint8Array => message([1, called], [2, number]);
  const attribute = (key: string, value: Uint8Array): Uint8Array =>
    message([1, form === 'range' ? key : text(key)], [2, value]);
  const dictionary = message(
    [2, message()],
    [2, message([3, line(1, 12)], [3, line(2, 30)])],
    [2, message([3, line(3, 0)])],
    [2, message([2, 0xbeef])],
    [3, message()],
    [3, called('java.util.HashMap.get')],
    [3, called('shop.Cart.put', 'Cart.java')],
    [3, called('shop/Main.main')],
    ...[message(), message([1, new Uint8Array(16).fill(1)])].map((link) => [4, link] as const),
    ...texts.map((each) => [5, each] as const),
    [6, message()],
    [6, attribute('thread.name', message([1, 'main']))],
    [6, attribute('thread.id', message([3, 7]))],
    ...(form === 'range'
      ? []
      : [
          [7, message()] as const,
          [7, message([1, packed(1, 2)])] as const,
          [7, message([1, packed(3)])] as const,
        ]),
  );
  const sample = (stack: number, value: number, attributes: readonly number[]): Uint8Array => {
    if (form === 'range')
      return message(
        [1, stack === 1 ? 0 : 2],
        [2, stack === 1 ? 2 : 1],
        [3, packed(value)],
        [4, packed(...attributes)],
      );
    return form === 'values'
      ? message([1, stack], [2, packed(value)], [3, packed(...attributes)])
      : message([1, stack], [2, packed(...attributes)], [3, 1], [4, packed(value)]);
  };
  const profile = (type: string, unit: string, scale: number): Uint8Array =>
    message(
      [1, message([1, text(type)], [2, text(unit)])],
      [2, sample(1, 3 * scale, [1, 2])],
      [2, sample(2, 2 * scale, [])],
      ...(form === 'range' ? [[3, packed(1, 2, 3)] as const] : []),
      [form === 'range' ? 5 : 4, 5_000],
    );
  const scope = message(
    [1, message([1, 'async-profiler'])],
    [2, profile('samples', 'count', 1)],
    [2, profile('cpu', 'nanoseconds', 1_000)],
  );
  return message([1, message([1, message()], [2, scope])], [2, dictionary]);
}

/** Messages as a collector writes them into a file: each behind its length. */
export function otlpSeries(messages: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(
    messages.flatMap((each) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(each.length);
      return [length, each];
    }),
  );
}
