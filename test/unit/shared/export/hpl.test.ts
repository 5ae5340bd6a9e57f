import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../../../shared/aggregate/profile-aggregator.ts';
import { collectBytes, type OutputSink } from '../../../../shared/export/byte-sink.ts';
import { exportLean } from '../../../../shared/export/lean.ts';
import { type ExportInput, ExportRefusal, writeExport } from '../../../../shared/export/write-export.ts';
import type { LeanProfile } from '../../../../shared/profile/lean-profile.ts';
import { SAMPLES_AND_TIME } from '../../../../shared/profile/profile-units.ts';
import type { SampleTable } from '../../../../shared/profile/sample-table.ts';
import { EMPTY_SCOPE } from '../../../../shared/scope/scope.ts';
import { profileInScope } from '../../../../shared/scope/scoped-profile.ts';
import { boundsOf } from '../../../../shared/scope/time-range.ts';
import {
  bciFrame,
  frame,
  log,
  method,
  oldTraceStart,
  thread,
  trace,
  traceStart,
} from '../../../support/log-bytes.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';
import { randomLog } from '../../../support/random-log.ts';
import { GOLDEN_LOGS, goldenLog, readLog } from '../../../support/read-log.ts';
import { stackCells } from '../../../support/stack-cells.ts';
import { stackCounts } from '../../../support/stack-counts.ts';
import { testSeed } from '../../../support/test-seed.ts';

const ALL = { from: undefined, to: undefined };

interface Written {
  readonly bytes: Uint8Array;
  readonly notes: readonly string[];
}

function written(
  profile: LeanProfile,
  timeline: Partial<NonNullable<ExportInput['timeline']>> = {},
): Written {
  const { samples = profile.samples } = timeline;
  let notes: readonly string[] = [];
  const bytes = collectBytes((sink) => {
    const whole = samples && { samples, bounds: ALL, isOutside: undefined, buckets: 1, ...timeline };
    const input = { profile, units: SAMPLES_AND_TIME, timeline: whole } as ExportInput;
    notes = writeExport('hpl', input, sink as OutputSink);
  });
  return { bytes, notes };
}

const read = (bytes: Uint8Array): LeanProfile => readLog(bytes, 1 << 20, { samples: true }).profile;

function leanText(profile: LeanProfile): string {
  let text = '';
  exportLean(profile, (piece) => (text += piece));
  return text;
}

function moments(samples: SampleTable | undefined): readonly string[] {
  if (samples === undefined) return [];
  return Array.from(
    { length: samples.length },
    (_, row) => `${samples.timeOf(row)} ${samples.self[row]} ${samples.value.text(row)}`,
  );
}

/** All that a log says: ids, counts, times, moments, names. */
function picture(profile: LeanProfile): unknown {
  const { threads, methods } = profile;
  const names = Array.from({ length: methods.length }, (_, row) => [
    methods.idHi[row],
    methods.idLo[row],
    methods.names[row],
  ]);
  return [
    leanText(profile),
    moments(profile.samples),
    new Set(threads.name),
    new Set(names.map((each) => JSON.stringify(each))),
  ];
}

const HOSTILE = log(
  thread(7, 'mäin \u{1f525}\u0000'),
  trace(7, 1.5, frame(0x10, 3, 12), method(0x10, 'Shop.java', 'Lshop/Cart;', 'total'), bciFrame(0x20, -3)),
  traceStart(-3, 99, 1.4),
  traceStart(-555, 99, 1.45),
  traceStart(0, -4, 1.45),
  trace(7, 1.6, frame(0x30, 1, -101), frame(0x10, 0, 13)),
  thread(8, ''),
  thread(9, 'never sampled'),
  trace(8, 1.7, frame(0x10, 3, 12)),
);

test('a log is read again as it was: ids, names, errors, times that go back, threads without samples', () => {
  const first = read(HOSTILE);
  const { bytes, notes } = written(first);
  expect(notes).toEqual([]);
  expect(picture(read(bytes))).toEqual(picture(first));
  expect(written(read(bytes)).bytes).toEqual(bytes);
});

test.each(GOLDEN_LOGS.filter((name) => name !== 'server-20mb'))('%s: written and read again', (name) => {
  const first = read(goldenLog(name));
  const { bytes, notes } = written(first);
  expect(notes).toEqual([]);
  expect(picture(read(bytes))).toEqual(picture(first));
});

const { seed, randomFor } = testSeed('hpl export');

test('200 random logs: counts, threads and errors stay, and times unless it is said', () => {
  let exact = 0;
  for (let scenario = 0; scenario < 200; scenario++) {
    const first = read(randomLog(randomFor(scenario), { traces: 40 }));
    const { bytes, notes } = written(first);
    const isExact = notes.length === 0;
    if (isExact) exact++;
    const shown = (profile: LeanProfile): string => {
      const text = leanText(profile);
      const known = isExact ? text : text.replaceAll(/\t-?\d+\t-?\d+$/gm, '');
      // A thread with neither name nor samples has no record.
      return known.replaceAll(/^T\t-?\d+\t0\t0$/gm, '').replaceAll(/\n+/g, '\n');
    };
    expect(shown(read(bytes)), `scenario ${scenario}, SEED=${seed}`).toBe(shown(first));
  }
  expect(exact).toBeGreaterThan(0);
});

