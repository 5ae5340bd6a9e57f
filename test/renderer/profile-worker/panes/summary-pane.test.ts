import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { NO_PROJECT } from '../../../../shared/findings/finding.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Epoch } from '../../../../shared/protocol/messages.ts';
import { NO_LOG_FACTS } from '../../../../shared/facts/log-facts.ts';
import { Driven, LOG, scoped, view } from '../../../support/driven-mirror.ts';
import { FollowedLog } from '../../../support/followed-log.ts';

const FACTS = { ...NO_LOG_FACTS, format: 'honest-log', samples: 1553, hasSampleTimes: true } as const;
const PANE = { type: 'pane', pane: 'summary', spec: { kind: 'answer', of: 'methods' } } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function opened(bytes = LOG): { driven: Driven; log: FollowedLog } {
  const driven = new Driven({ type: 'facts', facts: FACTS, project: NO_PROJECT }, PANE);
  const log = new FollowedLog();
  log.append(bytes, true);
  driven.mirror.handle({ type: 'delta', message: log.delta() });
  return { driven, log };
}

const answers = ({ events }: Driven) => events.flatMap((event) => (event.type === 'answer' ? [event] : []));

test('it is made in parts, between which requests are answered, and the findings come last', () => {
  const { driven } = opened();
  expect(answers(driven)).toEqual([]);
  vi.advanceTimersToNextTimer();
  expect(answers(driven).map(({ isPending, findings }) => [isPending, findings])).toEqual([
    [true, undefined],
  ]);
  // A click in the meantime is answered before the next part.
  driven.mirror.handle({ type: 'select', selection: undefined, turn: 7 });
  expect(driven.events.at(-1)).toMatchObject({ type: 'selected', turn: 7 });
  vi.runAllTimers();
  const last = driven.last('answer');
  expect(last.isPending).toBe(false);
  expect(last.findings?.findings.length).toBeGreaterThan(0);
});

test('another scope dims what is shown at once, and counts as another question', () => {
  const { driven } = opened();
  vi.runAllTimers();
  const before = driven.last('answer');
  driven.mirror.handle(scoped({ threads: ['main'] }));
  expect(driven.last('answer')).toMatchObject({ isPending: true, summary: before.summary });
  expect(driven.last('answer').asked).toBe(before.asked + 1);
  vi.runAllTimers();
  expect(driven.last('answer').isPending).toBe(false);
  expect(driven.last('answer').summary.samples).toBeLessThan(before.summary.samples);
});

test('what changes nothing in it neither makes it anew nor interrupts it', () => {
  const { driven } = opened();
  driven.mirror.handle(view(''));
  vi.advanceTimersToNextTimer();
  for (const search of ['g', 'ge', 'get', 'gets', 'getst']) driven.mirror.handle(view(search));
  // The parts go on, each in its task, and none of them was lost.
  expect(answers(driven)).toHaveLength(1);
  vi.runAllTimers();
  expect(answers(driven).map(({ isPending }) => isPending)).toEqual([true, false]);
  driven.mirror.handle(view(''));
  driven.mirror.handle({ ...PANE, spec: undefined });
  driven.mirror.handle(PANE);
  vi.runAllTimers();
  expect(answers(driven)).toHaveLength(2);
});

test('another grouping of frames tells the summary anew and keeps the findings, which are of recorded stacks', () => {
  const { driven } = opened();
  vi.runAllTimers();
  const { findings } = driven.last('answer');
  const before = answers(driven).length;
  driven.mirror.handle(view('', 'line'));
  vi.runAllTimers();
  const told = answers(driven).slice(before);
  expect(told.map(({ isPending }) => isPending)).toEqual([true, false]);
  expect(told[1].summary.answer?.text).not.toBe(told[0].summary.answer?.text);
  expect(told[1].findings).toBe(findings);
  // Transforms change which samples are in scope.
  driven.mirror.handle(scoped({ transforms: [{ kind: 'drop', key: told[0].summary.methods[0].ref.label }] }));
  vi.runAllTimers();
  expect(driven.last('answer').findings).not.toEqual(findings);
});

