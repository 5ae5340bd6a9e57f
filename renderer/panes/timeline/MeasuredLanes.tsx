import { type KeyboardEvent, type PointerEvent, type ReactNode, useCallback, useMemo, useState } from 'react';
import {
  type MeasuredSeries,
  USUAL_SERIES,
  estimatedIn,
  measuredIn,
  type MeasuredKind,
} from '../../../shared/facts/measured-series.ts';
import { formatCount, formatBytes, formatShare, formatTime } from '../../../shared/text/format-value.ts';
import { prefer } from '../../store/actions/actions.ts';
import { Menu, type MenuEntry } from '../../widgets/Menu.tsx';
import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { type DrawingSize, useDrawing } from '../use-drawing.ts';
import { ElidedText } from '../../widgets/ElidedText.tsx';
import { OutsideRange, type OutsideRangeProps, useDayTime } from './AxisLabels.tsx';
import { drawTrack, scaleEnd } from './timeline-drawing.ts';
import { bucketAt, leftOf, timeAt, timeText } from './timeline-geometry.ts';
import { bucketAfterKey } from './timeline-keys.ts';
import { take } from '../../widgets/key-name.ts';
import { type PointerPlace, PointerTip } from '../../widgets/Tooltip.tsx';

/** CSS pixels; as in timeline.css. */
const LANE_HEIGHT = 24;
/** Between two lanes. */
const GAP = 3;

interface MeasuredLanesProps extends OutsideRangeProps {
  readonly log: LogView;
  readonly columns: TimelineColumns;
}

/** The measured values of the file, on the axis of the timeline. Values are those at the pointer or the cursor. */
export function MeasuredLanes({ log, columns, width, outside }: MeasuredLanesProps): ReactNode {
  const { status, gaps } = log;
  // The status of a log that grows changes several times a second, these seldom.
  const { series, errorSamples } = status ?? {};
  const chosen = useWindow(({ preferences }) => preferences.measured);
  const lanes = useMemo(
    () => measuredLanes({ series, errorSamples, gaps }, columns, chosen),
    [series, errorSamples, gaps, columns, chosen],
  );
  const dayTime = useDayTime(columns.first);
  const [cursor, setCursor] = useState<number | undefined>(undefined);
  const [pointed, setPointed] = useState<{ readonly lane: number; readonly at: PointerPlace }>();
  const count = columns.samples.length;
  if (lanes.length === 0 && (series ?? []).length === 0) return null;
  const at = cursor === undefined ? undefined : Math.min(count - 1, cursor);

  function onPointerMove(event: PointerEvent): void {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    setCursor(bucketAt(columns, timeAt(columns, event.clientX - left, width)));
    setPointed({ lane: Math.floor((event.clientY - top) / LANE_HEIGHT), at: event });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const next = bucketAfterKey(event.key, at ?? 0, count);
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    setCursor(next);
    setPointed(undefined);
    take(event);
  }

  return (
    <>
      {lanes.length > 0 && (
        <div className="measured-lanes" data-testid="measured-lanes">
          <div aria-hidden="true">
            {lanes.map((lane, place) => (
              <div key={place} className="measured-lane">
                <ElidedText text={lane.name} />
                <span>{scaleText(lane)}</span>
              </div>
            ))}
          </div>
          <div
            className="measured-content"
            role="slider"
            tabIndex={0}
            aria-label="Measured over time"
            aria-valuemin={0}
            aria-valuemax={count - 1}
            aria-valuenow={at ?? 0}
            aria-valuetext={lanesText(lanes, columns, at ?? 0, dayTime)}
            style={{ height: LANE_HEIGHT * lanes.length }}
            onPointerMove={onPointerMove}
            onPointerLeave={() => {
              setCursor(undefined);
              setPointed(undefined);
            }}
            onKeyDown={onKeyDown}
          >
            <LaneValues lanes={lanes} columns={columns} width={width} />
            <OutsideRange outside={outside} width={width} />
            {at !== undefined && (
              <div
                className="measured-cursor"
                style={{ left: (leftOf(columns, at, width) + leftOf(columns, at + 1, width)) / 2 }}
              />
            )}
          </div>
          {at !== undefined && pointed !== undefined && pointed.lane < lanes.length && (
            <PointerTip at={pointed.at} testId="measured-pointed">
              {lanesText(lanes.slice(pointed.lane, pointed.lane + 1), columns, at, dayTime)}
            </PointerTip>
          )}
        </div>
      )}
      <div className="below-lanes">
        {series !== undefined && series.length > 0 && <SeriesChoice series={series} />}
        <p data-testid="measured-text">{at !== undefined && lanesText(lanes, columns, at, dayTime)}</p>
      </div>
    </>
  );
}

