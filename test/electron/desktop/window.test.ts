import { expect, test } from 'vitest';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { GUIDE } from '../../../shared/protocol/desktop-bridge.ts';
import { startDesktop } from '../../support/fake-electron/start-desktop.ts';
import { withPage } from '../../support/fake-electron/with-page.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

useBuiltProgram();

test('runs its page in a sandbox', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  expect(electron.windows[0].options.webPreferences).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: true,
    preload: inCheckout('dist/electron/preload.cjs'),
  });
});

test('goes nowhere, opens nothing, holds no other page', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  const { webContents } = electron.windows[0];
  for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])
    expect(webContents.refuses(event), event).toBe(true);
  const other = ['app://leanscope/licences.txt', 'app://leanscope/?x', 'app://leanscope.evil/'];
  for (const event of ['will-navigate', 'will-frame-navigate']) {
    for (const url of other) expect(webContents.refuses(event, url), `${event} ${url}`).toBe(true);
    // Itself again, as location.reload() asks for; no frame in it.
    expect(webContents.refuses(event, 'app://leanscope/'), event).toBe(false);
    expect(webContents.refuses(event, 'app://leanscope/', false), event).toBe(true);
  }
  for (const url of ['https://evil.example/', 'file:///etc/passwd', 'app://leanscope/', 'javascript:1'])
    expect(webContents.openHandler!({ url }), url).toEqual({ action: 'deny' });
  expect(electron.journal.filter((line) => line.startsWith('openExternal'))).toEqual([]);
  for (const url of ['https://github.com/jvm-profiling-tools/honest-profiler', GUIDE]) {
    webContents.openHandler!({ url });
    expect(electron.journal.at(-1)).toBe(`openExternal ${url}`);
  }
});

test('has no permission but to copy text', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  const handler = (name: string) => electron.session.handlers.get(name) as (...args: unknown[]) => unknown;
  const requested = (permission: string, requestingUrl: string) => {
    let answer: unknown;
    handler('permissionRequest')({}, permission, (granted: unknown) => (answer = granted), {
      requestingUrl,
    });
    return answer;
  };
  const page = 'app://leanscope/';
  for (const permission of [
    'media',
    'geolocation',
    'notifications',
    'clipboard-read',
    'openExternal',
    'hid',
  ]) {
    expect(requested(permission, page), permission).toBe(false);
    expect(handler('permissionCheck')({}, permission, 'app://leanscope'), permission).toBe(false);
  }
  expect(requested('clipboard-sanitized-write', page)).toBe(true);
  expect(handler('permissionCheck')({}, 'clipboard-sanitized-write', page)).toBe(true);
  for (const origin of ['app://leanscope.evil/', 'https://evil.example/', 'app://other/', ''])
    expect(requested('clipboard-sanitized-write', origin), origin).toBe(false);
  expect(handler('devicePermission')({})).toBe(false);
  expect(electron.session.handlers.get('displayMedia')).toBeNull();
});

test('loads nothing but its own files', async () => {
  const electron = startDesktop([], { isPackaged: true });
  await electron.becomeReady();
  const isCancelled = (url: string) => {
    let cancelled: unknown;
    const ask = electron.session.handlers.get('onBeforeRequest') as (...args: unknown[]) => void;
    ask({ url }, ({ cancel }: { readonly cancel: boolean }) => (cancelled = cancel));
    return cancelled;
  };
  for (const url of ['app://leanscope/', 'app://leanscope/assets/x.js', 'blob:app://leanscope/1', 'data:,'])
    expect(isCancelled(url), url).toBe(false);
  for (const url of [
    'http://127.0.0.1/',
    'https://evil.example/',
    'file:///etc/passwd',
    'app://leanscope.evil/',
    'ws://127.0.0.1/',
    'devtools://devtools/',
    'blob:https://evil.example/1',
  ])
    expect(isCancelled(url), url).toBe(true);
});

test('comes back where it was', async () => {
  const userData = temporaryFolder();
  const first = startDesktop([], { userData });
  await first.becomeReady();
  (first.windows[0] as unknown as { close(): void }).close();
  expect(first.journal).not.toContain('quit');
  first.app.emit('window-all-closed');
  expect(first.journal).toContain('quit');
  const second = startDesktop([], { userData });
  await second.becomeReady();
  expect(second.windows[0].options).toMatchObject({ x: 10, y: 20, width: 1000, height: 700 });
});

test('D08 D09: reloads a page that crashed, three times in five minutes, and then asks', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  const { webContents } = electron.windows[0];
  webContents.crash('clean-exit');
  expect(webContents.calls).toEqual([]);
  for (let i = 0; i < 3; i++) webContents.crash('crashed');
  expect(webContents.calls).toEqual(['reload', 'reload', 'reload']);
  electron.answers.push({ response: 0 });
  webContents.crash('oom');
  expect(electron.journal.at(-1)).toBe('showMessageBox The window keeps crashing.');
  await waitFor(() => webContents.calls.length === 4, 'the reload that was chosen');
});

test('offers to reload a page that hangs', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  const [window] = electron.windows;
  electron.answers.push({ response: 1 });
  window.emit('unresponsive');
  window.emit('unresponsive');
  await waitFor(() => window.webContents.calls.length > 0, 'the reload');
  expect(window.webContents.calls).toEqual(['forcefullyCrashRenderer']);
  expect(electron.journal.filter((line) => line.startsWith('showMessageBox'))).toHaveLength(1);
});

test('licences open in a window of their own, as sandboxed as the other and without a preload script', async () => {
  const { electron } = await withPage();
  electron.choose('Help > Licences');
  expect(electron.windows[1].addresses).toEqual(['app://leanscope/licences.txt']);
  expect(electron.windows[1].options.webPreferences).toMatchObject({ sandbox: true, nodeIntegration: false });
  expect(electron.windows[1].options.webPreferences.preload).toBeUndefined();
  for (const url of ['https://evil.example/', 'app://leanscope/', 'app://leanscope/licences.txt'])
    expect(electron.windows[1].webContents.refuses('will-navigate', url), url).toBe(true);
});
