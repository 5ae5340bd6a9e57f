import type { Browser, Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { FlamePainter } from '../../renderer/panes/flame/canvas-painter.ts';
import type { FlameBox } from '../../shared/draw/pixel-layout.ts';
import type { FlameRow } from '../../shared/engine/views/flame-columns.ts';
import { type PageKind, takePage } from './kept-pages.ts';

declare global {
  interface Window {
    leanscopeIdle?: () => Promise<void>;
    leanscopeFrames?: () => FlameFrame[];
    leanscopePainter?: PainterName;
  }
}

/** A frame of the flame graph and where it is in the window, CSS pixels. */
export interface FlameFrame extends FlameRow, FlameBox {}

export type PainterName = FlamePainter['name'];

export interface WindowOptions extends Partial<PageKind> {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/**
 * Resolves when a function is true in the page. It asks 50 times a second; Playwright would ask for each frame, for which
 * a page works three times as much.
 */
export async function until<T>(page: Page, isTrue: (argument: T) => boolean, argument?: T): Promise<void> {
  await page.waitForFunction(isTrue as (argument: unknown) => boolean, argument, { polling: 20 });
}

/** Opens the export menu, and the menu beside it that has an entry. */
export async function showExport(page: Page, entry: string): Promise<void> {
  await page.getByTestId('export-menu').click();
  await page.getByRole('menu').first().waitFor();
  const menus = page.getByRole('menuitem').and(page.locator('[aria-haspopup=menu]'));
  for (let at = 0; (await page.getByTestId(entry).count()) === 0; at++) {
    if (at >= (await menus.count())) throw new Error(`no menu has ${entry}`);
    await menus.nth(at).click();
  }
}

/** Pictures that this process has kept. */
let shots = 0;

/** The served window in a browser, with what tests do and read there. */
export class LogWindow {
  readonly page: Page;
  /** Errors on the console or uncaught, and requests that left the window's origin. All tests want none. */
  readonly problems: string[] = [];

  private constructor(page: Page, origin: string) {
    this.page = page;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') {
        this.problems.push(`${message.text()} ${message.location().url}`);
      }
    });
    page.on('pageerror', (error) => this.problems.push(error.stack ?? error.message));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol !== 'blob:' && url.protocol !== 'data:' && url.origin !== origin)
        this.problems.push(url.href);
    });
  }

  static async open(browser: Browser, url: string, options: WindowOptions = {}): Promise<LogWindow> {
    const { width = 1280, height = 720, colorScheme = 'light' } = options;
    const { page, release, close } = await takePage(browser, options);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const shown = new LogWindow(page, new URL(url).origin);
    onTestFinished(async ({ task }) => {
      if (task.result?.state !== 'fail') return release();
      await shown.#keepPicture(task.name);
      await close();
    });
    await page.goto(url);
    await until(page, () => window.leanscopeIdle !== undefined);
    return shown;
  }

  /** After a failure: what the window looked like is kept in a file, and what it said is printed. */
  async #keepPicture(test: string): Promise<void> {
    const path = `test/output/${test.replaceAll(/\W+/g, '-').slice(0, 80)}-${process.pid}-${shots++}.png`;
    const isKept = await this.page.screenshot({ path, timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    console.log([isKept ? `The window: ${path}` : 'The window is closed', ...this.problems].join('\n'));
  }

  part(testId: string): Locator {
    return this.page.getByTestId(testId);
  }

  /** Resolves when nothing is being computed or drawn. */
  async settled(): Promise<void> {
    await this.page.evaluate(() => window.leanscopeIdle?.());
  }

  until<T>(isTrue: (argument: T) => boolean, argument?: T): Promise<void> {
    return until(this.page, isTrue, argument);
  }

  /** The fragment of the address, with its `#`: it follows what is on screen. */
  async fragment(): Promise<string> {
    await this.settled();
    return this.page.evaluate(() => location.hash);
  }

  /** Resolves when the complete log is read and shown, with this many samples. */
  async samplesShown(count: number): Promise<void> {
    await this.until((wanted) => {
      const text = document.querySelector('[data-testid=sample-count]')?.textContent ?? '';
      return Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', '') ?? -1) === wanted;
    }, count);
    await this.settled();
  }

  /** Chooses a kind of samples by its tab, or in the menu of those without one. */
  async chooseKind(id: string): Promise<void> {
    const tab = this.part('kinds').getByTestId(`kind-${id}`);
    if ((await tab.count()) > 0) return tab.click();
    await this.part('more-kinds').click();
    await this.page.getByRole('menu').getByTestId(`kind-${id}`).click();
  }

  /** Samples that the scope leaves out, by the numbers of its row. */
  async samplesOutside(): Promise<number> {
    const [all, inScope] = await this.page.evaluate(() =>
      ['sample-count', 'sample-count-in-scope'].map(
        (id) => document.querySelector(`[data-testid=${id}]`)?.textContent.replaceAll(',', '') ?? '',
      ),
    );
    return inScope === '' ? 0 : Number(all) - Number(inScope);
  }

  async showPane(pane: 'tree' | 'flat' | 'flame' | 'all'): Promise<void> {
    await this.page.keyboard.press({ tree: '1', flat: '2', flame: '3', all: '4' }[pane]);
    await this.settled();
  }

  /** Sets one of the lists in the panel of view options. */
  async chooseView(testId: 'frame-grouping' | 'thread-grouping', value: string): Promise<void> {
    await this.part('view').click();
    await this.part(testId).selectOption(value);
    await this.page.keyboard.press('Escape');
    await this.settled();
  }

  /** Chooses an entry of the menu that is open, through the menus beside it. */
  async choose(...path: readonly (string | RegExp)[]): Promise<void> {
    for (const [at, name] of path.entries())
      await this.page
        .getByRole('menuitem', { name, exact: at < path.length - 1 })
        .first()
        .click();
  }

  /** Types into the search field and waits for what it found. */
  async search(text: string): Promise<void> {
    await this.page.keyboard.press('Control+f');
    await this.page.keyboard.type(text);
    await this.page.getByText(/\d names? ·/).waitFor();
    await this.settled();
  }

  /** The rows of a table on screen: indentation is depth. */
  async rows(pane: 'tree' | 'flat' | 'callers', count: number): Promise<string[]> {
    const rows = this.part(`pane-${pane}`).locator('[data-index]');
    const texts = await rows.evaluateAll((elements) =>
      elements
        .map((element) => ({
          index: Number(element.getAttribute('data-index')),
          depth: Number(element.getAttribute('data-depth') ?? 0),
          name: element.querySelector('[title]')?.getAttribute('title') ?? '',
        }))
        .sort((a, b) => a.index - b.index)
        .map(({ depth, name }) => `${'  '.repeat(depth)}${name}`),
    );
    return texts.slice(0, count);
  }

  /** Name -> text in a column, for the visible rows of a table. A window that is too narrow for it is wide meanwhile. */
  async numbers(
    pane: 'tree' | 'flat',
    column: 'totalCount' | 'totalTime',
  ): Promise<ReadonlyMap<string, string>> {
    const size = this.page.viewportSize()!;
    if ((await this.part(`pane-${pane}`).locator(`.value-${column}`).count()) === 0) {
      await this.page.setViewportSize({ ...size, width: 2600 });
      await this.settled();
      const numbers = await this.#numbersShown(pane, column);
      await this.page.setViewportSize(size);
      await this.settled();
      return numbers;
    }
    return this.#numbersShown(pane, column);
  }

  async #numbersShown(pane: string, column: string): Promise<ReadonlyMap<string, string>> {
    const pairs = await this.part(`pane-${pane}`).evaluate((element, selector) => {
      const numbers = element.querySelector(selector)!;
      const lines = numbers.textContent.split('\n');
      const { top, height } = numbers.getBoundingClientRect();
      const seen = element.querySelector('.virtual-rows')!.getBoundingClientRect();
      return Array.from(element.querySelectorAll('[data-index]'), (row): [string, string] | undefined => {
        const box = row.getBoundingClientRect();
        if (box.bottom <= seen.top || box.top >= seen.bottom) return undefined;
        const line = (box.top - top) / (height / lines.length);
        return [row.querySelector('[title]')!.getAttribute('title')!, lines[line]];
      }).filter((pair) => pair !== undefined);
    }, `.value-${column}`);
    return new Map(pairs);
  }

  /** Scrolls down until a row is in the document: only those on screen, and a few more, are. */
  async scrollToTreeRow(label: string): Promise<void> {
    const scroller = this.part('pane-tree').locator('[role=treegrid]');
    while ((await this.treeRow(label).count()) === 0) {
      const moved = await scroller.evaluate((element) => {
        const before = element.scrollTop;
        element.scrollBy({ top: element.clientHeight / 2 });
        return element.scrollTop > before;
      });
      if (!moved) throw new Error(`the tree shows no row ${label}`);
      await this.settled();
    }
  }

  treeRow(label: string): Locator {
    return this.part('pane-tree')
      .locator('[data-row-id]', { has: this.page.locator(`[title="${label}"]`) })
      .first();
  }

  /** The frames of the flame graph, level by level from the root. As text: objects take seconds to leave the page. */
  async flameFrames(): Promise<readonly FlameFrame[]> {
    const text = await this.page.evaluate(() => JSON.stringify(window.leanscopeFrames?.() ?? []));
    return JSON.parse(text) as readonly FlameFrame[];
  }

  /** The first frame with a label; without one the root. */
  async flameFrame(label?: string): Promise<FlameFrame | undefined> {
    return this.page.evaluate(
      (wanted) => window.leanscopeFrames?.().find((each) => wanted === undefined || each.label === wanted),
      label,
    );
  }

  /** Resolves when a painter has drawn what the flame graph shows. */
  async flameDrawnBy(painter: PainterName): Promise<void> {
    await this.page.locator(`.flame-graph[data-painter=${painter}]`).waitFor();
    await this.settled();
  }

  /** A point of a frame that can be seen and stands still; scrolls to it. */
  async pointOf(label: string): Promise<{ readonly x: number; readonly y: number }> {
    const scroller = this.page.locator('.flame-scroller').first();
    for (;;) {
      const frame = await this.flameFrame(label);
      if (frame === undefined) throw new Error(`no frame ${label} is drawn`);
      const { y, height } = (await scroller.boundingBox())!;
      const beyond = Math.min(0, frame.y - y) + Math.max(0, frame.y + frame.height - y - height);
      if (beyond !== 0) await scroller.evaluate((element, top) => element.scrollBy({ top }), beyond);
      await this.settled();
      const now = await this.flameFrame(label);
      if (beyond === 0 && now?.x === frame.x && now.y === frame.y && now.width === frame.width)
        return { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 };
    }
  }

  async clickFrame(label: string): Promise<void> {
    const { x, y } = await this.pointOf(label);
    await this.page.mouse.click(x, y);
  }

  async hoverFrame(label: string): Promise<void> {
    const { x, y } = await this.pointOf(label);
    await this.page.mouse.move(x, y);
  }

  /** Clicks an entry of the export menu; the text of the file that is saved. */
  async exported(entry: string): Promise<string> {
    await showExport(this.page, entry);
    const [download] = await Promise.all([this.page.waitForEvent('download'), this.part(entry).click()]);
    const stream = await download.createReadStream();
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece as Buffer);
    return Buffer.concat(pieces).toString();
  }
}
