import { memo, type MouseEvent } from 'react';
import type { Metric } from '../../../shared/views/grouping.ts';
import type { ProfileSummary, TreeRow } from '../../mirror/mirror-messages.ts';
import { ask } from '../../store/actions.ts';
import type { Column } from '../table/columns.ts';
import { FrameName } from '../table/FrameName.tsx';
import { ROW_HEIGHT } from '../table/rows.ts';
import { hasSameRow } from '../table/same-row.ts';
import { spokenValues, ValueCells } from '../table/ValueCells.tsx';

interface TreeRowLineProps {
  readonly row: TreeRow;
  readonly index: number;
  /** CSS pixels, as the indentation. */
  readonly top: number;
  readonly indent: number;
  readonly selected: boolean;
  /** What is to be marked in the name. */
  readonly search: string;
  readonly columns: readonly Column[];
  readonly metric: Metric;
  readonly whole: ProfileSummary;
  readonly onMenu: (row: TreeRow, event: MouseEvent) => void;
}

export function rowId(id: number): string {
  return `tree-row-${id}`;
}

/** One row of the call tree; drawn anew only when something in it has changed. */
export const TreeRowLine = memo(function TreeRowLine(props: TreeRowLineProps) {
  const { row, columns, metric, whole } = props;
  const toggle = (): void => ask({ type: 'treeExpand', row: row.id, how: 'toggle' });
  return (
    <div
      id={rowId(row.id)}
      className={`row row-${row.kind}`}
      data-match={row.match ? '' : undefined}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={row.expandable ? row.expanded : undefined}
      aria-selected={props.selected}
      aria-description={spokenValues(columns, row, metric, whole)}
      data-row-id={row.id}
      data-depth={row.depth}
      data-index={props.index}
      style={{ top: props.top, height: ROW_HEIGHT }}
      onMouseDown={(event) => {
        event.stopPropagation();
        ask({ type: 'treeSelect', row: row.id });
      }}
      onDoubleClick={toggle}
      onContextMenu={(event) => props.onMenu(row, event)}
    >
      <span className="row-name" style={{ paddingLeft: 6 + props.indent }} title={row.label}>
        <span
          className={`twisty${row.expandable ? (row.expanded ? ' twisty-open' : '') : ' twisty-none'}`}
          onMouseDown={(event) => {
            event.stopPropagation();
            toggle();
          }}
          onDoubleClick={(event) => event.stopPropagation()}
        />
        <FrameName label={row.label} kind={row.kind} search={props.search} />
        {row.matchBelow && <span className="match-below" title="Matches are below" />}
      </span>
      <ValueCells columns={columns} row={row} metric={metric} whole={whole} />
    </div>
  );
}, hasSameRow);
