import { beforeEach, expect, test } from 'vitest';
import { choose } from '../../../renderer/store/actions/log-actions.ts';
import {
  withAwaitedBases,
  compareLogs,
  compareWithSampleType,
  noOtherType,
  otherSampleTypes,
} from '../../../renderer/store/actions/compare-actions.ts';
import { baselineText, comparedNames } from '../../../renderer/store/state/compared-names.ts';
import { linkedScope } from '../../../renderer/store/links/linked-scopes.ts';
import { redoScope, undoScope } from '../../../renderer/store/actions/scope-actions.ts';
import { fragmentOf, readFragment } from '../../../renderer/store/links/scope-address.ts';
import { INITIAL_STATE, type LogView, newLogView } from '../../../renderer/store/state/window-state.ts';
import { connectStore, useWindow } from '../../../renderer/store/state/window-store.ts';
import { shownMetric } from '../../../renderer/store/state/selectors.ts';
import type { LogId } from '../../../shared/protocol/messages.ts';
import type { ClientMessage } from '../../../shared/protocol/client-messages.ts';
import { SAMPLES_AND_TIME } from '../../../shared/profile/profile-units.ts';
import { logStatus } from '../../support/window-events.ts';
import { withLinkedScopes } from '../../support/linked-scopes.ts';
import { changeScope } from '../../../renderer/store/actions/actions.ts';

const read = (key: string, name: string): LogView => ({
  ...newLogView(key, undefined, name, '/'),
  status: logStatus({}),
});
const bytes = {
  counted: SAMPLES_AND_TIME.counted,
  value: { ...SAMPLES_AND_TIME.value!, unit: 'bytes' as const },
};

const connectTo = (send: (message: ClientMessage) => void): void =>
  connectStore({ client: { send } } as unknown as Parameters<typeof connectStore>[0]);

const TYPES = [
  { value: 'cpu', text: 'Samples of the processor' },
  { value: 'wall', text: 'Wall-clock samples' },
];

const withTypes = (log: LogView, chosen: string, types = ['cpu', 'wall']): LogView => ({
  ...log,
  status: logStatus({
    choices: [
      {
        id: 'sample-type',
        name: 'Sample type',
        hint: '',
        kind: 'one',
        chosen,
        options: TYPES.filter(({ value }) => types.includes(value)),
      },
    ],
  }),
});

beforeEach(() => {
  useWindow.setState({ ...INITIAL_STATE, logs: [read('a', 'old.hpl'), read('b', 'new.hpl')], active: 'a' });
});

const log = (key: string): LogView => useWindow.getState().logs.find((each) => each.key === key)!;

test('a log that is compared with another one is shown, until that is undone', () => {
  compareLogs('b', 'a');
  expect(useWindow.getState().active).toBe('b');
  expect(log('b').baseline).toEqual({ log: 'a' });
  const { logs } = useWindow.getState();
  expect(baselineText({ logs }, log('b'), { log: 'a' })).toBe('old.hpl');
  expect(comparedNames({ logs }, log('b'))).toEqual({ base: 'old.hpl', next: 'new.hpl' });
  expect(baselineText({ logs: [log('b')] }, log('b'), { log: 'a' })).toBe('a log that was closed');
  undoScope();
  expect(log('b').baseline).toBeUndefined();
});

test('where values have different units only samples are compared', () => {
  const other = { ...read('a', 'alloc.jfr'), status: logStatus({ units: bytes }) };
  useWindow.setState({ logs: [other, read('b', 'new.hpl')] });
  compareLogs('b', 'a');
  expect(log('b').baseline).toEqual({ log: 'a', onlySamples: true });
  expect(shownMetric(log('b'), { metrics: { cpu: 'time', allocations: 'time' } })).toBe('samples');
});

