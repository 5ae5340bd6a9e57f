import { expect, test } from 'vitest';
import type { MirrorEvent } from '../../../../renderer/profile-worker/mirror-messages.ts';
import { quietActiveLog, quietLogs } from '../../../../renderer/store/state/quiet-log.ts';
import { receive, type WindowEvent } from '../../../../renderer/store/events/receive.ts';
import { INITIAL_STATE } from '../../../../renderer/store/state/window-state.ts';
import type { Epoch, LogId, Revision } from '../../../../shared/protocol/messages.ts';
import { fromHost, fromMirror, hello, logStatus, profileSummary } from '../../../support/window-events.ts';

const APPLIED: MirrorEvent = {
  type: 'applied',
  epoch: 1 as Epoch,
  revision: 2 as Revision,
  nodes: 5,
  complete: true,
};
const TIMELINE: MirrorEvent = {
  type: 'timeline',
  columns: undefined,
  tracks: undefined,
  heatmap: undefined,
  durations: undefined,
  gaps: undefined,
};
const ABOUT: MirrorEvent = {
  type: 'about',
  of: 'method',
  about: undefined,
  method: { of: 'methods', id: 1, label: 'a' },
};
const status = (samples: number, now: number): WindowEvent =>
  fromHost({ type: 'status', log: 2 as LogId, status: logStatus({ state: 'live', samples }) }, now);

test('while a log grows, what is around the panes is drawn for its counts and its state, not for the answers to panes', () => {
  const log = quietActiveLog();
  const all = quietLogs();
  let state = [fromHost(hello(1, 2)), status(10, 0), fromMirror('host:2', APPLIED)].reduce(
    receive,
    INITIAL_STATE,
  );
  let before = { log: log(state), all: all(state) };
  const drawnFor = (name: string, event: WindowEvent): string => {
    const changes = receive(state, event);
    const isStored = changes !== state;
    state = changes;
    const now = { log: log(state), all: all(state) };
    expect(now.log === before.log).toBe(now.all === before.all);
    const isDrawn = now.log !== before.log;
    before = now;
    return `${name}: ${isStored ? (isDrawn ? 'drawn' : 'not drawn') : 'nothing new'}`;
  };
  const answers = [
    ['timeline', fromMirror('host:2', TIMELINE)],
    ['times of a method', fromMirror('host:2', ABOUT)],
    ['timeline of another tab', fromMirror('host:1', TIMELINE)],
    ['counts', fromMirror('host:2', { type: 'summary', summary: profileSummary({ samples: 20 }) })],
    ['timeline', fromMirror('host:2', TIMELINE)],
    ['state', status(20, 10)],
    ['timeline', fromMirror('host:2', TIMELINE)],
  ] as const;
  expect(answers.map(([name, event]) => drawnFor(name, event))).toEqual([
    'timeline: not drawn',
    'times of a method: not drawn',
    'timeline of another tab: not drawn',
    'counts: drawn',
    'timeline: not drawn',
    'state: drawn',
    'timeline: not drawn',
  ]);
});
