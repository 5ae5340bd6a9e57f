import { mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LiveLog } from '../live-log.ts';
import { median, percentile } from '../median.ts';
import type { Bench, BenchRow, Figure } from '../row.ts';
import { cpuSeconds, ServedProgram } from '../served-window.ts';

const PAINTED_MS = 250;
const HOST_PERCENT = 25;
const IDLE_PERCENT = 1;
const SECONDS = 12;
/** A tick is 10 ms, and once behind a growth the collector takes 40 ms: six seconds tell 1 % now and 2.3 % then. */
const IDLE_SECONDS = 15;

export const LIVE_ROWS: readonly BenchRow[] = [
  {
    id: 'live',
    what: 'a log that grows by 2 000 samples a second, 128 frames each',
    short: false,
    measure: (bench) => live(bench),
  },
  {
    id: 'live-scope',
    what: 'the same with a package collapsed',
    short: false,
    measure: async (bench) => (await live(bench, '&collapse=java.')).slice(0, 1),
  },
];

/** `scope`: as in the address of the page, for the log. */
async function live(bench: Bench, scope = ''): Promise<Figure[]> {
  const folder = mkdtempSync(join(bench.folder, 'live-'));
  const log = LiveLog.prepare(folder, SECONDS);
  const program = await ServedProgram.start(bench, { files: [log.path] });
  try {
    const shown = await program.openPage();
    await shown.page.goto(program.url);
    if (scope !== '') {
      await shown.showsSamples(log.samplesAtFirst);
      await shown.page.evaluate(
        (fragment) => (location.hash = fragment),
        `#log=${basename(log.path)}${scope}`,
      );
      await shown.page.getByTestId('scope-chip').waitFor();
    }
    await shown.showsSamples(log.samplesAtFirst);
    const busy = await hostShare(program.pid, async () => {
      const written = await log.grow();
      await shown.showsSamples(written[written.length - 1][1]);
      return written;
    });
    await shown.page.waitForSelector('[data-state=idle]', { timeout: 10_000 });
    const idle = await hostShare(program.pid, () => shown.page.waitForTimeout(1000 * IDLE_SECONDS));
    const { samples } = await shown.record();
    const origin = await shown.page.evaluate(() => performance.timeOrigin);
    const delays = busy.result.map(([at, count]) => {
      const painted = samples.find(([, painted]) => painted >= count);
      return painted === undefined ? Infinity : origin + painted[0] - at;
    });
    const figures: Figure[] = [
      {
        id: 'append → painted, p95',
        value: percentile(delays, 0.95),
        unit: 'ms',
        goal: PAINTED_MS,
        detail: { median: median(delays), worst: Math.max(...delays), frames: samples.length },
      },
    ];
    if (busy.percent !== undefined && idle.percent !== undefined) {
      figures.push(
        { id: 'host, of a core', value: busy.percent, unit: '%', goal: HOST_PERCENT },
        { id: 'host, attached to an idle log', value: idle.percent, unit: '%', goal: IDLE_PERCENT },
      );
    }
    return figures;
  } finally {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Share of a core that a process used during an action; undefined where the system does not report it. */
async function hostShare<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly percent: number | undefined }> {
  const startedAt = performance.now();
  const before = cpuSeconds(pid);
  const result = await work();
  const after = cpuSeconds(pid);
  if (before === undefined || after === undefined) return { result, percent: undefined };
  return { result, percent: (100 * (after - before)) / ((performance.now() - startedAt) / 1000) };
}
