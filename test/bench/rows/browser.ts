import { median, percentile } from '../median.ts';
import type { PageRecord } from '../page-recorder.ts';
import { leanscope, run } from '../processes.ts';
import type { Bench, BenchRow, Figure } from '../row.ts';
import { ownBytes, rendererPids, ServedProgram } from '../served-window.ts';

const FIRST_ROWS_S = 0.5;
/** 4 Hz. */
const PROGRESS_MS = 250;
const ANSWER_MS = 100;
const TO_COMMAND_LINE = 2.2;
const KEPT_MB = 50;
const LOG_BYTES = 313_000_000;
const SHORT_LOG_BYTES = 20_000_000;

export const BROWSER_ROWS: readonly BenchRow[] = [
  {
    id: 'browser-open',
    what: 'a 313 MB log in a browser: from its opening to the whole of it',
    short: true,
    measure: browserOpen,
  },
  {
    id: 'browser-close',
    what: 'the same, closed while it is read',
    short: false,
    measure: browserClose,
  },
];

/** What was painted between the click that opened a log and its last sample. */
interface Opening {
  readonly firstRowsS: number;
  readonly completeS: number;
  /** Time per painted value of the progress. */
  readonly progressMs: number;
  readonly clicksMs: readonly number[];
  readonly tasksMs: readonly number[];
}

async function browserOpen(bench: Bench): Promise<Figure[]> {
  const file = await bench.log('real', bench.short ? SHORT_LOG_BYTES : LOG_BYTES);
  const { samples } = JSON.parse(run(leanscope('summary', '--json', file)).stdout) as { samples: number };
  const commandLine: number[] = [];
  const openings: Opening[] = [];
  const clicked: Opening[] = [];
  const coldS: number[] = [];
  const summarise = (): void => void commandLine.push(run(leanscope('summary', file)).seconds);
  summarise();
  for (let round = 0; round < (bench.short ? 2 : 3); round++) {
    openings.push(await openInLoadedWindow(bench, file, samples, 'watched'));
    clicked.push(await openInLoadedWindow(bench, file, samples, 'clicked'));
    summarise();
    coldS.push(await openWithPage(bench, file));
  }
  const clicks = clicked.flatMap(({ clicksMs }) => clicksMs);
  // The time of the command line varies by up to a third, so it runs before and after.
  const toCommandLine = (all: readonly Opening[]): number =>
    median(
      all.map(({ completeS }, round) => (2 * completeS) / (commandLine[round] + commandLine[round + 1])),
    );
  return [
    {
      id: 'first rows',
      value: median(openings.map(({ firstRowsS }) => firstRowsS)),
      unit: 's',
      goal: FIRST_ROWS_S,
      detail: { from: 'the click on the log in a window that is loaded', openings },
    },
    {
      id: 'first rows, cold page',
      value: median(coldS),
      unit: 's',
      goal: undefined,
      detail: { from: 'the navigation of a browser that has never seen the page', seconds: coldS },
    },
    {
      id: 'complete',
      value: toCommandLine(openings),
      unit: '× command line',
      goal: TO_COMMAND_LINE,
      detail: { commandLine },
    },
    {
      id: 'complete, clicked all the while',
      value: toCommandLine(clicked),
      unit: '× command line',
      goal: undefined,
      detail: { clicks: 'on a column head, which sorts, every 150 ms', openings: clicked },
    },
    {
      id: 'progress, each value',
      value: median(openings.map(({ progressMs }) => progressMs)),
      unit: 'ms',
      goal: PROGRESS_MS,
    },
    {
      id: 'click while it loads, worst',
      value: Math.max(...clicks),
      unit: 'ms',
      goal: ANSWER_MS,
      detail: { from: 'the event to the frame that follows it', clicks },
    },
    {
      id: 'long UI tasks, p95',
      value: percentile([0, ...clicked.flatMap(({ tasksMs }) => tasksMs)], 0.95),
      unit: 'ms',
      goal: undefined,
      detail: { note: 'of the tasks beyond 50 ms alone: a browser tells of no others' },
    },
  ];
}

