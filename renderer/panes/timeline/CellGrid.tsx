import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import { zoomTimeline } from '../../store/actions/time-actions.ts';
import { isDark } from '../../store/state/selectors.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { take } from '../../widgets/key-name.ts';
import { type PointerPlace, PointerTip } from '../../widgets/Tooltip.tsx';
import { useDragEscape } from '../use-drag-escape.ts';
import { useDrawing } from '../use-drawing.ts';
import { HEATMAP_COLOURS, type HeatmapColours } from './heatmap-drawing.ts';
import { scrolledTo, timeAt } from './timeline-geometry.ts';
import { useTimeWheel, wheelOnAxis } from './use-time-wheel.ts';
import type { DraggedFor } from './drag-range.ts';

/** Where a cell is, whatever the size of cells: a zoom, or a log that grows, makes other cells of the same time. */
interface CellPlace {
  /** Begin of its time, ns after the earliest sample. */
  readonly time: number;
  /** Its row on a scale that stays; 0 where rows are parts of the time. */
  readonly row: number;
}

/** A drag from one cell to another. A cell is its column × rows + its row, the lowest row first. */
interface CellDrag {
  readonly from: number;
  readonly to: number;
  /** False for a press of one cell. */
  readonly isMoved: boolean;
  /** With Control, what is dragged is the baseline. */
  readonly draggedFor: DraggedFor;
}

/** The actions on cells. */
interface CellActions {
  readonly drag: (dragged: CellDrag) => void;
  readonly drop: (dragged: CellDrag, at: PointerPlace) => void;
  readonly cancel: () => void;
  /** The cursor is moved without Shift. */
  readonly move?: () => void;
  /** From the keyboard, with Shift. */
  readonly extend: (from: number, to: number) => void;
  /** Enter at a cell. */
  readonly enter: (cell: number, at: PointerPlace) => void;
  /** Escape; undefined: there is nothing to clear, and the key is the window's. */
  readonly clear: (() => void) | undefined;
}

interface CellGridProps extends CellActions {
  readonly columns: TimelineColumns;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Cells of a column, and its time, ns. */
  readonly rows: number;
  readonly columnNs: number;
  readonly lastCell: number;
  readonly draw: Parameters<typeof useDrawing>[2];
  /** The cell of the cursor until it is moved. */
  readonly firstCell: number;
  readonly isSelected: boolean;
  /** Nothing is told at the pointer. */
  readonly isQuiet?: boolean;
  readonly label: string;
  readonly testId: string;
  readonly textOf: (cell: number) => string;
  readonly cellAfter: (key: string, cell: number) => number | undefined;
  readonly placeOf: (cell: number) => CellPlace;
  readonly cellOf: (place: CellPlace) => number;
  readonly children?: ReactNode;
}

