/** How much a test tries: `short` in `npm test`, `long` in `npm run test:long`. */
export function testSize<T = number>(short: T, long: T): T {
  return process.env.LEANSCOPE_LONG === undefined ? short : long;
}
