const WORD = 0x1_0000_0000;
/** Seconds whose nanoseconds fit 64 bits: until 2262, and as long before 1970. */
const MAX_SECONDS = 9_223_372_035;

/** Sets hi[at] and lo[at] to the halves of seconds·10⁹ + nanoseconds; to 0 if out of range. */
export function nanosecondsOf(
  seconds: number,
  nanoseconds: number,
  hi: Int32Array,
  lo: Int32Array,
  at: number,
): void {
  if (!(Math.abs(seconds) <= MAX_SECONDS)) {
    hi[at] = 0;
    lo[at] = 0;
    return;
  }
  // Split as s = a·2^16 + b, so that each product stays below 2^53.
  const high = Math.floor(seconds / 65_536);
  const low = seconds - high * 65_536;
  const top = high * 1e9;
  const topHigh = Math.floor(top / 65_536);
  const rest = (top - topHigh * 65_536) * 65_536 + low * 1e9 + nanoseconds;
  hi[at] = (topHigh + Math.floor(rest / WORD)) | 0;
  lo[at] = rest | 0;
}

const ZERO = 0x30;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;

/**
 * Reads a decimal integer into hi[at] and lo[at]; digits after a decimal point are ignored. False if bytes[from … to)
 * is not a number or does not fit 64 bits.
 */
export function readInteger(
  bytes: Uint8Array,
  from: number,
  to: number,
  hi: Int32Array,
  lo: Int32Array,
  at: number,
): boolean {
  const isNegative = bytes[from] === MINUS;
  let offset = isNegative || bytes[from] === PLUS ? from + 1 : from;
  const first = offset;
  let high = 0;
  let low = 0;
  for (; offset < to; offset++) {
    const digit = bytes[offset] - ZERO;
    if (!(digit >= 0 && digit <= 9)) {
      if (bytes[offset] === POINT) break;
      return false;
    }
    low = low * 10 + digit;
    const carried = Math.floor(low / WORD);
    low -= carried * WORD;
    high = high * 10 + carried;
    if (high > 0xffff_ffff) return false;
  }
  if (offset === first) return false;
  if (isNegative) {
    high = -high - (low > 0 ? 1 : 0);
    low = low > 0 ? WORD - low : 0;
  }
  hi[at] = high | 0;
  lo[at] = low | 0;
  return true;
}

/**
 * Reads decimal seconds as nanoseconds, exactly: digits after the ninth behind the point are ignored. False if it is
 * not a number.
 */
export function readSeconds(
  bytes: Uint8Array,
  from: number,
  to: number,
  hi: Int32Array,
  lo: Int32Array,
  at: number,
): boolean {
  const isNegative = bytes[from] === MINUS;
  let offset = isNegative || bytes[from] === PLUS ? from + 1 : from;
  const first = offset;
  let seconds = 0;
  let nanoseconds = 0;
  let unit = 0;
  for (; offset < to; offset++) {
    const byte = bytes[offset];
    const digit = byte - ZERO;
    if (byte === POINT && unit === 0) {
      unit = 1e8;
    } else if (!(digit >= 0 && digit <= 9)) {
      return readDouble(bytes, from, to, hi, lo, at);
    } else if (unit === 0) {
      seconds = seconds * 10 + digit;
    } else if (unit >= 1) {
      nanoseconds += digit * unit;
      unit /= 10;
    }
  }
  if (offset === first) return false;
  if (isNegative) nanosecondsOf(-seconds - 1, 1e9 - nanoseconds, hi, lo, at);
  else nanosecondsOf(seconds, nanoseconds, hi, lo, at);
  return true;
}

/** Reads seconds such as `1.5e-3`, as programs print doubles. */
function readDouble(
  bytes: Uint8Array,
  from: number,
  to: number,
  hi: Int32Array,
  lo: Int32Array,
  at: number,
): boolean {
  if (to - from > 40) return false;
  const value = Number(String.fromCharCode(...bytes.subarray(from, to)));
  if (!Number.isFinite(value)) return false;
  const whole = Math.floor(value);
  nanosecondsOf(whole, Math.round((value - whole) * 1e9), hi, lo, at);
  return true;
}
