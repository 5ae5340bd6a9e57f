import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noticeText } from '../../../electron/desktop/log-notices.ts';
import type { LogId } from '../../../shared/protocol/messages.ts';
import { useBuiltProgram } from '../../support/built-program.ts';
import type { GreetedPage } from '../../support/fake-electron/with-page.ts';
import { withPage } from '../../support/fake-electron/with-page.ts';
import { goldenLog } from '../../support/read-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { logStatus } from '../../support/window-events.ts';

useBuiltProgram();

const restart = { kind: 'truncated', count: 1, at: 0, samplesBefore: 37 } as const;

test.each([
  [undefined, { state: 'gone' }, undefined],
  [{ state: 'live' }, { state: 'idle' }, undefined],
  [{ state: 'idle' }, { state: 'gone' }, 'The file was deleted or moved.'],
  [{ state: 'reading' }, { state: 'damaged' }, undefined],
  [{ state: 'live' }, { state: 'damaged' }, 'The file is damaged from here on.'],
  [{ state: 'live' }, { state: 'failed' }, 'Reading has ended.'],
  [{ state: 'gone' }, { state: 'gone' }, undefined],
  [{ state: 'gone' }, { state: 'failed' }, undefined],
  [{ state: 'live' }, { state: 'ended' }, 'The recording has ended.'],
  [{ state: 'live' }, { state: 'full' }, 'Reading has ended.'],
  [{ state: 'live', epoch: 1 }, { state: 'reading', epoch: 2, restart }, 'A new run began after 37 samples.'],
  [{ state: 'live', epoch: 1 }, { state: 'reading', epoch: 2 }, undefined],
] as const)('between %j and %j is told %j', (before, after, text) => {
  expect(noticeText(before && logStatus(before), logStatus(after))).toBe(text);
});

const stateOf = ({ client }: Pick<GreetedPage, 'client'>): string =>
  client.statuses.get(0 as LogId)?.state ?? 'unknown';

interface Following extends GreetedPage {
  readonly file: string;
  /** Notifications so far. */
  readonly told: () => string[];
}

/** The user wants notifications, and looks elsewhere. */
function lookAway({ electron, window }: Following): void {
  const item = electron.menuItem('View > Notify When a Log Restarts or Ends');
  item.click!({ ...item, checked: true }, window, {});
  window.hasFocus = false;
}

/** A page that follows a log, which is read to its end. */
async function following(): Promise<Following> {
  const file = join(temporaryFolder(), 'a.hpl');
  writeFileSync(file, goldenLog('hello'));
  const page = await withPage([file]);
  await waitFor(() => ['live', 'idle'].includes(stateOf(page)), 'the log');
  const told = (): string[] => page.electron.journal.filter((line) => line.startsWith('notify'));
  return { ...page, file, told };
}

test('that a log was deleted is told once, if the user wants it and looks elsewhere; a click shows the window and the log', async () => {
  const page = await following();
  const { electron, client, file, told, window } = page;
  const item = electron.menuItem('View > Notify When a Log Restarts or Ends');
  expect(item.checked).toBe(false);
  lookAway(page);
  rmSync(file);
  await waitFor(() => told().length > 0, 'the notification');
  expect(told()).toEqual(['notify a.hpl: The file was deleted or moved.']);
  window.emit('ready-to-show');
  const shown = (): number => client.heard.filter((text) => text === 'opened 0 a.hpl to be shown').length;
  const before = shown();
  electron.notifications[0].emit('click');
  expect(electron.journal.slice(-2)).toEqual(['show', 'focus']);
  await waitFor(() => shown() === before + 1, 'the log to be shown');
});

test.each([
  ['it is not wanted', false, false],
  ['a window has the focus', true, true],
])('nothing is told while %s', async (_what, isWanted, hasFocus) => {
  const { electron, client, file, told, window } = await following();
  const item = electron.menuItem('View > Notify When a Log Restarts or Ends');
  if (isWanted) item.click!({ ...item, checked: true }, window, {});
  window.hasFocus = hasFocus;
  rmSync(file);
  await waitFor(() => stateOf({ client }) === 'gone', 'the state');
  expect(told()).toEqual([]);
});

test('that a log began anew is told with the samples of its last run', async () => {
  const page = await following();
  lookAway(page);
  writeFileSync(page.file, goldenLog('threads'));
  await waitFor(() => page.told().length > 0, 'the notification');
  expect(page.told()).toEqual([
    expect.stringMatching(/^notify a\.hpl: A new run began after [\d,]+ samples?\.$/),
  ]);
});
