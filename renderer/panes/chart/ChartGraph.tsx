import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useRef,
  useState,
} from 'react';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import {
  EMPTY_FLAME,
  type FlameLayout,
  flameRow,
  labelAt,
  levelOf,
} from '../../../shared/engine/views/flame-columns.ts';
import { focusPane, select } from '../../store/actions/actions.ts';
import { stepFrame } from '../flame/flame-walk.ts';
import { selectionOf } from '../../store/state/selection.ts';
import { unitsOf } from '../../store/state/selectors.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { toggleLines } from '../../store/actions/scope-actions.ts';
import { zoomTimeline } from '../../store/actions/time-actions.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { type PointerPlace, PointerTip } from '../../widgets/Tooltip.tsx';
import { Menu } from '../../widgets/Menu.tsx';
import { copyFrame } from '../flame/flame-menu.ts';
import { enterDetail } from '../enter-pane.ts';
import { AxisLabels, useDayTime } from '../timeline/AxisLabels.tsx';
import { panned, timeText, zoomed } from '../timeline/timeline-geometry.ts';
import { useTimeWheel } from '../timeline/use-time-wheel.ts';
import { chartKey, drawnSamples, runText, chartEntries } from './chart-menu.ts';
import { useGraph, GraphFrames } from '../flame/Graph.tsx';
import { paneAction } from '../pane-keys.ts';

/** A press that moves less than this is a click. CSS pixels. */
const LEAST_DRAG = 4;

