import { expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { layoutFaults } from '../support/layout-faults.mjs';
import { useWindows } from '../support/opened-window.ts';
import { cliOutput } from '../support/run-cli.ts';
import { chips } from '../support/scope-on-screen.ts';
import { servedHere } from '../support/served-here.ts';
import { LogWindow } from '../support/window.ts';

const FILE = 'test/golden/jfr/requests-jdk25.jfr.gz';
const SAMPLES = 288;

const { browser, openRead } = useWindows();

async function samplesOf(...scope: readonly string[]): Promise<number> {
  const { whole } = JSON.parse(await cliOutput('top', FILE, '--json', ...scope)) as {
    whole: { samples: number };
  };
  return whole.samples;
}

/** The durations and times in the scope of a link, as options. */
function spansIn(fragment: string): readonly string[] {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  return ['took', 'began'].flatMap((name) => [`--${name}`, fields.get(name) ?? '']);
}

const inScope = async (window: LogWindow): Promise<number> => SAMPLES - (await window.samplesOutside());

/** Drags over the upper part of the picture, and waits for the menu. */
async function dragOver(window: LogWindow): Promise<void> {
  const { mouse } = window.page;
  const { x, y, width, height } = (await window.part('durations-squares').boundingBox())!;
  await mouse.move(x + 0.2 * width, y + 1);
  await mouse.down();
  await mouse.move(x + 0.8 * width, y + 0.6 * height, { steps: 4 });
  expect(await window.part('durations-pointed').textContent()).toMatch(
    /^\d+ requests began 0:\d.* to 0:\d.* and took .* to .*$/,
  );
  await mouse.up();
  await window.page.getByRole('menu').waitFor();
}

test('requests that are dragged over are the scope, in the link and undone; compared with the rest', async () => {
  const window = await openRead(FILE, SAMPLES, { width: 1440, height: 900 });
  await window.part('durations-squares').waitFor();
  await dragOver(window);
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await window.choose('Only these requests');
  expect(await chips(window)).toEqual([expect.stringMatching(/^\d.*s to .*s, began 0:\d.* to 0:\d/)]);
  const fragment = await window.fragment();
  const some = await samplesOf(...spansIn(fragment));
  expect(await inScope(window)).toBe(some);
  expect(some).toBeLessThan(SAMPLES);
  await window.part('durations-chosen').waitFor();
  expect(await window.part('durations-legend').textContent()).toContain('in scope: up to');
  const url = await servedHere(FILE);
  const other = await LogWindow.open(browser(), url);
  await other.page.goto('about:blank');
  await other.page.goto(`${new URL(url).origin}/${fragment}`);
  await other.samplesShown(SAMPLES);
  expect(await inScope(other)).toBe(some);
  expect(await chips(other)).toEqual(await chips(window));
  await window.page.keyboard.press('Control+z');
  expect(await chips(window)).toEqual([]);
  await dragOver(window);
  await window.choose('Compare with the rest');
  expect(await chips(window)).toEqual([
    expect.stringMatching(/^\d.*s to .*s, began 0:\d.* to 0:\d/),
    'compared with the rest of all requests',
  ]);
  expect(await inScope(window)).toBe(some);
  expect(decodeURIComponent(await window.fragment())).toContain('took-base=..');
  // An operation that is selected stands out.
  await window.page.keyboard.press('Control+z');
  await window.part('tree-choice').getByRole('radio', { name: 'Operations' }).click();
  await window.part('pane-operations').locator('[data-name=checkout]').click();
  await window.part('durations-legend').getByText('checkout: up to').waitFor();
  expect(await chips(window)).toEqual([]);
  expect([...window.problems, ...other.problems]).toEqual([]);
});

test('by keyboard, and in a narrow window', async () => {
  const window = await openRead(FILE, SAMPLES, { width: 1440, height: 900 });
  const { keyboard } = window.page;
  const squares = window.part('durations-squares');
  await squares.focus();
  const cell = (): Promise<string | null> => squares.locator('[role=gridcell]').getAttribute('aria-label');
  // The fullest cell is the first one.
  expect(await cell()).toMatch(/^\d+ requests of .* began 0:\d.* and took .* ms$/);
  await keyboard.press('Home');
  expect(await cell()).toContain('began 0:00 to');
  await keyboard.press('Shift+End');
  await keyboard.press('Shift+ArrowUp');
  expect(await cell()).toMatch(/^\d+ requests began 0:00 to/);
  await keyboard.press('Enter');
  await window.page.getByRole('menu').waitFor();
  await keyboard.press('Enter');
  expect(await chips(window)).toEqual([expect.stringMatching(/^\d.*s to .*s, began 0:00 to 0:\d/)]);
  const some = await samplesOf(...spansIn(await window.fragment()));
  expect([some > 0, await inScope(window)]).toEqual([true, some]);
  await squares.focus();
  await keyboard.press('Enter');
  await window.choose('Requests of any duration and time');
  expect(await chips(window)).toEqual([]);
  // Escape clears a selection.
  await squares.focus();
  await keyboard.press('Shift+ArrowRight');
  await window.part('durations-chosen').waitFor();
  await keyboard.press('Escape');
  expect(await window.part('durations-chosen').count()).toBe(0);
  await window.page.setViewportSize({ width: 700, height: 600 });
  await window.settled();
  expect(await window.page.evaluate(layoutFaults)).toEqual([]);
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await keyboard.press('Control+k');
  await keyboard.type('durations of requests');
  await keyboard.press('Enter');
  await window.settled();
  expect(await squares.count()).toBe(0);
  expect(window.problems).toEqual([]);
});
