import { expect, test } from 'vitest';
import { StatusPace } from '../../../../electron/worker/status-pace.ts';
import type { LogState } from '../../../../shared/protocol/messages.ts';
import { logStatus } from '../../../support/window-events.ts';

/** At each time, in ms, with what is there: `asked` is how often a status was made. */
function pace(): {
  at(now: number, state: LogState, samples: number, news?: 'news'): string;
} {
  let told = '-';
  let asked = 0;
  const statuses = new StatusPace(({ state, samples }) => (told = `${state} ${samples}`));
  return {
    at(now, state, samples, news) {
      told = '-';
      asked = 0;
      if (news !== undefined) statuses.note();
      const turn = { epoch: logStatus({}).epoch, state, detail: undefined, isDamaged: false };
      statuses.offer(turn, now, () => {
        asked++;
        return logStatus({ state, samples });
      });
      return `${told}, asked ${asked}`;
    },
  };
}

test('a turn is told at once, progress five times a second', () => {
  const status = pace();
  expect(status.at(0, 'reading', 0)).toBe('reading 0, asked 1');
  expect(status.at(100, 'reading', 5, 'news')).toBe('-, asked 0');
  expect(status.at(200, 'reading', 9)).toBe('reading 9, asked 1');
  expect(status.at(210, 'live', 9)).toBe('live 9, asked 1');
});

test('while nothing happens no status is made', () => {
  const status = pace();
  status.at(0, 'idle', 9);
  expect(status.at(1_000, 'idle', 9)).toBe('-, asked 0');
  expect(status.at(2_000, 'idle', 9, 'news')).toBe('-, asked 1');
  expect(status.at(3_000, 'idle', 10, 'news')).toBe('idle 10, asked 1');
});
