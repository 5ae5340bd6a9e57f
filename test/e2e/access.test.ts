import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useChromium } from '../support/opened-window.ts';
import { goldenPath } from '../support/read-log.ts';
import { serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { LogWindow } from '../support/window.ts';

const browser = useChromium();

test('H05: the token is in no entry of the history, whether the address was typed or came from a file', async () => {
  const { url } = await serve(goldenPath('hello'));
  const { origin, searchParams } = new URL(url);
  const token = searchParams.get('token')!;
  const opener = join(temporaryFolder(), 'open.html');
  writeFileSync(opener, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">`);
  for (const start of [url, `file://${opener}`]) {
    // A context of its own, which has no cookie yet.
    const context = await browser().newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    // From a file, the navigation is interrupted by the one to the address.
    await page.goto(start).catch(() => undefined);
    await page.waitForFunction(() => window.leanscopeIdle !== undefined);
    expect(page.url()).toBe(`${origin}/`);
    const session = await context.newCDPSession(page);
    const { entries } = await session.send('Page.getNavigationHistory');
    expect(entries.filter(({ url: visited }) => visited.includes(token))).toEqual([]);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(cookie.value).not.toBe(token);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    await page.reload();
    await page.waitForFunction(() => window.leanscopeIdle !== undefined);
  }
});

test('a ninth window says why it is not served, and is when another one closes', async () => {
  const { url } = await serve(goldenPath('hello'));
  const windows: LogWindow[] = [];
  for (let at = 0; at < 8; at++) windows.push(await LogWindow.open(browser(), url));
  const ninth = await LogWindow.open(browser(), url);
  await ninth
    .part('connection-banner')
    .getByText('Eight windows are connected, and there can be no more. Close one of them.')
    .waitFor();
  await windows[0].page.close();
  await ninth.samplesShown(37);
});
