import { type PointerEvent, type ReactNode, useCallback, useState } from 'react';
import { SAMPLE_KINDS } from '../../../shared/engine/views/self-groups.ts';
import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import type { TimeTrack, TimeTracks } from '../../../shared/engine/views/time-tracks.ts';
import { onlyThreads, selectsThread, threadsOfRow, wholePool } from '../../../shared/scope/thread-pattern.ts';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import { formatCount, formatQuantity, formatRate } from '../../../shared/text/format-value.ts';
import { prefer } from '../../store/actions/actions.ts';
import { MOST_TRACKS_VISIBLE } from '../../store/state/preferences.ts';
import { selectThreads } from '../../store/actions/scope-actions.ts';
import { unitsOf } from '../../store/state/selectors.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { ElidedText } from '../../widgets/ElidedText.tsx';
import { Icon } from '../../widgets/icons.tsx';
import { type PointerPlace, PointerTip } from '../../widgets/Tooltip.tsx';
import { VirtualRows } from '../../widgets/VirtualRows.tsx';
import { type DrawingSize, useDrawing } from '../use-drawing.ts';
import { useDayTime, OutsideRange, type OutsideRangeProps } from './AxisLabels.tsx';
import { KIND_NAMES, kindLayers, drawTrack } from './timeline-drawing.ts';
import { bucketAt, timeAt, timeText } from './timeline-geometry.ts';
import { take } from '../../widgets/key-name.ts';

/** CSS pixels; as in timeline.css. */
const TRACK_HEIGHT = 18;
/** Above the bars of a track. */
const GAP = 2;

interface ThreadTracksProps extends OutsideRangeProps {
  readonly log: LogView;
  readonly columns: TimelineColumns;
}

interface Pointed {
  readonly track: number;
  readonly bucket: number;
  readonly at: PointerPlace;
}

/** Below the timeline a track for each pool of threads, by what ran, with the names at the left. */
export function ThreadTracks({ log, columns, width, outside }: ThreadTracksProps): ReactNode {
  const { tracks } = log;
  const { threads } = log.scope;
  const visible = useWindow(({ preferences }) => preferences.tracksVisible);
  const [pointed, setPointed] = useState<Pointed>();
  const dayTime = useDayTime(columns.first);
  if (tracks === undefined) return null;
  const isSelected = threads.length === 0 ? () => true : selectsThread(threads);
  const shown = Math.min(visible, Math.max(1, tracks.total));

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const canvas = event.currentTarget.querySelector('canvas')?.getBoundingClientRect();
    const x = event.clientX - (canvas?.left ?? 0);
    if (canvas === undefined || tracks === undefined || x < 0 || x >= width) return setPointed(undefined);
    const row = Math.floor((event.clientY - canvas.top) / TRACK_HEIGHT);
    const first = Number(event.currentTarget.querySelector('canvas')?.dataset.first);
    const track = first + row - tracks.from;
    const isTrack = track >= 0 && track < tracks.tracks.length;
    setPointed(
      isTrack ? { track, bucket: bucketAt(columns, timeAt(columns, x, width)), at: event } : undefined,
    );
  }

  return (
    <>
      <div
        className="timeline-lanes"
        data-testid="timeline-lanes"
        // With the line above.
        style={{ height: TRACK_HEIGHT * shown + 1 }}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setPointed(undefined)}
      >
        <VirtualRows
          total={tracks.total}
          rowHeight={TRACK_HEIGHT}
          from={tracks.from}
          rows={tracks.tracks}
          renderRow={(track, _, top) => (
            <TrackName
              track={track}
              top={top}
              threads={threads}
              isSelected={track.names.some((name) => isSelected(name))}
            />
          )}
          renderBeside={(drawn, top) => <TrackBars {...{ tracks, columns, rows: drawn, top, width }} />}
          onWindow={showTracks}
          active={undefined}
          container={{ role: 'list', 'aria-label': 'Threads over time', tabIndex: 0 }}
        />
        <OutsideRange outside={outside} width={width} />
        {pointed !== undefined && pointed.bucket < tracks.buckets && (
          <PointerTip at={pointed.at} testId="track-pointed">
            {trackText(log, tracks, columns, pointed, dayTime)}
          </PointerTip>
        )}
      </div>
      <TracksHandle visible={shown} total={tracks.total} scale={scaleOf(log, tracks, columns)} />
    </>
  );
}

