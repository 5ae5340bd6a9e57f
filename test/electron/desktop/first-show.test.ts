import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useBuiltProgram } from '../../support/built-program.ts';
import type { FakeElectron } from '../../support/fake-electron/fake-electron.ts';
import { startDesktop } from '../../support/fake-electron/start-desktop.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

useBuiltProgram();

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

async function started(args: readonly string[] = [], userData = temporaryFolder()): Promise<FakeElectron> {
  const electron = startDesktop(args, { userData });
  await electron.becomeReady();
  return electron;
}

test.each([
  ['its page is drawn', ({ windows }: FakeElectron) => windows[0].emit('ready-to-show')],
  [
    'its page is loaded, though it is never drawn',
    ({ windows }: FakeElectron) => windows[0].webContents.emit('did-finish-load'),
  ],
  ['two seconds are over, though nothing is drawn or loaded', () => vi.advanceTimersByTime(2000)],
])('the window is hidden until %s, and is shown once', async (_what, happens) => {
  const electron = await started();
  vi.advanceTimersByTime(1999);
  expect(electron.windows[0].isVisible()).toBe(false);
  happens(electron);
  expect(electron.windows[0].isVisible()).toBe(true);
  electron.windows[0].emit('ready-to-show');
  electron.windows[0].webContents.emit('did-finish-load');
  vi.advanceTimersByTime(10_000);
  expect(electron.journal.filter((line) => line === 'show')).toHaveLength(1);
});

test('a window that was maximized stays hidden until then, and is maximized when it is shown', async () => {
  const userData = temporaryFolder();
  const bounds = { x: 10, y: 20, width: 1000, height: 700 };
  writeFileSync(join(userData, 'window.json'), JSON.stringify({ bounds, isMaximized: true }));
  const { windows } = await started([], userData);
  expect([windows[0].isVisible(), windows[0].isMaximized()]).toEqual([false, false]);
  windows[0].emit('ready-to-show');
  expect([windows[0].isVisible(), windows[0].isMaximized()]).toEqual([true, true]);
});

test('a window that filled the screen does again, after it is shown', async () => {
  const userData = temporaryFolder();
  const first = await started([], userData);
  first.windows[0].emit('ready-to-show');
  first.windows[0].setFullScreen(true);
  first.windows[0].close();
  const { windows, journal } = await started([], userData);
  expect([windows[0].isVisible(), windows[0].isFullScreen()]).toEqual([false, false]);
  windows[0].emit('ready-to-show');
  expect(journal.slice(-2)).toEqual(['show', 'enter full screen']);
});

test('neither a file nor a second instance shows the window before its page is drawn', async () => {
  const { app, windows, journal } = await started(['/a.hpl']);
  app.emit('second-instance', {}, ['x'], '/', { files: [] });
  app.emit('activate');
  expect(windows[0].isVisible()).toBe(false);
  windows[0].emit('ready-to-show');
  windows[0].minimize();
  app.emit('second-instance', {}, ['x'], '/', { files: [] });
  expect(journal.slice(-3)).toEqual(['restore', 'show', 'focus']);
});

test('a window that is closed before it is shown stays closed', async () => {
  const { windows } = await started();
  windows[0].close();
  expect(() => vi.advanceTimersByTime(10_000)).not.toThrow();
});
