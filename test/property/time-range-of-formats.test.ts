import { expect, test } from 'vitest';
import type { ProfileFormat } from '../../shared/formats/profile-format.ts';
import { SKYWALKING_SNAPSHOTS } from '../../shared/formats/skywalking/format.ts';
import { THREAD_DUMP } from '../../shared/formats/thread-dump/format.ts';
import { TPTP_BINARY } from '../../shared/formats/tptp/format.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { EMPTY_SCOPE } from '../../shared/scope/scope.ts';
import { profileInScope } from '../../shared/scope/scoped-profile.ts';
import type { TimeBounds } from '../../shared/values/time-range.ts';
import { ValuesInRange } from '../../shared/values/values-in-range.ts';
import { packProfile, unpackProfile } from '../../renderer/profile-worker/profile-copy.ts';
import { methodText, type ProfileStack, stacksOf } from '../support/profile-stacks.ts';
import { CALLS_START, randomCallEvents, traceOfCalls } from '../support/random-calls.ts';
import { decodeInput } from '../support/read-input.ts';
import { type EndedCall, referenceCalls } from '../support/reference-calls.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { snapshotStream } from '../support/skywalking-bytes.ts';
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
  const scoped = profileInScope(profile, { ...EMPTY_SCOPE, range }, 'bci');
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