test('a log waits for the file that it is to be compared with, until that is open and read a little', () => {
  const waiting = { ...read('b', 'new.hpl'), awaitedBase: { name: 'old.hpl', rest: {}, known: ['a'] } };
  const opened = newLogView('c', undefined, 'old.hpl', '/');
  const former = read('a', 'old.hpl');
  for (const logs of [[waiting], [waiting, opened], [former, waiting]])
    expect(withAwaitedBases({ logs, active: 'b' })).toEqual({ logs, compared: undefined });
  const { logs, compared } = withAwaitedBases({
    logs: [waiting, former, read('c', 'old.hpl')],
    active: 'c',
  });
  expect(compared).toBe('b');
  expect([logs[0].baseline, logs[0].awaitedBase]).toEqual([{ log: 'c' }, undefined]);
  // The host had it open, and shows it.
  const shown = withAwaitedBases({ logs: [waiting, former], active: 'a' });
  expect(shown.logs[0].baseline).toEqual({ log: 'a' });
});

test.each([
  ['another baseline', () => changeScope({ baseline: { threads: ['main'] } })],
  ['none', () => changeScope({ baseline: undefined })],
  ['another log', () => compareLogs('b', 'a')],
  ['undo', undoScope],
  ['redo', redoScope],
])('a log waits for a baseline no longer after a choice of %s', (_, choose) => {
  const awaitedBase = { name: 'old.hpl', rest: {}, known: ['a'] };
  const waiting = { ...log('b'), awaitedBase };
  useWindow.setState({ logs: [log('a'), waiting], active: 'b' });
  choose();
  const chosen = log('b').baseline;
  const logs = [log('a'), log('b'), read('c', 'old.hpl')];
  expect(withAwaitedBases({ logs, active: 'c' })).toEqual({ logs, compared: undefined });
  expect([log('b').awaitedBase, log('b').baseline]).toEqual([undefined, chosen]);
});

test('a link has the baseline that is awaited only while nothing else is compared', () => {
  const awaitedBase = { name: 'old.hpl', rest: { threads: ['main'] }, known: [] };
  const baseOf = (each: LogView): unknown => {
    const { base, baseline } = linkedScope(each, { flame: 'calls' }, [each, read('c', 'c.hpl')]);
    return [base, baseline];
  };
  const waiting = { ...log('b'), awaitedBase };
  expect(baseOf(waiting)).toEqual(['old.hpl', { threads: ['main'] }]);
  expect(baseOf({ ...waiting, baseline: { log: 'c' } })).toEqual(['c.hpl', { log: 'c' }]);
  expect(baseOf({ ...waiting, baseline: { threads: ['x'] } })).toEqual([undefined, { threads: ['x'] }]);
  expect(baseOf({ ...waiting, baseline: { log: 'closed' } })).toEqual(['old.hpl', { threads: ['main'] }]);
});

test('a link names the other log, whichever of the two is opened first', () => {
  const empty = { scope: log('b').scope, where: [], split: [], zoom: undefined };
  const fragment = fragmentOf({
    frames: 'fqmn',
    threads: undefined,
    logs: [{ name: 'new.hpl', base: 'old.hpl', baseline: { log: 'a', threads: ['main'] }, ...empty }],
  });
  expect(fragment).toBe('#log=new.hpl&base=old.hpl&thread-base=main');
  const waiting = readFragment(fragment).logs;
  const links = { waiting, seen: new Set<string>() };
  const { logs } = withLinkedScopes([read('b', 'new.hpl'), read('a', 'old.hpl')], links);
  expect(logs[0].baseline).toBeUndefined();
  expect(withAwaitedBases({ logs, active: 'b' }).logs[0].baseline).toEqual({ log: 'a', threads: ['main'] });
});

test('a link has no times of a base that was closed: they are not those of the log', () => {
  const range = { kind: 'between', from: '0', to: '5' } as const;
  const compared = { ...read('b', 'new.hpl'), baseline: { log: 'a', range } };
  const textOf = (logs: readonly LogView[]): string =>
    fragmentOf({
      frames: 'fqmn',
      threads: undefined,
      logs: logs.map((each) => linkedScope(each, { flame: 'calls' }, logs)),
    });
  expect(textOf([compared, log('a')])).toBe('#log=new.hpl&base=old.hpl&from-base=0ns&to-base=5ns');
  expect(textOf([compared])).toBe('');
});

