const RELEASE = /^(\d+)(?:\.(\d+))?/;

/** The feature release of a Java version: 17 for `17.0.15`, 8 for `1.8.0_412`; undefined if it is not a version. */
export function majorVersion(version: string | undefined): number | undefined {
  const parts = RELEASE.exec(version ?? '');
  if (parts === null) return undefined;
  return Number(parts[1] === '1' ? (parts.at(2) ?? 0) : parts[1]);
}
