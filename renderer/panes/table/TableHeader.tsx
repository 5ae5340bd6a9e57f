import type { ReactNode, Ref } from 'react';
import type { SortColumn, SortOrder } from '../../profile-worker/pane-messages.ts';
import type { Column } from './columns.ts';

interface TableHeaderProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly columns: readonly Column[];
  readonly sort: SortOrder;
  readonly onSort: (by: SortColumn) => void;
  /** False while rows keep the places they had, because somebody reads them. */
  readonly inOrder: boolean;
  readonly onSortNow: () => void;
}

/** Column titles; a click sorts. */
export function TableHeader(props: TableHeaderProps): ReactNode {
  const { ref, columns, sort, onSort, inOrder, onSortNow } = props;
  // Of two columns with one order only the first says so.
  const sorted = sort.by === 'label' ? undefined : columns.find((column) => column.sort === sort.by);
  return (
    <div ref={ref} className="table-header" role="toolbar" aria-label="Sort by column">
      <HeaderButton
        title="Method"
        hint="Sort by name"
        by="label"
        sort={sort.by === 'label' ? sort : undefined}
        onSort={onSort}
        width={undefined}
      />
      {!inOrder && (
        <button
          type="button"
          className="sort-now"
          data-testid="sort-now"
          data-tip="Values have changed; rows keep their places while one is selected or pointed at (S)"
          onClick={onSortNow}
        >
          Sort again
        </button>
      )}
      {columns.map((column) => (
        <HeaderButton
          key={column.id}
          title={column.title}
          hint={column.hint}
          by={column.sort}
          sort={column === sorted ? sort : undefined}
          onSort={onSort}
          width={column.width}
        />
      ))}
    </div>
  );
}

interface HeaderButtonProps {
  readonly title: string;
  readonly hint: string;
  readonly by: SortColumn;
  /** The order, when it is this column's. */
  readonly sort: SortOrder | undefined;
  readonly onSort: (by: SortColumn) => void;
  readonly width: number | undefined;
}

function HeaderButton({ title, hint, by, sort, onSort, width }: HeaderButtonProps): ReactNode {
  const direction = sort === undefined ? undefined : sort.descending ? 'descending' : 'ascending';
  return (
    <button
      type="button"
      className={width === undefined ? 'header-cell header-name' : 'header-cell'}
      style={width === undefined ? undefined : { width }}
      data-tip={hint}
      data-sort={by}
      data-sorted={direction}
      aria-label={direction === undefined ? `Sort by ${title}` : `${title}, sorted ${direction}`}
      onClick={() => onSort(by)}
    >
      {title}
      <span className="header-arrow" aria-hidden="true">
        {direction === undefined ? '' : direction === 'descending' ? '▾' : '▴'}
      </span>
    </button>
  );
}
