/** Growth of typed-array columns. Every table grows all its columns together and exposes `length` itself. */

export const NONE = -1;

type GrowableColumn =
  Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/**
 * A copy of the `used` rows of `column` with room for `capacity` rows; the new rows are zero. Whoever has room for many
 * more rows than it uses says how many: a row that is copied, if only as zero, costs the memory that it had not cost yet.
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
 * `length` zeros, in the memory of `column` where that is large enough. Sums that are made anew a few times a second
 * would otherwise leave hundreds of megabytes behind before the collector looks: to it the arrays are small objects.
 */
export function zeroed<Column extends GrowableColumn>(column: Column, length: number): Column {
  const Constructor = column.constructor as new (
    buffer: ArrayBuffer | number,
    at?: number,
    length?: number,
  ) => Column;
  const room = column.buffer.byteLength / column.BYTES_PER_ELEMENT;
  if (room < length) return new Constructor(nextCapacity(room, length)).subarray(0, length) as Column;
  return new Constructor(column.buffer, 0, length).fill(0) as Column;
}

/** The same values and zeros after them, in the memory of `column` where that is large enough. */
export function extended<Column extends GrowableColumn>(column: Column, length: number): Column {
  const Constructor = column.constructor as new (buffer: ArrayBuffer, at: number, length: number) => Column;
  const room = column.buffer.byteLength / column.BYTES_PER_ELEMENT;
  if (room < length) return grown(column, nextCapacity(room, length)).subarray(0, length) as Column;
  // Beyond its length the memory may hold what was there before.
  return new Constructor(column.buffer, 0, length).fill(0, column.length) as Column;
}

/**
 * Gives the memory of columns back now, where the engine can; the columns are empty afterwards. Left to the collector,
 * hundreds of megabytes stay until something else needs them: it counts the objects, and these are few and small.
 */
export function release(...columns: readonly GrowableColumn[]): void {
  for (const { buffer } of columns) buffer.transfer?.(0);
}
