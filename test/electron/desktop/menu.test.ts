import { expect, onTestFinished, test } from 'vitest';
import { useBuiltProgram } from '../../support/built-program.ts';
import { delivered } from '../../support/fake-electron/fake-contents.ts';
import { allItems } from '../../support/fake-electron/fake-menu.ts';
import { withPage } from '../../support/fake-electron/with-page.ts';

useBuiltProgram();

/** A page that notes the commands which it gets, and a second window above it. */
async function withLicences() {
  const { electron, preload } = await withPage();
  const heard: string[] = [];
  preload.bridge.onCommand((command) => heard.push(command));
  electron.choose('Help > Licences');
  const [main, licences] = electron.windows;
  return { electron, heard, main, licences };
}

test('a command of the menu is for the window that has the focus: Ctrl+W closes the licences, not a log', async () => {
  const { electron, heard, main, licences } = await withLicences();
  electron.choose('View > Flame Graph', licences);
  electron.choose('File > Close Log', licences);
  await delivered();
  expect(heard).toEqual([]);
  expect([main.isDestroyed(), licences.isDestroyed()]).toEqual([false, true]);
  electron.choose('File > Close Log', main);
  await delivered();
  expect(heard).toEqual(['closeTab']);
});

test.each([
  ['linux', ['freeze']],
  ['darwin', []],
])('on %s a command without a window that has the focus does %j', async (platform, commands) => {
  const { electron, heard } = await withLicences();
  const real = Object.getOwnPropertyDescriptor(process, 'platform')!;
  onTestFinished(() => void Object.defineProperty(process, 'platform', real));
  Object.defineProperty(process, 'platform', { ...real, value: platform });
  electron.choose('View > Freeze or Resume', null);
  await delivered();
  expect(heard).toEqual(commands);
});

test('File > Attach to JVM… opens the list of the window that has the focus, or why there is none', async () => {
  const { electron, heard, main, licences } = await withLicences();
  expect(electron.menuItem('File > Attach to JVM…').accelerator).toBe('Alt+A');
  electron.choose('File > Attach to JVM…', licences);
  electron.choose('File > Attach to JVM…', main);
  await delivered();
  expect(heard).toEqual(['attach']);
});

test('the menu has what texts of the window advise, and zooms with either key of plus', async () => {
  const { electron } = await withPage();
  expect(electron.menuItem('View > reload').visible).not.toBe(false);
  const zoomIn = allItems(electron.menu()).filter(({ role }) => role === 'zoomIn');
  // Without an accelerator of its own an item has that of its role, CmdOrCtrl+Plus.
  expect(zoomIn.map(({ accelerator, visible }) => [accelerator, visible])).toEqual([
    [undefined, undefined],
    ['CmdOrCtrl+=', false],
  ]);
});
