import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readInstanceData } from '../../../electron/desktop/opened-files.ts';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { startDesktop } from '../../support/fake-electron/start-desktop.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

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

test.each([
  [[], ['enableSandbox'], []],
  [['--no-sandbox'], [], ['no-sandbox', 'disable-gpu-sandbox']],
  [['--no-sandbox', '--disable-gpu-sandbox', 'a.hpl'], [], ['no-sandbox', 'disable-gpu-sandbox']],
  [['--', '--no-sandbox'], ['enableSandbox'], []],
])('with the arguments %j the sandbox is on, unless --no-sandbox is given', (args, calls, switches) => {
  const electron = startDesktop(args);
  expect(electron.journal).toEqual(calls);
  expect([...electron.switches].filter((name) => name.includes('sandbox'))).toEqual(switches);
});

test('D14: a second instance hands its files over as absolute paths and ends', async () => {
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

const folderOf = (length: number): string => `/${'long'.repeat(length / 4)}`;

test.each([
  ['no files', []],
  ['a file', ['/a b/-c.hpl']],
  ['200 files', Array.from({ length: 200 }, (_, at) => `/${at}.hpl`)],
  ['emoji and other scripts', ['/🔥/профиль.hpl', '/e\u0301.hpl']],
  ['300 KB of paths', Array.from({ length: 200 }, (_, at) => `${folderOf(1500)}/${at}.hpl`)],
])('D14: a second instance hands over %s, and the first one reads the same', (_what, files) => {
  const electron = startDesktop(['--', ...files], { isFirstInstance: false });
  expect(readInstanceData(electron.lock())).toEqual({ files, sources: [] });
});

test('a packaged program has the icons of its windows and of About outside its archive, where GTK can read them', async () => {
  const resources = temporaryFolder();
  cpSync(inCheckout('dist'), join(resources, 'app.asar/dist'), { recursive: true });
  const electron = startDesktop([], { isPackaged: true, dist: join(resources, 'app.asar/dist') });
  await electron.becomeReady();
  const icon = join(resources, 'app.asar.unpacked/dist/assets/icon.png');
  expect(electron.aboutPanel()).toMatchObject({ iconPath: icon, applicationVersion: '0.1.0' });
  expect(electron.windows[0].options.icon).toBe(icon);
});

test('a start that fails says why, is noted, and ends, so that the next one has the lock', async () => {
  const dist = join(temporaryFolder(), 'dist');
  cpSync(inCheckout('dist/electron'), join(dist, 'electron'), { recursive: true });
  const userData = temporaryFolder();
  const electron = startDesktop([], { dist, userData });
  await electron.becomeReady();
  await waitFor(() => electron.journal.at(-1) === 'exit 1', 'the end');
  const reason = `ENOENT: no such file or directory, scandir '${join(dist, 'renderer')}'`;
  expect(electron.journal.at(-2)).toBe(`showErrorBox Leanscope cannot start: ${reason}`);
  expect(electron.windows).toHaveLength(0);
  expect(readFileSync(join(userData, 'logs/leanscope.log'), 'utf8')).toContain(
    `not started: Error: ${reason}`,
  );
});

test('a packaged program has no folder among its arguments, and no developer tools', async () => {
  const electron = startDesktop(['a.hpl'], { isPackaged: true });
  expect(electron.lock()).toEqual({ files: [join(process.cwd(), 'a.hpl')] });
  await electron.becomeReady();
  expect(electron.windows[0].options.webPreferences.devTools).toBe(false);
  expect(() => electron.menuItem('View > toggleDevTools')).toThrow();
});
