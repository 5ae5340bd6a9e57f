import { expect, test } from 'vitest';
import { AttachError } from '../../../electron/jvm/attach.ts';
import {
  type DumpableJvm,
  DumpSampler,
  type SamplerClock,
} from '../../../electron/recording/dump-sampler.ts';
import { readInput } from '../../support/read-input.ts';
import { stackCounts } from '../../support/stack-counts.ts';
import { testSeed } from '../../support/test-seed.ts';

const { seed, randomFor } = testSeed('dump sampler');

const DUMP = `2026-11-20 11:42:18
Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):

"main" #1 prio=5 os_prio=0 cpu=1.30ms elapsed=5.61s tid=0x01 nid=0xbb0 runnable  [0x02]
   java.lang.Thread.State: RUNNABLE
\tat a.A.b(A.java:2)
\tat a.A.a(A.java:1)

JNI global refs: 18, weak refs: 0

`;

/** A JVM whose dumps take as long as is said, on a clock that only this moves. */
class FakeJvm implements DumpableJvm {
  readonly clock: SamplerClock & { time: number };
  /** Clock time at which each dump was asked for, and how long it stopped the JVM. */
  readonly asked: { readonly at: number; readonly cost: number }[] = [];
  isAlive = true;
  /** It is killed during this dump, from 0; so many characters of it arrive. */
  killedIn: { readonly dump: number; readonly characters: number } | undefined;
  /** Called with the number of the dump, from 0; what it returns is the time that it takes, in ms. */
  readonly #takes: (dump: number) => number;
  readonly #tellsStopped: boolean;
  #stopped = 0;

  constructor(takes: (dump: number) => number, tellsStopped = false) {
    this.#takes = takes;
    this.#tellsStopped = tellsStopped;
    this.clock = {
      time: 1_000,
      now: () => this.clock.time,
      wall: () => Date.UTC(2026, 10, 20, 10) + this.clock.time,
      pause: (ms) => {
        this.clock.time += ms;
        return Promise.resolve();
      },
    };
  }

  dump(): Promise<string> {
    const cost = this.#takes(this.asked.length);
    this.asked.push({ at: this.clock.time, cost });
    // Half of the time is that of the attach protocol.
    this.clock.time += this.#tellsStopped ? 2 * cost : cost;
    this.#stopped += cost;
    const { killedIn } = this;
    if (killedIn === undefined || this.asked.length <= killedIn.dump) return Promise.resolve(DUMP);
    const isAfter = this.asked.length > killedIn.dump + 1;
    // The system may need a moment until the process is gone.
    if (isAfter) this.isAlive = false;
    return isAfter
      ? Promise.reject(new AttachError('JVM 7 (Busy): does not answer'))
      : Promise.resolve(DUMP.slice(0, killedIn.characters));
  }

  stoppedMs(): number | undefined {
    return this.#tellsStopped ? this.#stopped : undefined;
  }

  isRunning(): boolean {
    return this.isAlive;
  }
}

/** Samples until so many dumps are made. */
async function sampled(
  jvm: FakeJvm,
  dumps: number,
  settings: { intervalMs: number; mostShare: number },
): Promise<{ readonly text: string; readonly sampler: DumpSampler }> {
  let text = '';
  const sampler: DumpSampler = new DumpSampler(
    jvm,
    settings,
    (piece) => {
      text += piece;
      if (jvm.asked.length === dumps) void sampler.stop();
    },
    jvm.clock,
  );
  sampler.start();
  await sampler.whenEnded;
  return { text, sampler };
}

test('the JVM is never stopped for a larger share than allowed, but by a dump of twice the cost', async () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const random = randomFor(scenario);
    const mostShare = (1 + random.below(100)) / 100;
    const intervalMs = 1 + random.below(100);
    const slow = 1 + random.below(100);
    const jvm = new FakeJvm(
      () => 0.1 + random.below(slow) * (random.below(10) === 0 ? 10 : 0.1),
      scenario % 2 === 0,
    );
    const { sampler } = await sampled(jvm, 100, { intervalMs, mostShare });
    const { asked } = jvm;
    let spent = 0;
    let longest = 0;
    let mostOver = 0;
    let shortest = Infinity;
    for (const [at, dump] of asked.entries()) {
      if (at > 0) {
        const elapsed = dump.at - asked[0].at;
        // With the dump that begins; one that costs far more than the others is made up for.
        const expected = Math.min(dump.cost, 2 * longest);
        mostOver = Math.max(mostOver, (spent + expected) / elapsed / mostShare);
        shortest = Math.min(shortest, dump.at - asked[at - 1].at);
      }
      spent += dump.cost;
      longest = Math.max(longest, dump.cost);
    }
    expect(mostOver, `SEED=${seed} ${scenario}`).toBeLessThanOrEqual(1 + 1e-9);
    expect(shortest, `SEED=${seed} ${scenario}`).toBeGreaterThanOrEqual(intervalMs * (1 - 1e-9));
    expect(sampler.cost.stoppedMs).toBeCloseTo(spent, 6);
    expect(sampler.cost.longestMs).toBeCloseTo(Math.max(...asked.map(({ cost }) => cost)), 6);
  }
});

