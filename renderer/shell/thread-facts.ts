import type { FactTable } from '../../shared/facts/format-facts.ts';
import { poolOf } from '../../shared/text/thread-pools.ts';

/** Columns of the table of threads that decoders write, and what is before their values in the list of threads. */
const SHOWN = { 'Latest state': '', States: '', Group: 'group ' };
/** Values of one row that are named; of more only the first is. */
const MOST_VALUES = 2;

/**
 * Reads the table of threads: the facts of a file about threads besides their samples. It has at most MOST_THREAD_ROWS
 * threads: nothing is known of the others.
 */
export function threadFacts(tables: readonly FactTable[]): (threads: readonly string[]) => readonly string[] {
  const { columns = [], rows = [] } = tables.find(({ title }) => title === 'Threads') ?? {};
  const placeOf = (column: string): number => columns.findIndex(({ name }) => name === column);
  const threadAt = placeOf('Thread');
  return (threads) => {
    // Virtual threads of one pool have one row.
    const those = new Set<unknown>(threads.flatMap((thread) => [thread, poolOf(thread)]));
    const known = rows.filter((row) => those.has(row[threadAt]));
    return Object.entries(SHOWN).flatMap(([column, before]) => {
      const values = [...new Set(known.map((row) => row[placeOf(column)]))].filter(Boolean);
      if (values.length === 0) return [];
      return `${before}${values.length <= MOST_VALUES ? values.join(', ') : `${values[0]} and ${values.length - 1} others`}`;
    });
  };
}
