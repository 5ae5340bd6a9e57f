import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useBuiltProgram } from '../../../support/built-program.ts';
import { startDesktop } from '../../../support/fake-electron/start-desktop.ts';

useBuiltProgram();

test('asks for its lock, its scheme and its sandbox before Electron is ready, and opens one window after', async () => {
  const electron = startDesktop();
  expect(electron.journal).toEqual(['enableSandbox']);
  expect(electron.privileges()).toEqual([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
  expect(electron.windows).toHaveLength(0);
  await electron.becomeReady();
  expect(electron.windows.map(({ addresses }) => addresses)).toEqual([['app://leanscope/']]);
});

test('shows the window when the page is drawn, not before', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  expect(electron.windows[0].options.show).toBe(false);
  expect(electron.journal).not.toContain('show');
  electron.windows[0].emit('ready-to-show');
  expect(electron.journal).toContain('show');
});

test('a second instance hands its files over as absolute paths and ends', async () => {
  const electron = startDesktop(['--some-chromium-flag', 'a.hpl', '--', '-b.hpl'], {
    isFirstInstance: false,
  });
  expect(electron.lock()).toEqual({
    files: [join(process.cwd(), 'a.hpl'), join(process.cwd(), '-b.hpl')],
  });
  expect(electron.journal).toEqual(['exit 0']);
  await electron.becomeReady();
  expect(electron.windows).toHaveLength(0);
});

test('a packaged program has no folder among its arguments, and no developer tools', async () => {
  const electron = startDesktop(['a.hpl'], { isPackaged: true });
  expect(electron.lock()).toEqual({ files: [join(process.cwd(), 'a.hpl')] });
  await electron.becomeReady();
  expect(electron.windows[0].options.webPreferences.devTools).toBe(false);
  expect(() => electron.menuItem('View > toggleDevTools')).toThrow();
});
