import { expect, test } from 'vitest';
import type { MirrorEvent, MirrorRequest } from '../../../../renderer/profile-worker/mirror-messages.ts';
import { Mirrors } from '../../../../renderer/store/mirrors/mirrors.ts';
import { changeLog } from '../../../../renderer/store/state/state-changes.ts';
import {
  INITIAL_STATE,
  newLogView,
  type WindowState,
} from '../../../../renderer/store/state/window-state.ts';
import type { LogId } from '../../../../shared/protocol/messages.ts';
import { logStatus, profileSummary } from '../../../support/window-events.ts';

/** Mirrors whose ports write down what they are told. */
function recorded(): {
  readonly mirrors: Mirrors;
  readonly lines: string[];
  readonly heard: string[];
  readonly answer: (port: number, event: MirrorEvent) => void;
  /** Lets so much time pass that everything scheduled is due. */
  readonly pass: () => void;
} {
  const lines: string[] = [];
  const heard: string[] = [];
  const scheduled: (() => void)[] = [];
  const listeners: ((event: MirrorEvent) => void)[] = [];
  const mirrors = new Mirrors({
    openPort: (_, onEvent) => {
      const port = listeners.push(onEvent) - 1;
      lines.push(`${port} open`);
      return {
        post: (requests) => lines.push(...requests.map((request) => `${port} ${told(request)}`)),
        close: () => lines.push(`${port} close`),
      };
    },
    onEvent: (log, event) => heard.push(`${log} ${event.type}`),
    onComputing: (log, computing) => heard.push(`${log} ${computing ? 'computes' : 'has computed'}`),
    schedule: (task) => scheduled.push(task),
  });
  return {
    mirrors,
    lines,
    heard,
    answer: (port, event) => listeners[port](event),
    pass: () => scheduled.splice(0).forEach((task) => task()),
  };
}

function told(request: MirrorRequest): string {
  switch (request.type) {
    case 'view':
      return `view ${request.frames} ${request.metric} '${request.search}'`;
    case 'pane':
      return `${request.pane} ${request.spec === undefined ? 'off' : 'on'}`;
    case 'hold':
      return `holds ${request.pane ?? 'none'}`;
    case 'reading':
      return request.reading ? 'is read' : 'is not read';
    case 'rows':
      return `rows ${request.pane} ${request.from}+${request.count} turn ${request.turn}`;
    case 'barrier':
      return `barrier ${request.id}`;
    default:
      return request.type;
  }
}

function windowWith(...keys: readonly string[]): WindowState {
  const logs = keys.map((key) => newLogView(key, 1 as LogId, key, ''));
  return { ...INITIAL_STATE, logs, active: keys[0], flameWidth: 800 };
}

test('a mirror is told what is looked at, and later only what has changed', () => {
  const { mirrors, lines, answer } = recorded();
  const state = windowWith('a');
  mirrors.sync(state);
  expect(lines.splice(0)).toEqual([
    '0 open',
    // Nothing is known of it yet.
    '0 is read',
    "0 view fqmn samples ''",
    '0 timeline',
    '0 about',
    '0 threads',
    '0 growth',
    '0 holds none',
    '0 tree on',
    '0 flat on',
    '0 flame on',
    '0 summary on',
    '0 barrier 1',
  ]);
  answer(0, { type: 'barrier', id: 1 });
  mirrors.sync({ ...state, dialog: { kind: 'help' } });
  expect(lines.splice(0)).toEqual([]);
  mirrors.sync(changeLog(state, 'a', (log) => ({ ...log, searchText: 'get' })));
  expect(lines.splice(0)).toEqual(["0 view fqmn samples 'get'", '0 barrier 2']);
  answer(0, { type: 'barrier', id: 2 });
  mirrors.sync(
    changeLog(state, 'a', (log) => ({ ...log, searchText: 'get', status: logStatus({ samples: 5 }) })),
  );
  // Siblings are by weight as soon as all is read.
  expect(lines.splice(0)).toEqual([
    '0 is not read',
    "0 view fqmn samples 'get'",
    '0 growth',
    '0 facts',
    '0 barrier 3',
  ]);
});

test('who changes his mind while a mirror computes gets his last wish, and sees that it computes', () => {
  const { mirrors, lines, heard, answer, pass } = recorded();
  const state = windowWith('a');
  const searching = (searchText: string): WindowState =>
    changeLog(state, 'a', (log) => ({ ...log, searchText }));
  mirrors.sync(state);
  answer(0, { type: 'barrier', id: 1 });
  pass();
  expect(heard.splice(0)).toEqual(['a barrier']);

  lines.length = 0;
  for (const text of ['g', 'ge', 'get']) mirrors.sync(searching(text));
  expect(lines.splice(0)).toEqual(["0 view fqmn samples 'g'", '0 barrier 2']);
  pass();
  expect(heard.splice(0)).toEqual(['a computes']);
  answer(0, { type: 'barrier', id: 2 });
  expect(lines.splice(0)).toEqual(["0 view fqmn samples 'get'", '0 barrier 3']);
  expect(heard.splice(0)).toEqual(['a barrier']);
  answer(0, { type: 'barrier', id: 3 });
  expect(heard.splice(0)).toEqual(['a has computed', 'a barrier']);
});

