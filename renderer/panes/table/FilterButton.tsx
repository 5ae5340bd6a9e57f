import type { ReactNode } from 'react';
import { openDialog } from '../../store/actions.ts';
import { activeLog } from '../../store/selectors.ts';
import { useWindow } from '../../store/window-store.ts';
import { Icon } from '../../widgets/icons.tsx';
import './table.css';

/** Opens the filter of rows and frames. */
export function FilterButton({ of }: { readonly of: 'rows' | 'frames' }): ReactNode {
  const isFiltered = useWindow((state) => (activeLog(state)?.where.length ?? 0) > 0);
  return (
    <button
      type="button"
      className="header-button"
      aria-label={`Filter ${of}`}
      aria-haspopup="dialog"
      aria-pressed={isFiltered}
      data-testid={`filter-${of}`}
      data-tip={`Filter ${of} by name and numbers`}
      onClick={() => openDialog({ kind: 'filter' })}
    >
      <Icon name="filter" />
    </button>
  );
}
