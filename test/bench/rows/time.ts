/**
 * What samples over time, ranges and comparisons cost at full size. The first row drags a range in a real browser on a
 * real host, with all panes on screen; the others call the views as the profile worker calls them, without messages and
 * drawing: see also time-views.ts.
 */
import type { Page } from 'playwright-core';
import { packProfile, unpackProfile } from '../../../renderer/profile-worker/shared-profiles.ts';
import { EMPTY_SCOPE, type Scope } from '../../../shared/scope/scope.ts';
import type { ProfileView } from '../../../shared/engine/profile-view.ts';
import { ShownProfile } from '../../support/shown-profile.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import type { ProfileDecoder } from '../../../shared/formats/decoder.ts';
import { HonestLogDecoder } from '../../../shared/formats/honest-log/decoder.ts';
import { JfrDecoder } from '../../../shared/formats/jfr/format.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { SampleTable } from '../../../shared/profile/sample-table.ts';
import { TimeOrder } from '../../../shared/engine/values/time-order.ts';
import { median, percentile } from '../median.ts';
import type { Bench, BenchRow, Figure } from '../row.ts';
import { ServedProgram } from '../served-window.ts';
import { UiTrace } from '../ui-trace.ts';
import { jvmRecording, recording } from './jfr.ts';
import { idle, openPane, press } from './panes.ts';
import { once, read, sizeOf, views } from './time-views.ts';

const FRAME_MS = 100;
const SETTLED_MS = 120;
const REDRAW_MS = 16;
const COMPARE_MS = 2000;
const READING = 1.1;
const BYTES_PER_SAMPLE = 24;

/** Frames of a second: a hand moves the pointer some sixty times. */
const MOVES = 60;
const MOVE_MS = 16;

export const TIME_ROWS: readonly BenchRow[] = [
  {
    id: 'time-brush',
    what: 'a range dragged in the timeline, all panes, 7.7 M nodes',
    short: true,
    measure: (bench) => brush(bench, { drags: 3, seconds: 2 }),
  },
  {
    id: 'time-brush-views',
    what: 'the same with heatmap, chart of all threads and When',
    short: true,
    measure: (bench) => brush(bench, { drags: 2, seconds: 1, open: showViewsOfTime }),
  },
  { id: 'time-views', what: 'samples over time, 7.7 M nodes', short: true, measure: views },
  {
    id: 'time-compare',
    what: 'two logs of 313 MB compared, once both are open',
    short: true,
    measure: compare,
  },
  {
    id: 'time-reading',
    what: 'reading 313 MB with the times of samples',
    short: true,
    measure: async (bench) =>
      reading(await bench.log('real', sizeOf(bench)), (sink) => new HonestLogDecoder(sink)),
  },
  {
    id: 'time-reading-jfr',
    what: 'the same of a JFR recording of 200 MB',
    short: false,
    measure: (bench) => reading(recording(bench), (sink) => new JfrDecoder(sink, {})),
  },
  {
    id: 'time-reading-jvm',
    what: 'the same of a JFR recording as a JVM makes it: all events, 1.2 M samples',
    short: false,
    measure: (bench) => reading(jvmRecording(bench, 1_200_000), (sink) => new JfrDecoder(sink, {}), 2),
  },
];

interface Drags {
  readonly drags: number;
  /** Of a drag. */
  readonly seconds: number;
  /** Opens further panes. */
  readonly open?: (page: Page) => Promise<void>;
}

/** Every second drag goes back, so that it moves the start of the range. */
async function brush(bench: Bench, { drags, seconds, open }: Drags): Promise<readonly Figure[]> {
  const served = await ServedProgram.start(bench, { files: [await bench.log('real', sizeOf(bench))] });
  try {
    const page = await openPane(served, '4');
    await open?.(page);
    await idle(page);
    const plot = await page.getByTestId('timeline-plot').boundingBox();
    if (plot === null) throw new Error('no timeline');
    await page.evaluate(watchRows);
    const trace = new UiTrace(served.browser, page);
    await trace.start();
    const settled: number[] = [];
    /** Of each drag, because between two of them nothing changes. */
    const shown: (readonly number[])[] = [];
    for (let drag = 0; drag < drags; drag++) {
      const at = (part: number): number => plot.x + plot.width * (drag % 2 === 0 ? part : 1 - part);
      await page.evaluate(() => void (window.rowsShown = []));
      await trace.step('drag', async () => {
        await page.mouse.move(at(0.2), plot.y + 10);
        await page.mouse.down();
        const moves = seconds * MOVES;
        for (let move = 1; move <= moves; move++) {
          await page.mouse.move(at(0.2 + (0.6 * move) / moves), plot.y + 10);
          await page.waitForTimeout(MOVE_MS);
        }
        await page.mouse.up();
        const startedAt = performance.now();
        await idle(page);
        settled.push(performance.now() - startedAt);
      });
      shown.push(await page.evaluate(() => window.rowsShown));
    }
    const tasks = (await trace.stop()).flatMap((step) => step.tasks.map(({ ms }) => ms));
    const steps = shown.flatMap((times) => times.slice(1).map((at, before) => at - times[before]));
    return [
      {
        id: 'between two frames of the panes, p95',
        value: percentile(steps, 0.95),
        unit: 'ms',
        goal: FRAME_MS,
        detail: { median: median(steps), frames: shown.flat().length, worst: Math.max(...steps) },
      },
      { id: 'settled', value: median(settled), unit: 'ms', goal: SETTLED_MS, detail: { settled } },
      { id: 'UI task p95', value: percentile(tasks, 0.95), unit: 'ms', goal: REDRAW_MS },
    ];
  } finally {
    await served.stop();
  }
}

