import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { expect, onTestFinished, vi } from 'vitest';
import { frame, log, method, thread, trace } from '../support/log-bytes.ts';
import { useChromium } from '../support/opened-window.ts';
import { leanscope, serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testSize } from '../support/test-size.ts';
import { missingFile, testUnless } from '../support/test-unless.ts';
import { waitFor } from '../support/wait-for.ts';
import { LogWindow } from '../support/window.ts';

const browser = useChromium();

/** How long the page stands still after the log has grown. */
const SECONDS = testSize(0, 60);
if (SECONDS > 0) vi.setConfig({ testTimeout: 0 });

const PIECES = 30;
const LEAVES = 10_000;
/**
 * A delta that changes all leaves has 0.2 MB, and no second one follows before the page has acknowledged it; a status has
 * some kilobytes. If a delta were sent for every piece, it would be as much as the socket takes: some megabytes.
 */
const MOST_WRITTEN = 1e6;

/** A sample of each of LEAVES methods, from this second on. */
function piece(second: number): Uint8Array {
  const written = trace(1, second, frame(1, 0, 0), frame(1, 0, 1));
  const all = new Uint8Array(LEAVES * written.length);
  const view = new DataView(all.buffer);
  for (let leaf = 0; leaf < LEAVES; leaf++) {
    const at = leaf * written.length;
    all.set(written, at);
    view.setBigInt64(at + 21, BigInt(leaf) * 100_000n);
    // The line of the leaf.
    view.setInt32(at + 34, 10 + leaf);
  }
  return all;
}

/** The processes of all pages. */
async function renderersOf(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

/** Bytes that a process has read and written so far, sockets included. */
function bytesOf(pid: number): { readonly read: number; readonly written: number } {
  const text = readFileSync(`/proc/${pid}/io`, 'latin1');
  const number = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]);
  return { read: number('rchar'), written: number('wchar') };
}

testUnless(missingFile('/proc/self/io'))(
  'D02: little waits for a page that stands still, and it has all that was written when it goes on',
  async () => {
    const path = join(temporaryFolder(), 'live.hpl');
    const head = log(thread(1, 'main'), method(1, 'Shop.java', 'LShop;', 'run'), piece(0));
    writeFileSync(path, head);
    const { url, pid } = await serve(path);
    const window = await LogWindow.open(browser(), url);
    await window.samplesShown(LEAVES);
    const renderers = await renderersOf(browser());
    expect(renderers.length).toBeGreaterThan(0);
    const signal = (name: NodeJS.Signals): void => {
      for (const renderer of renderers) process.kill(renderer, name);
    };
    onTestFinished(() => signal('SIGCONT'));
    signal('SIGSTOP');
    const before = bytesOf(pid);
    let appended = 0;
    for (let number = 1; number < PIECES; number++) {
      const bytes = piece(number);
      appendFileSync(path, bytes);
      appended += bytes.length;
      // The host reads on as it does for a page that answers.
      await waitFor(() => bytesOf(pid).read >= before.read + appended, 'the host to read on');
    }
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1_000));
    expect(bytesOf(pid).written - before.written).toBeLessThan(MOST_WRITTEN);
    signal('SIGCONT');
    await window.samplesShown(PIECES * LEAVES);
    expect(await window.exported('export-lean')).toBe(
      (await leanscope('export', path, '--format', 'lean')).stdout,
    );
    expect(window.problems).toEqual([]);
  },
);
