/** Growth of typed arrays that are columns of a table. A table grows all its columns together and stores its length. */

export const NONE = -1;

/**
 * Rows of a new table, before it grows. Most tables stay small, and a decoder makes dozens of them: V8 keeps arrays of up
 * to 64 bytes in its heap, while a larger one costs as much as reading some hundred bytes of input.
 */
export const FIRST_ROWS = 8;
/** Slots of a new hash table with open addressing, for the same reason. */
export const FIRST_SLOTS = 16;

type GrowableColumn =
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/**
 * A copy of the first `used` rows of `column` with a capacity of `capacity` rows; the others are zero. Pass `used` if the
 * column is far longer: copying unused rows would make their memory pages physical.
 */
export function grown<Column extends GrowableColumn>(
  column: Column,
  capacity: number,
  used = column.length,
): Column {
  const Constructor = column.constructor as new (length: number) => Column;
  const larger = new Constructor(capacity);
  larger.set(used < column.length ? column.subarray(0, used) : column);
  return larger;
}

/**
 * The next capacity for `needed` rows: at least 1.5 times the current one, so that appending is O(1) amortised and at
 * most a third of the memory is unused. Pages that are never written cost no physical memory, so a caller that can
 * estimate the final size should `reserve` it instead of growing step by step.
 */
export function nextCapacity(current: number, needed: number): number {
  return Math.max(needed, current + (current >>> 1), 64);
}

/**
 * `length` zeros, in the memory of `column` if it is large enough. Sums are computed several times a second. With new
 * arrays each time, hundreds of megabytes of garbage would accumulate, because the collector counts only the small
 * array objects.
 */
export function zeroed<Column extends GrowableColumn>(column: Column, length: number): Column {
  const Constructor = column.constructor as new (
    buffer: ArrayBuffer | number,
    at?: number,
    length?: number,
  ) => Column;
  const capacity = column.buffer.byteLength / column.BYTES_PER_ELEMENT;
  if (capacity < length) return new Constructor(nextCapacity(capacity, length)).subarray(0, length) as Column;
  return new Constructor(column.buffer, 0, length).fill(0) as Column;
}

/** The values of `column` and zeros after them, in its memory if that is large enough. */
export function extended<Column extends GrowableColumn>(column: Column, length: number): Column {
  const Constructor = column.constructor as new (buffer: ArrayBuffer, at: number, length: number) => Column;
  const capacity = column.buffer.byteLength / column.BYTES_PER_ELEMENT;
  if (capacity < length) return grown(column, nextCapacity(capacity, length)).subarray(0, length) as Column;
  // The memory after the column may contain old values.
  return new Constructor(column.buffer, 0, length).fill(0, column.length) as Column;
}

/**
 * Frees the memory of columns at once if the engine supports it; they are empty afterwards. The garbage collector would
 * keep hundreds of megabytes for a long time, because it counts only the small array objects.
 */
export function release(...columns: readonly GrowableColumn[]): void {
  for (const { buffer } of columns) buffer.transfer?.(0);
}