test('in a window of another size the graph does not wait for the timeline', () => {
  const { mirrors, lines, answer } = recorded();
  const status = logStatus({ hasSampleTimes: true });
  const summary = profileSummary({ samples: 3 });
  const state = changeLog(windowWith('a'), 'a', (log) => ({ ...log, status, summary }));
  mirrors.sync({ ...state, timelineWidth: 800 });
  answer(0, { type: 'barrier', id: 1 });
  lines.length = 0;
  mirrors.sync({ ...state, timelineWidth: 700 });
  mirrors.sync({ ...state, timelineWidth: 700, flameWidth: 600 });
  expect(lines).toEqual(['0 timeline', '0 flame on', '0 barrier 2']);
});

test('what is asked for comes after what is looked at, computed or not', () => {
  const { mirrors, lines } = recorded();
  const state = windowWith('a');
  mirrors.sync(state);
  mirrors.sync(changeLog(state, 'a', (log) => ({ ...log, searchText: 'get' })));
  lines.length = 0;
  mirrors.post('a', { type: 'sort', pane: 'tree' });
  expect(lines).toEqual(["0 view fqmn samples 'get'", '0 barrier 2', '0 sort']);
});

test('only the panes on screen of the log in front are computed', () => {
  const { mirrors, lines, answer } = recorded();
  const both = windowWith('a', 'b');
  mirrors.sync({ ...both, preferences: { ...both.preferences, panes: 'flat' } });
  expect(lines.splice(0).filter((line) => line.endsWith(' on'))).toEqual(['0 flat on', '0 summary on']);
  answer(0, { type: 'barrier', id: 1 });
  answer(1, { type: 'barrier', id: 2 });
  mirrors.sync({ ...both, active: 'b' });
  expect(lines.splice(0).filter((line) => !line.includes('barrier'))).toEqual([
    '0 flat off',
    '0 summary off',
    '1 tree on',
    '1 flat on',
    '1 flame on',
    '1 summary on',
  ]);
  const unmeasured = recorded();
  unmeasured.mirrors.sync({ ...both, flameWidth: 0 });
  expect(unmeasured.lines).toContain('0 flat on');
  expect(unmeasured.lines).not.toContain('0 flame on');
});

test('a closed log’s mirror ends, and what it still says is not heard', () => {
  const { mirrors, lines, heard, answer } = recorded();
  mirrors.sync(windowWith('a', 'b'));
  answer(0, { type: 'gap' });
  mirrors.sync(windowWith('b'));
  answer(0, { type: 'gap' });
  expect(lines.filter((line) => line.endsWith('close'))).toEqual(['0 close']);
  expect(heard).toEqual(['a gap']);
  mirrors.post('a', { type: 'sort', pane: 'tree' });
  expect(lines.at(-1)).not.toBe('0 sort');
});

test('every window has a turn of its own', () => {
  const { mirrors, lines } = recorded();
  mirrors.sync(windowWith('a'));
  lines.length = 0;
  mirrors.postRows('a', 'tree', 0, 40);
  mirrors.postRows('a', 'flat', 16, 40);
  mirrors.postRows('gone', 'flat', 16, 40);
  expect(lines).toEqual(['0 rows tree 0+40 turn 1', '0 rows flat 16+40 turn 2']);
});

test('settled is when all mirrors have answered', async () => {
  const { mirrors, answer } = recorded();
  mirrors.sync(windowWith('a', 'b'));
  let settled = false;
  const waiting = mirrors.barrier().then(() => (settled = true));
  answer(0, { type: 'barrier', id: 3 });
  await Promise.resolve();
  expect(settled).toBe(false);
  answer(1, { type: 'barrier', id: 4 });
  await waiting;
  expect(settled).toBe(true);
});

test('a mirror that ends while it is waited for keeps nobody waiting', async () => {
  const { mirrors } = recorded();
  mirrors.sync(windowWith('a'));
  const waiting = mirrors.barrier();
  mirrors.sync(windowWith());
  await waiting;
  expect(mirrors.posted).toBeGreaterThan(0);
});

test('a worker that was started again is told all that it had been told', () => {
  const { mirrors, lines, answer } = recorded();
  mirrors.sync(changeLog(windowWith('a'), 'a', (log) => ({ ...log, searchText: 'get' })));
  const first = lines.slice(1);
  mirrors.postRows('a', 'tree', 0, 40);
  mirrors.postRows('a', 'tree', 80, 40);
  void mirrors.barrier();
  lines.length = 0;
  mirrors.restart();
  expect(lines.splice(0)).toEqual([
    ...first.with(-1, '0 barrier 3'),
    '0 rows tree 80+40 turn 2',
    '0 barrier 2',
  ]);
  // The first declarations of the worker that was ended are not waited for.
  mirrors.sync(windowWith('a'));
  answer(0, { type: 'barrier', id: 3 });
  expect(lines).toEqual(["0 view fqmn samples ''", '0 barrier 4']);
});
