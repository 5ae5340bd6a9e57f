/**
 * A name for each of these logs, all different: the last part of its path, with as many folders in front as tell it from
 * others of that name. A path that is given twice gets a number.
 *
 *   /srv/node1/app.hpl    node1/app.hpl
 *   /srv/node2/app.hpl    node2/app.hpl
 *   /srv/batch.hpl        batch.hpl
 */
export function partNames(paths: readonly string[]): readonly string[] {
  const parts = paths.map((path) => path.split(/[/\\]/).filter((part) => part !== ''));
  const counts = new Map<string, number>();
  return parts.map((own, at) => {
    const others = parts.filter((other, index) => index !== at && other.join('/') !== own.join('/'));
    const name = shortest(own, others);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} #${count}`;
  });
}

/** The fewest parts at the end of a path that no other path ends with. */
function shortest(own: readonly string[], others: readonly (readonly string[])[]): string {
  for (let length = 1; length < own.length; length++) {
    const end = own.slice(-length).join('/');
    if (!others.some((other) => other.slice(-length).join('/') === end)) return end;
  }
  return own.join('/');
}
