import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { ownBaseline } from '../../../shared/scope/scope.ts';
import type { Interval, TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import { formatCount, formatRate } from '../../../shared/text/format-value.ts';
import { openDialog, prefer, note, changeScope } from '../../store/actions/actions.ts';
import { compareWithRest, markNow, marksRange } from '../../store/actions/compare-actions.ts';
import { undoScope } from '../../store/actions/scope-actions.ts';
import { mayGrow, unitsOf } from '../../store/state/selectors.ts';
import { chooseRange, zoomTimeline } from '../../store/actions/time-actions.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { Menu, type MenuEntry } from '../../widgets/Menu.tsx';
import { type PointerPlace, PointerTip } from '../../widgets/Tooltip.tsx';
import { type DrawingSize, useDrawing, useWidth } from '../use-drawing.ts';
import { useDragEscape } from '../use-drag-escape.ts';
import { AxisLabels, useDayTime, OutsideRange } from './AxisLabels.tsx';
import { kindLayers, drawTimeline, timelineScale } from './timeline-drawing.ts';
import { FollowChoice } from './FollowChoice.tsx';
import { ThreadTracks } from './ThreadTracks.tsx';
import { DurationsTrack } from './DurationsTrack.tsx';
import { HeatmapTrack } from './HeatmapTrack.tsx';
import { MeasuredLanes } from './MeasuredLanes.tsx';
import {
  between,
  bucketAt,
  intervalOf,
  moved,
  rangeOf,
  scrolledTo,
  timeAt,
  timeText,
  wholeInterval,
  ZOOM_STEP,
  zoomed,
} from './timeline-geometry.ts';
import { rangeAfterKey, type TimelineEnd } from './timeline-keys.ts';
import { useTimeWheel, wheelOnAxis } from './use-time-wheel.ts';
import { take } from '../../widgets/key-name.ts';
import './timeline.css';
import { isInRangeBar, RangeBar } from './RangeBar.tsx';
import { offerRange, type DraggedFor, dragRange, endRangeDrag, cancelDrag } from './drag-range.ts';

/** CSS pixels; as in timeline.css. */
const HEIGHT = 28;
/** A press that moves less than this is a click, which clears the range. CSS pixels. */
const LEAST_DRAG = 3;

interface Drag {
  readonly kind: 'new' | 'move' | TimelineEnd;
  /** Where it began: CSS pixels and time. */
  readonly x: number;
  readonly time: number;
  readonly range: Interval | undefined;
  /** With Control, what is dragged is the baseline. */
  readonly draggedFor: DraggedFor;
  /** It has gone further than a click. What is on screen may be from before that: a quick drag ends within a frame. */
  readonly isMoved: boolean;
}

interface Pointer {
  readonly time: number;
  readonly at: PointerPlace;
}

/** The number of samples over time. A range that is selected here narrows all panes. */
export function TimelinePane({ log }: { readonly log: LogView }): ReactNode {
  const plot = useRef<HTMLDivElement>(null);
  const width = useWidth(plot);
  useEffect(() => note({ timelineWidth: width }), [width]);
  const { timeline: columns } = log;
  const hasLanes = useWindow((state) => state.preferences.lanes);
  return (
    <div className="timeline" role="group" aria-label="Samples over time" data-testid="timeline">
      <div className="timeline-head">
        <span>All threads</span>
        {columns !== undefined && (
          <span data-testid="timeline-scale" data-tip="The rate at the top of the plot">
            {formatRate(timelineScale(columns).perSecond).replace(' ', ` ${unitsOf(log).counted.many}`)}
          </span>
        )}
        <div className="timeline-tools">
          <FollowChoice log={log} />
          <button
            type="button"
            className="button button-small"
            aria-pressed={hasLanes}
            data-testid="timeline-lanes-button"
            data-tip="A track for each pool of threads, coloured by what ran, and what was measured"
            onClick={() => prefer({ lanes: !hasLanes })}
          >
            Tracks
          </button>
          <button
            type="button"
            className="button button-small"
            data-testid="timeline-range"
            data-tip="Enter the range as times"
            onClick={() => openDialog({ kind: 'range' })}
          >
            Range…
          </button>
        </div>
      </div>
      <div className="timeline-plot" ref={plot} data-testid="timeline-plot">
        {columns !== undefined && width > 0 && (
          <Plot key={log.key} log={log} columns={columns} width={width} />
        )}
      </div>
      {columns !== undefined && width > 0 && log.heatmap !== undefined && (
        <HeatmapTrack key={log.key} log={log} heatmap={log.heatmap} columns={columns} width={width} />
      )}
      {columns !== undefined && width > 0 && log.durations !== undefined && (
        <DurationsTrack key={log.key} log={log} durations={log.durations} columns={columns} width={width} />
      )}
      {hasLanes && columns !== undefined && width > 0 && <Lanes log={log} columns={columns} width={width} />}
    </div>
  );
}

function Lanes({ log, columns, width }: PlotProps): ReactNode {
  const outside = outsideOf(log, columns);
  return (
    <>
      <ThreadTracks log={log} columns={columns} width={width} outside={outside} />
      <MeasuredLanes log={log} columns={columns} width={width} outside={outside} />
    </>
  );
}

/** Shares of what is shown that are before and after the range. */
function outsideOf(log: LogView, columns: TimelineColumns): readonly [number, number] {
  const { shown } = columns;
  const range = intervalOf(log.scope.range, columns) ?? shown;
  const share = (from: number, to: number): number =>
    Math.min(1, Math.max(0, (to - from) / (shown.to - shown.from)));
  return [share(shown.from, range.from), share(range.to, shown.to)];
}

interface PlotProps {
  readonly log: LogView;
  readonly columns: TimelineColumns;
  /** CSS pixels. */
  readonly width: number;
}

function Plot({ log, columns, width }: PlotProps): ReactNode {
  const layer = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | undefined>(undefined);
  /** A press that ended without a drag, and whether the first click of a double click has cleared something. */
  const clicked = useRef<Drag | undefined>(undefined);
  const hasCleared = useRef(false);
  const [pointed, setPointed] = useState<Pointer>();
  const [menu, setMenu] = useState<{ readonly x: number; readonly y: number }>();
  const closeMenu = useCallback(() => setMenu(undefined), []);
  const { tracks } = log;
  const { shown } = columns;
  const range = intervalOf(log.scope.range, columns);
  const baseline = intervalOf(ownBaseline(log.baseline)?.range, columns);
  const isOffered = range !== undefined && log.offeredRange === log.scope.range;
  const xOf = (time: number): number =>
    Math.min(width, Math.max(0, ((time - shown.from) / (shown.to - shown.from)) * width));
  const timeOf = (x: number): number => timeAt(columns, x, width);

  const draw = useCallback(
    (context: CanvasRenderingContext2D, size: DrawingSize) => {
      const isCurrent = tracks !== undefined && tracks.buckets === columns.samples.length;
      const kinds = isCurrent ? kindLayers(tracks, tracks.tracks.length, size.theme) : [];
      drawTimeline(context, columns, kinds, size);
    },
    [columns, tracks],
  );
  const canvas = useDrawing(width, HEIGHT, draw);

  useTimeWheel(layer, wheelOnAxis(columns));
  useDragEscape(drag);

  function xOfEvent(event: PointerEvent): number {
    return event.clientX - (layer.current?.getBoundingClientRect().left ?? 0);
  }

  function onPointerDown(event: PointerEvent): void {
    if (event.button !== 0 || isInRangeBar(event.target)) return;
    const isForBaseline = event.ctrlKey || event.metaKey;
    const end = event.target instanceof HTMLElement ? event.target.dataset.end : undefined;
    const x = xOfEvent(event);
    const isInside = range !== undefined && timeOf(x) >= range.from && timeOf(x) < range.to;
    const changes = end === 'from' || end === 'to' ? end : event.shiftKey && isInside ? 'move' : 'new';
    drag.current = isForBaseline
      ? { kind: 'new', x, time: timeOf(x), range: baseline, draggedFor: 'baseline', isMoved: false }
      : { kind: changes, x, time: timeOf(x), range, draggedFor: 'scope', isMoved: false };
    layer.current?.setPointerCapture(event.pointerId);
  }

  function onPointerMove(event: PointerEvent): void {
    const x = xOfEvent(event);
    setPointed(x >= 0 && x < width ? { time: timeOf(x), at: event } : undefined);
    const { current } = drag;
    if (current === undefined) return;
    if (current.kind === 'new' && Math.abs(x - current.x) < LEAST_DRAG && !current.isMoved) return;
    drag.current = { ...current, isMoved: true };
    dragRange(rangeOf(dragged(current, timeOf(x), columns), columns), current.draggedFor);
  }

  function onPointerUp(): void {
    const { current } = drag;
    drag.current = undefined;
    clicked.current = current?.isMoved === true ? undefined : current;
    if (current?.isMoved === true) endRangeDrag();
  }

  /** A press without a drag clears what it would have chosen. The second one of a double click has nothing to add. */
  function onClick(event: MouseEvent): void {
    const { current } = clicked;
    clicked.current = undefined;
    if (event.detail > 1 || isInRangeBar(event.target)) return;
    const isForBaseline = current?.draggedFor === 'baseline';
    const isForRange = !isForBaseline && current?.kind === 'new';
    if (isForBaseline) changeScope({ baseline: undefined });
    if (isForRange) chooseRange(undefined);
    hasCleared.current = (isForBaseline && log.baseline !== undefined) || (isForRange && range !== undefined);
  }

  function onDoubleClick(): void {
    if (hasCleared.current) undoScope();
    hasCleared.current = false;
    zoomTimeline(undefined);
  }

  function onKeyDown(event: KeyboardEvent, end: TimelineEnd): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '-') {
      const middle = range === undefined ? (shown.from + shown.to) / 2 : (range.from + range.to) / 2;
      zoomTimeline(zoomed(columns, event.key === '+' ? 1 / ZOOM_STEP : ZOOM_STEP, middle));
    } else {
      const next = rangeAfterKey(event, end, range, columns);
      if (next === undefined) return;
      if (next === 'none') chooseRange(undefined);
      else offerRange(rangeOf(next, columns));
      const zoom = next === 'none' ? undefined : scrolledTo(columns, next[end]);
      if (zoom !== undefined) zoomTimeline(zoom);
    }
    take(event);
  }

  const present = range ?? wholeInterval(columns);
  return (
    <div
      ref={layer}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => {
        drag.current = undefined;
        cancelDrag();
      }}
      onPointerLeave={() => setPointed(undefined)}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
      onContextMenu={(event) => {
        event.preventDefault();
        // On a Mac, Control with the button is this event, too.
        if (drag.current === undefined) setMenu({ x: event.clientX, y: event.clientY });
      }}
    >
      <canvas ref={canvas} aria-hidden="true" />
      {range !== undefined && <OutsideRange outside={outsideOf(log, columns)} width={width} />}
      {baseline !== undefined && !isRest(baseline, range, columns) && (
        <div
          className="timeline-baseline"
          data-testid="timeline-baseline"
          style={{ left: xOf(baseline.from), width: xOf(baseline.to) - xOf(baseline.from) }}
        >
          base
        </div>
      )}
      {(['from', 'to'] as const).map((end) => (
        <div
          key={end}
          className="timeline-end"
          role="slider"
          tabIndex={0}
          aria-label={end === 'from' ? 'Start of the time range' : 'End of the time range'}
          aria-valuemin={0}
          aria-valuemax={columns.last / 1e6}
          aria-valuenow={Math.min(columns.last, present[end]) / 1e6}
          aria-valuetext={`${timeText(present[end])} of ${timeText(columns.last)}`}
          data-end={end}
          data-unset={range === undefined ? '' : undefined}
          data-testid={`timeline-${end}`}
          style={{ left: xOf(present[end]) }}
          onKeyDown={(event) => onKeyDown(event, end)}
        />
      ))}
      {isOffered && (
        <RangeBar at={(xOf(range.from) + xOf(range.to)) / 2} onZoom={() => zoomTimeline(range)} />
      )}
      <div className="timeline-axis" aria-hidden="true">
        <AxisLabels shown={shown} first={columns.first} width={width} />
      </div>
      {pointed !== undefined && !isOffered && (
        <PointerTip at={pointed.at} testId="timeline-pointed">
          <Pointed log={log} time={pointed.time} />
        </PointerTip>
      )}
      {menu !== undefined && (
        <Menu label="Time range" entries={timelineEntries(log)} at={menu} onClose={closeMenu} />
      )}
    </div>
  );
}

