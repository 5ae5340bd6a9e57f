import { beforeEach, expect, test } from 'vitest';
import { choose } from '../../../../renderer/store/actions/log-actions.ts';
import { compareWithSampleType } from '../../../../renderer/store/actions/compare-actions.ts';
import { readLogs } from '../../../../renderer/store/state/merged-logs.ts';
import { receive } from '../../../../renderer/store/events/receive.ts';
import { closeLog, mergeLogs } from '../../../../renderer/store/actions/tab-actions.ts';
import { INITIAL_STATE, type LogView } from '../../../../renderer/store/state/window-state.ts';
import { connectStore, useWindow } from '../../../../renderer/store/state/window-store.ts';
import { MERGED_THREADS_CHOICE } from '../../../../shared/facts/choice.ts';
import type { HostMessage, LogId } from '../../../../shared/protocol/messages.ts';
import { hello, logStatus } from '../../../support/window-events.ts';
import { keepTabs } from '../../../../renderer/store/links/session.ts';

const sent: unknown[] = [];

beforeEach(() => {
  sent.length = 0;
  connectStore({
    client: { send: (message: unknown) => sent.push(message) },
    mirrors: { post: () => undefined },
  } as unknown as Parameters<typeof connectStore>[0]);
  useWindow.setState(INITIAL_STATE);
  hear(hello(1, 2, 3));
});

function hear(message: HostMessage): void {
  useWindow.setState((state) => receive(state, { type: 'host', message, now: 0 }));
}

function tell(log: number, change: Parameters<typeof logStatus>[0]): void {
  hear({ type: 'status', log: log as LogId, status: logStatus(change) });
}

const keys = (): string => {
  const { logs, background } = useWindow.getState();
  return [logs, background].map((each) => each.map(({ key }) => key).join(' ')).join(' | ');
};

/** Merges the first two logs. */
function merge(): string {
  mergeLogs(useWindow.getState().logs.slice(0, 2), '', 'groups');
  return useWindow.getState().active!;
}

const logOf = (key: string): LogView => readLogs(useWindow.getState()).find((log) => log.key === key)!;

test('merged logs have a tab with the facts of all of them, whatever becomes of each', () => {
  tell(1, { samples: 5, state: 'idle', fileBytes: 10, readBytes: 10 });
  const merged = merge();
  expect(logOf(merged)).toMatchObject({ name: '1.hpl + 2.hpl', folder: '1.hpl, 2.hpl' });
  expect(logOf(merged).status).toMatchObject({ samples: 5, state: 'reading' });
  tell(2, { samples: 7, state: 'idle', fileBytes: 20, readBytes: 20 });
  expect(logOf(merged).status).toMatchObject({ samples: 12, state: 'idle', fileBytes: 30, readBytes: 30 });
  tell(2, { samples: 7, state: 'gone', detail: 'The file was deleted or moved.' });
  const { detail, tables, state } = logOf(merged).status!;
  expect([state, detail]).toEqual(['idle', '2.hpl, file gone: The file was deleted or moved.']);
  expect(tables[0].rows.map(([name, of]) => [name, of])).toEqual([
    ['1.hpl', 'complete'],
    ['2.hpl', 'file gone'],
  ]);
  const restart = { kind: 'truncated', count: 1, at: 9, samplesBefore: 7 } as const;
  tell(2, { samples: 1, epoch: 1, state: 'live', restart });
  expect(logOf(merged).status).toMatchObject({
    samples: 6,
    state: 'live',
    restart: { ...restart, samplesBefore: 12, log: '2.hpl' },
  });
});

test('a log that is closed is read on for those that merge it, and comes back where it is opened again', () => {
  const merged = merge();
  closeLog('host:1');
  expect([keys(), sent]).toEqual([`host:2 host:3 ${merged} | host:1`, []]);
  tell(1, { samples: 5 });
  expect(logOf(merged).status?.samples).toBe(5);
  const description = { id: 1 as LogId, name: '1.hpl', folder: '/logs' };
  hear({ type: 'opened', log: description, show: true });
  expect([keys(), useWindow.getState().active]).toEqual([`host:2 host:3 ${merged} host:1 | `, 'host:1']);
  closeLog('host:1');
  // Another window has closed it.
  hear({ type: 'closed', log: 2 as LogId });
  expect(keys()).toBe(`host:3 ${merged} | host:1 host:2`);
  // As after a lost connection: logs without a tab get none, and merged ones go with their logs.
  hear(hello(1, 3));
  expect(keys()).toBe('host:3 | host:1');
});

