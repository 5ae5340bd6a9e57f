import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { isOneOf, WAITING_METHODS } from '../text/waiting-methods.ts';
import type { Choice } from './choice.ts';

/** Samples of a JFR recording in native methods. The JVM takes them whether these work or wait. */
const OF_NATIVE_METHODS = 'jdk.NativeMethodSample';

/** Whether samples of threads that wait may be among those that are taken of threads that run. */
export function mayHoldWaits(choices: readonly Choice[]): boolean {
  const events = choices.find(({ id }) => id === 'events');
  if (events?.kind !== 'one') return false;
  const { chosen, options } = events;
  const isThere = options.some(({ value }) => value === OF_NATIVE_METHODS);
  return isThere && (chosen === 'all' || chosen === OF_NATIVE_METHODS);
}

/** Counts the samples that end in a method that waits, such as `EPoll.wait`. Grows with the profile. */
export class WaitingSamples {
  readonly #isWaiting = isOneOf(WAITING_METHODS);
  /** Row of the MethodTable -> whether it waits, as far as it was asked for. */
  readonly #methods: boolean[] = [];
  /** Rows of the SelfTable whose stacks end in one. */
  readonly #rows: number[] = [];
  #taken = 0;

  /** O(rows that are new and rows that wait). Names of methods that come late are not looked at. */
  count({ selfValues, nodes, frames, methods }: LeanProfile): number {
    for (; this.#taken < selfValues.length; this.#taken++) {
      const node = selfValues.node[this.#taken];
      if (nodes.parent[node] !== NONE && this.#waits(frames.method[nodes.frame[node]], methods))
        this.#rows.push(this.#taken);
    }
    return this.#rows.reduce((sum, row) => sum + selfValues.count[row], 0);
  }

  #waits(method: number, { names }: LeanProfile['methods']): boolean {
    const known = names[method];
    return (this.#methods[method] ??=
      known !== undefined && this.#isWaiting(`${known.className}.${known.methodName}`));
  }
}
