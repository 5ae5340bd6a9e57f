/**
 * Honest Profiler records, written as specified:
 *
 *   log(thread(7, 'main'), trace(7, 1.5, frame(0x10, 3, 12), method(0x10, 'Shop.java', 'LShop;', 'main')))
 */
export type Bytes = Uint8Array<ArrayBuffer>;

export function log(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const bytes = (...values: readonly number[]): Bytes => new Uint8Array(values);
export const zeros = (count: number): Bytes => new Uint8Array(count);

export function i32(value: number): Bytes {
  const field = new Uint8Array(4);
  new DataView(field.buffer).setInt32(0, value);
  return field;
}

export function i64(value: bigint | number): Bytes {
  const field = new Uint8Array(8);
  new DataView(field.buffer).setBigInt64(0, BigInt(value));
  return field;
}

export function str(text: string): Bytes {
  const encoded = new TextEncoder().encode(text);
  return log(i32(encoded.length), encoded);
}

/** A record without text, in one buffer: some tests write hundreds of thousands of them. */
function record(type: number, length: number, write: (fields: DataView) => void): Bytes {
  const whole = new Uint8Array(1 + length);
  whole[0] = type;
  write(new DataView(whole.buffer, 1));
  return whole;
}

/** Type 11. `numFrames` counts frames, not the method definitions between them. */
export const traceStart = (numFrames: number, threadId: bigint | number, seconds: number): Bytes =>
  record(11, 28, (fields) => {
    const whole = Math.floor(seconds);
    fields.setInt32(0, numFrames);
    fields.setBigInt64(4, BigInt(threadId));
    fields.setBigInt64(12, BigInt(whole));
    fields.setBigInt64(20, BigInt(Math.round((seconds - whole) * 1e9)));
  });

/** Type 1. */
export const oldTraceStart = (numFrames: number, threadId: bigint | number): Bytes =>
  log(bytes(1), i32(numFrames), i64(threadId));

/** Type 21. */
export const frame = (methodId: bigint | number, bci: number, line: number): Bytes =>
  record(21, 16, (fields) => {
    fields.setInt32(0, bci);
    fields.setInt32(4, line);
    fields.setBigInt64(8, BigInt(methodId));
  });

/** Type 2. */
export const bciFrame = (methodId: bigint | number, bci: number): Bytes =>
  record(2, 12, (fields) => {
    fields.setInt32(0, bci);
    fields.setBigInt64(4, BigInt(methodId));
  });

/** Type 31, without generic signatures. */
export const method = (
  methodId: bigint | number,
  file: string,
  classSignature: string,
  name: string,
): Bytes =>
  log(bytes(31), i64(methodId), str(file), str(classSignature), str(''), str(name), str('()V'), str(''));

/** Type 3. */
export const oldMethod = (methodId: bigint | number, file: string, className: string, name: string): Bytes =>
  log(bytes(3), i64(methodId), str(file), str(className), str(name));

/** Type 4. */
export const thread = (threadId: bigint | number, name: string): Bytes =>
  log(bytes(4), i64(threadId), str(name));

/** A trace start and its records, leaf first; it announces as many frames as there are among them. */
export function trace(threadId: bigint | number, seconds: number, ...records: readonly Bytes[]): Bytes {
  const numFrames = records.filter((record) => record[0] === 21 || record[0] === 2).length;
  return log(traceStart(numFrames, threadId, seconds), ...records);
}
