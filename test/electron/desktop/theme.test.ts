import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useBuiltProgram } from '../../support/built-program.ts';
import { delivered } from '../../support/fake-electron/fake-contents.ts';
import { startDesktop } from '../../support/fake-electron/start-desktop.ts';
import { withPage } from '../../support/fake-electron/with-page.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

useBuiltProgram();

const LIGHT = '#ffffff';
const DARK = '#16181d';

test('the theme of the page is that of the frame and the background, also at the next start', async () => {
  const userData = temporaryFolder();
  const { electron, window, preload } = await withPage([], startDesktop([], { userData }));
  expect([electron.nativeTheme.themeSource, window.backgroundColor]).toEqual(['system', DARK]);
  preload.bridge.setTheme('light');
  await delivered();
  expect([electron.nativeTheme.themeSource, window.backgroundColor]).toEqual(['light', LIGHT]);

  const again = startDesktop([], { userData });
  await again.becomeReady();
  expect([again.nativeTheme.themeSource, again.windows[0].options.backgroundColor]).toEqual(['light', LIGHT]);
});

test('a window that is closed follows no theme', async () => {
  const { electron, window } = await withPage();
  window.close();
  expect(() => (electron.nativeTheme.themeSource = 'light')).not.toThrow();
});

test('a stored theme that does not exist is ignored', async () => {
  const userData = temporaryFolder();
  writeFileSync(join(userData, 'desktop.json'), '{"theme":"sepia"}');
  const electron = startDesktop([], { userData });
  await electron.becomeReady();
  expect(electron.nativeTheme.themeSource).toBe('system');
});
