import { afterEach, expect, test, vi } from 'vitest';
import { inIdleSlices } from '../../../../renderer/panes/flame/slices.ts';

/** Idle moments that come when the test says so, and a clock on which a step takes 3 ms. */
function idleWindow(): {
  readonly written: string[];
  readonly steps: Generator<void, void>;
  readonly idle: () => void;
} {
  const written: string[] = [];
  const tasks = new Map<number, () => void>();
  let now = 0;
  let asked = 0;
  vi.stubGlobal('requestIdleCallback', (task: () => void) => {
    tasks.set(++asked, task);
    return asked;
  });
  vi.stubGlobal('cancelIdleCallback', (handle: number) => tasks.delete(handle));
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  function* steps(): Generator<void, void> {
    for (const step of ['a', 'b', 'c', 'd', 'e']) {
      written.push(step);
      now += 3;
      yield;
    }
  }
  return {
    written,
    steps: steps(),
    idle: () => {
      const due = [...tasks.values()];
      tasks.clear();
      written.push('|');
      for (const task of due) task();
    },
  };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a slice ends with the step that reaches its time, and the last one says so', () => {
  const { written, steps, idle } = idleWindow();
  inIdleSlices(
    steps,
    () => false,
    (how) => written.push(how),
  );
  for (let moment = 0; moment < 4; moment++) idle();
  expect(written.join(' ')).toBe('| a b | c d | e ended |');
});

test('work that is to stop stops between two slices, and is taken up where it was left', () => {
  const { written, steps, idle } = idleWindow();
  let busy = false;
  const isBusy = (): boolean => busy;
  const end = inIdleSlices(steps, isBusy, (how) => written.push(how));
  idle();
  busy = true;
  idle();
  busy = false;
  idle();
  inIdleSlices(steps, isBusy, (how) => written.push(how));
  idle();
  end();
  idle();
  expect(written.join(' ')).toBe('| a b | stopped | | c d | e ended');
});

test('who ends it hears no more', () => {
  const { written, steps, idle } = idleWindow();
  const end = inIdleSlices(
    steps,
    () => false,
    (how) => written.push(how),
  );
  idle();
  end();
  idle();
  expect(written.join(' ')).toBe('| a b |');
});
