import { memo } from 'react';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import type { Row } from '../../profile-worker/pane-messages.ts';
import { expand, selectRow } from '../../store/actions.ts';
import { FrameName } from '../table/FrameName.tsx';
import type { RowLineProps } from '../table/row-line.ts';
import { NAME_MARGIN, ROW_HEIGHT } from '../table/rows.ts';
import { hasSameRow } from '../table/same-row.ts';
import { rowValues } from '../table/row-values.ts';

interface TreeRowLineProps extends RowLineProps<Row> {
  /** CSS pixels. */
  readonly indent: number;
}

/** CSS pixels before the twisty, and of it; as in tree.css. */
const PADDING = 6;
const TWISTY = 18;

export function rowId(id: number): string {
  return `tree-row-${id}`;
}

/** One row of the call tree; drawn anew only when something in it has changed. */
export const TreeRowLine = memo(function TreeRowLine(props: TreeRowLineProps) {
  const { row, columns, nameWidth, metric, units, whole } = props;
  const values = rowValues(columns, nameWidth, row, metric, units, whole);
  const toggle = (): void => expand('tree', row.id, 'toggle');
  return (
    <div
      id={rowId(row.id)}
      className={`row row-${row.kind}`}
      data-match={row.match ? '' : undefined}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={row.expandable ? row.expanded : undefined}
      aria-selected={props.selected}
      aria-description={values.spoken}
      title={values.exact}
      data-row-id={row.id}
      data-depth={row.depth}
      data-index={props.index}
      style={{ top: props.top, height: ROW_HEIGHT, ...values.bars }}
      onMouseDown={(event) => {
        event.stopPropagation();
        selectRow('tree', row);
      }}
      onDoubleClick={toggle}
      onContextMenu={(event) => props.onMenu(row, event)}
    >
      <span
        className="row-name"
        style={{ width: nameWidth, paddingLeft: PADDING + props.indent }}
        title={shownLabel(row.label)}
      >
        <span
          className={`twisty${row.expandable ? (row.expanded ? ' twisty-open' : '') : ' twisty-none'}`}
          onMouseDown={(event) => {
            event.stopPropagation();
            toggle();
          }}
          onDoubleClick={(event) => event.stopPropagation()}
        />
        <FrameName
          label={row.label}
          kind={row.kind}
          search={props.search}
          width={nameWidth - PADDING - props.indent - TWISTY - NAME_MARGIN}
        />
        {row.matchBelow && <span className="match-below" title="Matches are below" />}
      </span>
    </div>
  );
}, hasSameRow);
