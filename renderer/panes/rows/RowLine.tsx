import { memo } from 'react';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import type { RowId } from '../../profile-worker/pane-messages.ts';
import { expand, selectRow } from '../../store/actions.ts';
import type { RowsPaneId } from '../../store/panes.ts';
import { FrameName } from '../table/FrameName.tsx';
import { NAME_MARGIN, ROW_HEIGHT } from '../table/rows.ts';
import { rowValues } from '../table/row-values.ts';
import { hasSameRow } from '../table/same-row.ts';
import type { RowLineProps } from './row-line.ts';

/** CSS pixels before the name of a list, before the twisty of a tree, and of the twisty; as in rows.css. */
const LIST_PADDING = 12;
const TREE_PADDING = 6;
const TWISTY = 18;

/** Id of the element that draws a row. */
export function rowElementId(pane: RowsPaneId, row: RowId): string {
  return `${pane}-row-${row}`;
}

/** One row; drawn anew only when something in it has changed. */
export const RowLine = memo(function RowLine(props: RowLineProps) {
  const { pane, isTree, row, index, columns, nameWidth, metric, units, whole, onOpen } = props;
  const values = rowValues(columns, nameWidth, row, metric, units, whole);
  const padding = isTree ? TREE_PADDING + props.indent : LIST_PADDING;
  return (
    <div
      id={rowElementId(pane, row.id)}
      className={`row row-${row.kind}`}
      data-match={isTree && row.match ? '' : undefined}
      data-related={props.related ? '' : undefined}
      {...(isTree
        ? {
            role: 'treeitem',
            'aria-level': row.depth + 1,
            'aria-expanded': row.expandable ? row.expanded : undefined,
          }
        : { role: 'option', 'aria-posinset': index + 1, 'aria-setsize': props.total })}
      aria-selected={props.selected}
      aria-description={values.spoken}
      title={values.exact}
      data-row-id={row.id}
      data-depth={row.depth}
      data-index={index}
      style={{ top: props.top, height: ROW_HEIGHT, ...values.bars }}
      onMouseDown={(event) => {
        event.stopPropagation();
        selectRow(pane, row);
      }}
      onDoubleClick={() => onOpen(row)}
      onContextMenu={(event) => props.onMenu(row, event)}
    >
      <span
        className="row-name"
        style={{ width: nameWidth, paddingLeft: padding }}
        title={shownLabel(row.label)}
      >
        {isTree && (
          <span
            className={`twisty${row.expandable ? (row.expanded ? ' twisty-open' : '') : ' twisty-none'}`}
            onMouseDown={(event) => {
              event.stopPropagation();
              expand(pane, row.id, 'toggle');
            }}
            onDoubleClick={(event) => event.stopPropagation()}
          />
        )}
        <FrameName
          label={row.label}
          kind={row.kind}
          search={props.search}
          width={nameWidth - padding - (isTree ? TWISTY : 0) - NAME_MARGIN}
        />
        {row.matchBelow && <span className="match-below" title="Matches are below" />}
      </span>
    </div>
  );
}, hasSameRow);
