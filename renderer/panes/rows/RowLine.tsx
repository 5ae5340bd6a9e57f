import { type CSSProperties, memo, type MouseEvent } from 'react';
import { onlyIn } from '../../../shared/engine/values/row-change.ts';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import { formatQuantity } from '../../../shared/text/format-value.ts';
import type { Row, RowId } from '../../profile-worker/pane-messages.ts';
import { expand, selectRow } from '../../store/actions/actions.ts';
import type { RowsPaneId } from '../../store/panes/panes.ts';
import { indentOf, type ShownColumn, labelWidth } from '../table/columns.ts';
import { FrameName } from '../table/FrameName.tsx';
import { hasSameRow, LIST_PADDING, MARK_SPACE, NAME_MARGIN, TREE_PADDING, TWISTY } from '../table/rows.ts';
import { markColour, rowValues } from '../table/row-values.ts';
import { openRow } from '../enter-pane.ts';
import type { ColourBy } from '../../../shared/text/frame-colour.ts';
import type { TimePattern } from '../../../shared/engine/views/time-pattern.ts';
import type { Measure } from '../../../shared/engine/columns/column.ts';

/** Properties of the component that draws a row. */
interface RowLineProps {
  readonly pane: RowsPaneId;
  /** True for a tree, whose rows expand and collapse; false for a list. */
  readonly isTree: boolean;
  readonly row: Row;
  /** Position among all rows. */
  readonly index: number;
  /** CSS pixels. */
  readonly top: number;
  /** CSS pixels, and how many of them have guides. */
  readonly indent: number;
  readonly guides: number;
  readonly selected: boolean;
  /** Related to the selection: another call of the selected method. */
  readonly related: boolean;
  /** The distribution of its samples over the time, where a column shows it. */
  readonly pattern: TimePattern | undefined;
  /** A sentence about a row whose name does not explain itself. */
  readonly note: string | undefined;
  readonly columns: readonly ShownColumn[];
  /** CSS pixels for the name; the columns follow. */
  readonly nameWidth: number;
  readonly measure: Measure;
  readonly colourBy: ColourBy;
  readonly onMenu: (row: Row, event: MouseEvent) => void;
}

/** The dot that marks matches in collapsed rows; as in table.css. */
const MATCH_DOT = 16;

/** Id of the element that draws a row. */
export function rowElementId(pane: RowsPaneId, row: RowId): string {
  return `${pane}-row-${row}`;
}

/** CSS pixels before a row's name. */
function nameStart({ kind }: Row, isTree: boolean, indent: number): number {
  const hasMark = kind === 'frame' || kind === 'error';
  return indent + (isTree ? TREE_PADDING + TWISTY : LIST_PADDING) + (hasMark ? MARK_SPACE : 0);
}

/** Width of the name column at which a row needs no shortening or smaller indentation, CSS pixels. */
export function nameNeeds(row: Row, isTree: boolean): number {
  const start = nameStart(row, isTree, indentOf(row.depth, Infinity));
  return start + labelWidth(shownLabel(row.label), row.kind) + NAME_MARGIN;
}

/** The one row of a folded chain. */
function foldedName(count: number): string {
  return `\u2026 ${formatQuantity(count, 'frame')}`;
}

function foldedNames({ label, foldedTo = '' }: Row): string {
  return `from ${shownLabel(label)} to ${shownLabel(foldedTo)}, each of which calls only the next`;
}

/** One row; rendered again only when its content has changed. */
export const RowLine = memo(function RowLine(props: RowLineProps) {
  const { pane, isTree, row, index, indent, columns, nameWidth, measure } = props;
  const nameAt = nameStart(row, isTree, indent);
  const places = {
    columnsAt: nameWidth,
    markAt: nameAt - MARK_SPACE,
    guidesAt: TREE_PADDING + TWISTY / 2,
    guides: isTree ? props.guides : 0,
  };
  const values = rowValues(columns, row, measure, places, props.pattern);
  return (
    <div
      id={rowElementId(pane, row.id)}
      className={`row row-${row.kind}`}
      data-match={isTree && row.match ? '' : undefined}
      data-related={props.related ? '' : undefined}
      data-only={isOnlyInBase(row, measure) ? 'base' : undefined}
      role="row"
      // The first one has the titles.
      aria-rowindex={index + 2}
      aria-level={isTree ? row.depth + 1 : undefined}
      // Most siblings are not in the document: "3 of 12" cannot be counted there.
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-expanded={isTree && row.expandable ? row.expanded : undefined}
      aria-label={
        row.folded === undefined ? shownLabel(row.label) : `${foldedName(row.folded)}: ${foldedNames(row)}`
      }
      aria-selected={props.selected}
      aria-description={values.spoken}
      title={values.exact}
      data-row-id={row.id}
      data-depth={row.depth}
      data-index={index}
      style={
        {
          top: props.top,
          '--mark': markColour(row, props.colourBy, measure),
          ...values.layers,
        } as CSSProperties
      }
      onMouseDown={(event) => {
        event.stopPropagation();
        selectRow(pane, row);
        if (row.folded !== undefined && event.button === 0) expand(pane, row.id, 'expand');
      }}
      onDoubleClick={() => openRow(pane, row)}
      onContextMenu={(event) => props.onMenu(row, event)}
    >
      <span
        className="row-name"
        role="gridcell"
        aria-colindex={1}
        style={{ width: nameWidth, paddingLeft: indent + (isTree ? TREE_PADDING : LIST_PADDING) }}
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
        <span title={row.folded === undefined ? props.note : foldedNames(row)}>
          {row.folded === undefined ? (
            <FrameName
              row={row}
              width={nameWidth - nameAt - NAME_MARGIN - (row.matchBelow ? MATCH_DOT : 0)}
            />
          ) : (
            <span className="frame-name frame-dim">{foldedName(row.folded)}</span>
          )}
        </span>
        {row.matchBelow && <span className="match-below" title="Matches are below" />}
      </span>
      {/* Numbers are drawn for all rows at once. Those of the row that is read are cells, too. */}
      {props.selected && (
        <span className="unseen" role="presentation">
          {columns.map(({ id }, at) => (
            <span key={id} role="gridcell" aria-colindex={at + 2}>
              {values.cells[at]}
            </span>
          ))}
        </span>
      )}
    </div>
  );
}, hasSameRow);

/** Not where the new side has no sample at all, as after a mark: no row has vanished then. */
function isOnlyInBase(
  { totalCount, totalTime, baseTotalCount = 0, baseTotalTime = 0 }: Row,
  { compared }: RowLineProps['measure'],
): boolean {
  if (compared === undefined || compared.samples.next === 0) return false;
  const times = { base: baseTotalTime, next: totalTime };
  return onlyIn({ base: baseTotalCount, next: totalCount }, times) === 'base';
}
