import type { FactTable } from '../../shared/facts/format-facts.ts';

/** Columns of the table of threads that decoders write, and what the list of threads calls them. */
const SHOWN = [
  { column: 'Latest state', name: 'State' },
  { column: 'States', name: 'State' },
  { column: 'Group', name: 'Group' },
] as const;
/** Values of one row that are named; of more only the first is. */
const MOST_VALUES = 2;

/** What a file says about its threads besides samples. */
export interface ThreadFacts {
  /** Titles of the columns that the file has values for. */
  readonly names: readonly string[];
  /** For each of `names` the values of these threads; empty where none is known. */
  of(threads: readonly string[]): readonly string[];
}

/** Reads the table of threads. It has at most MOST_THREAD_ROWS threads: nothing is known of the others. */
export function threadFacts(tables: readonly FactTable[]): ThreadFacts {
  const table = tables.find(({ title }) => title === 'Threads');
  const placeOf = (column: string): number => table?.columns.findIndex(({ name }) => name === column) ?? -1;
  const threadAt = placeOf('Thread');
  const columns = SHOWN.flatMap(({ column, name }) => {
    const at = placeOf(column);
    const valuesOf = new Map<string, Set<string>>();
    for (const row of table?.rows ?? []) {
      const [thread, value] = [row[threadAt], row[at]];
      if (typeof thread !== 'string' || typeof value !== 'string' || value === '') continue;
      const known = valuesOf.get(thread);
      if (known === undefined) valuesOf.set(thread, new Set([value]));
      else known.add(value);
    }
    return valuesOf.size === 0 ? [] : [{ name, valuesOf }];
  });
  return {
    names: columns.map(({ name }) => name),
    of: (threads) =>
      columns.map(({ valuesOf }) => {
        const values = [...new Set(threads.flatMap((thread) => [...(valuesOf.get(thread) ?? [])]))];
        return values.length <= MOST_VALUES
          ? values.join(', ')
          : `${values[0]} and ${values.length - 1} others`;
      }),
  };
}
