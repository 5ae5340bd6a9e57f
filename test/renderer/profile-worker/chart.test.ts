import { expect, test, vi } from 'vitest';
import type { ChartSpec } from '../../../renderer/profile-worker/pane-messages.ts';
import { ChartSamples } from '../../../shared/engine/views/chart-samples.ts';
import { flameRows } from '../../../shared/engine/views/flame-columns.ts';
import {
  Driven,
  type EventOf,
  FLAT,
  type Handled,
  LOG,
  scoped,
  wholeLog,
} from '../../support/driven-mirror.ts';
import { FollowedLog } from '../../support/followed-log.ts';
import { readModel } from '../../support/reference-model.ts';

const MODEL = readModel(LOG);
const SPEC: ChartSpec = {
  kind: 'chart',
  of: 'calls',
  threads: 'all',
  only: [],
  zoom: undefined,
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

test('the chart has the stacks of the log in the order of time, also of a part of them', () => {
  const driven = wholeLog(FLAT, chart());
  expect([shown(driven).count, stacksOf(shown(driven))]).toEqual([1_553, STACKS]);
  driven.ask(chart({ zoom: { from: 700, to: 701 } }));
  expect(stacksOf(shown(driven))).toEqual(STACKS.slice(700, 701));
  const { begins, ends } = shown(driven);
  expect(begins).toEqual(ends);
});

test('a zoom stays around its samples when others are left out; the busiest thread is shown until one is chosen', () => {
  const driven = wholeLog(FLAT, chart({ zoom: { from: 700, to: 800 } }));
  const { begins } = shown(driven);
  const { first } = shown(driven);
  const at = (ns: number): string => String(BigInt(first) + BigInt(ns));
  driven.ask(scoped({ range: { kind: 'between', from: at(begins[0]), to: undefined } }));
  expect(shown(driven).zoom).toMatchObject({ from: 0 });
  expect(stacksOf(shown(driven))).toEqual(STACKS.slice(700, 700 + shown(driven).to));
  driven.ask(scoped({}), chart({ only: undefined }));
  driven.ask({ type: 'threads', shown: true });
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

test('a zoom that ends past what is read so far waits for it, also where it has all of that', () => {
  const PIECES = 4;
  const log = new FollowedLog();
  const deltas = Array.from({ length: PIECES }, (_, at) => {
    const [from, to] = [at, at + 1].map((edge) => Math.ceil((LOG.length * edge) / PIECES));
    log.append(LOG.subarray(from, to), to === LOG.length);
    return { message: log.delta(), count: log.aggregator.profile.samples!.length };
  });
  const half = deltas[1].count;
  const zooms = [
    { zoom: { from: half - 100, to: half + 1 }, waits: [true, true, false, false] },
    { zoom: { from: 0, to: half }, waits: [true, true, false, false] },
    { zoom: { from: 1, to: half }, waits: [true, false, false, false] },
  ];
  for (const { zoom, waits } of zooms) {
    const driven = new Driven(chart({ zoom, pixels: 300 }));
    deltas.forEach(({ message, count: read }, at) => {
      driven.ask({ type: 'delta', message: message.slice(0) });
      const { count, from, to, zoom: kept, asked } = shown(driven);
      expect([count, kept, asked]).toEqual([read, zoom, zoom]);
      expect({ from, to }).toEqual(waits[at] ? { from: 0, to: count } : zoom);
    });
  }
});

test('a zoom that was moved does not wait where fewer samples are shown before it is asked for', () => {
  const driven = wholeLog(FLAT, chart({ zoom: { from: 1_400, to: 1_500 } }));
  const { begins, first } = shown(driven);
  const since = (ns: number): Handled =>
    scoped({ range: { kind: 'between', from: String(BigInt(first) + BigInt(ns)), to: undefined } });
  driven.ask(since(Math.floor(begins[0] / 2)));
  const { zoom } = shown(driven);
  expect(zoom!.from).toBeLessThan(1_400);
  driven.ask(since(begins[0]));
  const { count } = shown(driven);
  expect(count).toBeLessThan(zoom!.to);
  driven.ask(chart({ zoom }));
  expect(shown(driven).zoom).not.toEqual(zoom);
});

test('each step of a drag of either end of a range compares only the samples that it adds', () => {
  const update = vi.spyOn(ChartSamples.prototype, 'update');
  const driven = wholeLog(FLAT, chart());
  const { first, times } = shown(driven);
  const at = (part: number): string => String(BigInt(first) + BigInt(Math.round(times[part])));
  // In eighths of the samples; 8 is the end of the log.
  const steps = [
    ...[1, 2, 3, 2, 1].map((from) => [from, 8]),
    ...[7, 6, 5, 6].map((to) => [1, to]),
    // Both ends move, as those of the last seconds of a log do.
    ...[2, 3].map((from) => [from, from + 4]),
  ];
  let before = [0, 8];
  for (const [from, to] of steps) {
    update.mockClear();
    driven.ask(scoped({ range: { kind: 'between', from: at(from), to: to === 8 ? undefined : at(to) } }));
    const compared = update.mock.results.reduce((sum, { value }) => sum + Number(value), 0);
    expect(update.mock.calls.length).toBeGreaterThan(0);
    const came = Math.max(0, before[0] - from) + Math.max(0, to - before[1]);
    // The first one has another one before it, and an eighth is rounded.
    expect(compared).toBeLessThanOrEqual((came * 1_553) / 8 + 2);
    before = [from, to];
  }
  const anew = wholeLog(scoped({ range: { kind: 'between', from: at(3), to: at(7) } }), FLAT, chart());
  expect([shown(anew).count, shown(anew).layout]).toEqual([shown(driven).count, shown(driven).layout]);
  update.mockRestore();
});