test('samples without a time come first, as those of old agents', () => {
  const first = read(
    log(trace(1, 2, frame(5, 1, 1)), trace(1, 3, frame(6, 1, 1)), oldTraceStart(1, 1), frame(7, 1, 1)),
  );
  const { bytes, notes } = written(first);
  expect(notes).toContain('no times for samples whose moment is not known');
  const again = read(bytes);
  expect(again.selfValues.count.subarray(0, 3)).toEqual(new Float64Array([1, 1, 1]));
  expect([...again.selfValues.time.ns.subarray(0, 3)]).toEqual([0, 1e9, 1e9]);
});

test('a profile without times keeps its counts', () => {
  const { profile } = profileFromText(`
    main        main        worker
    Shop.main   Shop.main   Shop.run
    Cart.add    Cart.add
  `);
  const { bytes, notes } = written(profile);
  expect(notes).toEqual(['no times for samples whose moment is not known']);
  const untimed = (of: LeanProfile): unknown =>
    Object.fromEntries(Object.entries(stackCounts(of)).map(([stack, value]) => [stack, value.split(' ')[0]]));
  expect(untimed(read(bytes))).toEqual(untimed(profile));
});

/** Two threads with the same id, as in merged logs; methods with ids that stand for errors; samples out of order. */
function foreign(): ProfileAggregator {
  const aggregator = new ProfileAggregator({ samples: true });
  const [main, other] = [aggregator.thread(0, 1), aggregator.thread(0, 2)];
  aggregator.nameThread(main, 'main');
  aggregator.nameThread(other, 'other');
  aggregator.profile.threads.idLo[other] = 1;
  for (const [lo, methodName] of [
    [-1, 'a'],
    [-2, 'b'],
  ] as const)
    aggregator.defineMethod(aggregator.method(-1, lo), { file: 'A.java', className: 'x/A', methodName });
  aggregator.takenAt?.(0n, 500);
  aggregator.sample(main, stackCells([-1, -1, 7, 1]), 1, 10);
  aggregator.takenAt?.(0n, 100);
  aggregator.sample(other, stackCells([-1, -2, 7, 1]), 1, 10);
  return aggregator;
}

test('ids that are not free in a log are replaced, and samples are put in order of time', () => {
  const { bytes, notes } = written(foreign().profile);
  expect(notes).toEqual([
    '2 names with a slash, or longer than 1 MiB, changed',
    'times are those between samples, as in any log',
    'times begin in 1970, because only those since the beginning are known',
  ]);
  const again = read(bytes);
  expect(stackCounts(again)).toEqual({ 'other;x.A.b:7': '1 400', 'main;x.A.a:7': '1 400' });
  expect(again.samples?.timeOf(0)).toBe(1_000_000_000n);
});

test('what is in scope, and in a range of time', () => {
  const source = read(HOSTILE);
  const range = { kind: 'between', from: '1450000000', to: '1650000000' } as const;
  const { profile, leaves } = profileInScope(source, { ...EMPTY_SCOPE, range, threads: ['/^mäin/'] }, 'fqmn');
  const { samples } = source;
  if (samples === undefined) throw new Error('no times');
  const timed = { samples, bounds: boundsOf(range, samples), isOutside: undefined, leaves, buckets: 1 };
  const again = read(written(profile, timed).bytes);
  expect(moments(again.samples).map((line) => line.split(' ')[0])).toEqual(['1500000000', '1600000000']);
});

test('times of a scope that leaves samples out between others become longer, which is said', () => {
  const source = read(
    log(
      thread(1, 'main'),
      thread(2, 'worker'),
      ...Array.from({ length: 10 }, (_, tick) => trace(1 + (tick % 2), 2 + tick / 100, frame(5, 1, 1))),
    ),
  );
  const { samples } = source;
  if (samples === undefined) throw new Error('no times');
  const inScope = (threads: readonly string[]): string => {
    const { profile, leaves } = profileInScope(source, { ...EMPTY_SCOPE, threads }, 'fqmn');
    const { bytes, notes } = written(profile, { samples, leaves });
    const time = (of: LeanProfile): number =>
      of.selfValues.time.ns.subarray(0, of.selfValues.length).reduce((sum, ns) => sum + ns, 0) / 1e6;
    return [`${time(profile)} ms, written ${time(read(bytes))} ms`, ...notes].join('; ');
  };
  expect(inScope([])).toBe('100 ms, written 100 ms');
  expect(inScope(['main'])).toBe('50 ms, written 100 ms; times are those between samples, as in any log');
});

test('a profile whose samples stand for many is refused', () => {
  const aggregator = new ProfileAggregator();
  aggregator.samples(aggregator.thread(0, 1), stackCells([0, 1, 1, 1]), 1, 2 ** 40, 1);
  expect(() => written(aggregator.profile)).toThrow(ExportRefusal);
});
