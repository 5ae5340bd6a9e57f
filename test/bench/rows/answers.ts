/** What is told and sent: findings after a log was read, and a page with its profile. */
import { mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Engine } from '../../../shared/engine/engine.ts';
import { INITIAL_QUERY } from '../../../shared/engine/query.ts';
import { findingsOf } from '../../../shared/findings/find.ts';
import { NO_PROJECT } from '../../../shared/findings/finding.ts';
import { readProfile } from '../../../electron/cli/read-profile.ts';
import { median } from '../median.ts';
import { leanscope, run } from '../processes.ts';
import type { Bench, BenchRow, Figure } from '../row.ts';
import { launchBrowser, openRecordedPage, ServedProgram } from '../served-window.ts';

const FINDINGS_S = 1.5;
const PAGE_MB = 0.8;
const TO_SERVED = 1.5;
/** 641 591 nodes, 15 675 samples. */
const SENT_LOG = 26e6;
const LARGE = 313e6;
const SHORT = 20e6;

export const ANSWER_ROWS: readonly BenchRow[] = [
  {
    id: 'findings-real',
    what: 'findings of 313 MB, 7.7 M nodes, after it was read',
    short: true,
    measure: findings,
  },
  { id: 'page', what: 'a page to send with a log of 26 MB', short: true, measure: page },
];

/** The first time in a new process, including JIT compilation. */
async function findings(bench: Bench): Promise<Figure[]> {
  const file = await bench.log('real', bench.short ? SHORT : LARGE);
  const io = {
    stdin: () => process.stdin,
    stdout: () => undefined,
    stderr: () => undefined,
    showsProgress: false,
  };
  const fleet = { where: undefined, per: 'pool', sql: undefined, order: 'leaf' } as const;
  const { profile, facts } = await readProfile({ paths: [file], chosen: {}, fleet }, io, true);
  const engine = new Engine();
  engine.add('log', profile);
  const seconds = Array.from({ length: 3 }, () => {
    const startedAt = performance.now();
    const view = engine.view('log', { ...INITIAL_QUERY }, 'name', true);
    findingsOf({ ...view.samples.recorded, facts, project: NO_PROJECT });
    return (performance.now() - startedAt) / 1000;
  });
  return [{ id: 'time', value: seconds[0], unit: 's', goal: FINDINGS_S, detail: { seconds } }];
}

/** Its size, and the time from a navigation to the first rows against that of the served window, both in a new browser. */
async function page(bench: Bench): Promise<Figure[]> {
  const file = await bench.log('real', SENT_LOG);
  const sent = join(mkdtempSync(join(bench.folder, 'page-')), 'page.html');
  run(leanscope('export', file, '-o', sent));
  const bytes = statSync(sent).size;
  const opened: number[] = [];
  const served: number[] = [];
  for (let round = 0; round < (bench.short ? 2 : 5); round++) {
    const program = await ServedProgram.start(bench, { files: [file] });
    try {
      served.push(await firstRows(program.browser, program.url));
    } finally {
      await program.stop();
    }
    const browser = await launchBrowser(bench);
    try {
      opened.push(await firstRows(browser, pathToFileURL(sent).href));
    } finally {
      await browser.close();
    }
  }
  return [
    { id: 'size', value: bytes / 1e6, unit: 'MB', goal: PAGE_MB, detail: { bytes } },
    {
      id: 'opened',
      value: median(opened) / median(served),
      unit: '×',
      goal: TO_SERVED,
      detail: { of: 'the served window', opened, served },
    },
  ];
}

async function firstRows(browser: ServedProgram['browser'], url: string): Promise<number> {
  const shown = await openRecordedPage(browser);
  await shown.page.goto(url);
  await shown.page.waitForFunction(() => window.recorded.firstRowsAt !== undefined, undefined, {
    polling: 50,
  });
  return ((await shown.record()).firstRowsAt ?? Infinity) / 1000;
}
