import { expect, test } from 'vitest';
import type { ChartSpec } from '../../../renderer/profile-worker/pane-specs.ts';
import { flameRows } from '../../../shared/engine/views/flame-columns.ts';
import { Driven, type EventOf, FLAT, type Handled, LOG, wholeLog } from '../../support/driven-mirror.ts';
import { FollowedLog } from '../../support/followed-log.ts';
import { readModel } from '../../support/reference-model.ts';

const MODEL = readModel(LOG);
const SPEC: ChartSpec = {
  kind: 'chart',
  of: 'calls',
  threads: 'all',
  only: [],
  zoom: undefined,
  isEqual: true,
  pixels: 5_000,
};
const chart = (change: Partial<ChartSpec> = {}): Handled => ({
  type: 'pane',
  pane: 'chart',
  spec: { ...SPEC, ...change },
});
const shown = (driven: Driven): EventOf<'chart'> => driven.last('chart');

/** The stacks of the log in the order of time, methods from the root on. */
const STACKS = MODEL.samples
  .map(({ at, stack }, order) => ({ at: at!, order, stack }))
  .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.order - b.order))
  .map(({ stack }) =>
    stack.map(({ method }) => {
      const { className, methodName } = MODEL.methods.get(method)!;
      return `${className}.${methodName}`;
    }),
  );

/** The methods of each sample on screen, read from the frames. */
function stacksOf({ layout, from, to }: EventOf<'chart'>): string[][] {
  const stacks = Array.from({ length: to - from }, (): string[] => []);
  for (const { kind, label, start, weight } of flameRows(layout))
    if (kind === 'frame' || kind === 'error')
      for (let at = start; at < start + weight; at++) stacks[at].push(label);
  return stacks;
}

test('the chart has the stacks of the log in the order of time, also of a part of the time', () => {
  const driven = wholeLog(FLAT, chart());
  expect([shown(driven).count, stacksOf(shown(driven))]).toEqual([1_553, STACKS]);
  const { times } = shown(driven);
  driven.ask(chart({ zoom: { from: times[700], to: times[800] } }));
  const { from, to } = shown(driven);
  expect([times[from], times[to]]).toEqual([times[700], times[800]]);
  expect(stacksOf(shown(driven))).toEqual(STACKS.slice(from, to));
  // Linear in time, it has the same samples.
  driven.ask(chart({ zoom: { from: times[700], to: times[800] }, isEqual: false, pixels: 300 }));
  const linear = shown(driven);
  expect([linear.from, linear.to, linear.layout.totalCount[0]]).toEqual([from, to, to - from]);
  expect([linear.times[0], linear.times[300]]).toEqual([times[700], times[800]]);
  // With fewer pixels than samples, some share a cell; none is lost.
  driven.ask(chart({ pixels: 100 }));
  expect([shown(driven).layout.weight[0], shown(driven).layout.totalCount[0]]).toEqual([100, 1_553]);
});

test('a part of the time that no sample reaches yet waits, and all is shown', () => {
  const { times } = shown(wholeLog(FLAT, chart()));
  const late = { from: times[1_552] + 1, to: times[1_552] + 9 };
  const driven = wholeLog(FLAT, chart({ zoom: late }));
  expect([shown(driven).from, shown(driven).to, shown(driven).shown.from]).toEqual([0, 1_553, 0]);
});

test('the busiest thread is shown until one is chosen', () => {
  const driven = wholeLog(FLAT, chart({ only: undefined }), { type: 'threads', shown: true });
  const { names, samples } = driven.last('threads').threads;
  const most = samples.reduce((best, count, at) => (count > samples[best] ? at : best), 0);
  expect(shown(driven).only).toEqual([names[most]]);
  expect(shown(driven).count).toBe(samples[most]);
});

test('of a log that grows it is that of the log that is read at once', () => {
  const log = new FollowedLog();
  const driven = new Driven(chart({ pixels: 900 }));
  for (let at = 0; at < LOG.length; at += 100_000) {
    log.append(LOG.subarray(at, at + 100_000), at + 100_000 >= LOG.length);
    driven.ask({ type: 'delta', message: log.delta() });
    expect(shown(driven).count).toBe(log.aggregator.profile.samples!.length);
  }
  const { layout, times } = shown(driven);
  const whole = shown(wholeLog(chart({ pixels: 900 })));
  expect([layout, times]).toEqual([whole.layout, whole.times]);
});
