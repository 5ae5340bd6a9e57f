import { expect, test } from 'vitest';
import { Driven, type Handled, LOG, TREE } from '../../support/driven-mirror.ts';
import { FollowedLog } from '../../support/followed-log.ts';

const growth = (frozen: boolean): Handled => ({ type: 'growth', measured: true, frozen, shown: false });

function driven() {
  const mirror = new Driven(TREE);
  const tell = (...logs: readonly FollowedLog[]): void => {
    for (const log of logs) mirror.ask({ type: 'delta', message: log.delta() });
    mirror.ask({ type: 'barrier', id: 1, flush: true });
  };
  const state = (): string => {
    const acknowledged = mirror.events.filter((event) => event.type === 'applied').at(-1)!.epoch;
    return `${mirror.last('summary').summary.samples} samples on screen, run ${acknowledged} acknowledged`;
  };
  return { mirror, tell, state };
}

function logOf(epoch: number, bytes: number): FollowedLog {
  const log = new FollowedLog(epoch);
  log.append(LOG.subarray(0, bytes));
  return log;
}

test('while the view is frozen its run grows, but another one waits, is not acknowledged, and comes at once later', () => {
  const { mirror, tell, state } = driven();
  const first = logOf(0, 20_000);
  tell(first);
  const before = mirror.last('summary').summary.samples;
  mirror.ask(growth(true));
  first.append(LOG.subarray(20_000, 40_000));
  tell(first);
  const grown = mirror.last('summary').summary.samples;
  expect(grown).toBeGreaterThan(before);

  const second = logOf(1, 10_000);
  tell(second);
  second.append(LOG.subarray(10_000, 30_000));
  tell(second);
  expect(state()).toBe(`${grown} samples on screen, run 0 acknowledged`);
  mirror.ask(growth(false));
  const { samples } = mirror.last('summary').summary;
  expect(state()).toBe(`${second.aggregator.profile.samples!.length} samples on screen, run 1 acknowledged`);
  expect(samples).not.toBe(grown);
});

test('of several other runs only the last is shown; the same one, sent again after a lost connection, goes on', () => {
  const { mirror, tell, state } = driven();
  tell(logOf(0, 20_000));
  mirror.ask(growth(true));
  tell(logOf(1, 10_000), logOf(2, 30_000));
  mirror.ask(growth(false));
  const samples = logOf(2, 30_000).aggregator.profile.samples!.length;
  expect(state()).toBe(`${samples} samples on screen, run 2 acknowledged`);

  mirror.ask(growth(true));
  tell(logOf(3, 10_000));
  const again = logOf(2, 40_000);
  tell(again);
  expect(state()).toBe(`${again.aggregator.profile.samples!.length} samples on screen, run 2 acknowledged`);
  mirror.ask(growth(false));
  expect(state()).toBe(`${again.aggregator.profile.samples!.length} samples on screen, run 2 acknowledged`);
});

test('a run without samples is replaced all the same', () => {
  const { mirror, tell, state } = driven();
  tell(logOf(0, 10));
  mirror.ask(growth(true));
  const next = logOf(1, 20_000);
  tell(next);
  expect(state()).toBe(`${next.aggregator.profile.samples!.length} samples on screen, run 1 acknowledged`);
});