/** Cells on the axis of the timeline, with a cursor: pointer and keys choose one, or all from one to another. */
export function CellGrid(props: CellGridProps): ReactNode {
  const { columns, width, height, rows, columnNs, lastCell, label, testId, textOf } = props;
  const layer = useRef<HTMLDivElement>(null);
  const drag = useRef<Omit<CellDrag, 'from'>>(undefined);
  /** The first cell of what is selected. */
  const anchor = useRef<CellPlace>(undefined);
  const [cursor, setCursor] = useState<CellPlace>();
  /** The pointer, in the window and from the upper left corner; CSS pixels. */
  const [pointer, setPointer] = useState<PointerPlace & { readonly x: number; readonly y: number }>();
  const cellOf = (place: CellPlace | undefined, otherwise: number): number =>
    Math.max(0, Math.min(lastCell, place === undefined ? otherwise : props.cellOf(place)));
  const focused = cellOf(cursor, props.firstCell);
  const cellHeight = height / rows;
  const timeOf = (cell: number): number => Math.floor(cell / rows) * columnNs;
  const xOf = (time: number): number =>
    ((time - columns.shown.from) / (columns.shown.to - columns.shown.from)) * width;

  const canvas = useDrawing(width, height, props.draw);
  useTimeWheel(layer, wheelOnAxis(columns));
  useDragEscape(drag, props.cancel);

  function pointerOf({ clientX, clientY }: PointerEvent): NonNullable<typeof pointer> {
    const { left = 0, top = 0 } = layer.current?.getBoundingClientRect() ?? {};
    return { clientX, clientY, x: clientX - left, y: clientY - top };
  }

  function cellAt({ x, y }: NonNullable<typeof pointer>): number {
    const column = Math.floor(timeAt(columns, x, width) / columnNs);
    const row = rows - 1 - Math.floor(y / cellHeight);
    return Math.min(lastCell, Math.max(0, column) * rows + Math.max(0, Math.min(rows - 1, row)));
  }

  function onPointerDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    const at = cellAt(pointerOf(event));
    const from = event.shiftKey ? cellOf(anchor.current, focused) : at;
    const draggedFor = event.ctrlKey || event.metaKey ? 'baseline' : 'scope';
    drag.current = { to: at, isMoved: from !== at, draggedFor };
    anchor.current = props.placeOf(from);
    setCursor(props.placeOf(at));
    if (from !== at) props.drag({ ...drag.current, from });
    layer.current?.setPointerCapture(event.pointerId);
  }

  function onPointerMove(event: PointerEvent): void {
    const place = pointerOf(event);
    const at = cellAt(place);
    setPointer(place);
    const { current } = drag;
    const from = cellOf(anchor.current, at);
    if (current === undefined || (!current.isMoved && at === from)) return;
    drag.current = { ...current, to: at, isMoved: true };
    setCursor(props.placeOf(at));
    props.drag({ ...drag.current, from });
  }

  function onPointerUp(event: PointerEvent): void {
    const { current } = drag;
    drag.current = undefined;
    if (current !== undefined) props.drop({ ...current, from: cellOf(anchor.current, current.to) }, event);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      if (props.clear === undefined) return;
      props.clear();
    } else if (event.key === 'Enter' || event.key === ' ') {
      const { left, top, width: wide } = boxOf(focused);
      const box = layer.current?.getBoundingClientRect();
      const at = { clientX: (box?.left ?? 0) + left + wide, clientY: (box?.top ?? 0) + top + cellHeight };
      props.enter(focused, at);
      anchor.current = props.placeOf(focused);
    } else {
      const next = props.cellAfter(event.key, focused);
      if (next === undefined) return;
      if (event.shiftKey) props.extend(cellOf((anchor.current ??= props.placeOf(focused)), focused), next);
      else {
        anchor.current = undefined;
        props.move?.();
      }
      setCursor(props.placeOf(next));
      const zoom = scrolledTo(columns, timeOf(next));
      if (zoom !== undefined) zoomTimeline(zoom);
    }
    take(event);
  }

  const pointed = pointer && cellAt(pointer);
  const boxOf = (cell: number): { left: number; top: number; width: number; height: number } => {
    const left = xOf(timeOf(cell));
    return {
      left,
      top: (rows - 1 - (cell % rows)) * cellHeight,
      width: xOf(timeOf(cell) + columnNs) - left,
      height: cellHeight,
    };
  };
  return (
    <div
      ref={layer}
      className="heatmap-squares"
      style={{ height }}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows}
      aria-colcount={Math.floor(lastCell / rows) + 1}
      aria-activedescendant={`${testId}-cell`}
      data-testid={testId}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => {
        drag.current = undefined;
        props.cancel();
      }}
      onPointerLeave={() => setPointer(undefined)}
      onKeyDown={onKeyDown}
    >
      <canvas ref={canvas} style={{ width, height }} aria-hidden="true" />
      <div role="row" aria-rowindex={(focused % rows) + 1}>
        <div
          id={`${testId}-cell`}
          className="heatmap-mark"
          role="gridcell"
          aria-colindex={Math.floor(focused / rows) + 1}
          aria-selected={props.isSelected}
          aria-label={textOf(focused)}
          style={boxOf(focused)}
        />
      </div>
      {props.children}
      {pointer !== undefined && pointed !== undefined && (
        <>
          <div className="heatmap-hover" style={boxOf(pointed)} aria-hidden="true" />
          {props.isQuiet !== true && (
            <PointerTip at={pointer} testId={testId.replace('squares', 'pointed')}>
              {textOf(pointed)}
            </PointerTip>
          )}
        </>
      )}
    </div>
  );
}

interface CellLegendProps {
  readonly title: string;
  /** The size of a cell. */
  readonly step: string;
  readonly entries: readonly {
    readonly ramp: Exclude<keyof HeatmapColours, 'surface' | 'empty'>;
    readonly text: string;
  }[];
  readonly testId: string;
  readonly children?: ReactNode;
}

/** The name of the track, the size of its cells, and what their colours mean. */
export function CellLegend({ title, step, entries, testId, children }: CellLegendProps): ReactNode {
  const colours = HEATMAP_COLOURS[useWindow(isDark) ? 'dark' : 'light'];
  return (
    <div className="heatmap-legend" data-testid={testId}>
      <span>{title}</span>
      <span>{step}</span>
      {entries.map(({ ramp, text }) => (
        <span key={text}>
          <span
            className="heatmap-ramp"
            aria-hidden="true"
            style={{ background: `linear-gradient(90deg, ${colours[ramp].join(', ')})` }}
          />
          {text}
        </span>
      ))}
      {children}
    </div>
  );
}
