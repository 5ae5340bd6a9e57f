import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { exportFlameSvg } from '../../shared/export/flame-svg.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import { callTreeOf } from '../../shared/export/tree.ts';
import { launchChromium } from '../support/chromium.ts';
import { HOSTILE_NAMES } from '../support/hostile-names.ts';
import { hostileProfile } from '../support/hostile-profile.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SAMPLES_AND_TIME } from '../../shared/profile/profile-units.ts';

test('X02: an exported picture opens in a browser, runs nothing and fetches nothing, whatever methods are called', async () => {
  const sums = callTreeOf(hostileProfile(HOSTILE_NAMES).profile, { threads: 'name', frames: 'fqmn' });
  const picture = collectText((sink) =>
    exportFlameSvg(
      {
        sums,
        metric: 'samples',
        units: SAMPLES_AND_TIME,
        zoom: undefined,
        search: undefined,
        kept: undefined,
        theme: 'light',
        colourBy: 'package',
        orientation: 'flame',
        title: HOSTILE_NAMES[0],
        width: 20_000,
      },
      sink,
    ),
  );
  const file = join(temporaryFolder(), 'hostile.svg');
  writeFileSync(file, picture);

  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ bypassCSP: true });
  const happened: string[] = [];
  page.on('dialog', (dialog) => {
    happened.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => happened.push(`console ${message.text()}`));
  page.on('pageerror', (error) => happened.push(`error ${error.message}`));
  page.on('request', (request) => happened.push(`request ${request.url()}`));
  const url = pathToFileURL(file).href;
  await page.goto(url);
  // Event handlers could run injected scripts.
  await page.mouse.move(300, 80);
  await page.mouse.click(300, 80);
  const seen = await page.evaluate(() => ({
    root: document.documentElement.localName,
    elements: [...new Set(Array.from(document.querySelectorAll('*'), ({ localName }) => localName))].sort(),
    labels: Array.from(document.querySelectorAll('g > text'), ({ textContent }) => textContent),
    tallest: Math.max(
      ...Array.from(document.querySelectorAll('rect'), (rect) => rect.getBoundingClientRect().bottom),
    ),
    overflowing: Array.from(document.querySelectorAll('g > text'), (text) => {
      const rect = text.parentElement?.querySelector('rect')?.getBoundingClientRect();
      return text.getBoundingClientRect().right > (rect?.right ?? 0) ? text.textContent : '';
    }).filter((text) => text !== ''),
  }));
  expect(happened).toEqual([`request ${url}`]);
  expect(seen.root).toBe('svg');
  expect(seen.elements).toEqual(['desc', 'g', 'rect', 'svg', 'text', 'title']);
  expect(seen.labels).toContain('<script>alert(1)</script>');
  expect(seen.tallest).toBeGreaterThan(60);
  expect(seen.overflowing).toEqual([]);
});
