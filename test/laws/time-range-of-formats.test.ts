import { expect, test } from 'vitest';
import { CPUPROFILE } from '../../shared/formats/cpuprofile.ts';
import { JFR } from '../../shared/formats/jfr/format.ts';
import { SAMPLE_TYPES } from '../../shared/formats/jfr/events/sample-types.ts';
import { OTLP } from '../../shared/formats/otlp/format.ts';
import type { ProfileFormat } from '../../shared/formats/profile-format.ts';
import { SKYWALKING_SNAPSHOTS } from '../../shared/formats/skywalking/format.ts';
import { SPEEDSCOPE } from '../../shared/formats/speedscope.ts';
import { THREAD_DUMP } from '../../shared/formats/thread-dump/format.ts';
import { TPTP_BINARY } from '../../shared/formats/tptp/format.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { EMPTY_SCOPE } from '../../shared/scope/scope.ts';
import { askedProfile } from '../support/asked-profile.ts';
import type { TimeBounds } from '../../shared/engine/values/time-range.ts';
import { ValuesInRange } from '../../shared/engine/values/values-in-range.ts';
import { packProfile, unpackProfile } from '../../renderer/profile-worker/shared-profiles.ts';
import { JfrChunk, START_NS } from '../support/jfr-writer/jfr-chunk.ts';
import { JFR_TYPES, NATIVE_PERIOD_MS } from '../support/jfr-writer/random-samples.ts';
import { methodText, type ProfileStack, stacksOf } from '../support/profile-stacks.ts';
import { CALLS_START, randomCallEvents, traceOfCalls } from '../support/random-calls.ts';
import { decodeInput } from '../support/read-input.ts';
import { type EndedCall, referenceCalls } from '../support/reference-calls.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { snapshotStream } from '../support/skywalking-bytes.ts';
import { stampedOtlp } from '../support/stamped-otlp.ts';
import { testSeed } from '../support/test-seed.ts';

const { seed, randomFor } = testSeed('time-range-of-formats');
const START_MS = 1_795_174_578_000;
const NS_PER_MS = 1_000_000n;

/** A sample as the format's description has it: what it adds where, and when. */
interface Gain {
  /** ns since 1970. */
  readonly at: bigint;
  /** Thread and frames, root first. */
  readonly stack: string;
  readonly count: number;
  readonly ns: bigint;
}

/** One stack of a thread in a series. */
interface Snapshot {
  readonly thread: number;
  readonly sequence: number;
  readonly ms: number;
  readonly stack: readonly string[];
}

function randomSnapshots(random: SeededRandom, stepMs: number): Snapshot[] {
  const snapshots: Snapshot[] = [];
  let ms = START_MS;
  for (let sequence = 0; sequence < 12; sequence++) {
    ms += stepMs * random.below(4);
    for (let thread = 1; thread <= 3; thread++) {
      if (random.below(5) === 0) continue;
      const stack = Array.from({ length: 1 + random.below(4) }, () => `a.T.m${random.below(3)}`);
      snapshots.push({ thread, sequence, ms, stack });
    }
  }
  return snapshots;
}

/** Each counts where it ends. The time since the one before it belongs to what both have in common. */
function gainsOf(snapshots: readonly Snapshot[]): Gain[] {
  return snapshots.flatMap((snapshot): Gain[] => {
    const { thread, sequence, ms, stack } = snapshot;
    const at = BigInt(ms) * NS_PER_MS;
    const before = snapshots.find((each) => each.thread === thread && each.sequence === sequence - 1);
    const common = stack.findIndex((frame, level) => frame !== before?.stack[level]);
    const shared = stack.slice(0, common < 0 ? undefined : common);
    const own = { at, stack: [thread, ...stack].join(';'), count: 1, ns: 0n };
    if (before === undefined || shared.length === 0) return [own];
    return [
      own,
      { at, stack: [thread, ...shared].join(';'), count: 0, ns: BigInt(ms - before.ms) * NS_PER_MS },
    ];
  });
}

/** Stack -> samples and ns; stacks without either are left out. */
type Sums = Readonly<Record<string, readonly [number, bigint]>>;

function sumOf(gains: readonly Gain[], { from, to }: TimeBounds): Sums {
  const sums: Record<string, readonly [number, bigint]> = {};
  for (const { at, stack, count, ns } of gains) {
    if ((from !== undefined && at < from) || (to !== undefined && at >= to)) continue;
    const [samples, time] = sums[stack] ?? [0, 0n];
    sums[stack] = [samples + count, time + ns];
  }
  return withoutZeros(sums);
}

