import { type ReactNode, useCallback } from 'react';
import { onlyThreads, selectsThread, threadsOfRow } from '../../../shared/scope/thread-pattern.ts';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import { SAMPLE_KINDS } from '../../../shared/engine/views/self-groups.ts';
import { selectThreads } from '../../store/scope-actions.ts';
import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import { isDark } from '../../store/selectors.ts';
import { showLanes } from '../../store/time-actions.ts';
import type { LogView } from '../../store/window-state.ts';
import { useWindow } from '../../store/window-store.ts';
import { ElidedText } from '../../widgets/ElidedText.tsx';
import { VirtualRows } from '../../widgets/VirtualRows.tsx';
import { type DrawingSize, useDrawing } from '../use-drawing.ts';
import { OutsideRange, type OutsideRangeProps } from './OutsideRange.tsx';
import { leftOf } from './timeline-geometry.ts';
import { KIND_NAMES, kindFill } from './layer-style.ts';

/** CSS pixels; as in timeline.css. */
const LANE_HEIGHT = 18;
const MOST_LANES = 8;
/** Errors last. */
const LEGEND = [...SAMPLE_KINDS.slice(1), SAMPLE_KINDS[0]];
/** Between the colours of two lanes. */
const GAP = 3;

type Lanes = NonNullable<LogView['lanes']>;

interface ThreadLanesProps extends OutsideRangeProps {
  readonly log: LogView;
  readonly columns: TimelineColumns;
}

/** Below the timeline a lane for each thread, coloured by what ran; the names are beside the lanes. */
export function ThreadLanes({ log, columns, width, outside }: ThreadLanesProps): ReactNode {
  const { lanes } = log;
  const { threads } = log.scope;
  if (lanes === undefined) return null;
  const isSelected = selectsThread(threads, log.threads?.typed);
  return (
    <div
      className="timeline-lanes"
      data-testid="timeline-lanes"
      style={{ height: LANE_HEIGHT * Math.min(MOST_LANES, Math.max(1, lanes.total)) }}
    >
      <VirtualRows
        total={lanes.total}
        rowHeight={LANE_HEIGHT}
        from={lanes.from}
        rows={lanes.labels}
        renderRow={(label, at, top) => {
          const name = lanes.names[at - lanes.from];
          const only = onlyThreads(threadsOfRow(name, 'name'));
          const isOnly = JSON.stringify(only) === JSON.stringify(threads);
          return (
            <div
              className="lane"
              role="listitem"
              style={{ top }}
              data-unselected={isSelected(name) ? undefined : ''}
            >
              <button
                type="button"
                className="lane-name"
                aria-pressed={isOnly}
                data-tip={`${
                  isOnly
                    ? 'Show all threads'
                    : label === name
                      ? 'Only this thread'
                      : 'Only threads of this name'
                }: ${shownLabel(label)}`}
                onClick={() => selectThreads(isOnly ? [] : only)}
              >
                <ElidedText text={shownLabel(label)} />
              </button>
            </div>
          );
        }}
        renderBeside={(drawn, top) => <LaneColours {...{ lanes, columns, rows: drawn, top, width }} />}
        onWindow={showLanes}
        shift={0}
        reveal={undefined}
        active={undefined}
        initialPosition={0}
        onPosition={() => undefined}
        container={{ role: 'list', 'aria-label': 'Threads over time', tabIndex: 0 }}
      />
      <OutsideRange outside={outside} width={width} />
    </div>
  );
}

/** The lanes that are drawn, as one canvas. */
function LaneColours({
  lanes,
  columns,
  rows,
  top,
  width,
}: {
  readonly lanes: Lanes;
  readonly columns: TimelineColumns;
  readonly rows: readonly (string | undefined)[];
  readonly top: number;
  readonly width: number;
}): ReactNode {
  const height = rows.length * LANE_HEIGHT;
  const draw = useCallback(
    (context: CanvasRenderingContext2D, { pixelRatio, theme, ...size }: DrawingSize) => {
      const laneOf = new Map(lanes.labels.map((label, lane) => [label, lane]));
      const fills = SAMPLE_KINDS.map((kind) => kindFill(kind, theme));
      const laneHeight = Math.round(LANE_HEIGHT * pixelRatio);
      for (const [at, label] of rows.entries()) {
        const lane = label === undefined ? undefined : laneOf.get(label);
        if (lane === undefined) continue;
        const cells = lanes.kinds.subarray(lane * lanes.buckets, (lane + 1) * lanes.buckets);
        const y = at * laneHeight + Math.round((GAP / 2) * pixelRatio);
        drawLane(context, columns, cells, fills, y, laneHeight - Math.round(GAP * pixelRatio), size.width);
      }
    },
    [lanes, columns, rows],
  );
  const canvas = useDrawing(width, height, draw);
  return <canvas ref={canvas} className="lane-colours" style={{ top, width, height }} aria-hidden="true" />;
}

/** Equal neighbours are one rectangle. */
function drawLane(
  context: CanvasRenderingContext2D,
  columns: TimelineColumns,
  cells: Uint8Array,
  fills: readonly string[],
  top: number,
  height: number,
  width: number,
): void {
  const xOf = (bucket: number): number => Math.floor(leftOf(columns, bucket, width));
  for (let from = 0; from < cells.length;) {
    let to = from + 1;
    while (to < cells.length && cells[to] === cells[from]) to++;
    if (cells[from] > 0) {
      context.fillStyle = fills[cells[from] - 1];
      context.fillRect(xOf(from), top, Math.max(1, xOf(to) - xOf(from)), height);
    }
    from = to;
  }
}

/** What the colours of lanes mean. */
export function LaneLegend(): ReactNode {
  const dark = useWindow(isDark);
  return (
    <ul className="lane-legend" aria-label="Colours of lanes">
      {LEGEND.map((kind) => (
        <li key={kind}>
          <span style={{ background: kindFill(kind, dark ? 'dark' : 'light') }} />
          {KIND_NAMES[kind]}
        </li>
      ))}
    </ul>
  );
}
