import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { HOSTILE_NAMES } from '../support/hostile-names.ts';
import { useWindows } from '../support/opened-window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { open } = useWindows();

/** Controls, marks of direction and separators: what a page must not get from a file. */
const INTERPRETED = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const FILE_NAME = 'gpj.\u202etxt\x1b[31m\nnext<img src=x onerror=alert(1)>.json';

/** One sample per name, below one root. */
function hostileFile(): string {
  const path = join(temporaryFolder(), FILE_NAME);
  writeFileSync(
    path,
    JSON.stringify({
      $schema: 'https://www.speedscope.app/file-format-schema.json',
      shared: { frames: [{ name: 'root' }, ...HOSTILE_NAMES.map((name) => ({ name, file: name }))] },
      profiles: [
        {
          type: 'sampled',
          name: HOSTILE_NAMES.join(' '),
          unit: 'none',
          startValue: 0,
          endValue: HOSTILE_NAMES.length,
          samples: HOSTILE_NAMES.map((_, at) => [0, at + 1]),
          weights: HOSTILE_NAMES.map(() => 1),
        },
      ],
    }),
  );
  return path;
}

/** All texts and attributes of the document, apart from style sheets and the blank lines of markup. */
async function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = [document.title];
    for (const element of document.body.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) if (name !== 'class') texts.push(value);
      for (const child of element.childNodes)
        if (child.nodeType === Node.TEXT_NODE) texts.push(child.nodeValue ?? '');
    }
    return texts;
  });
}

test('X07: what is copied is plain text, one line a row, and none of it is interpreted', async () => {
  const window = await open([hostileFile()]);
  const { page } = window;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await window.samplesShown(HOSTILE_NAMES.length);
  await window.showPane('flat');
  const rows = window.part('pane-flat').locator('[data-index]');
  const copied: string[] = [];
  for (let index = 0; index < (await rows.count()); index++) {
    await page.evaluate(() => navigator.clipboard.writeText('nothing'));
    await rows.nth(index).click();
    await page.keyboard.press('Control+c');
    const items = (): Promise<readonly (readonly string[])[]> =>
      page.evaluate(async () => (await navigator.clipboard.read()).map(({ types }) => types));
    const text = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(text).not.toBe('nothing');
    expect(await items()).toEqual([['text/plain']]);
    copied.push(await text());
  }
  expect(copied.length).toBeGreaterThan(10);
  // The cells of a row have TABs between them.
  expect(copied.filter((line) => INTERPRETED.test(line.replaceAll('\t', '')))).toEqual([]);
  expect(new Set(copied.map((line) => line.split('\t').length)).size).toBe(1);
  expect(window.problems).toEqual([]);
});

test('X08 D16: names of the file and of its methods are shown, and none is interpreted', async () => {
  const window = await open([hostileFile()]);
  const { page } = window;
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs++;
    void dialog.dismiss();
  });
  await window.samplesShown(HOSTILE_NAMES.length);
  expect(await page.title()).toContain('gpj.\\u202etxt\\x1b[31m\\x0anext<img');
  const seen: string[] = [];
  for (const pane of ['all', 'flame', 'flat', 'tree'] as const) {
    await window.showPane(pane);
    // d3-flame-graph has labels, titles and attributes of its own.
    if (pane === 'flame') await window.flameDrawnBy('d3');
    seen.push(...(await textsOf(page)));
  }
  await page.keyboard.press('Alt+Enter');
  await window.settled();
  seen.push(...(await textsOf(page)));
  // The columns of numbers and the texts of a title have line breaks of the window's own.
  const lines = seen.flatMap((text) => text.split('\n'));
  expect(lines.filter((line) => INTERPRETED.test(line))).toEqual([]);
  expect(lines).toContain('\\u202egnirts desrever');
  expect(lines.join()).toContain('\\x00nul\\x1b[31mescape\\x07');
  expect(await page.locator('img, script:not([src]), iframe, object, embed').count()).toBe(0);
  expect(dialogs).toBe(0);
  expect(window.problems).toEqual([]);
});
