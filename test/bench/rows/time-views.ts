/**
 * What samples over time cost in the profile worker at full size. Views are called as the worker calls them, without
 * messages and drawing.
 */
import { viewOperations } from '../../../shared/engine/view-operations.ts';
import { createReadStream, statSync } from 'node:fs';
import type { Selection } from '../../../renderer/profile-worker/pane-messages.ts';
import { ShownProfile } from '../../support/shown-profile.ts';
import { Reports } from '../../../renderer/profile-worker/reports.ts';
import { NodeReserve } from '../../../shared/aggregate/node-reserve.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import type { ProfileDecoder } from '../../../shared/formats/decoder.ts';
import { HonestLogDecoder } from '../../../shared/formats/honest-log/decoder.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { SampleTable } from '../../../shared/profile/sample-table.ts';
import { TimeOrder } from '../../../shared/engine/values/time-order.ts';
import { Engine } from '../../../shared/engine/engine.ts';
import { INITIAL_QUERY } from '../../../shared/engine/query.ts';
import { ValuesInRange } from '../../../shared/engine/values/values-in-range.ts';
import { heatmapColumns } from '../../../shared/engine/views/heatmap-columns.ts';
import { timelineColumns, type TimelineView } from '../../../shared/engine/views/timeline-columns.ts';
import { NO_MARKS } from '../../support/no-marks.ts';
import { TimelineCounts } from '../../../shared/engine/views/timeline-counts.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { median, percentile } from '../median.ts';
import type { Bench, Figure } from '../row.ts';

const REDRAW_MS = 16;
const HEATMAP_MS = 300;
const ROW_TIMES_MS = 100;
const OPERATIONS_MS = 1_000;

const LARGE = 313e6;
const SMALL = 26e6;
const DAY_NS = 86_400e9;
const DAY_SAMPLES = 1_200_000;
/** Rows of a high window. */
const ROWS_ON_SCREEN = 60;

export const sizeOf = ({ short }: Bench): number => (short ? SMALL : LARGE);

/** A file as the window has it: with its samples, if they are wanted. */
export async function read(
  file: string,
  createDecoder: (sink: ProfileAggregator) => ProfileDecoder,
  samples: boolean,
): Promise<LeanProfile> {
  const aggregator = new ProfileAggregator({ samples });
  const decoder = createDecoder(aggregator);
  const reserve = new NodeReserve(aggregator);
  const { size } = statSync(file);
  for await (const bytes of createReadStream(file, { highWaterMark: 4 << 20 })) {
    decoder.append(bytes as Buffer);
    reserve.note(decoder.bytes.accepted, size);
  }
  decoder.emitOpen(true);
  return aggregator.profile;
}

export async function views(bench: Bench): Promise<readonly Figure[]> {
  const profile = await read(
    await bench.log('real', sizeOf(bench)),
    (sink) => new HonestLogDecoder(sink),
    true,
  );
  const { samples } = profile;
  if (samples === undefined) throw new Error('no samples');
  const log = new ShownProfile(profile);
  const shown = log.again();
  const grouping = { threads: 'all', frames: 'fqmn' } as const;
  const { tree } = shown.narrowSums(grouping);
  const methods = shown.flat('fqmn').keys.length;
  const rows = Int32Array.from({ length: ROWS_ON_SCREEN }, (_, row) => Math.min(row, tree.length - 1));
  const keys = Int32Array.from({ length: ROWS_ON_SCREEN }, (_, key) => Math.min(key, methods - 1));
  const ofTree = timed(() => shown.timesOfRows('calls', grouping, rows));
  const ofMethods = timed(() => shown.timesOfRows('methods', grouping, keys));
  const { first, length } = { first: samples.at.ns[0], length: samples.length };
  const last = samples.at.ns[length - 1];
  const range = {
    from: (samples.origin ?? 0n) + BigInt(Math.round(first + (last - first) / 4)),
    to: (samples.origin ?? 0n) + BigInt(Math.round(first + (last - first) / 2)),
  };
  const ranged = timed(() => new ValuesInRange().update(samples, profile.selfValues, range));
  const day = dayOf(DAY_SAMPLES);
  const timeline = redraws(day);
  const heatmap = timed(() => {
    const order = new TimeOrder();
    order.update(day);
    return heatmapColumns(day, order, { zoom: undefined, fit: 300 }, NO_MARKS);
  });
  return [
    { id: 'timeline of 1.2 M samples, first count', value: timeline.first, unit: 'ms', goal: undefined },
    {
      id: 'zoom, pan, resize, growth of it, p95',
      value: percentile(timeline.ms, 0.95),
      unit: 'ms',
      goal: REDRAW_MS,
      detail: { median: median(timeline.ms), worst: Math.max(...timeline.ms) },
    },
    { id: 'heatmap of a day, counted', ...told(heatmap, HEATMAP_MS) },
    { id: 'When of 60 rows of the tree', ...told(ofTree, ROW_TIMES_MS) },
    { id: 'When of 60 methods', ...told(ofMethods, ROW_TIMES_MS) },
    { id: '20 operations of 200,000 requests', ...told(operations(), OPERATIONS_MS) },
    { id: 'values of a range', ...told(ranged, undefined) },
    ...litFigures(log),
  ];
}

const REQUESTED_SAMPLES = 1_000_000;
const REQUESTS = 200_000;
const REQUEST_THREADS = 50;

