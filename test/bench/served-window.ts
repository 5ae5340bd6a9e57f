import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { COMMAND } from './checkout.ts';
import { type PageRecord, recordPage } from './page-recorder.ts';
import type { Bench } from './row.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  // Memory is measured without garbage; the protocol collects that of pages only, not of their workers.
  '--js-flags=--expose-gc',
];

/** `leanscope serve` as its own process and a Chromium of its own, as a user runs it. */
export class ServedProgram {
  readonly url: string;
  readonly pid: number;
  readonly browser: Browser;
  /** From the start of the process to the address on its standard output, ms. */
  readonly readyMs: number;
  /** Where its threads are asked by the protocol of Node's inspector; undefined: it was not started for that. */
  readonly debuggerUrl: string | undefined;
  readonly #stop: () => Promise<void>;

  private constructor(
    url: string,
    pid: number,
    browser: Browser,
    readyMs: number,
    debuggerUrl: string | undefined,
    stop: () => Promise<void>,
  ) {
    this.url = url;
    this.pid = pid;
    this.browser = browser;
    this.readyMs = readyMs;
    this.debuggerUrl = debuggerUrl;
    this.#stop = stop;
  }

  /**
   * `recent`: logs that the start page lists; `allowsAttach`: it lists JVMs, too; `isInspected`: its threads can be asked.
   */
  static async start(
    bench: Bench,
    {
      files = [],
      recent = [],
      allowsAttach = false,
      isInspected = false,
    }: {
      readonly files?: readonly string[];
      readonly recent?: readonly string[];
      readonly allowsAttach?: boolean;
      readonly isInspected?: boolean;
    },
  ): Promise<ServedProgram> {
    const browser = await launchBrowser(bench);
    const settings = mkdtempSync(join(bench.folder, 'settings-'));
    mkdirSync(join(settings, 'Leanscope'));
    writeFileSync(
      join(settings, 'Leanscope/recent-files.json'),
      JSON.stringify({ version: 1, paths: recent }),
    );
    const startedAt = performance.now();
    const server = spawn(
      process.execPath,
      [
        ...(isInspected ? ['--inspect=127.0.0.1:0'] : []),
        COMMAND,
        'serve',
        '--no-open',
        ...(allowsAttach ? ['--attach'] : []),
        ...files,
      ],
      {
        stdio: ['ignore', 'pipe', isInspected ? 'pipe' : 'inherit'],
        env: { ...process.env, XDG_CONFIG_HOME: settings, APPDATA: settings },
      },
    );
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
    const stop = async (): Promise<void> => {
      await browser.close();
      server.kill();
      await ended;
      rmSync(settings, { recursive: true, force: true });
    };
    /** The first text of this form in an output. */
    const printed = (output: Readable, form: RegExp): Promise<string> =>
      new Promise((resolve, reject) => {
        let text = '';
        output.on('data', (piece: Buffer) => {
          text += piece.toString();
          const found = form.exec(text)?.[0];
          if (found !== undefined) resolve(found);
        });
        server.once('error', reject);
        server.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
      });
    try {
      const [url, debuggerUrl] = await Promise.all([
        printed(server.stdout!, /http:\/\/\S+(?=\n)/),
        server.stderr === null ? undefined : printed(server.stderr, /ws:\/\/\S+(?=\n)/),
      ]);
      const readyMs = performance.now() - startedAt;
      return new ServedProgram(url, server.pid ?? 0, browser, readyMs, debuggerUrl, stop);
    } catch (error) {
      await stop();
      throw error;
    }
  }

  /** A page with the recorder in it, in a browser profile of its own: nothing is cached. */
  openPage(): Promise<RecordedPage> {
    return openRecordedPage(this.browser);
  }

  async stop(): Promise<void> {
    await this.#stop();
  }
}

export function launchBrowser({ chromium: executablePath }: Bench): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}

export async function openRecordedPage(browser: Browser): Promise<RecordedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await page.addInitScript(recordPage);
  return new RecordedPage(context, page);
}

export class RecordedPage {
  readonly page: Page;
  readonly context: BrowserContext;

  constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
  }

  record(): Promise<PageRecord> {
    return this.page.evaluate(() => window.recorded);
  }

  /** Clicks the first log of the start page, in an idle browser. */
  async openRecent(url: string): Promise<void> {
    await this.page.goto(url);
    const first = this.page.locator('.start-recent button').first();
    await first.waitFor();
    // The driver's code is loaded into the page at the first such query: 330 kB, 20 ms.
    await this.page.waitForFunction(() => true);
    const browser = this.context.browser();
    if (browser !== null) await browserRests(browser);
    await first.click();
  }

  /** The complete profile, as the window exports it. */
  async exportedLean(): Promise<Buffer> {
    await this.page.getByTestId('export-menu').click();
    await this.page.getByRole('menuitem', { name: 'Texts and tables' }).click();
    const [download] = await Promise.all([
      this.page.waitForEvent('download'),
      this.page.getByTestId('export-lean').click(),
    ]);
    const pieces: Buffer[] = [];
    for await (const piece of await download.createReadStream()) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  }

  /** Resolves when this many samples were painted. */
  async showsSamples(samples: number, timeoutMs = 60_000): Promise<void> {
    await this.page.waitForFunction(
      (wanted) => window.recorded.samples.some(([, shown]) => shown >= wanted),
      samples,
      { timeout: timeoutMs, polling: 100 },
    );
  }
}

/** User and system time of a process so far, all threads, in seconds; undefined where /proc does not have it. */
export function cpuSeconds(pid: number): number | undefined {
  const fields = readProc(pid, 'stat')
    ?.replace(/^.*\) /, '')
    .split(' ');
  // Fields 14 and 15 of proc(5), counted from the third; in ticks of which every Linux has 100 a second.
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Private memory of a process, in bytes; undefined where /proc does not have it. */
export function ownBytes(pid: number): number | undefined {
  const status = readProc(pid, 'status');
  if (status === undefined) return undefined;
  const kibibytes = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0);
  return (kibibytes('RssAnon') + kibibytes('RssShmem')) * 1024;
}

/** Period in which an idle browser takes less than a tenth of a core, all processes together. */
const REST_MS = 300;
const LONGEST_START_MS = 10_000;

/** A new browser works for a second after its first page, which rows must not include. */
async function browserRests(browser: Browser): Promise<void> {
  const secondsUsed = async (): Promise<number> =>
    (await processesOf(browser)).reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  const startedAt = performance.now();
  for (let before = await secondsUsed(); performance.now() - startedAt < LONGEST_START_MS;) {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const after = await secondsUsed();
    if (after - before < REST_MS / 10_000) return;
    before = after;
  }
}

/** The processes of a browser's pages. */
export async function rendererPids(browser: Browser): Promise<readonly number[]> {
  return (await processesOf(browser)).filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

interface BrowserProcess {
  readonly id: number;
  readonly type: string;
  /** Seconds of processor time since its start, all threads. */
  readonly cpuTime: number;
}

/** "CDP SystemInfo.getProcessInfo" */
async function processesOf(browser: Browser): Promise<readonly BrowserProcess[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo;
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
