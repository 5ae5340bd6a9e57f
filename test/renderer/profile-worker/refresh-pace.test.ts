import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RefreshPace } from '../../../renderer/profile-worker/refresh-pace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A pace, and when its refreshes began: ms from now. They cost nothing but what the pace expects of their size. */
function paced(): { readonly pace: RefreshPace; readonly began: readonly number[] } {
  const start = performance.now();
  const began: number[] = [];
  const pace = new RefreshPace(() => began.push(performance.now() - start));
  pace.now();
  return { pace, began };
}

test('a log that grows is refreshed forty times a second at the most', () => {
  const { pace, began } = paced();
  for (let ms = 0; ms < 100; ms += 5) {
    pace.grew(false, 1_000);
    vi.advanceTimersByTime(5);
  }
  expect(began).toEqual([0, 25, 50, 75, 100]);
});

test('while it is caught up, a refresh waits for what it would cost at the size that there is by now', () => {
  const { pace, began } = paced();
  // Ten million nodes within two seconds: a refresh at their end takes one second, so it waits for eight.
  for (let ms = 0; ms < 2_000; ms += 10) {
    pace.grew(true, 5_000 * ms);
    vi.advanceTimersByTime(10);
  }
  expect(began).toEqual([0]);
  // They are all: at once.
  pace.grew(false, 10_000_000);
  vi.advanceTimersByTime(10);
  expect(began).toEqual([0, 2_000]);
});

test('when it turns out that it was caught up, what grew last is shown at once, and nothing twice', () => {
  const { pace, began } = paced();
  vi.advanceTimersByTime(100);
  pace.grew(true, 10_000_000);
  vi.advanceTimersByTime(100);
  pace.caughtUp();
  pace.caughtUp();
  vi.advanceTimersByTime(10_000);
  pace.caughtUp();
  vi.advanceTimersByTime(10_000);
  expect(began).toEqual([0, 200]);
});

test('a log that is read slowly is shown now and then', () => {
  const { pace, began } = paced();
  for (let ms = 0; ms < 2_000; ms += 10) {
    pace.grew(true, 100 * ms);
    vi.advanceTimersByTime(10);
  }
  expect(began).toEqual([0, 500, 1_000, 1_500, 2_000]);
});
