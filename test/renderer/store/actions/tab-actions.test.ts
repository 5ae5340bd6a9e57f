import { beforeEach, expect, test } from 'vitest';
import type { RecordingState } from '../../../../shared/protocol/jvm-messages.ts';
import type { LogId } from '../../../../shared/protocol/messages.ts';
import { NO_JVMS } from '../../../../renderer/store/state/jvms-view.ts';
import { connectStore, useWindow } from '../../../../renderer/store/state/window-store.ts';
import { INITIAL_STATE, newLogView } from '../../../../renderer/store/state/window-state.ts';
import {
  answerClosing,
  closeLog,
  closingLogs,
  closeLogs,
  closeToTheRight,
  moveActive,
  moveTab,
  rename,
} from '../../../../renderer/store/actions/tab-actions.ts';
import { shownName } from '../../../../renderer/store/state/log-names.ts';
import { placeAt, tabKey } from '../../../../renderer/shell/Tabs.tsx';

beforeEach(() => {
  const logs = ['a', 'b', 'c', 'd'].map((key) => newLogView(key, undefined, `${key}.hpl`, '/'));
  useWindow.setState({ ...INITIAL_STATE, logs, active: 'b' });
  connectStore({} as Parameters<typeof connectStore>[0]);
});

const tabs = (): string => {
  const { logs, active } = useWindow.getState();
  return logs.map(({ key }) => (key === active ? `[${key}]` : key)).join(' ');
};

test('a tab is moved in front of another one', () => {
  const moved = [0, 1, 2, 3, 4].map((before) => {
    moveTab('b', before);
    const text = tabs();
    useWindow.setState((state) => ({ logs: state.logs.toSorted((x, y) => (x.key < y.key ? -1 : 1)) }));
    return text;
  });
  expect(moved).toEqual(['[b] a c d', 'a [b] c d', 'a [b] c d', 'a c [b] d', 'a c d [b]']);
});

test('the active tab is moved by one place, and not beyond the ends', () => {
  const steps = ([1, 1, 1, -1, -1, -1, -1] as const).map((step) => {
    moveActive(step);
    return tabs();
  });
  expect(steps).toEqual([
    'a c [b] d',
    'a c d [b]',
    'a c d [b]',
    'a c [b] d',
    'a [b] c d',
    '[b] a c d',
    '[b] a c d',
  ]);
});

test('tabs to the right are closed, and the active one stays if it is not among them', () => {
  closeToTheRight('c');
  expect(tabs()).toBe('a [b] c');
  closeToTheRight('a');
  expect(tabs()).toBe('[a]');
});

test('a name lasts until it is empty; the name of the file stays', () => {
  const names = ['  server 1 ', 'x\ny', 'b.hpl', 'other', ''].map((text) => {
    rename('b', text);
    const log = useWindow.getState().logs[1];
    return `${shownName(log)} ${log.label === '' ? '-' : 'own'} ${log.name}`;
  });
  expect(names).toEqual([
    'server 1 own b.hpl',
    'x\\x0ay own b.hpl',
    'b.hpl - b.hpl',
    'other own b.hpl',
    'b.hpl - b.hpl',
  ]);
});

test('the place of a dropped tab is decided by the middles of the tabs', () => {
  const boxes = [
    { left: 0, right: 100 },
    { left: 100, right: 140 },
    { left: 140, right: 300 },
  ];
  expect([-5, 49, 51, 119, 121, 219, 221, 999].map((x) => placeAt(x, boxes))).toEqual([
    0, 0, 1, 1, 2, 2, 3, 3,
  ]);
});

test('Delete closes the tab with the focus, and the arrows go to its neighbours', () => {
  const after = ([focused, key]: readonly [string, string]): string => {
    tabKey(key)!(focused);
    return tabs();
  };
  const presses = [
    ['b', 'ArrowRight'],
    ['c', 'Delete'],
    ['b', 'ArrowLeft'],
    ['d', 'Delete'],
  ] as const;
  expect(presses.map(after)).toEqual(['a b [c] d', 'a b [d]', 'a [b] d', 'a [b]']);
});

interface Sent {
  readonly type: string;
  readonly log?: number;
  readonly closes?: readonly number[];
}

/** Recordings `1 running` … as logs of the same numbers; `2=1` reads the recording of 1. Returns what the host is sent. */
function record(...described: readonly string[]): Sent[] {
  const sent: Sent[] = [];
  connectStore({
    client: { send: (message: Sent) => sent.push(message) },
  } as unknown as Parameters<typeof connectStore>[0]);
  const recordings: Record<number, RecordingState> = {};
  const logs = described.map((text) => {
    const [, id, same = id, state] = /^(\d)(?:=(\d))? (\w+)$/.exec(text)!;
    recordings[Number(id)] = state as RecordingState;
    const view = newLogView(id, Number(id) as LogId, id, '/');
    return { ...view, isRecording: true, sameAs: same === id ? undefined : same };
  });
  useWindow.setState({ ...INITIAL_STATE, logs, active: logs[0].key, jvms: { ...NO_JVMS, recordings } });
  return sent;
}

const shown = (): string => {
  const { logs } = useWindow.getState();
  const closing = closingLogs(useWindow.getState());
  return `${logs.map(({ key }) => key).join(' ')}${closing.length === 0 ? '' : `, asks about ${closing.join(' ')}`}`;
};

test('a recording that nobody has saved is closed only after a question', () => {
  for (const [state, after] of [
    ['running', '1, asks about 1'],
    ['unsaved', '1, asks about 1'],
    ['followed', ''],
    ['saved', ''],
  ]) {
    record(`1 ${state}`);
    closeLog('1');
    expect(`${state}: ${shown()}`).toBe(`${state}: ${after}`);
  }
});

test('the answer closes the log, closes it once it is saved, or leaves all as it is', () => {
  for (const [answer, after, messages] of [
    ['cancel', '1', []],
    ['discard', '', [{ type: 'close', log: 1 }]],
    ['save', '1', [{ type: 'saveRecording', log: 1, closes: [1] }]],
  ] as const) {
    const sent = record('1 running');
    closeLog('1');
    answerClosing(answer);
    expect([answer, shown(), sent]).toEqual([answer, after, messages]);
  }
});

test('a recording that another log shows is closed without a question, and not with that one', () => {
  record('1 running', '2=1 running', '3 saved');
  closeLog('1');
  expect(shown()).toBe('2 3');
  closeLog('2');
  expect(shown()).toBe('2 3, asks about 2');
  record('1 running', '2=1 running', '3 saved');
  closeLogs(useWindow.getState().logs.map(({ key }) => key));
  expect(shown()).toBe('1 2 3, asks about 1 2 3');
});