function timelineEntries(log: LogView): readonly MenuEntry[] {
  const { scope, baseline } = log;
  return [
    ...(mayGrow(log)
      ? [{ text: 'Mark: compare from now on', hint: marksRange(log) ? undefined : 'Alt M', run: markNow }]
      : []),
    {
      text: 'Compare range with the rest',
      hint: marksRange(log) ? 'Alt M' : undefined,
      disabled: scope.range === undefined,
      run: compareWithRest,
    },
    {
      text: 'Remove baseline',
      disabled: baseline === undefined,
      run: () => changeScope({ baseline: undefined }),
    },
    'separator',
    { text: 'Enter times\u2026', run: () => openDialog({ kind: 'range' }) },
    { text: 'Clear the range', disabled: scope.range === undefined, run: () => chooseRange(undefined) },
    {
      text: 'Reset zoom of the timeline',
      disabled: log.timelineZoom === undefined,
      run: () => zoomTimeline(undefined),
    },
  ];
}

/** The samples at the pointer. */
function Pointed({ log, time }: { readonly log: LogView; readonly time: number }): ReactNode {
  const { timeline } = log;
  const dayTime = useDayTime(timeline?.first);
  if (timeline === undefined) return null;
  const { from, bucketNs, samples, errors, matches, selected } = timeline;
  const at = bucketAt(timeline, time);
  const { one, many } = unitsOf(log).counted;
  const parts = [`${formatCount(samples[at])} ${samples[at] === 1 ? one : many}`];
  if (errors[at] > 0) parts.push(`${formatCount(errors[at])} with errors`);
  if (matches[at] > 0) parts.push(`${formatCount(matches[at])} with a match`);
  if (selected[at] > 0) parts.push(`${formatCount(selected[at])} with the selected method`);
  return `${timeText(from + at * bucketNs, dayTime)}: ${parts.join(', ')}`;
}

/** Whether a baseline is the rest of the log: all that is outside of the range, which is drawn already. */
function isRest({ from, to }: Interval, range: Interval | undefined, columns: TimelineColumns): boolean {
  const whole = wholeInterval(columns);
  return from <= 0 && to >= whole.to && range !== undefined && range.from < whole.to;
}

function dragged({ kind, time, range }: Drag, now: number, columns: TimelineColumns): Interval {
  const present = range ?? wholeInterval(columns);
  if (kind === 'new') return between(time, now, columns);
  if (kind === 'move') return moved(present, now - time, columns);
  return between(kind === 'from' ? present.to : present.from, now, columns);
}