/** Opens the log in a window that is ready; while it loads, the page is left alone, or column titles are clicked. */
async function openInLoadedWindow(
  bench: Bench,
  file: string,
  samples: number,
  by: 'watched' | 'clicked',
): Promise<Opening> {
  const program = await ServedProgram.start(bench, { recent: [file] });
  try {
    const shown = await program.openPage();
    await shown.openRecent(program.url);
    const isComplete = shown.showsSamples(samples);
    await shown.page.waitForSelector('[data-row-id]');
    const heads = shown.page.locator('[data-testid=pane-tree] [data-sort]');
    const isOver = (): Promise<boolean> =>
      Promise.race([
        isComplete.then(() => true),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 150)),
      ]);
    for (let click = 0; by === 'clicked' && !(await isOver()); click++) {
      const box = await heads.nth(click % 2).boundingBox();
      if (box !== null) await shown.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    }
    await isComplete;
    return openingOf(await shown.record(), samples);
  } finally {
    await program.stop();
  }
}

function openingOf(record: PageRecord, samples: number): Opening {
  const { clickedAt, firstRowsAt } = record;
  const completeAt = record.samples.find(([, shown]) => shown >= samples)?.[0];
  if (firstRowsAt === undefined || completeAt === undefined) throw new Error('the log was not shown');
  const during = ([at]: readonly [number, ...unknown[]]): boolean => at >= clickedAt && at <= completeAt;
  const readAt = record.states.filter(([, , progress]) => progress >= 0).map(([at]) => at);
  return {
    firstRowsS: (firstRowsAt - clickedAt) / 1000,
    completeS: (completeAt - clickedAt) / 1000,
    progressMs: ((readAt.at(-1) ?? completeAt) - clickedAt) / Math.max(1, readAt.length),
    // The browser reports none that is answered within 16 ms.
    clicksMs: [16, ...record.inputs.filter(([name]) => name === 'click').map(([, ms]) => ms)],
    tasksMs: record.longTasks.filter(during).map(([, ms]) => ms),
  };
}

/** `serve FILE` and a browser that navigates to it. */
async function openWithPage(bench: Bench, file: string): Promise<number> {
  const program = await ServedProgram.start(bench, { files: [file] });
  try {
    const shown = await program.openPage();
    await shown.page.goto(program.url);
    await shown.page.waitForFunction(() => window.recorded.firstRowsAt !== undefined, undefined, {
      polling: 50,
    });
    return ((await shown.record()).firstRowsAt ?? Infinity) / 1000;
  } finally {
    await program.stop();
  }
}

/**
 * Closes the log when a third of it is read. Measures the memory that host and page then have beyond what they had
 * before it.
 */
async function browserClose(bench: Bench): Promise<Figure[]> {
  const file = await bench.log('real', LOG_BYTES);
  const program = await ServedProgram.start(bench, { recent: [file] });
  try {
    const shown = await program.openPage();
    await shown.page.goto(program.url);
    await shown.page.waitForSelector('.start-recent button');
    const memory = async (): Promise<{ host: number; page: number } | undefined> => {
      const host = ownBytes(program.pid);
      const pages = (await rendererPids(program.browser)).map(ownBytes);
      if (host === undefined) return undefined;
      return { host, page: pages.reduce((sum: number, bytes) => sum + (bytes ?? 0), 0) };
    };
    // The spare log thread and the spare worker start with the page, and again after the log is closed.
    let before = await memory();
    for (let grows = true; grows;) {
      // Collect garbage as after closing, so that both are compared without it.
      await shown.page.requestGC();
      await shown.page.waitForTimeout(1_000);
      const now = await memory();
      grows = (now?.host ?? 0) > (before?.host ?? 0) + 1e6 || (now?.page ?? 0) > (before?.page ?? 0) + 1e6;
      before = now;
    }
    const told: Figure[] = [];
    let after = before;
    let open = before;
    for (const round of [1, 2]) {
      await shown.page.locator('.start-recent button').first().click();
      await shown.page.waitForFunction(
        () => Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')) > 33,
        undefined,
        { polling: 20 },
      );
      open = await memory();
      await shown.page.locator('.log-close').first().click();
      await shown.page.waitForSelector('.start-recent button');
      // Both collect the remaining garbage when idle; five seconds is the limit.
      for (let tries = 0; tries < 10; tries++) {
        await shown.page.requestGC();
        await shown.page.waitForTimeout(500);
        after = await memory();
        if (before && after && after.host - before.host < 20e6 && after.page - before.page < 20e6) break;
      }
      bench.say(`round ${round}: ${JSON.stringify({ before, open, after })}`);
    }
    if (before === undefined || after === undefined) return told;
    const detail = { before, open, after };
    return [
      { id: 'kept by the host', value: (after.host - before.host) / 1e6, unit: 'MB', goal: KEPT_MB, detail },
      { id: 'kept by the page', value: (after.page - before.page) / 1e6, unit: 'MB', goal: KEPT_MB },
    ];
  } finally {
    await program.stop();
  }
}
