import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { useBuiltProgram } from '../../../support/built-program.ts';
import { delivered } from '../../../support/fake-electron/fake-contents.ts';
import { startDesktop } from '../../../support/fake-electron/start-desktop.ts';
import { withPage } from '../../../support/fake-electron/with-page.ts';
import { attachedBy, entryOf, PROFILE, waitFor } from '../../../support/jvm-client.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { NO_JVM, startJvm } from '../../../support/test-jvm.ts';
import { testUnless } from '../../../support/test-unless.ts';

useBuiltProgram();

testUnless(NO_JVM)(
  'a recording is saved under its name and ending, and the next one where the last one was',
  async () => {
    const { pid } = await startJvm();
    const userData = temporaryFolder();
    const { electron, client, preload, window } = await withPage([], startDesktop([], { userData }));
    const heard: string[] = [];
    preload.bridge.onSaved((name) => heard.push(name));
    const { id } = await entryOf(client, pid);

    const dumps = await attachedBy(client, {
      ...{ type: 'sampleJvm', jvm: id, intervalMs: 50, sharePercent: 50, threads: [], states: [] },
    });
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
  },
);
