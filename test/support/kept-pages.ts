import type { Browser, Page } from 'playwright-core';
import type { FlamePainter } from '../../renderer/panes/flame/canvas-painter.ts';

/** What a page has from its start to its end. */
export interface PageKind {
  /** Device pixels per CSS pixel. */
  readonly pixelRatio: number;
  /** The only painter that draws the flame graph; undefined: the one that the window chooses. */
  readonly painter: FlamePainter['name'] | undefined;
  /** The summary is beside the panes, as at first; otherwise the panes have the whole width. */
  readonly hasSummary: boolean;
  /** A page that no other test gets: for what `release` cannot undo, such as scripts added to it and permissions. */
  readonly isOwn: boolean;
}

export interface TakenPage {
  readonly page: Page;
  /** Leaves the page to a later test: empty, without cookies, storage, routes and listeners. */
  readonly release: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface KeptPage {
  readonly page: Page;
  readonly browser: Browser;
  readonly kind: string;
}

/** Pages that no test uses. A page of a new context would take half as much again of the processor to open the window. */
const kept: KeptPage[] = [];

/** A page in a context of its own. */
export async function takePage(browser: Browser, options: Partial<PageKind>): Promise<TakenPage> {
  const { pixelRatio = 1, painter, hasSummary = false, isOwn = false } = options;
  const kind = `${pixelRatio} ${painter} ${hasSummary}`;
  const at = isOwn ? -1 : kept.findIndex((each) => each.browser === browser && each.kind === kind);
  const page =
    at < 0 ? await newPage(browser, { pixelRatio, painter, hasSummary }) : kept.splice(at, 1)[0].page;
  const close = (): Promise<void> => page.context().close();
  return {
    page,
    close,
    release: async () => {
      // Storage can be emptied only where it was written: not when the test has left the window, or opened another.
      if (isOwn || page.isClosed() || !page.url().startsWith('http') || page.context().pages().length > 1)
        return close();
      await empty(page);
      kept.push({ page, browser, kind });
    },
  };
}

async function newPage(
  browser: Browser,
  { pixelRatio, painter, hasSummary }: Omit<PageKind, 'isOwn'>,
): Promise<Page> {
  const context = await browser.newContext({ deviceScaleFactor: pixelRatio, acceptDownloads: true });
  // As for whole tests: a step of seconds takes ten times as long on a busy machine.
  context.setDefaultTimeout(60_000);
  await context.addInitScript((name) => (window.leanscopePainter = name), painter);
  if (!hasSummary) await context.addInitScript(storeChoices);
  return context.newPage();
}

/** Runs in the page, before the window: most walks have no summary, and count samples without a stack. */
function storeChoices(): void {
  const key = 'leanscope.preferences';
  if (location.protocol.startsWith('http') && localStorage.getItem(key) === null)
    localStorage.setItem(key, '{"summary":false,"leavesOutErrors":false}');
}

async function empty(page: Page): Promise<void> {
  for (const event of ['console', 'dialog', 'download', 'pageerror', 'request', 'response'] as const)
    page.removeAllListeners(event);
  await page.unrouteAll();
  // What the page would still store as it is left would be found by the next test.
  await page.evaluate(() => {
    Storage.prototype.setItem = () => undefined;
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  // Nothing is below the pointer when the next test begins.
  await page.mouse.move(-1, -1);
}