test('while a log grows it is made again every few seconds, and growth that interrupts it cannot starve it', () => {
  const { driven, log } = opened(LOG.subarray(0, 200_000));
  vi.runAllTimers();
  const before = answers(driven).length;
  const { asked } = driven.last('answer');
  let read = 200_000;
  const grow = (to: number): void => {
    log.append(LOG.subarray(read, to), false);
    read = to;
    driven.mirror.handle({ type: 'delta', message: log.delta() });
    driven.mirror.handle({ type: 'barrier', id: 1, flush: false });
  };
  grow(210_000);
  vi.advanceTimersByTime(1_000);
  expect(answers(driven)).toHaveLength(before);
  for (let to = 220_000; to <= 400_000; to += 10_000) {
    grow(to);
    vi.advanceTimersByTime(500);
  }
  const after = answers(driven);
  expect(after.length).toBeGreaterThan(before);
  expect(after.at(-1)).toMatchObject({ asked });
  expect(after.findLast(({ isPending }) => !isPending)!.summary.samples).toBeGreaterThan(
    after[before - 1].summary.samples,
  );
});

test('facts of another epoch are not told of its samples, whether they come before or after the first delta', () => {
  const driven = new Driven(PANE);
  const facts = (epoch: number, format: 'honest-log' | 'collapsed'): void =>
    driven.mirror.handle({
      type: 'facts',
      facts: { ...FACTS, format },
      project: NO_PROJECT,
      epoch: epoch as Epoch,
    });
  const begin = (epoch: number): void => {
    const log = new FollowedLog(epoch);
    log.append(LOG.subarray(0, 100_000), true);
    driven.mirror.handle({ type: 'delta', message: log.delta() });
    vi.runAllTimers();
  };
  facts(0, 'honest-log');
  begin(0);
  const made = answers(driven).length;
  expect(made).toBeGreaterThan(0);
  begin(1);
  expect(answers(driven)).toHaveLength(made);
  facts(1, 'collapsed');
  vi.runAllTimers();
  expect(driven.last('answer').summary.whole).toBe('samples');
  facts(2, 'honest-log');
  vi.runAllTimers();
  expect(driven.last('answer').summary.whole).toBe('samples');
  begin(2);
  expect(driven.last('answer').summary.whole).toBe('CPU');
});

test('findings keep their places while a log grows, and new ones follow', () => {
  const { driven, log } = opened(LOG.subarray(0, 150_000));
  vi.runAllTimers();
  const ids = (): readonly string[] =>
    driven.last('answer').findings!.findings.map(({ id, subject }) => `${id} ${subject}`);
  const first = ids();
  log.append(LOG.subarray(150_000), true);
  driven.mirror.handle({ type: 'delta', message: log.delta() });
  vi.runAllTimers();
  const kept = first.filter((id) => ids().includes(id));
  expect(ids().slice(0, kept.length)).toEqual(kept);
});

test('findings that were on screen when reading ended keep their places', () => {
  const driven = new Driven({ type: 'facts', facts: FACTS, project: NO_PROJECT }, PANE);
  const log = new FollowedLog();
  const shop = gunzipSync(readFileSync('assets/shop.hpl.gz'));
  const cut = Math.floor(shop.length * 0.15);
  const append = (from: number, to: number): readonly string[] => {
    log.append(shop.subarray(from, to), true);
    driven.mirror.handle({ type: 'delta', message: log.delta() });
    vi.runAllTimers();
    return driven.last('answer').findings!.findings.map(({ id, subject }) => `${id} ${subject}`);
  };
  driven.mirror.handle({ type: 'reading', reading: true, upTo: undefined });
  const first = append(0, cut);
  driven.mirror.handle({ type: 'reading', reading: false, upTo: undefined });
  const last = append(cut, shop.length);
  const kept = first.filter((id) => last.includes(id));
  expect(last.slice(0, kept.length)).toEqual(kept);
});

