import type { Jvm } from './jvm.ts';

export type FoundJvm =
  | { readonly jvm: Jvm }
  /** Several JVMs match; empty: none does. */
  | { readonly matches: readonly Jvm[] };

/**
 * Finds the JVM that a user names: by its pid, or by a part of its main class or jar, in any case. A name that one JVM
 * has completely is that JVM, even if it is a part of other names.
 */
export function findJvm(jvms: readonly Jvm[], wanted: string): FoundJvm {
  const byPid = /^\d+$/.test(wanted) ? jvms.find(({ pid }) => pid === Number(wanted)) : undefined;
  if (byPid !== undefined) return { jvm: byPid };
  const text = wanted.toLowerCase();
  const exact = jvms.filter(({ main }) => main === wanted);
  const matches =
    exact.length === 1 ? exact : jvms.filter(({ main }) => text !== '' && main.toLowerCase().includes(text));
  return matches.length === 1 ? { jvm: matches[0] } : { matches };
}
