import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { readKeptFiles } from '../../../electron/desktop/kept-files.ts';
import { RecentFiles } from '../../../electron/host/recent-files.ts';
import { useBuiltProgram } from '../../support/built-program.ts';
import { delivered, preventable } from '../../support/fake-electron/fake-contents.ts';
import { startDesktop } from '../../support/fake-electron/start-desktop.ts';
import { withPage } from '../../support/fake-electron/with-page.ts';
import { attachedBy, entryOf, PROFILE, waitFor } from '../../support/jvm-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { NO_JVM, startJvm } from '../../support/test-jvm.ts';
import { testUnless } from '../../support/test-unless.ts';

useBuiltProgram();

testUnless(NO_JVM)(
  'D15: a recording is saved under its name and ending, the next one where the last one was, and files that are opened while they are stopped are opened at the next start',
  async () => {
    const { pid } = await startJvm();
    const userData = temporaryFolder();
    const { electron, client, preload, window } = await withPage(
      [],
      startDesktop(['--some-switch'], { userData }),
    );
    const heard: string[] = [];
    preload.bridge.onSaved((name) => heard.push(name));
    const { id } = await entryOf(client, pid);

    const dumps = await attachedBy(client, { type: 'sampleJvm', jvm: id });
    client.subscribe(dumps);
    await waitFor(() => (client.statuses.get(dumps)?.samples ?? 0) > 0, 'a dump');
    const folder = temporaryFolder();
    electron.answers.push({ canceled: false, filePath: join(folder, 'mine.tdump') });
    client.send({ type: 'saveRecording', log: dumps });
    await waitFor(() => existsSync(join(folder, 'mine.tdump')), 'the dumps');

    const flight = await attachedBy(client, { type: 'attachJvm', jvm: id, always: true, ...PROFILE });
    client.send({ type: 'saveRecording', log: flight });
    await waitFor(() => electron.dialogs.length === 2, 'the second dialog');
    const properties = ['createDirectory', 'showOverwriteConfirmation'];
    const all = { name: 'All files', extensions: ['*'] };
    expect(electron.dialogs).toEqual([
      {
        title: `Save Busy-${pid}.tdump`,
        defaultPath: join(userData, `downloads/Busy-${pid}.tdump`),
        filters: [{ name: 'TDUMP files', extensions: ['tdump'] }, all],
        properties,
      },
      {
        title: `Save Busy-${pid}.jfr`,
        defaultPath: join(folder, `Busy-${pid}.jfr`),
        filters: [{ name: 'JFR files', extensions: ['jfr'] }, all],
        properties,
      },
    ]);
    expect(electron.dialogWindows).toEqual([window, window]);
    await delivered();
    expect(heard).toEqual(['mine.tdump']);

    // The end waits until the recordings are stopped. Who opens a file meanwhile gets it from the next start.
    const { event, isPrevented } = preventable();
    electron.app.emit('will-quit', event);
    expect(isPrevented()).toBe(true);
    electron.app.emit('open-file', preventable().event, '/one.hpl');
    electron.app.emit('second-instance', {}, ['x'], '/', { files: ['/two.hpl', '/one.hpl'] });
    electron.app.emit('activate');
    await waitFor(() => electron.journal.includes('quit'), 'the end');
    expect(electron.windows).toHaveLength(1);
    expect(electron.journal.filter((line) => line.startsWith('relaunch'))).toEqual([
      'relaunch /checkout --some-switch -- /one.hpl',
    ]);
    expect(readKeptFiles(join(userData, 'open-files.json'))).toEqual(['/one.hpl', '/two.hpl']);
    const last = preventable();
    electron.app.emit('will-quit', last.event);
    expect(last.isPrevented()).toBe(false);
  },
);

testUnless(NO_JVM)(
  'the last window asks about a recording that is not saved: it stays, is saved, or is kept among the recent files',
  async () => {
    const { pid } = await startJvm();
    const userData = temporaryFolder();
    const { electron, client, window } = await withPage([], startDesktop([], { userData }));
    const { id } = await entryOf(client, pid);
    const dumps = await attachedBy(client, { type: 'sampleJvm', jvm: id });
    client.subscribe(dumps);
    await waitFor(() => (client.statuses.get(dumps)?.samples ?? 0) > 0, 'a dump');
    const closed = (): boolean => window.isDestroyed();

    electron.answers.push({ response: 2 });
    window.close();
    await setImmediate();
    expect([closed(), electron.journal.at(-1)]).toEqual([
      false,
      `showMessageBox The recording of Busy (${pid}) is not saved.`,
    ]);

    // A file dialog that is cancelled leaves everything as it is.
    electron.answers.push({ response: 0 }, { canceled: true, filePath: '' });
    await setImmediate();
    window.close();
    await waitFor(() => electron.dialogs.length === 3, 'the file dialog');
    await setImmediate();
    expect([closed(), client.statuses.get(dumps)?.state === 'ended']).toEqual([false, false]);

    electron.answers.push({ response: 1 });
    window.close();
    await waitFor(closed, 'the end of the window');
    electron.app.emit('will-quit', preventable().event);
    await waitFor(() => electron.journal.includes('quit'), 'the end');
    const [kept, ...more] = readdirSync(join(userData, 'recordings'));
    expect([kept, more]).toEqual([
      expect.stringMatching(new RegExp(`^Busy-${pid}-\\d{8}-\\d{6}\\.tdump$`)),
      [],
    ]);
    expect(new RecentFiles(userData).list().map(({ name }) => name)).toEqual([kept]);
    expect(readFileSync(join(userData, 'recordings', kept), 'utf8')).toContain('Busy.');
  },
);
