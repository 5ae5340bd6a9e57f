import { memo } from 'react';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import type { Row } from '../../profile-worker/pane-messages.ts';
import { findInTree, selectRow } from '../../store/actions.ts';
import { thenEnter } from '../enter-pane.ts';
import { FrameName } from '../table/FrameName.tsx';
import type { RowLineProps } from '../table/row-line.ts';
import { NAME_MARGIN, ROW_HEIGHT } from '../table/rows.ts';
import { hasSameRow } from '../table/same-row.ts';
import { rowValues } from '../table/row-values.ts';

interface FlatRowLineProps extends RowLineProps<Row> {
  /** How many rows there are. */
  readonly total: number;
}

/** CSS pixels; as in flat.css. */
const PADDING = 12;

export function rowId(index: number): string {
  return `flat-row-${index}`;
}

/** One row of the flat list; drawn anew only when something in it has changed. */
export const FlatRowLine = memo(function FlatRowLine(props: FlatRowLineProps) {
  const { row, index, columns, nameWidth, metric, units, whole } = props;
  const values = rowValues(columns, nameWidth, row, metric, units, whole);
  return (
    <div
      id={rowId(index)}
      className={`row row-${row.kind}`}
      role="option"
      aria-selected={props.selected}
      aria-posinset={index + 1}
      aria-setsize={props.total}
      aria-description={values.spoken}
      title={values.exact}
      data-row-id={row.label}
      data-index={index}
      style={{ top: props.top, height: ROW_HEIGHT, ...values.bars }}
      onMouseDown={(event) => {
        event.stopPropagation();
        selectRow('flat', row);
      }}
      onDoubleClick={thenEnter('tree', () => findInTree(row.label))}
      onContextMenu={(event) => props.onMenu(row, event)}
    >
      <span className="row-name flat-name" style={{ width: nameWidth }} title={shownLabel(row.label)}>
        <FrameName
          label={row.label}
          kind={row.kind}
          search={props.search}
          width={nameWidth - PADDING - NAME_MARGIN}
        />
      </span>
    </div>
  );
}, hasSameRow);
