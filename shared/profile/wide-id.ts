/**
 * A 64-bit id of the log (jmethodID, thread id) as two signed 32-bit halves. A JS number would merge neighbours above
 * 2^53; a bigint per frame would cost ten times the rest of decoding. So: halves inside, bigint only at the edge.
 */

export function wideId(hi: number, lo: number): bigint {
  return (BigInt(hi) << 32n) | BigInt(lo >>> 0);
}

export function highHalf(id: bigint): number {
  return Number(BigInt.asIntN(32, id >> 32n));
}

export function lowHalf(id: bigint): number {
  return Number(BigInt.asIntN(32, id));
}

/** The id as a signed decimal, without a bigint when it fits a safe integer. */
export function wideIdText(hi: number, lo: number): string {
  if (hi >= -0x200000 && hi < 0x200000) return String(hi * 0x100000000 + (lo >>> 0));
  return String(wideId(hi, lo));
}

/** Order of the signed 64-bit values. */
export function compareWideIds(aHi: number, aLo: number, bHi: number, bLo: number): number {
  return aHi - bHi || (aLo >>> 0) - (bLo >>> 0);
}
