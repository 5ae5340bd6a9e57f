import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { onlyThreads, selectsThread, threadsOfRow } from '../../../shared/scope/thread-pattern.ts';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import { SAMPLE_KINDS } from '../../../shared/views/self-groups.ts';
import { selectThreads } from '../../store/scope-actions.ts';
import { isDark } from '../../store/selectors.ts';
import { showLanes } from '../../store/time-actions.ts';
import type { LogView } from '../../store/window-state.ts';
import { useWindow } from '../../store/window-store.ts';
import { VirtualRows } from '../../widgets/VirtualRows.tsx';
import { usePixelRatio } from '../use-pixel-ratio.ts';
import { KIND_NAMES, kindFill } from './layer-style.ts';

/** CSS pixels; as in timeline.css. */
const LANE_HEIGHT = 18;
const MOST_LANES = 8;
/** Errors last. */
const LEGEND = [...SAMPLE_KINDS.slice(1), SAMPLE_KINDS[0]];
/** Between the colours of two lanes. */
const GAP = 3;

type Lanes = NonNullable<LogView['lanes']>;

interface ThreadLanesProps {
  readonly log: LogView;
  /** CSS pixels. */
  readonly width: number;
  /** Shares of the width that the range leaves out on the left and on the right. */
  readonly outside: readonly [left: number, right: number];
}

/** Below the timeline a lane for the threads of each name, coloured by what ran. */
export function ThreadLanes({ log, width, outside }: ThreadLanesProps): ReactNode {
  const { lanes } = log;
  const { threads } = log.scope;
  if (lanes === undefined) return null;
  const isSelected = threads.length === 0 ? () => true : selectsThread(threads);
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
        rows={lanes.names}
        renderRow={(name, _, top) => {
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
                data-tip={isOnly ? 'Show all threads' : 'Only this thread'}
                onClick={() => selectThreads(isOnly ? [] : only)}
              >
                {shownLabel(name)}
              </button>
            </div>
          );
        }}
        renderBeside={(drawn, top) => <LaneColours lanes={lanes} rows={drawn} top={top} width={width} />}
        onWindow={showLanes}
        shift={0}
        reveal={undefined}
        active={undefined}
        initialPosition={0}
        onPosition={() => undefined}
        container={{ role: 'list', 'aria-label': 'Threads over time', tabIndex: 0 }}
      />
      {outside.map((share, at) => (
        <div
          key={at}
          className="timeline-outside"
          style={at === 0 ? { left: 0, width: share * width } : { right: 0, width: share * width }}
        />
      ))}
    </div>
  );
}

/** The lanes that are drawn, as one canvas. */
function LaneColours({
  lanes,
  rows,
  top,
  width,
}: {
  readonly lanes: Lanes;
  readonly rows: readonly (string | undefined)[];
  readonly top: number;
  readonly width: number;
}): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pixelRatio = usePixelRatio();
  const dark = useWindow(isDark);
  const height = rows.length * LANE_HEIGHT;
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (element === null || context === null || context === undefined) return;
    element.width = Math.round(width * pixelRatio);
    element.height = Math.round(height * pixelRatio);
    const laneOf = new Map(lanes.names.map((name, lane) => [name, lane]));
    const fills = SAMPLE_KINDS.map((kind) => kindFill(kind, dark ? 'dark' : 'light'));
    const laneHeight = Math.round(LANE_HEIGHT * pixelRatio);
    for (const [at, name] of rows.entries()) {
      const lane = name === undefined ? undefined : laneOf.get(name);
      if (lane === undefined) continue;
      const cells = lanes.kinds.subarray(lane * lanes.buckets, (lane + 1) * lanes.buckets);
      const y = at * laneHeight + Math.round((GAP / 2) * pixelRatio);
      drawLane(context, cells, fills, y, laneHeight - Math.round(GAP * pixelRatio), element.width);
    }
  }, [lanes, rows, width, height, pixelRatio, dark]);
  return <canvas ref={canvas} className="lane-colours" style={{ top, width, height }} aria-hidden="true" />;
}

/** Equal neighbours are one rectangle. */
function drawLane(
  context: CanvasRenderingContext2D,
  cells: Uint8Array,
  fills: readonly string[],
  top: number,
  height: number,
  width: number,
): void {
  const xOf = (bucket: number): number => Math.floor((bucket * width) / cells.length);
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