test('findings that another grouping has kept keep their places while the log grows', () => {
  const driven = new Driven({ type: 'facts', facts: FACTS, project: NO_PROJECT }, PANE);
  const log = new FollowedLog();
  const shop = gunzipSync(readFileSync('assets/shop.hpl.gz'));
  const cut = Math.floor(shop.length * 0.15);
  const ids = (): readonly string[] =>
    driven.last('answer').findings!.findings.map(({ id, subject }) => `${id} ${subject}`);
  const append = (from: number, to: number): void => {
    log.append(shop.subarray(from, to), true);
    driven.mirror.handle({ type: 'delta', message: log.delta() });
    vi.runAllTimers();
  };
  append(0, cut);
  const first = ids();
  driven.mirror.handle(view('', 'line'));
  vi.runAllTimers();
  append(cut, shop.length);
  const kept = first.filter((id) => ids().includes(id));
  expect(ids().slice(0, kept.length)).toEqual(kept);
});

test('findings have no places before all of a log was read once', () => {
  const whole = new FollowedLog();
  whole.append(LOG, true);
  const upTo = { epoch: 0 as Epoch, nodes: whole.aggregator.profile.nodes.length };
  const driven = new Driven({ type: 'facts', facts: FACTS, project: NO_PROJECT }, PANE);
  const log = new FollowedLog();
  const append = (from: number, to: number): void => {
    log.append(LOG.subarray(from, to), true);
    driven.mirror.handle({ type: 'delta', message: log.delta() });
    vi.runAllTimers();
  };
  const findings = () => driven.last('answer').findings!.findings;
  driven.mirror.handle({ type: 'reading', reading: true, upTo: undefined });
  append(0, 205_000);
  expect(findings().length).toBeGreaterThan(0);
  driven.mirror.handle({ type: 'reading', reading: false, upTo });
  append(205_000, LOG.length);
  const rank = findings().map(({ level, share }) => (level === 'warn' ? 1 : 0) + share.low);
  expect(rank).toEqual(rank.toSorted((a, b) => b - a));
});

test('once all of a log is read, its summary is made at once, and only then it is not of a part', () => {
  const driven = new Driven({ type: 'facts', facts: FACTS, project: NO_PROJECT }, PANE);
  const log = new FollowedLog();
  const read = (bytes: Uint8Array): void => {
    log.append(bytes, true);
    driven.mirror.handle({ type: 'delta', message: log.delta() });
  };
  driven.mirror.handle({ type: 'reading', reading: true, upTo: undefined });
  read(LOG.subarray(0, 205_000));
  vi.runAllTimers();
  const part = driven.last('answer');
  expect(part).toMatchObject({ isPending: false, isOfPart: true });
  read(LOG.subarray(205_000));
  driven.mirror.handle({ type: 'reading', reading: false, upTo: undefined });
  // Growth alone would wait for two seconds.
  vi.advanceTimersByTime(600);
  const whole = driven.last('answer');
  expect(whole).toMatchObject({ isPending: false, isOfPart: false, asked: part.asked });
  expect(whole.summary.samples).toBeGreaterThan(part.summary.samples);
});

test('a summary that had all of a log before reading ended is not of a part from then on', () => {
  const driven = new Driven({ type: 'facts', facts: FACTS, project: NO_PROJECT }, PANE);
  const log = new FollowedLog();
  log.append(LOG, true);
  driven.mirror.handle({ type: 'reading', reading: true, upTo: undefined });
  driven.mirror.handle({ type: 'delta', message: log.delta() });
  vi.runAllTimers();
  expect(driven.last('answer').isOfPart).toBe(true);
  driven.mirror.handle({ type: 'reading', reading: false, upTo: undefined });
  expect(driven.last('answer')).toMatchObject({ isPending: false, isOfPart: false });
});

test('a pane that is not on screen makes none', () => {
  const { driven } = opened();
  driven.mirror.handle({ ...PANE, spec: undefined });
  vi.runAllTimers();
  expect(answers(driven)).toEqual([]);
});