/** The menu of what is a track of all that the file has measured: the usual series, and the others by their event. */
function SeriesChoice({ series }: { readonly series: readonly MeasuredSeries[] }): ReactNode {
  const chosen = useWindow(({ preferences }) => preferences.measured);
  const [menu, setMenu] = useState<{ readonly x: number; readonly y: number }>();
  const close = useCallback(() => setMenu(undefined), []);
  const entryOf = (id: string, text: string): MenuEntry => {
    const checked = isShownSeries(id, chosen);
    return { text, checked, run: () => prefer({ measured: { ...chosen, [id]: !checked } }) };
  };
  const names = new Map(series.map((each) => [each.id, seriesName({ ...each, log: undefined })]));
  const ofEvents = new Map<string, (readonly [id: string, field: string])[]>();
  for (const [id, name] of names) {
    if (USUAL_SERIES.has(id)) continue;
    const [event, ...field] = name.split(': ');
    ofEvents.set(event, [...(ofEvents.get(event) ?? []), [id, field.join(': ')]]);
  }
  const entries: readonly MenuEntry[] = [
    ...[...names].flatMap(([id, name]) => (USUAL_SERIES.has(id) ? [entryOf(id, name)] : [])),
    ...(ofEvents.size > 0 ? ['separator' as const] : []),
    ...Array.from(ofEvents, ([event, fields]): MenuEntry => ({
      text: event,
      entries: fields.map(([id, field]) => entryOf(id, field)),
    })),
  ];
  return (
    <>
      <button
        type="button"
        className="button button-bare series-choice"
        aria-haspopup="menu"
        data-testid="series-choice"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setMenu({ x: left, y: bottom });
        }}
      >
        {`Measured: ${formatCount([...names.keys()].filter((id) => isShownSeries(id, chosen)).length)} of ${formatCount(names.size)}`}
      </button>
      {menu !== undefined && <Menu label="Measured tracks" entries={entries} at={menu} onClose={close} />}
    </>
  );
}

/** The values of all lanes, as one canvas. */
function LaneValues({
  lanes,
  columns,
  width,
}: {
  readonly lanes: readonly MeasuredLane[];
  readonly columns: TimelineColumns;
  readonly width: number;
}): ReactNode {
  const height = lanes.length * LANE_HEIGHT;
  const draw = useCallback(
    (context: CanvasRenderingContext2D, { pixelRatio, ...size }: DrawingSize) => {
      // The colours are those of the canvas's style, because only the style sheet knows the theme.
      const style = getComputedStyle(context.canvas);
      for (const [place, { kind, drawn: values, most }] of lanes.entries()) {
        const isInterruption = kind === 'pauses' || kind === 'gaps';
        const height = Math.round((LANE_HEIGHT - GAP) * pixelRatio);
        const top = Math.round((place + 1) * LANE_HEIGHT * pixelRatio) - pixelRatio - height;
        // It can be seen that something was measured and is 0, and a short pause.
        const seen = isInterruption ? values : values.map((value) => (value === 0 ? most * 1e-9 : value));
        drawTrack(
          context,
          columns,
          { layers: [{ values: seen, fill: isInterruption ? style.outlineColor : style.color }] },
          { top, height, width: size.width, least: (isInterruption ? 3 : 1) * pixelRatio },
          most,
        );
      }
    },
    [lanes, columns],
  );
  const canvas = useDrawing(width, height, draw);
  return <canvas ref={canvas} style={{ width, height }} aria-hidden="true" />;
}

/** A value that a file has over time besides samples, by the buckets of the timeline. */
interface MeasuredLane {
  readonly name: string;
  /** `gaps`: ns in which no samples were taken. `pauses`: ns in which the JVM stood still. */
  readonly kind: MeasuredKind | 'gaps';
  /** Bucket -> value; NaN where there is none. */
  readonly values: Float64Array;
  /** Values as they are drawn: those that rise and fall are estimated between measurements. */
  readonly drawn: Float64Array;
  /** The value that is drawn as high as the lane. */
  readonly most: number;
}

