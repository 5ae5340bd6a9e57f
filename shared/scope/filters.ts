import { threadKeys } from '../engine/trees/keys.ts';
import { parseExpression } from '../text/expression.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { SelfThreads } from '../engine/values/self-threads.ts';
import type { SelfValues } from '../engine/values/self-values.ts';

/** Whether an entry of `Scope.threads` is an expression, `/…/`, and not a name. */
export function isExpression(thread: string): boolean {
  return thread.length > 2 && thread.startsWith('/') && thread.endsWith('/');
}

/** The names that `threads`, as `Scope.threads`, selects: all if it is empty. An invalid expression selects none. */
export function threadsAmong(names: readonly string[], threads: readonly string[]): ReadonlySet<string> {
  if (threads.length === 0) return new Set(names);
  const selected = new Set(threads.filter((thread) => !isExpression(thread)));
  for (const thread of threads.filter(isExpression)) {
    const { expression } = parseExpression(thread.slice(1, -1), 'u');
    for (const name of expression?.among(names) ?? []) selected.add(name);
  }
  return new Set(names.filter((name) => selected.has(name)));
}

/** The names of the threads of a profile that `threads`, as `Scope.threads`, selects. */
export function threadNames(profile: LeanProfile, threads: readonly string[]): ReadonlySet<string> {
  return threadsAmong(threadKeys(profile, 'name'), threads);
}

/** Thread -> 1 if `threads`, as `Scope.threads`, leaves it out. */
export function threadsLeftOut(profile: LeanProfile, threads: readonly string[]): Uint8Array {
  const isLeftOut = new Uint8Array(profile.threads.length);
  if (threads.length === 0) return isLeftOut;
  const names = threadKeys(profile, 'name');
  const selected = threadsAmong(names, threads);
  return isLeftOut.map((_, thread) => (selected.has(names[thread]) ? 0 : 1));
}

/** Row of the values -> 1 where `threads`, as `Scope.threads`, leaves its samples out. O(threads + rows). */
export function rowsLeftOut(
  profile: LeanProfile,
  selfThreads: SelfThreads,
  threads: readonly string[],
  values: SelfValues,
): Uint8Array<ArrayBuffer> {
  const isLeftOut = threadsLeftOut(profile, threads);
  const threadOf = selfThreads.of(values);
  const mask = new Uint8Array(values.length);
  for (let row = 0; row < mask.length; row++) mask[row] = isLeftOut[threadOf[row]];
  return mask;
}
