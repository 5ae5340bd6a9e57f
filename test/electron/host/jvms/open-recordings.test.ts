import { afterEach, beforeEach, expect, vi } from 'vitest';
import { OpenRecordings, type RecordingLogs } from '../../../../electron/host/jvms/open-recordings.ts';
import type { JvmRecording } from '../../../../electron/recording/jvm-recording.ts';
import type { LogId } from '../../../../shared/protocol/messages.ts';
import { jvmOf } from '../../../support/fake-jvm.ts';
import { onLinux } from '../../../support/test-unless.ts';

interface Fake extends JvmRecording {
  runs: boolean;
  stops: number;
  discards: number;
}

function fakeRecording(stop: () => Promise<void> = () => Promise.resolve()): Fake {
  const recording: Fake = {
    folder: '/repository',
    leftOut: [],
    runs: true,
    stops: 0,
    discards: 0,
    isThere: () => Promise.resolve(recording.runs),
    stop: () => {
      recording.stops++;
      return stop();
    },
    discard: () => {
      recording.discards++;
    },
  };
  return recording;
}

interface Started {
  readonly recordings: OpenRecordings;
  readonly ended: string[];
}

function start(changed: Partial<RecordingLogs> = {}): Started {
  const ended: string[] = [];
  let next = 0;
  const recordings = new OpenRecordings({
    openRecording: () => Promise.resolve(next++ as LogId),
    show: () => undefined,
    tellSampling: () => undefined,
    tellRecording: () => undefined,
    tellProblem: () => undefined,
    endRecording: (log, reason) => ended.push(`${log}: ${reason}`),
    ...changed,
  });
  return { recordings, ended };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

onLinux('a recording is stopped once, when its log is closed', async () => {
  const { recordings, ended } = start();
  const recording = fakeRecording();
  const log = await recordings.open(jvmOf(), recording);
  expect(recordings.logOf(jvmOf())).toBe(log);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([recording.stops, recordings.count]).toEqual([0, 1]);
  recordings.forget(log!);
  recordings.forget(log!);
  await recordings.stop();
  expect([recording.stops, recording.discards, recordings.count, ended]).toEqual([1, 1, 0, []]);
  expect(recordings.logOf(jvmOf())).toBeUndefined();
});

onLinux(
  'a recording that is open as two logs is asked for once, and stopped with the last of them',
  async () => {
    const { recordings, ended } = start();
    const recording = fakeRecording();
    let asked = 0;
    recording.isThere = () => Promise.resolve(++asked > 0 && recording.runs);
    const first = (await recordings.open(jvmOf(), recording))!;
    const [second, third] = [7, 8] as LogId[];
    recordings.share(first, second);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(asked).toBe(1);
    recordings.forget(first);
    expect([recording.stops, recordings.logOf(jvmOf())]).toEqual([0, second]);
    recordings.share(second, third);
    recording.runs = false;
    await vi.advanceTimersByTimeAsync(4_000);
    const reason = 'The recording was stopped in the JVM by another program. What was read stays.';
    expect(ended).toEqual([`7: ${reason}`, `8: ${reason}`]);
    expect([recording.stops, recordings.count]).toEqual([1, 0]);
    recordings.share(third, first);
    for (const log of [second, third]) recordings.forget(log);
    expect(recording.discards).toBe(0);
    recordings.forget(first);
    expect(recording.discards).toBe(1);
  },
);

onLinux('without windows it is stopped after 30 seconds, and not before', async () => {
  const { recordings, ended } = start();
  const [shown, kept] = [fakeRecording(), fakeRecording()];
  await recordings.open(jvmOf(), shown);
  await recordings.open(jvmOf(), kept, true);
  recordings.noteClients(1);
  recordings.noteClients(0);
  await vi.advanceTimersByTimeAsync(29_000);
  recordings.noteClients(1);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(shown.stops).toBe(0);
  recordings.noteClients(0);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([shown.stops, kept.stops]).toEqual([1, 0]);
  expect(ended).toEqual([
    '0: The recording was stopped, because no window was connected for 30 seconds. What was read stays.',
  ]);
  await recordings.stop();
  expect(kept.stops).toBe(1);
});

onLinux('a JVM that answers after its window has gone is not recorded for ever', async () => {
  const { recordings } = start();
  recordings.noteClients(1);
  recordings.noteClients(0);
  await vi.advanceTimersByTimeAsync(31_000);
  const recording = fakeRecording();
  await recordings.open(jvmOf(), recording);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(recording.stops).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(recording.stops).toBe(1);
});

onLinux('the end of the JVM, and of the recording by somebody else, is said', async () => {
  const { recordings, ended } = start();
  const [first, second] = [fakeRecording(), fakeRecording()];
  await recordings.open(jvmOf(), first);
  await recordings.open(jvmOf(1), second);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ended).toEqual(['1: The JVM has ended. What was read stays.']);
  first.runs = false;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(ended.slice(1)).toEqual([
    '0: The recording was stopped in the JVM by another program. What was read stays.',
  ]);
  expect(recordings.count).toBe(0);
  // Their logs are open, and may be read again.
  expect([first.discards, second.discards]).toEqual([0, 0]);
  recordings.forget(0 as LogId);
  expect([first.discards, second.discards]).toEqual([1, 0]);
});