test('logs that only a merged one needs are closed with it', () => {
  const merged = merge();
  closeLog('host:2');
  closeLog(merged);
  expect(keys()).toBe('host:1 host:3 | ');
  expect(sent).toEqual([{ type: 'close', log: 2 }]);
});

/** The choice between sample types of a file that is read with this one. */
function typed(chosen: string): Parameters<typeof logStatus>[0] {
  const options = ['cpu', 'lock'].map((value) => ({ value, text: value }));
  return {
    state: 'idle',
    choices: [{ id: 'sample-type', name: 'Samples', hint: '', kind: 'one', options, chosen }],
  };
}

test('merged logs are opened again for another sample type, and their own can be chosen in them', () => {
  for (const log of [1, 2]) tell(log, typed('cpu'));
  const merged = merge();
  const lock = { id: 'sample-type', value: 'lock', text: 'lock' };
  compareWithSampleType(merged, lock);
  const chosen = { 'sample-type': 'lock' };
  expect(sent.splice(0)).toEqual([1, 2].map((log) => ({ type: 'openAgain', log, chosen })));
  for (const [id, first] of [
    [5, 2],
    [4, 1],
  ])
    hear({
      type: 'opened',
      log: { id: id as LogId, name: `${first}.hpl`, folder: '/logs', sameAs: first as LogId },
      show: true,
    });
  const again = useWindow.getState().active!;
  expect(keys()).toBe(`host:1 host:2 host:3 ${merged} ${again} | host:5 host:4`);
  expect(logOf(again)).toMatchObject({
    name: '1.hpl + 2.hpl',
    sameAs: merged,
    merge: { parts: ['host:4', 'host:5'] },
  });
  for (const log of [4, 5]) tell(log, typed('lock'));
  const typeOf = (key: string): unknown =>
    logOf(key).status?.choices.find(({ id }) => id === 'sample-type')?.chosen;
  expect([typeOf(merged), typeOf(again)]).toEqual(['cpu', 'lock']);

  choose('sample-type', 'cpu');
  expect(sent).toEqual([5, 4].map((log) => ({ type: 'choose', log, chosen: { 'sample-type': 'cpu' } })));
  // Sample types can be chosen also while one of the logs is read again.
  tell(4, { state: 'reading' });
  expect(typeOf(again)).toBe('lock');
  tell(4, typed('cpu'));
  expect(typeOf(again)).toBe('');
  tell(5, typed('cpu'));
  expect(typeOf(again)).toBe('cpu');
  choose(MERGED_THREADS_CHOICE, 'together');
  expect(logOf(again).merge?.threads).toBe('together');
});

test('a log that is opened again names the first log of its file, also that of number 0', () => {
  hear({
    type: 'opened',
    log: { id: 7 as LogId, name: '0.hpl', folder: '/logs', sameAs: 0 as LogId },
    show: true,
  });
  expect(logOf('host:7').sameAs).toBe('host:0');
});

test('the next start has the merged logs, and no tab for a log that had none', () => {
  let stored = '';
  const storage = { read: () => stored, write: (text: string) => void (stored = text) };
  keepTabs(storage, true, () => undefined);
  const merged = merge();
  useWindow.setState((state) => ({
    logs: state.logs.map((log) =>
      log.key === merged ? { ...log, merge: { ...log.merge!, threads: 'together' } } : log,
    ),
  }));
  closeLog('host:2');
  const kept = stored;
  stored = kept;
  useWindow.setState({ ...INITIAL_STATE, nextNumber: 90 });
  keepTabs({ read: () => kept, write: () => undefined }, true, () => undefined);
  hear(hello(1, 2, 3));
  const { logs, active } = useWindow.getState();
  expect(logs.at(-1)).toMatchObject({
    name: '1.hpl + 2.hpl',
    merge: { parts: ['host:1', 'host:2'], threads: 'together' },
  });
  expect(active).toBe(logs.at(-1)!.key);
  expect(keys()).toBe(`host:1 host:3 ${active} | host:2`);
});
