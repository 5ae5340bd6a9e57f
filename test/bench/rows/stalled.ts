import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startServer } from '../../../electron/headless/serve.ts';
import { Host } from '../../../electron/host/host.ts';
import type { Transport } from '../../../shared/protocol/transport.ts';
import { ROOT } from '../checkout.ts';
import { LiveLog } from '../live-log.ts';
import { leanscope, run } from '../processes.ts';
import type { Bench, BenchRow, Figure } from '../row.ts';
import { launchBrowser, openRecordedPage, ownBytes } from '../served-window.ts';

const QUEUED_MB = 8;
const BLOCKED_MS = 10_000;
const SECONDS = 14;

export const STALLED_ROWS: readonly BenchRow[] = [
  {
    id: 'stalled',
    what: 'a window blocked for 10 s while its log grows by 4.4 MB a second',
    short: false,
    measure: stalled,
  },
];

/** The host runs in this process, because its queues cannot be measured from outside. */
async function stalled(bench: Bench): Promise<Figure[]> {
  const folder = mkdtempSync(join(bench.folder, 'stalled-'));
  const log = LiveLog.prepare(folder, SECONDS);
  const transports: Transport[] = [];
  const host = new Host({
    version: '0',
    capabilities: { openDialog: false, openDropped: false },
    workerUrl: pathToFileURL(resolve(ROOT, 'dist/electron/log-worker.cjs')),
    sampleFolder: undefined,
    recentFiles: {
      list: () => [],
      pathOf: () => undefined,
      add: () => undefined,
      remove: () => false,
      forget: () => undefined,
    },
  });
  const server = await startServer({
    host: {
      connectClient: (transport) => {
        transports.push(transport);
        host.connectClient(transport);
      },
    },
    rendererFolder: join(ROOT, 'dist/renderer'),
    port: 0,
  });
  const browser = await launchBrowser(bench);
  let queued = 0;
  let memory = 0;
  const look = setInterval(() => {
    queued = Math.max(
      queued,
      transports.reduce((sum, transport) => sum + transport.queuedBytes, 0),
    );
    memory = Math.max(memory, ownBytes(process.pid) ?? 0);
  }, 10);
  try {
    await host.open(log.path, { show: true });
    const shown = await openRecordedPage(browser);
    await shown.page.goto(server.url);
    await shown.showsSamples(log.samplesAtFirst);
    const growing = log.grow();
    await shown.page.waitForTimeout(1_000);
    queued = 0;
    const memoryBefore = ownBytes(process.pid);
    memory = 0;
    await shown.page.evaluate((ms) => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    }, BLOCKED_MS);
    const queuedMost = queued;
    const memoryMost = memory;
    const written = await growing;
    await shown.showsSamples(written[written.length - 1][1]);
    await shown.page.waitForSelector('[data-state=idle]', { timeout: 10_000 });
    const lean = join(folder, 'lean.txt');
    run(leanscope('export', '--format', 'lean', '-o', lean, log.path));
    const isEqual = (await shown.exportedLean()).equals(readFileSync(lean));
    return [
      {
        id: 'queued in the host',
        value: queuedMost / 1e6,
        unit: 'MB',
        goal: QUEUED_MB,
        detail: { growthOfTheProcess: memoryBefore === undefined ? undefined : memoryMost - memoryBefore },
      },
      {
        id: 'profiles that differ from the batch',
        value: isEqual ? 0 : 1,
        unit: '×',
        goal: 0,
        detail: { samples: written[written.length - 1][1] },
      },
    ];
  } finally {
    clearInterval(look);
    await browser.close();
    await server.close();
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
