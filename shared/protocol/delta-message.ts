import type { LogId } from './messages.ts';

/** Bytes before the delta in a binary message: the log's id (u32, little-endian) and four bytes of zero. */
export const DELTA_PREFIX = 8;

/** Writes the log's id into the prefix of a delta that was encoded with DELTA_PREFIX free bytes. */
export function setLogOfDelta(message: ArrayBuffer, log: LogId): void {
  new DataView(message).setUint32(0, log, true);
}

export function logOfDelta(message: ArrayBuffer): LogId {
  return new DataView(message).getUint32(0, true) as LogId;
}