test('cheap dumps come as often as wanted, and slow ones as often as the share allows', async () => {
  const gaps = async (cost: number): Promise<number> => {
    const jvm = new FakeJvm(() => cost);
    await sampled(jvm, 102, { intervalMs: 20, mostShare: 0.01 });
    return (jvm.asked[101].at - jvm.asked[1].at) / 100;
  };
  expect(await gaps(0.1)).toBeCloseTo(20, 6);
  expect(await gaps(2)).toBeCloseTo(200, 6);
});

test('what is written is read as the dumps would be, with their times and costs', async () => {
  const jvm = new FakeJvm(() => 1, true);
  const { text } = await sampled(jvm, 3, { intervalMs: 20, mostShare: 0.5 });
  const { profile, decoder } = readInput(new TextEncoder().encode(text));
  expect(stackCounts(profile)).toEqual({ 'main;a.A.a:1;a.A.b:2': '3 40000000' });
  expect(decoder.bytes).toEqual({ accepted: text.length, skipped: 0, pending: 0 });
  const { notes, firstTime } = decoder.facts();
  expect(firstTime).toBe(BigInt(Date.UTC(2026, 10, 20, 10, 0, 1)) * 1_000_000n);
  expect(notes.slice(0, 2)).toEqual([
    'Sampling has ended: it was stopped.',
    '3 thread dumps sampled, 50 /s as wanted. Each stops the JVM for 1.00 ms (longest 1.00 ms), 7.14 % of its time; 50.00 % is allowed.',
  ]);
});

test('it is started again into the same data, which does not exceed the share, until it is shut down', async () => {
  const jvm = new FakeJvm(() => 5);
  const { text, sampler } = await sampled(jvm, 2, { intervalMs: 20, mostShare: 0.1 });
  expect([sampler.isRunning, sampler.ended]).toEqual([false, undefined]);
  // At once, and stopped at once: nothing is sampled before the share allows it.
  sampler.start();
  sampler.start();
  await sampler.stop();
  expect(jvm.asked).toHaveLength(2);
  await sampler.shutDown();
  sampler.start();
  expect(sampler.isRunning).toBe(false);
  expect(text.match(/run=1 /g)).toHaveLength(2);
});

test('the end of the JVM, and dumps that it does not give', async () => {
  const ending = new FakeJvm((dump) => {
    if (dump < 2) return 1;
    ending.isAlive = false;
    throw new AttachError('JVM 7 (Busy): cannot be reached (ECONNREFUSED); it may have ended');
  });
  const ended = await sampled(ending, 10, { intervalMs: 20, mostShare: 1 });
  expect(ended.sampler.ended).toBe('the JVM has ended');
  expect(ended.text).toMatch(/\nLeanscope sampling ended: the JVM has ended\n$/);

  // It answers again: one dump is missing.
  let asked = 0;
  const pausing = new FakeJvm(() => {
    if (++asked === 2)
      throw new AttachError('JVM 7 (Busy): does not answer; it may be stopped or overloaded');
    return 1;
  });
  const paused = await sampled(pausing, 3, { intervalMs: 20, mostShare: 1 });
  expect(paused.sampler.ended).toBeUndefined();
  expect(pausing.asked).toHaveLength(3);
  expect(pausing.asked[1].at - pausing.asked[0].at).toBeGreaterThanOrEqual(1_000);

  // Nobody waits for a run: its errors would end the process.
  const broken = new FakeJvm(() => {
    throw new RangeError('Maximum call stack size exceeded');
  });
  expect((await sampled(broken, 3, { intervalMs: 20, mostShare: 1 })).sampler.ended).toBe(
    'Maximum call stack size exceeded',
  );

  const hanging = new FakeJvm(() => {
    throw new AttachError('JVM 7 (Busy): does not answer; it may be stopped or overloaded');
  });
  const hung = await sampled(hanging, 3, { intervalMs: 20, mostShare: 1 });
  expect([hung.text, hung.sampler.ended, hung.sampler.cost.dumps]).toEqual([
    '',
    'JVM 7 (Busy): does not answer; it may be stopped or overloaded',
    0,
  ]);
});

test('a dump that the end of the JVM cut is not written, and the samples say so', async () => {
  const complete = DUMP.indexOf('JNI global');
  for (const characters of [0, 1, 60, DUMP.indexOf('at a.A.b') + 4, complete - 1, complete + 5]) {
    const jvm = new FakeJvm(() => 1);
    jvm.killedIn = { dump: 3, characters };
    const { text, sampler } = await sampled(jvm, Infinity, { intervalMs: 20, mostShare: 1 });
    expect([characters, sampler.ended]).toEqual([characters, 'the JVM has ended during a dump']);
    const { profile, decoder } = readInput(new TextEncoder().encode(text));
    expect(Object.keys(stackCounts(profile))).toEqual(['main;a.A.a:1;a.A.b:2']);
    const { notes, losses } = decoder.facts();
    expect(notes[0]).toBe('Sampling has ended: the JVM has ended during a dump.');
    expect(notes).toContain('3 thread dumps.');
    expect(losses).toMatchObject([{ kind: 'uncounted', amount: '1 thread dump' }]);
  }
});
