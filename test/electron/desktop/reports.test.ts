import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EventLog } from '../../../electron/desktop/event-log.ts';
import { useBuiltProgram } from '../../support/built-program.ts';
import { startDesktop } from '../../support/fake-electron/start-desktop.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

useBuiltProgram();

test('what ends unexpectedly is noted in a file, in the folder that the menu shows', async () => {
  const userData = temporaryFolder();
  const electron = startDesktop([], { userData });
  await electron.becomeReady();
  const [window] = electron.windows;
  window.webContents.crash('oom');
  window.emit('unresponsive');
  electron.app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed', exitCode: 139 });
  electron.app.emit('child-process-gone', {}, { type: 'Utility', reason: 'clean-exit', exitCode: 0 });
  const folder = join(userData, 'logs');
  const lines = readFileSync(join(folder, 'leanscope.log'), 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z /, '').replace(/: Lean.*/, ''))).toEqual(
    [
      'started',
      'page ended: oom, exit code 1',
      'page does not respond',
      'GPU process ended: crashed, exit code 139',
    ],
  );
  electron.choose('Help > Show Log Folder');
  expect(electron.journal.at(-1)).toBe(`openPath ${folder}`);
});

test.each(['uncaughtExceptionMonitor', 'unhandledRejection'] as const)(
  'an error that nothing handles is noted (%s) until the program ends',
  (event) => {
    const userData = temporaryFolder();
    const before = process.listeners(event as 'unhandledRejection');
    const electron = startDesktop([], { userData });
    const added = process.listeners(event as 'unhandledRejection').filter((each) => !before.includes(each));
    const noted = () => readFileSync(join(userData, 'logs/leanscope.log'), 'utf8');
    for (const listener of added) listener(new RangeError('too far'), Promise.resolve());
    expect(noted()).toMatch(/Z RangeError: too far\n +at .*reports\.test/u);
    for (const listener of added) listener('a text', Promise.resolve());
    expect(noted()).toMatch(/Z a text\n$/u);
    electron.app.emit('will-quit');
    expect(process.listeners(event as 'unhandledRejection')).toEqual(before);
  },
);

test('crash reports are written on this machine, and sent to nobody', () => {
  expect(startDesktop().crashReports()).toEqual({ uploadToServer: false });
});

test('a log that is too long becomes the older one of two; one that cannot be written harms nobody', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'leanscope.log');
  writeFileSync(file, 'x'.repeat(1024 * 1024 + 1));
  const log = new EventLog(file);
  log.note('after');
  expect(readFileSync(file, 'utf8')).toMatch(/^\S+ after\n$/);
  expect(readFileSync(`${file}.old`, 'utf8')).toMatch(/^x+$/);
  new EventLog(join(file, 'below', 'a.log')).note('nowhere');
});

test('a report of a problem names all versions', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  electron.choose('Help > Report a Problem…');
  const url = new URL(electron.journal.at(-1)!.replace('openExternal ', ''));
  expect(url.origin + url.pathname).toBe('https://github.com/leanscope/leanscope/issues/new');
  expect(url.searchParams.get('body')).toMatch(
    /Leanscope \d+\.\d+\.\d+, Electron .+, Chromium .+, Node \d.+, (?:linux|darwin|win32) \w+ \S+\n$/,
  );
});