onLinux('a JVM that does not answer is busy, and does not keep the host from stopping', async () => {
  const { recordings, ended } = start();
  const recording = fakeRecording(() => new Promise(() => undefined));
  recording.isThere = () => Promise.reject(new Error('no answer'));
  await recordings.open(jvmOf(), recording);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ended).toEqual([]);
  let isStopped = false;
  void recordings.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(3_000);
  expect([isStopped, recording.stops]).toEqual([true, 1]);
  const late = fakeRecording();
  expect(await recordings.open(jvmOf(), late)).toBeUndefined();
  expect(late.stops).toBe(1);
});

onLinux('a recording whose log cannot be opened is stopped, and its files are removed', async () => {
  const { recordings } = start({
    openRecording: () => {
      throw new Error('no thread');
    },
  });
  const recording = fakeRecording();
  await expect(recordings.open(jvmOf(), recording)).rejects.toThrow('no thread');
  expect([recording.stops, recording.discards, recordings.count]).toEqual([1, 1, 0]);
});

onLinux('a run of thread dumps that ends by itself says why, once, and can be started again', async () => {
  const said: string[] = [];
  const { recordings, ended } = start({
    tellSampling: (_, state) => said.push(state),
    tellProblem: (text) => said.push(text),
  });
  const name = `JVM ${process.pid} (Busy)`;
  let reason: string | undefined;
  const sampler = {
    isRunning: true,
    isShutDown: false,
    get ended() {
      return sampler.isRunning ? undefined : reason;
    },
    start: () => void (sampler.isRunning = true),
    stop: () => Promise.resolve(void (sampler.isRunning = false)),
  };
  const log = await recordings.open(jvmOf(), { ...fakeRecording(), sampler });
  const endBy = async (why: string): Promise<void> => {
    reason = why;
    sampler.isRunning = false;
    await vi.advanceTimersByTimeAsync(5_000);
    reason = undefined;
    await recordings.control(log!, true);
  };
  await endBy(`${name}: does not answer`);
  await endBy('Maximum call stack size exceeded');
  await recordings.control(log!, false);
  expect(said).toEqual([
    'running',
    'stopped',
    `Sampling by thread dumps has ended by itself. ${name}: does not answer.`,
    'running',
    'stopped',
    `Sampling by thread dumps has ended by itself. ${name}: Maximum call stack size exceeded.`,
    'running',
    'stopped',
  ]);
  expect([ended, recordings.count]).toEqual([[], 1]);
  await recordings.stop();
});

onLinux(
  'a recording that is stopped ends all its logs, which stay until they are saved or closed',
  async () => {
    const told: string[] = [];
    const { recordings, ended } = start({ tellRecording: (log, state) => told.push(`${log} ${state}`) });
    const recording = fakeRecording();
    const first = (await recordings.open(jvmOf(), recording))!;
    const second = 7 as LogId;
    recordings.share(first, second);
    expect([recordings.isOnlyCopy(first), recordings.unsaved()]).toEqual([false, [second]]);
    recordings.noteSaved(first);
    const finished = recordings.finish(second);
    // Its end is not taken for that by another program.
    recording.runs = false;
    await vi.advanceTimersByTimeAsync(4_000);
    await finished;
    expect(ended).toEqual([0, 7].map((log) => `${log}: The recording was stopped. What was read stays.`));
    expect([recordings.count, recordings.logOf(jvmOf())]).toEqual([0, undefined]);
    recordings.forget(first);
    expect([recordings.isOnlyCopy(second), recording.discards]).toEqual([true, 0]);
    recordings.noteSaved(second);
    expect([recordings.isOnlyCopy(second), recordings.unsaved()]).toEqual([false, []]);
    expect(told).toEqual(['0 running', '7 running', '0 unsaved', '7 unsaved', '7 saved']);
  },
);

onLinux('a recording of somebody else is not stopped, and is there after its log', async () => {
  const { recordings, ended } = start();
  const recording = { ...fakeRecording(), isFollowed: true as const };
  const log = (await recordings.open(jvmOf(), recording))!;
  await recordings.finish(log);
  expect([recordings.count, ended, recordings.isOnlyCopy(log)]).toEqual([1, [], false]);
});
