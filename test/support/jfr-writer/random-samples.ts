import type { SeededRandom } from '../seeded-random.ts';
import type { JfrChunk } from './jfr-chunk.ts';
import type { EventName } from './jfr-types.ts';

/** What an event adds: so many samples, one every 20 ms if they are periodic, each of which has the value. */
interface WrittenSample {
  readonly count: number;
  readonly value: number;
  readonly isPeriodic?: boolean;
}

interface Place {
  readonly at: number;
  readonly thread: number;
  readonly stack: number;
}

export interface WrittenType {
  readonly type: string;
  readonly events: readonly EventName[];
  readonly write: (chunk: JfrChunk, place: Place, random: SeededRandom) => WrittenSample;
}

/** Events with a size in bytes: the fields behind those of all, for this size. */
function sizes(
  type: string,
  fields: Partial<Record<EventName, (size: number, chunk: JfrChunk) => readonly number[]>>,
): WrittenType {
  const events = Object.keys(fields) as EventName[];
  return {
    type,
    events,
    write: (chunk, { at, thread, stack }, random) => {
      const [event, value] = [random.pick(events), random.below(1e6)];
      chunk.event(event, at, thread, stack, ...(fields[event]?.(value, chunk) ?? []));
      return { count: 1, value };
    },
  };
}

/** Events that last: the fields behind those of all. A tick is a nanosecond. */
function durations(
  type: string,
  fields: Partial<Record<EventName, (chunk: JfrChunk) => readonly number[]>>,
): WrittenType {
  const events = Object.keys(fields) as EventName[];
  return {
    type,
    events,
    write: (chunk, { at, thread, stack }, random) => {
      const [event, value] = [random.pick(events), random.below(1e7)];
      chunk.event(event, at, value, thread, stack, ...(fields[event]?.(chunk) ?? []));
      return { count: 1, value };
    },
  };
}

/** The time that a sample of a native method stands for; 20 ms for all others. */
export const NATIVE_PERIOD_MS = 5;

/** Sample types, their events, and how a random one is written. `place`: time, thread and stack. */
export const JFR_TYPES: readonly WrittenType[] = [
  {
    type: 'cpu',
    events: ['jdk.ExecutionSample', 'jdk.NativeMethodSample'],
    write: (chunk, { at, thread, stack }, random) => {
      const isNative = random.below(3) === 0;
      const event = isNative ? 'jdk.NativeMethodSample' : 'jdk.ExecutionSample';
      chunk.event(event, at, thread, stack, chunk.state('STATE_RUNNABLE'));
      return { count: 1, value: isNative ? NATIVE_PERIOD_MS * 1e6 : 20e6 };
    },
  },
  ...(['profiler.WallClockSample', 'datadog.MethodSample'] as const).map((event): WrittenType => ({
    type: event === 'datadog.MethodSample' ? event : 'wall',
    events: [event],
    write: (chunk, { at, thread, stack }, random) => {
      const count = 1 + random.below(3);
      chunk.event(event, at, thread, stack, chunk.state('STATE_SLEEPING'), count);
      return { count, value: 20e6, isPeriodic: true };
    },
  })),
  {
    type: 'cpu-time',
    events: ['jdk.CPUTimeSample'],
    write: (chunk, { at, thread, stack }, random) => {
      const value = random.below(1e7);
      chunk.event('jdk.CPUTimeSample', at, stack, thread, 0, value, 0);
      return { count: 1, value };
    },
  },
  sizes('alloc', { 'jdk.ObjectAllocationSample': (size, chunk) => [chunk.class('T'), size] }),
  sizes('alloc-tlab', {
    // The sizes of the object, and of the buffer.
    'jdk.ObjectAllocationInNewTLAB': (size, chunk) => [chunk.class('T'), 16, size],
    'jdk.ObjectAllocationOutsideTLAB': (size, chunk) => [chunk.class('T'), size],
  }),
  sizes('live', { 'profiler.LiveObject': (size, chunk) => [chunk.class('T'), size, 5] }),
  sizes('native-alloc', { 'profiler.Malloc': (size) => [4096, size] }),
  {
    type: 'datadog.ObjectSample',
    events: ['datadog.ObjectSample'],
    write: (chunk, { at, thread, stack }, random) => {
      const value = random.below(1e6);
      chunk.eventWithFloat('datadog.ObjectSample', [at, thread, stack, chunk.class('T'), value], 1);
      return { count: 1, value };
    },
  },
  durations('lock', {
    'jdk.JavaMonitorEnter': (chunk) => [chunk.class('T')],
    'jdk.ThreadPark': (chunk) => [chunk.class('T')],
  }),
  // The longest time that was asked for is behind the one that has passed.
  durations('wait', { 'jdk.JavaMonitorWait': (chunk) => [chunk.class('T'), 7] }),
  durations('sleep', { 'jdk.ThreadSleep': () => [7] }),
  durations('io', {
    'jdk.FileRead': () => [7],
    'jdk.FileWrite': () => [7],
    'jdk.FileForce': () => [0],
    'jdk.SocketRead': () => [7],
    'jdk.SocketWrite': () => [7],
  }),
  {
    type: 'exceptions',
    events: ['jdk.JavaExceptionThrow', 'jdk.JavaErrorThrow'],
    write: (chunk, { at, thread, stack }, random) => {
      const event = random.pick(['jdk.JavaExceptionThrow', 'jdk.JavaErrorThrow'] as const);
      chunk.event(event, at, thread, stack, chunk.class('T'));
      return { count: 1, value: 0 };
    },
  },
  durations('shop.Order', { 'shop.Order': () => [] }),
];
