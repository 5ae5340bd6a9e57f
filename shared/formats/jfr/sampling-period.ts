/** Names of the setting that contains the sampling period, in recordings of the JDK and of async-profiler. */
export const PERIOD_SETTINGS: ReadonlySet<string> = new Set(['period', 'interval', 'wall']);

/** Unit -> ns. */
const UNITS: Readonly<Record<string, number | undefined>> = {
  ns: 1,
  us: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
};

/**
 * The value of such a setting in ns; undefined if it is not a time.
 *
 *   '20 ms'        20 000 000     the JDK
 *   '10000000'     10 000 000     async-profiler, always in ns
 *   'everyChunk'   undefined
 */
export function periodOf(value: string): number | undefined {
  const found = /^(\d{1,15}(?:\.\d{1,9})?) ?(ns|us|ms|s|m)?$/.exec(value.trim());
  if (found === null) return undefined;
  const ns = Math.round(Number(found[1]) * (UNITS[found.at(2) ?? 'ns'] ?? 1));
  return ns > 0 && Number.isSafeInteger(ns) ? ns : undefined;
}
