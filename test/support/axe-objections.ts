import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { LogWindow } from './window.ts';

/** Less than half of the text that the package exports: each page reads and compiles it anew. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules that axe finds broken, with the first element each. */
export function objections(window: LogWindow): Promise<string[]> {
  return brokenRules(window, {});
}

/** The same in the light theme, and in the dark one where it differs: in its contrasts. Leaves the light one. */
export async function objectionsInBothThemes(window: LogWindow): Promise<string[]> {
  const { page } = window;
  await page.emulateMedia({ colorScheme: 'light' });
  await window.settled();
  const light = await objections(window);
  await page.emulateMedia({ colorScheme: 'dark' });
  await window.settled();
  const dark = await brokenRules(window, { runOnly: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light' });
  await window.settled();
  return [...light, ...dark.map((rule) => `dark: ${rule}`)];
}

async function brokenRules({ page }: LogWindow, options: axe.RunOptions): Promise<string[]> {
  // The page's content security policy forbids inline scripts, so axe is injected through the debugger.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
  return page.evaluate(async (given) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      ...given,
      // Only of these are elements described, which takes a third of the time.
      resultTypes: ['violations'],
      // Not the style sheets, whose parsing takes a quarter: the only rule that reads them is off by default.
      preload: { assets: ['media'] },
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`);
  }, options);
}
