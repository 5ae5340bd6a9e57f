import { type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import type { SortColumn } from '../../../shared/engine/columns/column.ts';
import type { SortOrder } from '../../../shared/engine/views/sort-order.ts';
import type { SizedColumn } from './column-layout.ts';

interface HeaderCellProps {
  readonly id: SizedColumn;
  /** Among the columns, from 1. */
  readonly position: number;
  /** For its name. */
  readonly title: string;
  /** On screen. */
  readonly heading: string;
  /** At the end of the column, behind its title. */
  readonly children?: ReactNode;
  readonly hint: string;
  /** undefined: rows cannot be sorted by it. */
  readonly by: SortColumn | undefined;
  /** The sort order, when rows are sorted by this column. */
  readonly sort: SortOrder | undefined;
  /** CSS pixels. */
  readonly width: number;
  readonly isTabStop: boolean;
  readonly onSort: (by: SortColumn) => void;
  readonly onFocus: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  readonly onMenu: (event: MouseEvent<HTMLElement>) => void;
  /** The title is dragged to, or dropped at, a position in the window; undefined: the drag was cancelled. */
  readonly onDrag: (to: number | undefined, isDropped: boolean) => void;
  /** The edge is dragged: the width while dragging, or the final one; undefined: the drag was cancelled. */
  readonly onWidth: (width: number | undefined, isDropped: boolean) => void;
  readonly onFit: () => void;
}

/** CSS pixels that the pointer moves before a click becomes a drag. */
const LEAST_DRAG = 5;

/** The title of a column, and its right edge. */
export function HeaderCell(props: HeaderCellProps): ReactNode {
  const { id, title, heading, hint, by, sort, width } = props;
  const direction = sort === undefined ? undefined : sort.descending ? 'descending' : 'ascending';
  /** Where the title was pressed, and whether it has been dragged since. */
  const press = useRef<{ readonly x: number; isDrag: boolean }>(undefined);

  const canMove = id !== 'name';
  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return;
    press.current = { x: event.clientX, isDrag: false };
    if (canMove) event.currentTarget.setPointerCapture(event.pointerId);
  }
  function onPointerMove({ clientX, buttons }: PointerEvent<HTMLElement>): void {
    const { current } = press;
    if (!canMove || current === undefined || buttons === 0) return;
    if (Math.abs(clientX - current.x) > LEAST_DRAG) current.isDrag = true;
    if (current.isDrag) props.onDrag(clientX, false);
  }

  return (
    <div
      className={canMove ? 'header-cell' : 'header-cell header-name'}
      style={{ width }}
      role="columnheader"
      aria-colindex={props.position}
      aria-sort={direction}
      aria-label={title}
    >
      <button
        type="button"
        className="header-title"
        tabIndex={props.isTabStop ? 0 : -1}
        data-tip={hint}
        data-column={id}
        data-sort={by}
        data-sorted={direction}
        aria-label={labelOf(title, by, direction)}
        onClick={() => {
          if (press.current?.isDrag !== true && by !== undefined) props.onSort(by);
          press.current = undefined;
        }}
        onFocus={props.onFocus}
        onKeyDown={(event) => {
          press.current = undefined;
          props.onKeyDown(event);
        }}
        onContextMenu={props.onMenu}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={({ clientX }) => {
          if (press.current?.isDrag === true) props.onDrag(clientX, true);
        }}
        onLostPointerCapture={() => props.onDrag(undefined, false)}
      >
        <span className="header-text">{heading}</span>
        <span className="header-arrow" aria-hidden="true">
          {direction === undefined ? '' : direction === 'descending' ? '▾' : '▴'}
        </span>
      </button>
      {props.children}
      <ResizeEdge width={width} onWidth={props.onWidth} onFit={props.onFit} />
    </div>
  );
}

function labelOf(title: string, by: SortColumn | undefined, direction: string | undefined): string {
  if (by === undefined) return title;
  return direction === undefined ? `Sort by ${title}` : `${title}, sorted ${direction}`;
}

function ResizeEdge({
  width,
  onWidth,
  onFit,
}: Pick<HeaderCellProps, 'width' | 'onWidth' | 'onFit'>): ReactNode {
  const press = useRef<{ readonly x: number; readonly width: number }>(undefined);
  const widthAt = (x: number): number | undefined =>
    press.current === undefined || x === press.current.x
      ? undefined
      : press.current.width + x - press.current.x;
  return (
    <span
      className="header-edge"
      data-testid="header-edge"
      aria-hidden="true"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        press.current = { x: event.clientX, width };
      }}
      onPointerMove={({ clientX }) => {
        const dragged = widthAt(clientX);
        if (dragged !== undefined) onWidth(dragged, false);
      }}
      onPointerUp={({ clientX }) => {
        const dragged = widthAt(clientX);
        press.current = undefined;
        onWidth(dragged, true);
      }}
      onPointerCancel={() => {
        press.current = undefined;
        onWidth(undefined, true);
      }}
      onDoubleClick={onFit}
    />
  );
}