/** `0:12.3, http-worker-*: 7 samples (Application 5, JDK 2), such as java.util.HashMap.get`. */
function trackText(
  log: LogView,
  { tracks, kinds, selected, leaf, methods, buckets }: TimeTracks,
  { from, bucketNs }: TimelineColumns,
  { track, bucket }: Pointed,
  dayTime: number | undefined,
): string {
  const counts = SAMPLE_KINDS.map(
    (_, kind) => kinds[(track * SAMPLE_KINDS.length + kind) * buckets + bucket],
  );
  const all = counts.reduce((sum, count) => sum + count, 0);
  const { one, many } = unitsOf(log).counted;
  const place = `${timeText(from + bucket * bucketNs, dayTime)}, ${shownLabel(tracks[track].label)}`;
  if (all === 0) return `${place}: no ${many}`;
  const cell = track * buckets + bucket;
  const parts = SAMPLE_KINDS.flatMap((kind, at) =>
    counts[at] > 0 ? [`${KIND_NAMES[kind]} ${formatCount(counts[at])}`] : [],
  );
  if (selected[cell] > 0) parts.push(`with the selected method ${formatCount(selected[cell])}`);
  const method = leaf[cell] < 0 ? '' : `, ${all > 1 ? 'such as' : 'in'} ${shownLabel(methods[leaf[cell]])}`;
  return `${place}: ${formatQuantity(all, one, many)} (${parts.join(', ')})${method}`;
}

interface TrackNameProps {
  readonly track: TimeTrack;
  readonly top: number;
  /** Threads of the scope. */
  readonly threads: readonly string[];
  readonly isSelected: boolean;
}

function TrackName({ track, top, threads, isSelected }: TrackNameProps): ReactNode {
  const { kind, label, names, isOpen } = track;
  const only =
    kind === 'pool'
      ? [wholePool(names[0])]
      : names.flatMap((name) => onlyThreads(threadsOfRow(name, 'name')));
  const isOnly = JSON.stringify(only) === JSON.stringify(threads);
  const text = track.threads > 1 ? `${shownLabel(label)} (${formatCount(track.threads)})` : shownLabel(label);
  return (
    <div className="lane" role="listitem" style={{ top }} data-unselected={isSelected ? undefined : ''}>
      {kind === 'pool' && (
        <button
          type="button"
          className="lane-fold"
          aria-expanded={isOpen}
          aria-label={`Threads of ${shownLabel(label)}`}
          onClick={() => toggleTrack(label)}
        >
          <Icon name={isOpen ? 'down' : 'right'} />
        </button>
      )}
      <button
        type="button"
        className="lane-name"
        data-kind={kind}
        aria-pressed={isOnly}
        data-tip={`${isOnly ? 'Show all threads' : 'Only these threads'}: ${text}`}
        onClick={() => selectThreads(isOnly ? [] : only)}
      >
        <ElidedText text={text} />
      </button>
    </div>
  );
}

interface TrackBarsProps {
  readonly tracks: TimeTracks;
  readonly columns: TimelineColumns;
  readonly rows: readonly (TimeTrack | undefined)[];
  readonly top: number;
  readonly width: number;
}

/** The bars of the tracks that are drawn, as one canvas. Pools have one scale, and threads of pools another. */
function TrackBars({ tracks, columns, rows, top, width }: TrackBarsProps): ReactNode {
  const height = rows.length * TRACK_HEIGHT;
  const draw = useCallback(
    (context: CanvasRenderingContext2D, { pixelRatio, theme, ...size }: DrawingSize) => {
      // Another number of buckets is on its way.
      if (tracks.buckets !== columns.samples.length) return;
      const selectedFill = getComputedStyle(context.canvas).caretColor;
      const trackHeight = Math.round(TRACK_HEIGHT * pixelRatio);
      const gap = Math.round(GAP * pixelRatio);
      const scales = scalesOf(tracks);
      for (const [row, drawn] of rows.entries()) {
        const track = drawn === undefined ? -1 : tracks.tracks.indexOf(drawn);
        if (track < 0) continue;
        const selected = tracks.selected.subarray(track * tracks.buckets, (track + 1) * tracks.buckets);
        const box = { top: row * trackHeight + gap, height: trackHeight - gap, width: size.width };
        drawTrack(
          context,
          columns,
          {
            layers: kindLayers(tracks, track, theme),
            over: [{ values: selected, fill: selectedFill }],
          },
          { ...box, least: pixelRatio },
          scales.of(tracks.tracks[track]),
        );
      }
    },
    [tracks, columns, rows],
  );
  const canvas = useDrawing(width, height, draw);
  const known = rows.find((row) => row !== undefined);
  return (
    <canvas
      ref={canvas}
      className="lane-colours"
      data-first={known === undefined ? 0 : tracks.from + tracks.tracks.indexOf(known) - rows.indexOf(known)}
      style={{ top, width, height }}
      aria-hidden="true"
    />
  );
}

