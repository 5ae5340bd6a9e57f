/** How much a test tries: `short` in `npm test`, `long` in `npm run test:long`. */
export function testSize(short: number, long: number): number {
  return process.env.LEANSCOPE_LONG === undefined ? short : long;
}