type Buckets = Pick<TimelineColumns, 'first' | 'from' | 'bucketNs' | 'samples'>;

/** The series that lanes are made of, as in a log's status; undefined until they are known. */
interface MeasuredInLog extends Pick<LogView, 'gaps'> {
  readonly series: readonly MeasuredSeries[] | undefined;
  readonly errorSamples: Readonly<Record<string, number>> | undefined;
}

/** Whether a series is a track: as it was chosen, or a usual one. */
function isShownSeries(id: string, chosen: Readonly<Record<string, boolean>>): boolean {
  return chosen[id] ?? USUAL_SERIES.has(id);
}

/** The name of a series for people. */
function seriesName({ id, name, log }: MeasuredSeries): string {
  const ofAll = name ?? USUAL_SERIES.get(id) ?? id;
  return log === undefined ? ofAll : `${log}: ${ofAll}`;
}

/** The lanes of a log, in the order in which they are shown. `chosen`: series -> whether it is shown. */
export function measuredLanes(
  { series, errorSamples, gaps }: MeasuredInLog,
  columns: TimelineColumns,
  chosen: Readonly<Record<string, boolean>>,
): readonly MeasuredLane[] {
  const shown = (series ?? []).filter(({ id }) => isShownSeries(id, chosen));
  const lanes = shown.map((each) => measuredLane(each, columns));
  const { samples, errors, bucketNs } = columns;
  if (Object.keys(errorSamples ?? {}).length > 0) {
    const values = samples.map((count, bucket) => (count === 0 ? NaN : errors[bucket] / count));
    lanes.push({ name: 'Share of errors', kind: 'share', values, drawn: values, most: 1 });
  }
  if (gaps !== undefined && gaps.length === samples.length)
    lanes.push({ name: 'No samples', kind: 'gaps', values: gaps, drawn: gaps, most: bucketNs });
  return lanes;
}

/** A series by the buckets of the timeline. */
export function measuredLane(series: MeasuredSeries, columns: Buckets): MeasuredLane {
  const { kind } = series;
  const buckets = { ...columns, buckets: columns.samples.length };
  const values = measuredIn(series, buckets);
  const drawn = kind === 'bytes' ? estimatedIn(series, buckets) : values;
  let most = 0;
  // The scale is that of all measurements, so that a zoom does not change it.
  for (const value of kind === 'pauses' ? values : series.values) most = Math.max(most, value);
  const isOfAll = kind === 'share' && most <= 1;
  return { name: seriesName(series), kind, values, drawn, most: isOfAll ? 1 : scaleEnd(most) };
}

/** `34.1 %`, `120 MB`, `about 90 MB`, `25.9 ms`. */
export function measuredText({ kind, values, drawn }: MeasuredLane, bucket: number): string {
  const value = drawn[bucket];
  if (Number.isNaN(value)) return 'not measured';
  if (value === 0 && (kind === 'pauses' || kind === 'gaps')) return 'none';
  return `${value === values[bucket] ? '' : 'about '}${quantityText(kind, value)}`;
}

function quantityText(kind: MeasuredLane['kind'], value: number): string {
  if (kind === 'share') return formatShare(value, 1, 1);
  if (kind === 'bytes') return formatBytes(value);
  if (kind === 'number') return Number.isInteger(value) ? formatCount(value) : value.toPrecision(3);
  return formatTime(value);
}

/** All lanes at a time: `0:12.345: GC pauses none, Heap used 120 MB`. */
export function lanesText(
  lanes: readonly MeasuredLane[],
  columns: Buckets,
  bucket: number,
  dayTime?: number,
): string {
  const time = timeText(columns.from + bucket * columns.bucketNs, dayTime);
  return `${time}: ${lanes.map((lane) => `${lane.name} ${measuredText(lane, bucket)}`).join(', ')}`;
}

/** The value at the top of the lane, `max 300 MB`; undefined for gaps. */
export function scaleText({ kind, most }: MeasuredLane): string | undefined {
  if (kind === 'gaps') return undefined;
  return `max ${kind === 'share' ? formatShare(most, 1, 0) : quantityText(kind, most)}`;
}