test('another sample type of the file is compared with when it is read, and has its name', () => {
  const file = new File([], 'rec.jfr');
  const own = { ...withTypes(read('file:1', 'rec.jfr'), 'cpu'), file };
  const [wall] = otherSampleTypes(own);
  expect(otherSampleTypes(own)).toEqual([{ id: 'sample-type', value: 'wall', text: 'Wall-clock samples' }]);
  const other = { ...withTypes(read('file:2', 'rec.jfr'), 'cpu'), file };
  const waiting = { ...own, awaitedBase: { name: 'rec.jfr', rest: {}, known: ['file:1'], choice: wall } };
  const reading = [waiting, other];
  expect(withAwaitedBases({ logs: reading, active: 'file:2' }).compared).toBeUndefined();
  const { logs } = withAwaitedBases({ logs: [waiting, withTypes(other, 'wall')], active: 'file:2' });
  expect([logs[0].baseline, logs[1].label]).toEqual([{ log: 'file:2' }, 'rec.jfr: Wall-clock samples']);
  // It is not read again where a tab has it.
  useWindow.setState({ logs: [own, withTypes(other, 'wall')], active: 'file:1' });
  compareWithSampleType('file:1', wall);
  expect([log('file:1').baseline, useWindow.getState().logs.length]).toEqual([{ log: 'file:2' }, 2]);
});

test('a recording, or merged logs, are opened again for another sample type unless they are open with it', () => {
  const sent: unknown[] = [];
  connectTo((message) => sent.push(message));
  const recordings = [0, 1, 2].map((at) => ({
    ...withTypes({ ...read(`host:${at}`, 'Shop (7)'), hostLog: at as LogId, isRecording: true }, 'cpu'),
  }));
  const wall = { id: 'sample-type', value: 'wall', text: 'Wall-clock samples' };
  // Another recording of the JVM has the same name and folder.
  useWindow.setState({ logs: [recordings[0], withTypes(recordings[1], 'wall')] });
  compareWithSampleType('host:0', wall);
  expect(sent).toEqual([{ type: 'openAgain', log: 0, chosen: { 'sample-type': 'wall' } }]);
  expect(log('host:0').awaitedBase).toMatchObject({ known: ['host:0', 'host:1'], choice: wall });
  const again = { ...withTypes(recordings[2], 'wall'), sameAs: 'host:0' };
  const { logs } = withAwaitedBases({ logs: [log('host:0'), log('host:1'), again], active: 'host:2' });
  expect([logs[0].baseline, logs[2].label]).toEqual([{ log: 'host:2' }, 'Shop (7): Wall-clock samples']);
  // And from there back.
  useWindow.setState({ logs });
  compareWithSampleType('host:2', { ...wall, value: 'cpu' });
  expect([sent.length, log('host:2').baseline]).toEqual([1, { log: 'host:0' }]);

  const merge = { parts: ['host:3', 'host:4'], names: ['c', 'd'], threads: 'groups' } as const;
  const merged = { ...recordings[0], isRecording: false, merge };
  const none = withTypes(merged, 'wall', ['wall']);
  expect(
    [
      merged,
      none,
      { ...none, merge: undefined },
      { ...none, isRecording: true, merge: undefined },
      read('a', 'a'),
    ].map(noOtherType),
  ).toEqual([
    undefined,
    'There is no other sample type that all of these logs have.',
    'This file has no samples of another type.',
    'This recording has no samples of another type so far. Which types it records was chosen when it began.',
    undefined,
  ]);
});

test('the sample types that merged logs and their parts are restored with agree', () => {
  connectTo(() => undefined);
  const ofHost = (at: number): LogView => ({
    ...withTypes(read(`host:${at}`, 'a.jfr'), 'cpu'),
    hostLog: at as LogId,
  });
  const merge = { parts: ['host:0', 'host:1'], names: ['a', 'b'], threads: 'groups' } as const;
  const merged = { ...ofHost(2), key: 'merged:2', hostLog: undefined, merge };
  useWindow.setState({ logs: [ofHost(0), ofHost(1), merged, ofHost(3)], active: 'merged:2' });
  const stored = (): unknown => useWindow.getState().logs.map(({ chosen }) => chosen);
  const [cpu, wall] = ['cpu', 'wall'].map((value) => ({ 'sample-type': value }));
  choose('sample-type', 'wall');
  expect(stored()).toEqual([wall, wall, wall, undefined]);
  useWindow.setState({ active: 'host:0' });
  choose('sample-type', 'cpu');
  expect(stored()).toEqual([cpu, wall, {}, undefined]);
});