function sumInRange(profile: LeanProfile, bounds: TimeBounds, threadOf: Case['threadOf']): Sums {
  const { samples, selfValues } = profile;
  const inRange = new ValuesInRange();
  inRange.update(samples!, selfValues, bounds);
  return withoutZeros(
    Object.fromEntries(
      stacksOf(profile).map((stack, row) => [
        [threadOf(stack), ...stack.frames.map(methodText)].join(';'),
        [inRange.count[row], inRange.time.exact(row)],
      ]),
    ),
  );
}

/** The same through a scope, whose profile has stacks and values of its own. */
function sumInScope(profile: LeanProfile, { from, to }: TimeBounds, threadOf: Case['threadOf']): Sums {
  const range = { kind: 'between', from: from?.toString(), to: to?.toString() } as const;
  const scoped = askedProfile(profile, { ...EMPTY_SCOPE, range }, 'bci');
  return sumsOf(scoped.profile, threadOf);
}

/** Of all samples of a profile. */
function sumsOf(profile: LeanProfile, threadOf: Case['threadOf']): Sums {
  const stacks = stacksOf(profile).map(
    (stack) =>
      [
        [threadOf(stack), ...stack.frames.map(methodText)].join(';'),
        [stack.count, stack.value] as const,
      ] as const,
  );
  return withoutZeros(Object.fromEntries(stacks));
}

function added(one: Sums, other: Sums): Sums {
  const sums = { ...one };
  for (const [stack, [count, ns]] of Object.entries(other)) {
    const [samples, time] = sums[stack] ?? [0, 0n];
    sums[stack] = [samples + count, time + ns];
  }
  return withoutZeros(sums);
}

function withoutZeros(sums: Sums): Sums {
  return Object.fromEntries(Object.entries(sums).filter(([, [count, ns]]) => count !== 0 || ns !== 0n));
}

function expectRanges(
  { format, input, gains, chosen = {}, threadOf }: Case,
  random: SeededRandom,
  where: string,
): void {
  const { profile, decoder } = decodeInput(format, input, chosen, undefined, true);
  const copy = unpackProfile(packProfile(profile, true));
  const times = gains.map(({ at }) => at);
  expect(decoder.facts().hasSampleTimes, where).toBe(times.length > 0);
  const bounds: TimeBounds[] = [{ from: undefined, to: undefined }];
  for (let round = 0; round < 5 && times.length > 0; round++)
    bounds.push({ from: random.pick(times), to: random.pick(times) + BigInt(random.below(3) - 1) });
  for (const each of bounds) {
    const there = `${where} from ${each.from} to ${each.to}`;
    const wanted = sumOf(gains, each);
    expect(sumInRange(profile, each, threadOf), there).toEqual(wanted);
    expect(sumInRange(copy, each, threadOf), `${there}, a copy`).toEqual(wanted);
    expect(sumInScope(profile, each, threadOf), `${there}, in a scope`).toEqual(wanted);
  }
  // Two ranges that touch have together what the whole profile has.
  const at = times.length > 0 ? random.pick(times) : 0n;
  const halves = [
    { from: undefined, to: at },
    { from: at, to: undefined },
  ];
  const [before, after] = halves.map((half) => sumInRange(profile, half, threadOf));
  expect(added(before, after), `${where} before and after ${at}`).toEqual(sumsOf(profile, threadOf));
}

interface Case {
  readonly format: ProfileFormat;
  readonly input: Uint8Array;
  readonly gains: readonly Gain[];
  readonly chosen?: Readonly<Record<string, string>>;
  /** The thread of a stack as the gains name it. */
  readonly threadOf: (stack: ProfileStack) => string;
}

/** Each sequence number is a dump; the first is 0. */
function dumpText(snapshots: readonly Snapshot[]): string {
  const dumps = Array.from({ length: 12 }, (_, at) => snapshots.filter(({ sequence }) => sequence === at));
  return dumps
    .flatMap((threads) => [
      dateText(threads[0].ms),
      'Full thread dump OpenJDK (21):',
      ...threads.flatMap(({ thread, stack }) => [
        '',
        `"${thread}" #${thread} prio=5 tid=0x0${thread} nid=2${thread} runnable`,
        '   java.lang.Thread.State: RUNNABLE',
        ...stack.toReversed().map((frame) => `\tat ${frame}(T.java:1)`),
      ]),
      '',
      '',
    ])
    .join('\n');
}

function dateText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

test('SkyWalking: ranges of 60 random recordings have what a filter of the snapshots has', () => {
  for (let scenario = 0; scenario < 60; scenario++) {
    const random = randomFor(scenario);
    const snapshots = randomSnapshots(random, 7);
    const input = snapshotStream(
      snapshots.map(({ thread, stack, ...rest }) => ({
        ...rest,
        segmentId: String(thread),
        stack: stack.map((frame) => `${frame}:1`),
      })),
    );
    const threadOf = ({ thread = '' }: ProfileStack): string => thread.replace('segment ', '');
    const read = { format: SKYWALKING_SNAPSHOTS, input, gains: gainsOf(snapshots), threadOf };
    expectRanges(read, random, `SEED=${seed} scenario ${scenario}`);
  }
});

