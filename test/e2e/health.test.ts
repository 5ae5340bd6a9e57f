import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useWindows } from '../support/opened-window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { openRead, openServerLog } = useWindows();

test('the state opens what was lost, by error and thread: by a click, and by keyboard alone', async () => {
  // Wide enough for the chip of errors in the top row.
  const window = await openServerLog({ width: 1600, height: 900 });
  const health = window.part('health');
  const errors = health.locator('[data-health=errors]');
  expect(await health.count()).toBe(0);
  await window.part('status-chip').click();
  await errors.waitFor();
  await window.part('status-chip').click();
  await health.waitFor({ state: 'detached' });
  await window.page.keyboard.press('Alt+Enter');
  await health.waitFor();
  expect(await errors.locator('.health-title').allTextContents()).toEqual([
    'Samples without a stack 561 of 1,553 samples, 36.1 %',
    'Unknown, Java (-5) 421 samples, 27.1 %',
    'Unknown, not Java (-3) 131 samples, 8.4 %',
    'Not walkable, not Java (-4) 4 samples, 0.3 %',
    'Garbage collection (-2) 3 samples, 0.2 %',
    'Not walkable, Java (-6) 2 samples, 0.1 %',
  ]);
  // Shares say on hover how exactly they are known.
  expect(await errors.locator('.health-title span').first().getAttribute('data-tip')).toBe(
    '561 of 1,553 samples, 95 % interval 33.77 to 38.54 %',
  );
  // Why each happens, and what to do about it.
  const advice = await errors.locator('.health-part > p:nth-child(2)').allTextContents();
  expect(advice).toEqual([
    expect.stringMatching(/^The thread ran Java code, but its top frame .* JFR or async-profiler\.$/),
    expect.stringMatching(/^The thread was in native code .* native stacks, such as async-profiler\.$/),
    expect.stringMatching(/^The thread was in native code .* native stacks, such as async-profiler\.$/),
    expect.stringMatching(/^The JVM was collecting garbage.* who allocates\.$/),
    expect.stringMatching(/^The thread ran Java code, .* -XX:\+DebugNonSafepoints, and compare\.$/),
  ]);
  expect(await errors.locator('.health-threads').first().textContent()).toBe(
    'Threads: main 136, http-worker-5 103, http-worker-3 79, http-worker-6 69, http-worker-4 16, others 18',
  );
  expect(await health.locator('[data-health=truncated]').textContent()).toMatch(/of 128 frames.*maxFrames/);
  expect(await window.part('precision').textContent()).toMatch(/^With 1,553 samples, .* ±2.5 points/);
  await window.page.keyboard.press('Escape');
  await health.waitFor({ state: 'detached' });
  // Of fewer samples, shares are known less exactly.
  await window.part('hide-errors').click();
  await window.page.keyboard.press('Alt+Enter');
  await window.part('precision').getByText('With 992 samples').waitFor();
  expect(window.problems).toEqual([]);
});

test('a file of which nothing was lost raises no alarm', async () => {
  const file = join(temporaryFolder(), 'all.collapsed');
  writeFileSync(file, 'main;work 40\nmain;rest 60\n');
  const window = await openRead(file, 100);
  expect(await window.part('status-chip').getAttribute('data-tone')).toMatch(/^(live|quiet)$/);
  await window.page.keyboard.press('Alt+Enter');
  const health = window.part('health');
  await health.getByText('Nothing: all of the file was used.').waitFor();
  expect(await health.locator('.health-item').count()).toBe(0);
  expect(window.problems).toEqual([]);
});
