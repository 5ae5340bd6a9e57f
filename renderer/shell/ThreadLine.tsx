import type { CSSProperties, ReactNode } from 'react';
import type { ListedThread, ThreadRow } from '../../shared/engine/views/thread-list.ts';
import type { FactTable } from '../../shared/facts/format-facts.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import { formatAmount, formatCount, formatQuantity, formatShare } from '../../shared/text/format-value.ts';
import { poolOf } from '../../shared/text/thread-pools.ts';

interface ThreadLineProps {
  readonly row: ListedThread;
  /** CSS pixels. */
  readonly top: number;
  /** Keys refer to it. */
  readonly isActive: boolean;
  readonly checked: boolean | 'mixed';
  readonly units: ProfileUnits;
  /** By what rows are weighed; samples, if not by time. */
  readonly isByTime: boolean;
  /** The weight of all threads. */
  readonly whole: number;
  readonly facts: ThreadFacts;
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
  const { row, isActive, checked, isByTime, whole, units } = props;
  const { counted, value } = units;
  const amount = isByTime ? row.time : row.samples;
  const weight = isByTime ? formatAmount(amount, value?.unit ?? 'ns') : formatCount(amount);
  const unit = isByTime ? (value?.name.toLowerCase() ?? 'time') : counted.many;
  const share = formatShare(amount, whole, 1);
  const bar = whole > 0 ? Math.min(1, Math.max(0, amount / whole)) : 0;
  const many = row.threads > 1 ? formatQuantity(row.threads, 'thread') : '';
  const facts = props.facts.of(row.names).map((fact, at) => [props.facts.names[at], fact] as const);
  const told = facts.filter(([, fact]) => fact !== '').map((fact) => fact.join(' '));
  const description = [many, `${weight} ${unit}`, share, ...told].filter((part) => part !== '');
  /** The row gets no press of what is in it. */
  const press = (act: () => void) => (event: { stopPropagation: () => void }) => {
    event.stopPropagation();
    act();
  };
  return (
    <div
      id={threadElementId(row)}
      role="treeitem"
      className="thread-row line"
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-checked={checked}
      aria-selected={isActive}
      aria-expanded={row.isPool ? row.isOpen : undefined}
      aria-description={description.join(', ')}
      data-active={isActive ? '' : undefined}
      style={{ top: props.top, '--depth': row.depth, '--bar': bar } as CSSProperties}
      onClick={props.onToggle}
    >
      <span
        className={`twisty${row.isPool ? (row.isOpen ? ' twisty-open' : '') : ' twisty-none'}`}
        onClick={row.isPool ? press(props.onOpen) : undefined}
      />
      <input
        type="checkbox"
        readOnly
        tabIndex={-1}
        aria-hidden="true"
        checked={checked === true}
        ref={(box) => {
          if (box !== null) box.indeterminate = checked === 'mixed';
        }}
      />
      <span className="thread-name cut" title={row.label}>
        {row.label}
      </span>
      <span className="thread-many grow small dim" aria-hidden="true">
        {many}
      </span>
      <span className="thread-action small mid" aria-hidden="true" onClick={press(props.onOnly)}>
        Only
      </span>
      <span className="thread-action small mid" aria-hidden="true" onClick={press(props.onAllBut)}>
        All but
      </span>
      {facts.map(([name, fact]) => (
        <span key={name} className="thread-fact small dim" title={fact} aria-hidden="true">
          {fact}
        </span>
      ))}
      <span className="thread-weight numbers" aria-hidden="true">
        {weight}
      </span>
      <span className="thread-share numbers" aria-hidden="true">
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
  /** Place in `names` -> the values of these threads; empty where none is known. */
  of(threads: readonly string[]): readonly string[];
}

/** Reads the table of threads. It has at most MOST_THREAD_ROWS threads: nothing is known of the others. */
export function threadFacts(tables: readonly FactTable[]): ThreadFacts {
  const { columns = [], rows = [] } = tables.find(({ title }) => title === 'Threads') ?? {};
  const placeOf = (column: string): number => columns.findIndex(({ name }) => name === column);
  const threadAt = placeOf('Thread');
  const known = SHOWN.map(({ column, name }) => {
    const at = placeOf(column);
    const values = rows.flatMap(({ [threadAt]: thread, [at]: value }) =>
      typeof thread !== 'string' || typeof value !== 'string' || value === '' ? [] : [{ thread, value }],
    );
    return { name, values };
  }).filter(({ values }) => values.length > 0);
  return {
    names: known.map(({ name }) => name),
    of: (threads) => {
      // Virtual threads of one pool have one row.
      const those = new Set(threads.flatMap((thread) => [thread, poolOf(thread)]));
      return known.map(({ values }) => {
        const told = [...new Set(values.flatMap(({ thread, value }) => (those.has(thread) ? [value] : [])))];
        return told.length <= MOST_VALUES ? told.join(', ') : `${told[0]} and ${told.length - 1} others`;
      });
    },
  };
}
