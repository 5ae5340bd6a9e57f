const START = /^THREAD START \(obj=[^,]*, id = (\d+), name="/;

/**
 * Parses `THREAD START (obj=1, id = 200001, name="main", group="main")`. Names are not escaped, so the name extends to
 * the last `", group="` (specs: hprof, section 3), or to the end of a line that does not have it. Undefined if the line
 * does not begin like this.
 */
export function parseThreadStart(
  line: string,
): { readonly id: number; readonly name: string; readonly group: string | undefined } | undefined {
  const start = START.exec(line);
  if (start === null) return undefined;
  const id = Math.min(Number(start[1]), Number.MAX_SAFE_INTEGER);
  const rest = line.slice(start[0].length);
  const between = rest.lastIndexOf('", group="');
  if (between < 0 || !rest.endsWith('")')) return { id, name: rest, group: undefined };
  return { id, name: rest.slice(0, between), group: rest.slice(between + '", group="'.length, -2) };
}