/** The share of bars that fit into their track. Higher ones are cut, because single peaks would flatten all others. */
const UNCUT = 0.97;

/** Samples that are as high as a track: pools and single threads have one scale, and threads of pools another. */
interface TrackScales {
  readonly pools: number;
  readonly threads: number;
  readonly of: (track: TimeTrack) => number;
}

function scalesOf({ tracks, kinds, buckets }: TimeTracks): TrackScales {
  const inPools = new Set(tracks.flatMap(({ isOpen, names }) => (isOpen ? names : [])));
  const isInPool = ({ kind, names }: TimeTrack): boolean => kind === 'thread' && inPools.has(names[0]);
  const counts: Record<'pools' | 'threads', number[]> = { pools: [], threads: [] };
  for (const [at, track] of tracks.entries()) {
    const sums = counts[isInPool(track) ? 'threads' : 'pools'];
    for (let bucket = 0; bucket < buckets; bucket++) {
      let sum = 0;
      for (let kind = 0; kind < SAMPLE_KINDS.length; kind++)
        sum += kinds[(at * SAMPLE_KINDS.length + kind) * buckets + bucket];
      if (sum > 0) sums.push(sum);
    }
  }
  const mostOf = (sums: readonly number[]): number =>
    Float64Array.from(sums)
      .sort()
      .at(Math.floor(UNCUT * sums.length)) ?? 1;
  const [pools, threads] = [mostOf(counts.pools), mostOf(counts.threads)];
  return { pools, threads, of: (track) => (isInPool(track) ? threads : pools) };
}

/** `, up to 150 samples/s each, threads of pools up to 30`. */
function scaleOf(log: LogView, tracks: TimeTracks, { bucketNs, samples }: TimelineColumns): string {
  if (tracks.buckets !== samples.length) return '';
  const { pools, threads } = scalesOf(tracks);
  const rate = (most: number): string =>
    formatRate((most * 1e9) / bucketNs).replace(' ', ` ${unitsOf(log).counted.many}`);
  const isUnfolded = tracks.tracks.some(({ isOpen }) => isOpen);
  return `, as high as ${rate(pools)}${isUnfolded ? `, threads of pools ${rate(threads)}` : ''}`;
}

/** The number of visible tracks, and the edge that changes it. */
function TracksHandle({
  visible,
  total,
  scale,
}: {
  readonly visible: number;
  readonly total: number;
  readonly scale: string;
}): ReactNode {
  const [drag, setDrag] = useState<{ readonly y: number; readonly visible: number }>();
  const show = (wanted: number): void =>
    prefer({ tracksVisible: Math.max(1, Math.min(MOST_TRACKS_VISIBLE, total, wanted)) });
  return (
    <div
      className="tracks-handle"
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label="Visible tracks"
      aria-valuemin={1}
      aria-valuemax={Math.min(MOST_TRACKS_VISIBLE, total)}
      aria-valuenow={visible}
      data-testid="tracks-handle"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ y: event.clientY, visible });
      }}
      onPointerMove={(event) => {
        if (drag !== undefined) show(drag.visible + Math.round((event.clientY - drag.y) / TRACK_HEIGHT));
      }}
      onPointerUp={() => setDrag(undefined)}
      onPointerCancel={() => setDrag(undefined)}
      onKeyDown={(event) => {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        show(visible + by);
        take(event);
      }}
    >
      {`${formatCount(visible)} of ${formatQuantity(total, 'track')}${scale}`}
    </div>
  );
}

/** These tracks of threads are on screen, or close to it. */
function showTracks(from: number, count: number): void {
  useWindow.setState(({ tracksView }) => ({ tracksView: { ...tracksView, from, count } }));
}

/** Unfolds a pool to tracks of its threads, or folds it. */
function toggleTrack(pool: string): void {
  useWindow.setState(({ tracksView }) => {
    const { open } = tracksView;
    const next = open.includes(pool) ? open.filter((each) => each !== pool) : [...open, pool];
    return { tracksView: { ...tracksView, open: next } };
  });
}
