import type { CSSProperties, ReactNode } from 'react';
import { formatQuantity } from '../../shared/text/format-value.ts';
import type { ShareCertainty } from '../../shared/engine/columns/precision.ts';
import type { ListedThread, ThreadRow } from '../../shared/engine/views/thread-list.ts';
import type { FactTable } from '../../shared/facts/format-facts.ts';

interface ThreadLineProps {
  readonly row: ListedThread;
  /** CSS pixels. */
  readonly top: number;
  /** Keys refer to it. */
  readonly isActive: boolean;
  readonly checked: boolean | 'mixed';
  readonly weight: string;
  /** The unit of `weight`. */
  readonly unit: string;
  readonly share: string;
  /** How exact the share is. */
  readonly certainty: ShareCertainty | undefined;
  /** Facts of the file about the thread: a title and a value, empty where it is not known. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** 0 to 1. */
  readonly bar: number;
  readonly onToggle: () => void;
  readonly onOpen: () => void;
  readonly onOnly: () => void;
  readonly onAllBut: () => void;
}

export function threadElementId({ key }: ThreadRow): string {
  return `row-of-${encodeURIComponent(key)}`;
}

/** A thread or a pool: whether it is chosen, its name, its samples and their share. */
export function ThreadLine(props: ThreadLineProps): ReactNode {
  const { row, isActive, checked, weight, unit, share, certainty, facts } = props;
  const told = facts.filter(([, value]) => value !== '').map((fact) => fact.join(' '));
  const exactly = certainty === undefined ? '' : ` (95 % interval ${certainty.interval})`;
  const many = row.threads > 1 ? formatQuantity(row.threads, 'thread') : '';
  /** The row gets no press of what is in it. */
  const press = (act: () => void) => (event: { stopPropagation: () => void }) => {
    event.stopPropagation();
    act();
  };
  return (
    <div
      id={threadElementId(row)}
      role="treeitem"
      className="thread-row"
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-checked={checked}
      aria-selected={isActive}
      aria-expanded={row.isPool ? row.isOpen : undefined}
      aria-description={[many, `${weight} ${unit}`, share + exactly, ...told]
        .filter((part) => part !== '')
        .join(', ')}
      data-active={isActive ? '' : undefined}
      style={{ top: props.top, '--depth': row.depth, '--bar': props.bar } as CSSProperties}
      onClick={props.onToggle}
    >
      <span
        className={`twisty${row.isPool ? (row.isOpen ? ' twisty-open' : '') : ' twisty-none'}`}
        onClick={row.isPool ? press(props.onOpen) : undefined}
      />
      <span className="thread-check" data-checked={String(checked)} />
      <span className="thread-name" title={row.label}>
        {row.label}
      </span>
      <span className="thread-many" aria-hidden="true">
        {many}
      </span>
      <span className="thread-actions" aria-hidden="true">
        <span className="thread-action" onClick={press(props.onOnly)}>
          Only
        </span>
        <span className="thread-action" onClick={press(props.onAllBut)}>
          All but
        </span>
      </span>
      {facts.map(([name, value]) => (
        <span key={name} className="thread-fact" title={value} aria-hidden="true">
          {value}
        </span>
      ))}
      <span className="thread-weight" aria-hidden="true">
        {weight}
      </span>
      <span className="thread-share" title={certainty?.text} aria-hidden="true">
        {share}
      </span>
    </div>
  );
}

/** Columns of the table of threads that decoders write, and what the list of threads calls them. */
const SHOWN = [
  { column: 'Latest state', name: 'State' },
  { column: 'States', name: 'State' },
  { column: 'Group', name: 'Group' },
] as const;
/** Values of one row that are named; of more only the first is. */
const MOST_VALUES = 2;

/** Facts of a file about its threads besides samples. */
interface ThreadFacts {
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