/** Opens all that shows when samples were taken, besides the timeline. */
async function showViewsOfTime(page: Page): Promise<void> {
  await press('7', '8')(page);
  await page.getByTestId('chart-thread').selectOption({ label: 'All threads' });
  for (const pane of ['pane-flat', 'pane-tree']) {
    await page.getByTestId(pane).getByTestId('choose-columns').click();
    await page.getByRole('menuitemcheckbox', { name: 'When' }).click();
    await page.keyboard.press('Escape');
  }
  await idle(page);
}

declare global {
  interface Window {
    /** When the rows of the methods changed, as of the frame. */
    rowsShown: number[];
  }
}

/** Runs in the page. */
function watchRows(): void {
  window.rowsShown = [];
  let isNoted = false;
  const pane = document.querySelector('[data-testid=pane-flat]');
  if (pane === null) return;
  new MutationObserver(() => {
    if (isNoted) return;
    isNoted = true;
    requestAnimationFrame((at) => {
      isNoted = false;
      window.rowsShown.push(at);
    });
  }).observe(pane, { subtree: true, childList: true, characterData: true });
}

async function compare(bench: Bench): Promise<readonly Figure[]> {
  const bytes = sizeOf(bench);
  const open = async (size: number): Promise<LeanProfile> =>
    read(await bench.log('real', size), (sink) => new HonestLogDecoder(sink), true);
  const next = await open(bytes);
  const base = await open(bytes - 1e6);
  const shown = new ShownProfile(next, { base });
  const grouping = { threads: 'all', frames: 'fqmn' } as const;
  const rows = (view: ProfileView): unknown => [view.flat('fqmn'), view.rows('calls', grouping, undefined)];
  rows(shown.again());
  const comparison = { baseline: { log: 'base' }, by: 'share', isSampled: true } as const;
  const lent = once(() => unpackProfile(packProfile(base, true)));
  const joined = once(() => rows(shown.again({ comparison })));
  const range = once(() => {
    const { origin = 0n, at, length } = next.samples ?? new SampleTable();
    const to = String(origin + BigInt(Math.round(at.ns[length >> 1])));
    const scope: Scope = { ...EMPTY_SCOPE, range: { kind: 'between', from: undefined, to } };
    return rows(shown.again({ comparison, scope }));
  });
  return [
    { id: 'lent and joined', value: lent + joined, unit: 'ms', goal: COMPARE_MS, detail: { lent, joined } },
    { id: 'another range', value: range, unit: 'ms', goal: undefined },
  ];
}

/** By turns, `rounds` times, after one of each. */
async function reading(
  file: string,
  createDecoder: (sink: ProfileAggregator) => ProfileDecoder,
  rounds = 5,
): Promise<readonly Figure[]> {
  const seconds = { with: [] as number[], without: [] as number[] };
  let withTimes: LeanProfile | undefined;
  for (let round = 0; round <= rounds; round++) {
    for (const which of ['without', 'with'] as const) {
      global.gc?.();
      const startedAt = performance.now();
      const profile = await read(file, createDecoder, which === 'with');
      const ms = performance.now() - startedAt;
      if (round > 0) seconds[which].push(ms / 1000);
      if (which === 'with') withTimes = profile;
    }
  }
  const ratios = seconds.with.map((each, round) => each / seconds.without[round]);
  const figures: Figure[] = [
    { id: 'time with ÷ without', value: median(ratios), unit: '×', goal: READING, detail: { ...seconds } },
  ];
  const table = withTimes && unpackProfile(packProfile(withTimes, true)).samples;
  if (table !== undefined && table.length > 0)
    figures.push({
      id: 'memory of a sample',
      value: bytesOf(table) / table.length,
      unit: 'bytes',
      goal: BYTES_PER_SAMPLE,
      detail: { samples: table.length },
    });
  return figures;
}

/** What is reserved for the samples of a window that has read its log, with their order in time where one is needed. */
function bytesOf(table: SampleTable): number {
  table.trim();
  const order = new TimeOrder();
  order.update(table);
  return [table.at.ns, table.self, table.value.column.ns, table.valueSelf, order.order].reduce(
    (bytes, column) => bytes + (column?.byteLength ?? 0),
    0,
  );
}
