import { expect, test } from 'vitest';
import type { WorkerMessage, WorkerRequest } from '../../../../renderer/profile-worker/mirror-messages.ts';
import { ProfileWorker, type WorkerLike } from '../../../../renderer/store/mirrors/profile-worker.ts';

/** A worker of which nothing answers by itself, with a clock that is moved by hand. */
function recorded(): {
  readonly worker: ProfileWorker;
  readonly lines: string[];
  /** What a worker says, by the order in which workers were started. */
  readonly say: (worker: number, message: WorkerMessage) => void;
  /** Lets all that is scheduled be due once. */
  readonly pass: () => void;
  /** Whether another worker can be started. */
  readonly connect: (isConnected: boolean) => void;
} {
  const lines: string[] = [];
  const started: WorkerLike[] = [];
  const scheduled: (() => void)[] = [];
  let mayStart = true;
  const worker = new ProfileWorker({
    start() {
      const number = started.length;
      lines.push(`${number} starts`);
      const like: WorkerLike = {
        onmessage: null,
        onerror: null,
        postMessage: (message: WorkerRequest) =>
          lines.push(
            'stopped' in message ? `${number} without ${message.stopped.at(-1)}` : `${number} ${message.log}`,
          ),
        terminate: () => lines.push(`${number} ends`),
      };
      started.push(like);
      return like;
    },
    mayStart: () => mayStart,
    onStopped: (expression) => lines.push(`stopped ${expression}`),
    schedule: (task) => scheduled.push(task),
  });
  return {
    worker,
    lines,
    connect: (isConnected) => (mayStart = isConnected),
    say: (at, data) => started[at].onmessage?.({ data } as MessageEvent<WorkerMessage>),
    pass: () => scheduled.splice(0).forEach((task) => task()),
  };
}

test('a worker whose expression does not come back is ended, and its ports lead to another one', () => {
  const { worker, lines, say, pass } = recorded();
  const heard: string[] = [];
  const port = worker.openPort('a', ({ type }) => heard.push(type));
  port.post([{ type: 'sort', pane: 'tree' }]);
  say(0, { matching: '(a+)+$' });
  pass();
  expect(lines.splice(0)).toEqual(['0 starts', '0 a']);
  pass();
  expect(lines.splice(0)).toEqual(['0 ends', '1 starts', '1 without (a+)+$', 'stopped (a+)+$']);
  port.post([{ type: 'sort', pane: 'tree' }]);
  expect(lines).toEqual(['1 a']);
  // What the first one still had to say is not heard.
  say(0, { log: 'a', events: [{ type: 'gap' }] });
  say(1, { log: 'a', events: [{ type: 'failed', text: '' }] });
  expect(heard).toEqual(['failed']);
});

test('an expression that comes back ends nothing, however long the worker then computes', () => {
  const { lines, say, pass } = recorded();
  say(0, { matching: 'a+' });
  say(0, { matching: undefined });
  for (let turn = 0; turn < 9; turn++) pass();
  // The page was busy or asleep: the first half of the time is over before it hears anything.
  say(0, { matching: 'b+' });
  pass();
  say(0, { matching: undefined });
  pass();
  // Another expression has the whole time.
  say(0, { matching: 'c+' });
  pass();
  say(0, { matching: undefined });
  say(0, { matching: 'c+' });
  pass();
  expect(lines).not.toContain('0 ends');
});

test('while the host, which serves the code of the worker, is away, the worker is left alone', () => {
  const { lines, say, pass, connect } = recorded();
  connect(false);
  say(0, { matching: 'a+b' });
  for (let turn = 0; turn < 9; turn++) pass();
  expect(lines).not.toContain('0 ends');
  connect(true);
  pass();
  expect(lines).toContain('0 ends');
});
