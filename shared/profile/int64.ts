/**
 * A 64-bit integer (jmethodID, thread id, nanoseconds) is stored as two signed 32-bit halves. A JavaScript number is
 * exact only up to 2^53, so different ids above that could become equal. A bigint per frame would cost ten times as much
 * as all other decoding. Halves become a bigint or text only where a value is printed or computed with.
 */

/** The signed value of two halves. */
export function int64(hi: number, lo: number): bigint {
  return (BigInt(hi) << 32n) | BigInt(lo >>> 0);
}

/** The value as a signed decimal, without a bigint when it is a safe integer. */
export function int64Text(hi: number, lo: number): string {
  if (hi >= -0x200000 && hi < 0x200000) return String(hi * 0x100000000 + (lo >>> 0));
  return String(int64(hi, lo));
}

/** Order of the signed 64-bit values. */
export function compareInt64(aHi: number, aLo: number, bHi: number, bLo: number): number {
  return aHi - bHi || (aLo >>> 0) - (bLo >>> 0);
}

/** The nearest integer, a bigint if it is not a safe one; 0 for Infinity and NaN. */
export function nearestInteger(value: number): number | bigint {
  const nearest = Math.round(value);
  if (Number.isSafeInteger(nearest)) return nearest;
  return Number.isFinite(nearest) ? BigInt(nearest) : 0;
}

/** The exact sum: a bigint if it is not a safe integer. */
export function exactSum(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  const exact = BigInt(a) + BigInt(b);
  const nearest = Number(exact);
  return Number.isSafeInteger(nearest) ? nearest : exact;
}
