/** The feature release of a Java version: 17 for `17.0.15`, 8 for `1.8.0_412`; undefined if it is not a version. */
export function majorOf(version: string): number | undefined {
  const [first, second] = (version.match(/\d+/g) ?? []).map(Number);
  return first === 1 ? (second ?? first) : first;
}