test('thread dumps: ranges of 60 random series have what a filter of the stacks has', () => {
  for (let scenario = 0; scenario < 60; scenario++) {
    const random = randomFor(1_000 + scenario);
    const snapshots = randomSnapshots(random, 1000);
    // A dump begins only where its threads are listed, and all of a series have a time.
    const isDumped = Array.from({ length: 12 }, (_, at) => snapshots.some(({ sequence }) => sequence === at));
    if (isDumped.includes(false) || new Set(snapshots.map(({ ms }) => ms)).size < 2) continue;
    const input = new TextEncoder().encode(dumpText(snapshots));
    const read = {
      format: THREAD_DUMP,
      input,
      gains: gainsOf(snapshots),
      threadOf: ({ thread = '' }: ProfileStack) => thread,
    };
    expectRanges(read, random, `SEED=${seed} scenario ${scenario}`);
  }
});

test.each(['wall', 'cpu'] as const)(
  'TPTP, %s: ranges of 60 random traces have what a filter of the calls has',
  (value) => {
    for (let scenario = 0; scenario < 60; scenario++) {
      const random = randomFor(2_000 + scenario);
      const events = randomCallEvents(random);
      const ended: EndedCall[] = [];
      referenceCalls(events, ended);
      const gains = ended.map(({ path, entry, self, selfCpu }) => ({
        at: CALLS_START + BigInt(entry),
        stack: path.replaceAll(' > ', ';'),
        count: 1,
        ns: BigInt(value === 'wall' ? self : selfCpu),
      }));
      const read = {
        format: TPTP_BINARY,
        input: traceOfCalls(events),
        gains,
        chosen: { value },
        threadOf: ({ threadId }: ProfileStack) => String(threadId),
      };
      expectRanges(read, random, `SEED=${seed} scenario ${scenario}`);
    }
  },
);

test.each(JFR_TYPES)(
  'JFR: ranges of random recordings have what a filter of the events has, of all types those of $type',
  (chosen) => {
    for (let scenario = 0; scenario < 8; scenario++) {
      const random = randomFor(3_000 + JFR_TYPES.indexOf(chosen) * 100 + scenario);
      const gains: Gain[] = [];
      // Each chunk begins at the same time; threads write their events when their buffers are full.
      const chunks = Array.from({ length: 1 + random.below(2) }, () => {
        const chunk = new JfrChunk(JFR_TYPES.flatMap(({ events }) => events));
        for (let event = 0; event < 50; event++) {
          const written = random.below(2) === 0 ? chosen : random.pick(JFR_TYPES);
          const [at, thread] = [random.below(1_000_000), random.pick(['main', 'worker', 'gc'])];
          const methods = Array.from({ length: 1 + random.below(4) }, () => `m${random.below(3)}`);
          const frames = methods.map((name) => ({
            method: chunk.method('T', name),
            line: 3,
            bci: 4,
            type: 'Interpreted' as const,
          }));
          // The leaf is the first frame of an event; its clock has counted 1000 when the chunk begins.
          const place = {
            at: 1_000 + at,
            thread: chunk.thread(thread, thread.length),
            stack: chunk.stack(frames),
          };
          const { count, value, isPeriodic = false } = written.write(chunk, place, random);
          if (written !== chosen) continue;
          const stack = [thread, ...methods.toReversed().map((name) => `T.${name}`)].join(';');
          for (let sample = 0; sample < count; sample++) {
            const later = isPeriodic ? BigInt(sample) * 20n * NS_PER_MS : 0n;
            gains.push({ at: START_NS + BigInt(at) + later, stack, count: 1, ns: BigInt(value) });
          }
        }
        return chunk.finish();
      });
      const read = {
        format: JFR,
        input: Buffer.concat(chunks),
        gains,
        chosen: {
          period: '20',
          'native-period': String(NATIVE_PERIOD_MS),
          'sample-type': chosen.type,
          classes: 'off',
        },
        threadOf: ({ thread = '' }: ProfileStack) => thread,
      };
      expectRanges(read, random, `SEED=${seed} ${chosen.type} scenario ${scenario}`);
    }
  },
);

test('JFR: the recordings have the events of all known sample types', () => {
  const known = SAMPLE_TYPES.flatMap(({ id, events }) => [...events.keys()].map((event) => `${id} ${event}`));
  const written = JFR_TYPES.flatMap(({ type, events }) => events.map((event) => `${type} ${event}`));
  // The stack of a traced method has one more frame than the event: `traced-methods.test.ts`.
  expect(known.filter((each) => !written.includes(each))).toEqual(['jdk.MethodTrace jdk.MethodTrace']);
});

