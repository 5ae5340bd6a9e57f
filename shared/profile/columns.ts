/** Growth of typed-array columns. Every table grows all its columns together and exposes `length` itself. */

export const NONE = -1;

type GrowableColumn =
  Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/**
 * A copy of the first `used` rows of `column` with a capacity of `capacity` rows; the others are zero. Pass `used` when
 * the column is far larger: a copied page takes physical memory, even if it holds only zeros.
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
 * The capacity to grow to so that `needed` rows fit: half as much again, so that appending stays O(1) amortised and
 * at most a third of the memory is idle. Zero pages that are never written cost no physical memory, so a caller that
 * can estimate the final size should `reserve` it instead of growing step by step.
 */
export function nextCapacity(current: number, needed: number): number {
  return Math.max(needed, current + (current >>> 1), 64);
}

/**
 * `length` zeros, in the memory of `column` if it is large enough. Sums are computed several times a second; new arrays
 * each time would pile up to hundreds of megabytes, because the garbage collector counts only the small array objects.
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

/** The same values and zeros after them, in the memory of `column` if it is large enough. */
export function extended<Column extends GrowableColumn>(column: Column, length: number): Column {
  const Constructor = column.constructor as new (buffer: ArrayBuffer, at: number, length: number) => Column;
  const capacity = column.buffer.byteLength / column.BYTES_PER_ELEMENT;
  if (capacity < length) return grown(column, nextCapacity(capacity, length)).subarray(0, length) as Column;
  // Beyond its length the memory may hold old values.
  return new Constructor(column.buffer, 0, length).fill(0, column.length) as Column;
}

/**
 * Frees the memory of columns at once if the engine can; they are empty afterwards. The garbage collector would keep
 * hundreds of megabytes for a long time, because it counts only the few small array objects.
 */
export function release(...columns: readonly GrowableColumn[]): void {
  for (const { buffer } of columns) buffer.transfer?.(0);
}
