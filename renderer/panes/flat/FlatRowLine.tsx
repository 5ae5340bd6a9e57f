import { memo, type MouseEvent } from 'react';
import type { Metric } from '../../../shared/views/grouping.ts';
import type { FlatRow, ProfileSummary } from '../../mirror/mirror-messages.ts';
import { ask, findInTree } from '../../store/actions.ts';
import { thenEnter } from '../enter-pane.ts';
import type { Column } from '../table/columns.ts';
import { FrameName } from '../table/FrameName.tsx';
import { ROW_HEIGHT } from '../table/rows.ts';
import { hasSameRow } from '../table/same-row.ts';
import { spokenValues, ValueCells } from '../table/ValueCells.tsx';

interface FlatRowLineProps {
  readonly row: FlatRow;
  /** Its place among all, and how many these are. */
  readonly index: number;
  readonly total: number;
  /** CSS pixels. */
  readonly top: number;
  readonly selected: boolean;
  /** What is to be marked in the name. */
  readonly search: string;
  readonly columns: readonly Column[];
  readonly metric: Metric;
  readonly whole: ProfileSummary;
  readonly onMenu: (row: FlatRow, event: MouseEvent) => void;
}

export function rowId(index: number): string {
  return `flat-row-${index}`;
}

/** One row of the flat list; drawn anew only when something in it has changed. */
export const FlatRowLine = memo(function FlatRowLine(props: FlatRowLineProps) {
  const { row, index, columns, metric, whole } = props;
  return (
    <div
      id={rowId(index)}
      className={`row row-${row.kind}`}
      role="option"
      aria-selected={props.selected}
      aria-posinset={index + 1}
      aria-setsize={props.total}
      aria-description={spokenValues(columns, row, metric, whole)}
      data-row-id={row.label}
      data-index={index}
      style={{ top: props.top, height: ROW_HEIGHT }}
      onMouseDown={(event) => {
        event.stopPropagation();
        ask({ type: 'flatSelect', label: row.label });
      }}
      onDoubleClick={thenEnter('tree', () => findInTree(row.label))}
      onContextMenu={(event) => props.onMenu(row, event)}
    >
      <span className="row-name flat-name" title={row.label}>
        <FrameName label={row.label} kind={row.kind} search={props.search} />
      </span>
      <ValueCells columns={columns} row={row} metric={metric} whole={whole} />
    </div>
  );
}, hasSameRow);
