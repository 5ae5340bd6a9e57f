import { beforeEach, expect, test } from 'vitest';
import { chooseParts } from '../../../../renderer/panes/spread/part-actions.ts';
import { receive } from '../../../../renderer/store/events/receive.ts';
import { activeLog } from '../../../../renderer/store/state/selectors.ts';
import { shownParts } from '../../../../renderer/store/state/spread-parts.ts';
import { INITIAL_STATE } from '../../../../renderer/store/state/window-state.ts';
import { useWindow } from '../../../../renderer/store/state/window-store.ts';
import type { Epoch, LogId, Revision } from '../../../../shared/protocol/messages.ts';
import { fromHost, fromMirror, hello, logStatus, profileSummary } from '../../../support/window-events.ts';
import { offeredParts } from '../../../../renderer/panes/spread/part-actions.ts';

const get = useWindow.getState;

beforeEach(() => {
  useWindow.setState(INITIAL_STATE);
  useWindow.setState(receive(get(), fromHost(hello(1))));
});

/** What the host has read until now arrives; `complete`: all of it. */
function grow(threads: number, complete = true): void {
  const status = logStatus({ samples: 10 * threads, state: 'live', hasSampleTimes: true });
  const applied = { epoch: 0 as Epoch, revision: 1 as Revision, nodes: 1, complete };
  for (const event of [
    fromHost({ type: 'status', log: 1 as LogId, status }),
    fromMirror('host:1', { type: 'applied', ...applied }),
    fromMirror('host:1', { type: 'summary', summary: profileSummary({ samples: 10 * threads, threads }) }),
  ])
    useWindow.setState(receive(get(), event));
}

/** The worker answers the pane. */
function show(): void {
  const parts = shownParts(activeLog(get())!)!.value;
  const none = { parts: [], withSamples: [], untimed: 0, methods: [], more: 0, method: undefined };
  const answer = { type: 'spread', pane: 'spread', of: parts, ...none } as const;
  useWindow.setState(receive(get(), fromMirror('host:1', answer)));
}

/** The parts that are offered: in brackets those that are shown, with a dot those that are new. */
function offered(): string {
  const log = activeLog(get())!;
  const chosen = shownParts(log)?.value;
  return offeredParts(log)
    .map(({ value, text, isNew }) => {
      const name = isNew === true ? `${text}•` : text;
      return value === chosen ? `[${name}]` : name;
    })
    .join(' ');
}

test('a second thread of a live log changes nothing in what is read, and is offered behind it', () => {
  grow(1);
  show();
  expect(offered()).toBe('[Time]');
  grow(2);
  expect(offered()).toBe('[Time] Threads• Pools•');
  chooseParts('pool');
  expect(offered()).toBe('Time Threads [Pools]');
  grow(3);
  expect(offered()).toBe('Time Threads [Pools]');
});

test('a log that is still being read, or whose parts nobody has seen, shows the likeliest ones', () => {
  grow(1, false);
  show();
  expect(offered()).toBe('[Time]');
  grow(2, false);
  expect(offered()).toBe('[Threads] Pools Time');
  grow(2);
  expect(offered()).toBe('[Threads] Pools Time');

  useWindow.setState({ ...INITIAL_STATE });
  useWindow.setState(receive(get(), fromHost(hello(1))));
  grow(1);
  grow(2);
  expect(offered()).toBe('[Threads] Pools Time');
});
