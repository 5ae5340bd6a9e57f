import { expect, test } from 'vitest';
import { StatusThrottle } from '../../../electron/worker/log-status.ts';
import type { LogState } from '../../../shared/protocol/messages.ts';
import { logStatus } from '../../support/window-events.ts';

/** Updates a throttle at times in ms. Returns the status that was posted, and how often a status was computed. */
function throttled(): {
  at(now: number, state: LogState, samples: number, news?: 'news'): string;
} {
  let posted = '-';
  let computed = 0;
  const throttle = new StatusThrottle(({ state, samples }) => (posted = `${state} ${samples}`));
  return {
    at(now, state, samples, news) {
      posted = '-';
      computed = 0;
      if (news !== undefined) throttle.note();
      const immediate = { epoch: logStatus({}).epoch, state, detail: undefined, isDamaged: false };
      throttle.update(immediate, now, () => {
        computed++;
        return logStatus({ state, samples });
      });
      return `${posted}, computed ${computed}`;
    },
  };
}

test('a change of state is posted at once, progress five times a second', () => {
  const status = throttled();
  expect(status.at(0, 'reading', 0)).toBe('reading 0, computed 1');
  expect(status.at(100, 'reading', 5, 'news')).toBe('-, computed 0');
  expect(status.at(200, 'reading', 9)).toBe('reading 9, computed 1');
  expect(status.at(210, 'live', 9)).toBe('live 9, computed 1');
});

test('while nothing happens no status is made', () => {
  const status = throttled();
  status.at(0, 'idle', 9);
  expect(status.at(1_000, 'idle', 9)).toBe('-, computed 0');
  expect(status.at(2_000, 'idle', 9, 'news')).toBe('-, computed 1');
  expect(status.at(3_000, 'idle', 10, 'news')).toBe('idle 10, computed 1');
});