/** The open menu, its place in CSS pixels, and the chart whose row it is of: that may change meanwhile. */
interface OpenMenu {
  readonly chart: NonNullable<LogView['panes']['chart']['shown']>;
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

/** A row of a layout. In another layout the frame at its time and level is found again. */
interface Cursor {
  readonly layout: FlameLayout;
  readonly row: number;
  readonly time: number;
  readonly level: number;
}

interface Drag {
  readonly x: number;
  readonly y: number;
  readonly scrollTop: number;
  readonly timeline: LogView['timeline'];
  readonly isMoved: boolean;
}

/** The frames of the chart, with the times below them. */
export function ChartGraph({
  log,
  scheme,
}: {
  readonly log: LogView;
  readonly scheme: ColourScheme;
}): ReactNode {
  const drag = useRef<Drag>(undefined);
  const [cursor, setCursor] = useState<Cursor>();
  const [hovered, setHovered] = useState<Cursor>();
  const [tip, setTip] = useState<PointerPlace>();
  const [menu, setMenu] = useState<OpenMenu>();
  const timelineWidth = useWindow(({ preferences, timelineWidth: measured }) =>
    preferences.timeline && !preferences.chartIsEqual ? measured : 0,
  );
  const chart = log.panes.chart.shown;
  const layout = chart?.layout ?? EMPTY_FLAME;
  const { timeline } = log;
  const units = unitsOf(log);
  const dayTime = useDayTime(chart?.first);
  // A scroll bar has its place beside the axis that both have.
  const graph = useGraph({ layout, orientation: 'icicle', scheme, isChart: true, mostWidth: timelineWidth });
  const { scroller, mark, width, rowUnder } = graph;

  function rowOf(at: Cursor | undefined): number {
    if (at === undefined || chart === undefined) return -1;
    if (at.layout === layout) return at.row;
    const { levelStart, start, weight } = layout;
    const cell = chart.times.findLastIndex((time) => time <= at.time);
    for (let row = levelStart[at.level] ?? 0; row < (levelStart[at.level + 1] ?? 0); row++)
      if (start[row] <= cell && cell < start[row] + weight[row]) return row;
    return -1;
  }

  function cursorAt(row: number): Cursor {
    const { start, weight } = layout;
    const time = chart?.times[Math.floor(start[row] + weight[row] / 2)] ?? 0;
    return { layout, row, time, level: levelOf(layout, row) };
  }

  function selectAt(row: number): void {
    setCursor(cursorAt(row));
    select(selectionOf('chart', flameRow(layout, row)));
  }

  function zoomInto(row: number, of = chart): void {
    if (of === undefined) return;
    const { start, weight } = of.layout;
    zoomTimeline(
      row === 0 ? undefined : { from: of.times[start[row]], to: of.times[start[row] + weight[row]] },
    );
  }

  function openAt(row: number): void {
    const selection = selectionOf('chart', flameRow(layout, row));
    if (selection.kind === 'frame' || selection.kind === 'error') enterDetail(selection);
    else zoomInto(row);
  }

  /** Around a share of the width. */
  function zoomBy(factor: number, share: number): void {
    if (chart === undefined || timeline === undefined) return;
    zoomTimeline(zoomed(timeline, factor, chart.times[Math.floor(share * (chart.times.length - 1))]));
  }

  /** By a share of the width. */
  function panBy(share: number, time = timeline): void {
    if (time !== undefined) zoomTimeline(panned(time, share * (time.shown.to - time.shown.from)));
  }

  useTimeWheel(scroller, { zoom: zoomBy, pan: panBy }, true);

  const focused = rowOf(cursor);
  const pointed = rowOf(hovered);
  const described = pointed < 0 ? focused : pointed;
  const describe = (row: number, of = chart): string =>
    of === undefined ? '' : runText(of, row, units, dayTime);

  function onKeyDown(event: KeyboardEvent): void {
    const row = focused < 0 ? undefined : flameRow(layout, focused);
    const copy = row && ((): void => copyFrame(layout, focused, describe(focused)));
    const action = paneAction(event, row, copy, (key) => chartKey(key, event.shiftKey));
    switch (action?.type) {
      case 'step': {
        const next = stepFrame(layout, focused, action.step);
        setHovered(undefined);
        if (next >= 0) selectAt(next);
        break;
      }
      case 'scale': {
        const middle =
          focused < 0 ? 0.5 : (layout.start[focused] + layout.weight[focused] / 2) / layout.weight[0];
        zoomBy(action.factor, middle);
        break;
      }
      case 'pan':
        panBy(action.share);
        break;
      case 'open':
        if (focused >= 0) openAt(focused);
        break;
      case 'zoom':
        if (focused >= 0) zoomInto(focused);
        break;
      case 'lines':
        if (row?.kind === 'frame') toggleLines(row.label);
        break;
      case 'out':
        zoomBy(2, 0.5);
        break;
      case 'menu': {
        const box = mark.current?.getBoundingClientRect();
        if (chart !== undefined && focused >= 0 && box !== undefined)
          setMenu({ chart, row: focused, x: box.left, y: box.bottom });
      }
    }
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return;
    const { clientX: x, clientY: y } = event;
    drag.current = {
      x,
      y,
      scrollTop: scroller.current?.scrollTop ?? 0,
      timeline,
      isMoved: false,
    };
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const { current } = drag;
    if (current === undefined || (event.buttons & 1) === 0) {
      const row = rowUnder(event);
      setHovered(row < 0 ? undefined : cursorAt(row));
      setTip({ clientX: event.clientX, clientY: event.clientY });
      return;
    }
    const [dx, dy] = [event.clientX - current.x, event.clientY - current.y];
    if (!current.isMoved && Math.hypot(dx, dy) < LEAST_DRAG) return;
    if (!current.isMoved) event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { ...current, isMoved: true };
    panBy(-dx / width, current.timeline);
    scroller.current?.scrollTo({ top: current.scrollTop - dy });
  }

  function onClick(event: MouseEvent): void {
    const wasDragged = drag.current?.isMoved === true;
    drag.current = undefined;
    // The second click of a double click.
    if (wasDragged || event.detail > 1) return;
    const row = rowUnder(event);
    if (row >= 0) selectAt(row);
  }

  function onContextMenu(event: MouseEvent): void {
    const row = rowUnder(event);
    if (row < 0) return;
    event.preventDefault();
    selectAt(row);
    if (chart !== undefined) setMenu({ chart, row, x: event.clientX, y: event.clientY });
  }

  return (
    <>
      <GraphFrames
        graph={graph}
        label="Chart: arrow keys move between frames, plus and minus zoom, Shift and arrow keys move in time, Space zooms into a frame, Enter opens callers and callees"
        hovered={pointed}
        focused={focused}
        markId="chart-frame"
        describe={describe}
        container={{
          className: 'chart-canvas',
          style: { width },
          'data-testid': 'chart-graph',
          onFocus: () => focusPane('chart'),
          onKeyDown,
          onPointerDown,
          onPointerMove,
          onPointerLeave: () => setHovered(undefined),
          onPointerCancel: () => (drag.current = undefined),
          onClick,
          onDoubleClick: (event) => {
            const row = rowUnder(event);
            if (row >= 0) openAt(row);
          },
          onContextMenu,
        }}
      />
      {chart !== undefined && chart.count > 0 && (
        <div className="chart-times" aria-hidden="true">
          {width > 0 &&
            (chart.isEqual ? (
              <EqualTimes times={chart.times} dayTime={dayTime} />
            ) : (
              <AxisLabels shown={chart.shown} first={chart.first} width={width} />
            ))}
        </div>
      )}
      <div className="flame-footer">
        <span className="flame-details" data-testid="chart-details">
          {described >= 0 && (
            <>
              <strong>{shownLabel(labelAt(layout, described))}</strong>
              <span className="flame-numbers">{describe(described)}</span>
            </>
          )}
        </span>
        <span className="flame-drawn" data-testid="chart-drawn">
          {chart !== undefined && drawnSamples(chart, units)}
        </span>
      </div>
      {tip !== undefined && pointed >= 0 && (
        <PointerTip at={tip} testId="chart-pointed">
          {`${shownLabel(labelAt(layout, pointed))}: ${describe(pointed)}`}
        </PointerTip>
      )}
      {menu !== undefined && (
        <Menu
          label={`Actions for ${shownLabel(labelAt(menu.chart.layout, menu.row))}`}
          entries={chartEntries(menu.chart, menu.row, describe(menu.row, menu.chart), () =>
            zoomInto(menu.row, menu.chart),
          )}
          at={menu}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  );
}

/** Equal parts of the width, at whose edges the times are told. */
const TIME_STEPS = 8;

/** The times of samples that are equally wide. */
function EqualTimes({
  times,
  dayTime,
}: {
  readonly times: Float64Array;
  readonly dayTime: number | undefined;
}): ReactNode {
  return Array.from({ length: TIME_STEPS }, (_, at) => (
    <span key={at} style={{ left: `${(at * 100) / TIME_STEPS}%` }}>
      {timeText(times[Math.floor((at * (times.length - 1)) / TIME_STEPS)], dayTime)}
    </span>
  ));
}
