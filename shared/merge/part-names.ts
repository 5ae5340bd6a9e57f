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
  const names = parts.map((own, at) => {
    const others = parts.filter((other, index) => index !== at && other.join('/') !== own.join('/'));
    return shortestEnd(own, others);
  });
  const taken = new Set(names);
  const counts = new Map<string, number>();
  return names.map((name) => {
    let count = (counts.get(name) ?? 0) + 1;
    // A log may be called so.
    while (count > 1 && taken.has(numbered(name, count))) count++;
    counts.set(name, count);
    return numbered(name, count);
  });
}

function numbered(name: string, count: number): string {
  return count === 1 ? name : `${name} #${count}`;
}

/** The fewest parts at the end of a path that no other path ends with. */
export function shortestEnd(own: readonly string[], others: readonly (readonly string[])[]): string {
  for (let length = 1; length < own.length; length++) {
    const end = own.slice(-length).join('/');
    if (!others.some((other) => other.slice(-length).join('/') === end)) return end;
  }
  return own.join('/');
}

/** A name for all of them: `node1.hpl + node2.hpl`, or `node1.hpl + 3 others`. */
export function mergedName(names: readonly string[]): string {
  return names.length === 2 ? names.join(' + ') : `${names[0]} + ${names.length - 1} others`;
}
