import { expect, test } from 'vitest';
import { useWindows } from '../support/opened-window.ts';
import { goldenPath } from '../support/read-log.ts';
import { expectRecovery } from '../support/recovery.ts';
import { cliOutput } from '../support/run-cli.ts';
import { serve } from '../support/served.ts';
import { testSize } from '../support/test-size.ts';
import { LogWindow } from '../support/window.ts';

const { browser, openServerLog } = useWindows();
const TIMES = testSize(2, 100);
const PATH = goldenPath('server-small');

const exportedByCommand = (): Promise<string> => cliOutput('export', PATH, '--format', 'lean');

test(`D08: after ${TIMES} reloads the window shows the same profile`, { timeout: 0 }, async () => {
  const window = await openServerLog();
  let slowest = 0;
  for (let time = 0; time < TIMES; time++) {
    const before = performance.now();
    await window.page.reload({ waitUntil: 'commit' });
    await window.samplesShown(1553);
    slowest = Math.max(slowest, performance.now() - before);
  }
  expectRecovery(`${TIMES} reloads`, slowest);
  expect(await window.exported('export-lean')).toBe(await exportedByCommand());
});

test(
  `D08: ${TIMES} servers are killed, and the open window goes on with the next one`,
  { timeout: 0 },
  async () => {
    let server = await serve(PATH);
    const { port } = new URL(server.url);
    const window = await LogWindow.open(browser(), server.url);
    await window.samplesShown(1553);
    let slowest = 0;
    for (let time = 0; time < TIMES; time++) {
      process.kill(server.pid, 'SIGKILL');
      await window.part('connection-banner').waitFor();
      server = await serve('--port', port, PATH);
      // Another server has another secret: its address gives the browser the cookie, and the open window goes on.
      const before = performance.now();
      await window.page.request.get(server.url);
      await window.part('connection-banner').waitFor({ state: 'detached' });
      await window.samplesShown(1553);
      slowest = Math.max(slowest, performance.now() - before);
    }
    expectRecovery(`${TIMES} servers`, slowest);
    expect(await window.exported('export-lean')).toBe(await exportedByCommand());
  },
);