/** The list of operations over a million samples in fifty threads. */
function operations(): ReturnType<typeof timed> {
  const random = new SeededRandom(3);
  const aggregator = new ProfileAggregator({ samples: true });
  const thread = (): number => aggregator.thread(0, random.below(REQUEST_THREADS));
  for (let at = 0; at < REQUESTED_SAMPLES; at++) {
    aggregator.takenAt(0n, at);
    aggregator.sample(thread(), Int32Array.of(0, random.below(300), 1, 0), 1, 10);
  }
  for (let each = 0; each < REQUESTS; each++) {
    const from = random.below(REQUESTED_SAMPLES);
    const to = from + random.below(400);
    aggregator.addContext(thread(), 0n, from, to, `operation ${random.below(20)}`, []);
  }
  const engine = new Engine();
  engine.add('log', aggregator.profile);
  return timed(() => viewOperations(engine.view('log', INITIAL_QUERY), 'operation'));
}

const BUCKETS = 700;
const REDRAWS = 60;

/** What a user makes the timeline do: the first count in a new process, and each count after it. */
function redraws(table: SampleTable): { readonly first: number; readonly ms: readonly number[] } {
  const random = new SeededRandom(2);
  const counts = new TimelineCounts();
  const draw = (zoom: TimelineView['zoom'], buckets: number): number =>
    once(() => timelineColumns(table, { zoom, buckets }, NO_MARKS, counts));
  const first = draw(undefined, BUCKETS);
  const ms: number[] = [];
  let zoom: { readonly from: number; readonly to: number } | undefined;
  for (let redraw = 0; redraw < REDRAWS; redraw++) {
    const { from, to } = zoom ?? { from: 0, to: DAY_NS };
    switch (redraw % 6) {
      case 0:
        zoom = undefined;
        break;
      case 1:
      case 2:
        zoom = { from: from + (to - from) / 5, to: to - (to - from) / 5 };
        break;
      case 3:
        zoom = { from: from + (to - from) / 8, to: to + (to - from) / 8 };
        break;
      case 5:
        for (let added = 0; added < 2_000; added++) table.append(DAY_NS + random.below(1e9), 0, 1);
    }
    ms.push(draw(zoom, redraw % 6 === 4 ? BUCKETS - redraw : BUCKETS));
  }
  return { first, ms };
}

const SEARCHES = ['get', 'java', 'run', 'set', 'read', 'handle'];
const TRACKS = { open: [], from: 0, count: 20, holds: false };

/** What else the timeline shows, of the samples of the real log. */
function litFigures(log: ShownProfile): readonly Figure[] {
  let shown = log.again();
  let selection: Selection | undefined;
  let sent = 0;
  const timeline = new Reports(
    () => void sent++,
    () => ({ view: shown, selection, epoch: 0 }),
  );
  timeline.showTimeline({ type: 'timeline', view: { zoom: undefined, buckets: BUCKETS } });
  const report = (): number =>
    once(() => {
      timeline.selected();
      timeline.finish();
    });
  report();
  const searched = SEARCHES.map((text) => {
    shown = log.again({ search: text });
    return report();
  });
  shown = log.again();
  const { keys } = shown.flat('fqmn');
  const selected = SEARCHES.map((_, at) => {
    const key = Math.floor((at * keys.length) / SEARCHES.length);
    selection = { of: 'methods', kind: 'frame', id: keys.firstFrame[key], label: keys.labels[key] };
    return report();
  });
  selection = undefined;
  const zooms = SEARCHES.map((_, at) => ({ from: at * 1e9, to: (at + 4) * 1e9 }));
  const zoomedWith = (tracks: typeof TRACKS | undefined): number => {
    return median(
      zooms.map((zoom) => {
        timeline.showTimeline({ type: 'timeline', view: { zoom, buckets: BUCKETS }, tracks });
        return report();
      }),
    );
  };
  const figures = [
    { id: 'a search lit in the timeline', value: median(searched), detail: { searched } },
    { id: 'a method lit in the timeline', value: median(selected), detail: { selected } },
    { id: 'zoom of the timeline', value: zoomedWith(undefined) },
    { id: 'zoom of the timeline with 20 tracks', value: zoomedWith(TRACKS) },
  ];
  if (sent !== 1 + 4 * SEARCHES.length) throw new Error(`${sent} timelines were sent`);
  return figures.map((figure) => ({ ...figure, unit: 'ms', goal: undefined }));
}

/** Samples at random times of a day, nearly in their order. */
function dayOf(length: number): SampleTable {
  const random = new SeededRandom(1);
  const table = new SampleTable();
  table.origin = 0n;
  for (let row = 0; row < length; row++) {
    const at = (row / length) * (DAY_NS - 1e9) + random.below(1e9);
    table.append(Math.round(at), 0, 1);
  }
  return table;
}

/** The first computation in a new process, and the median of some more. */
function timed(work: () => unknown): { readonly first: number; readonly again: number } {
  const first = once(work);
  return { first, again: median(Array.from({ length: 5 }, () => once(work))) };
}

function told(
  { first, again }: ReturnType<typeof timed>,
  goal: number | undefined,
): Pick<Figure, 'value' | 'unit' | 'goal'> & { readonly detail: { readonly again: number } } {
  return { value: first, unit: 'ms', goal, detail: { again } };
}

export function once(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