test('cpuprofile: ranges of 60 random profiles have what a filter of the samples has', () => {
  for (let scenario = 0; scenario < 60; scenario++) {
    const random = randomFor(4_000 + scenario);
    const nodes = [{ id: 1, path: '', name: '(root)', children: [] as number[] }];
    for (let id = 2; id < 12; id++) {
      const parent = random.pick(nodes);
      // Siblings have different names, as V8 writes them.
      parent.children.push(id);
      nodes.push({ id, path: `${parent.path};f${id}`, name: `f${id}`, children: [] });
    }
    const samples = Array.from({ length: 30 }, () => random.pick(nodes.slice(1)));
    const deltas = samples.map(() => random.below(50));
    const gains: Gain[] = [];
    let us = 0;
    for (const [at, { path }] of samples.entries()) {
      us += deltas[at];
      const lasts = at + 1 < samples.length ? deltas[at + 1] : 7;
      gains.push({ at: BigInt(us) * 1000n, stack: `js${path}`, count: 1, ns: BigInt(lasts) * 1000n });
    }
    const file = {
      nodes: nodes.map(({ id, name: functionName, children }) => ({
        id,
        children,
        callFrame: { functionName, url: '', lineNumber: 0 },
      })),
      startTime: 500,
      endTime: 500 + us + 7,
      samples: samples.map(({ id }) => id),
      timeDeltas: deltas,
    };
    const input = new TextEncoder().encode(JSON.stringify(file));
    const read = { format: CPUPROFILE, input, gains, threadOf: () => 'js' };
    expectRanges(read, random, `SEED=${seed} scenario ${scenario}`);
  }
});

test('speedscope: ranges of 60 random files have what a filter of the times between events has', () => {
  for (let scenario = 0; scenario < 60; scenario++) {
    const random = randomFor(5_000 + scenario);
    const gains: Gain[] = [];
    const profiles = ['one', 'two'].map((name) => {
      const open: number[] = [];
      const events: unknown[] = [];
      let at = 0;
      while (events.length < 40 || open.length > 0) {
        const next = at + 1 + random.below(20);
        if (open.length > 0) {
          const stack = [name, ...open.map((frame) => `f${frame}`)].join(';');
          gains.push({ at: BigInt(at) * 1000n, stack, count: 1, ns: BigInt(next - at) * 1000n });
        }
        at = next;
        const opens = events.length < 40 && (open.length === 0 || random.below(2) === 0);
        const frame = opens ? random.below(4) : open.pop()!;
        if (opens) open.push(frame);
        events.push({ type: opens ? 'O' : 'C', frame, at });
      }
      return { type: 'evented', name, unit: 'microseconds', startValue: 0, endValue: at, events };
    });
    const file = {
      $schema: 'https://www.speedscope.app/file-format-schema.json',
      shared: { frames: [0, 1, 2, 3].map((frame) => ({ name: `f${frame}` })) },
      profiles,
    };
    const input = new TextEncoder().encode(JSON.stringify(file));
    const threadOf = ({ thread = '' }: ProfileStack): string => thread;
    expectRanges({ format: SPEEDSCOPE, input, gains, threadOf }, random, `SEED=${seed} scenario ${scenario}`);
  }
});

test.each(['range', 'values', 'links'] as const)(
  'OTLP with %s: ranges of 60 random profiles have what a filter of the time stamps has',
  (form) => {
    for (let scenario = 0; scenario < 60; scenario++) {
      const random = randomFor(6_000 + scenario);
      const isCount = random.below(2) === 0;
      const gains: Gain[] = [];
      const samples = Array.from({ length: 12 }, () => {
        const stamps = Array.from(
          { length: 1 + random.below(4) },
          () => CALLS_START + BigInt(random.below(1_000_000)),
        );
        // Without values each time stamp counts as 1.
        const values = random.below(4) === 0 ? [] : stamps.map(() => 1 + random.below(4));
        const thread = random.pick(['main', 'worker']);
        const stack = Array.from({ length: 1 + random.below(4) }, () => `m${random.below(3)}`);
        const path = [thread, ...stack.toReversed()].join(';');
        for (const [row, at] of stamps.entries()) {
          const value = values[row] ?? 1;
          const gain = isCount ? { count: value, ns: 0n } : { count: 1, ns: BigInt(value) };
          gains.push({ at, stack: path, ...gain });
        }
        return { thread, stack, values, stamps };
      });
      const read = {
        format: OTLP,
        input: stampedOtlp(form, isCount ? 'count' : 'nanoseconds', samples),
        gains,
        threadOf: ({ thread = '' }: ProfileStack) => thread,
      };
      expectRanges(read, random, `SEED=${seed} scenario ${scenario}`);
    }
  },
);
