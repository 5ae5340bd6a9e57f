/** The sign for a thread's number in the name of its pool. */
export const ANY_NUMBER = '*';

/** A number in brackets: `RMI TCP Connection(3)-127.0.0.1`. The number behind it is part of an address. */
const BRACKETED = /^(.*?[([])[0-9]+([)\]].*)$/s;
/** A number at the end that is no part of a version, an address or a time, as in `10.0.0.5:80` and `10:30`. */
const AT_END = /^(.*?[^0-9])[0-9]+()$/s;
const DOTTED = /[0-9][.:]$/;

/**
 * The pool that a thread belongs to by its name, with `*` for its number; the name itself where it has none. It depends on
 * this name alone, so that threads that start later change no pool.
 *
 *   http-worker-6                    http-worker-*
 *   pool-2-thread-17                 pool-2-thread-*
 *   GC Thread#3                      GC Thread#*
 *   RMI TCP Connection(3)-10.0.0.5   RMI TCP Connection(*)-10.0.0.5
 *   main                             main
 */
export function poolOf(name: string): string {
  const parts = poolParts(name);
  return parts === undefined ? name : parts.join(ANY_NUMBER);
}

/** The text before and behind the number of a pool's thread; undefined for a name without such a number. */
export function poolParts(name: string): readonly [before: string, behind: string] | undefined {
  const found = BRACKETED.exec(name) ?? AT_END.exec(name);
  if (found === null || DOTTED.test(found[1])) return undefined;
  return [found[1], found[2]];
}

/** Names by their pools, in order of first appearance. */
export function byPool(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const pools = new Map<string, string[]>();
  for (const name of names) {
    const pool = poolOf(name);
    const known = pools.get(pool);
    if (known === undefined) pools.set(pool, [name]);
    else known.push(name);
  }
  return pools;
}

/** A name in the pool with this label; undefined if the label is the name of a thread without a pool. */
export function memberOfPool(label: string): string | undefined {
  for (let at = label.indexOf(ANY_NUMBER); at >= 0; at = label.indexOf(ANY_NUMBER, at + 1)) {
    const member = `${label.slice(0, at)}0${label.slice(at + ANY_NUMBER.length)}`;
    if (poolOf(member) === label) return member;
  }
  return undefined;
}
