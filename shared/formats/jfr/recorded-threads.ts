import { type FactTable, factTable, MOST_THREAD_ROWS } from '../../facts/format-facts.ts';
import { capitalised } from '../../text/format-value.ts';

/** Most names of threads without a row that are told apart; further ones are not counted. */
const MOST_LEFT_OUT = 100_000;

/** Groups and states of the threads that have samples. Threads of one name are one. */
export class RecordedThreads {
  readonly #threads = new Map<string, { readonly groups: Set<string>; readonly states: Set<string> }>();
  /** Of further threads only the name is kept: each has samples in many chunks, and is counted once. */
  readonly #leftOut = new Set<string>();

  add(name: string, group: string | undefined, states: readonly string[]): void {
    let thread = this.#threads.get(name);
    if (thread === undefined) {
      if (this.#threads.size === MOST_THREAD_ROWS) {
        if (this.#leftOut.size < MOST_LEFT_OUT) this.#leftOut.add(name);
        return;
      }
      thread = { groups: new Set(), states: new Set() };
      this.#threads.set(name, thread);
    }
    if (group !== undefined && group !== '') thread.groups.add(group);
    for (const state of states) thread.states.add(state);
  }

  /** A thread has another name. `isLast`: no other thread has the former one. */
  rename(from: string, to: string, isLast: boolean): void {
    const former = this.#threads.get(from);
    if (former === undefined) return;
    if (isLast) this.#threads.delete(from);
    this.add(to, undefined, [...former.states]);
    for (const group of former.groups) this.add(to, group, []);
  }

  /** No table if the recording says nothing of its threads but their names. */
  tables(): readonly FactTable[] {
    const rows = [...this.#threads].map(([name, { groups, states }]) => [
      name,
      textOf(groups),
      textOf(new Set([...states].map(describeState))),
    ]);
    if (rows.every(([, group, states]) => group === undefined && states === undefined)) return [];
    const table = factTable('Threads', 'Thread | Group | States', rows, MOST_THREAD_ROWS);
    return [{ ...table, leftOut: this.#leftOut.size }];
  }
}

function textOf(values: ReadonlySet<string>): string | undefined {
  return values.size === 0 ? undefined : [...values].sort().join(', ');
}

/** `STATE_IN_OBJECT_WAIT` -> `In object wait`. */
export function describeState(state: string): string {
  const words = state
    .replace(/^STATE_/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
  return capitalised(words);
}
