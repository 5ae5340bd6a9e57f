import type { SeededRandom } from '../seeded-random.ts';
import type { JfrChunk } from './jfr-chunk.ts';
import type { EventName } from './jfr-types.ts';

/** What an event adds: so many samples, one every 20 ms if they are periodic, each of which has the value. */
interface WrittenSample {
  readonly count: number;
  readonly value: number;
  readonly isPeriodic?: boolean;
}

/** Sample types, their events, and how a random one is written. `place`: time, thread and stack. */
export const JFR_TYPES: readonly {
  readonly type: string;
  readonly event: EventName;
  readonly write: (
    chunk: JfrChunk,
    place: { readonly at: number; readonly thread: number; readonly stack: number },
    random: SeededRandom,
  ) => WrittenSample;
}[] = [
  {
    type: 'cpu',
    event: 'jdk.ExecutionSample',
    write: (chunk, { at, thread, stack }) => {
      chunk.event('jdk.ExecutionSample', at, thread, stack, chunk.state('STATE_RUNNABLE'));
      return { count: 1, value: 20e6 };
    },
  },
  ...(['profiler.WallClockSample', 'datadog.MethodSample'] as const).map((event) => ({
    ...{ type: event === 'datadog.MethodSample' ? event : 'wall', event },
    write: (
      chunk: JfrChunk,
      { at, thread, stack }: Record<'at' | 'thread' | 'stack', number>,
      random: SeededRandom,
    ) => {
      const count = 1 + random.below(3);
      chunk.event(event, at, thread, stack, chunk.state('STATE_SLEEPING'), count);
      return { count, value: 20e6, isPeriodic: true };
    },
  })),
  {
    type: 'cpu-time',
    event: 'jdk.CPUTimeSample',
    write: (chunk, { at, thread, stack }, random) => {
      const value = random.below(1e7);
      chunk.event('jdk.CPUTimeSample', at, stack, thread, 0, value, 0);
      return { count: 1, value };
    },
  },
  {
    type: 'alloc',
    event: 'jdk.ObjectAllocationSample',
    write: (chunk, { at, thread, stack }, random) => {
      const value = random.below(1e6);
      chunk.event('jdk.ObjectAllocationSample', at, thread, stack, chunk.class('T'), value);
      return { count: 1, value };
    },
  },
  {
    type: 'datadog.ObjectSample',
    event: 'datadog.ObjectSample',
    write: (chunk, { at, thread, stack }, random) => {
      const value = random.below(1e6);
      chunk.eventWithFloat('datadog.ObjectSample', [at, thread, stack, chunk.class('T'), value], 1);
      return { count: 1, value };
    },
  },
  {
    type: 'lock',
    event: 'jdk.JavaMonitorEnter',
    write: (chunk, { at, thread, stack }, random) => {
      const value = random.below(1e7);
      chunk.event('jdk.JavaMonitorEnter', at, value, thread, stack, chunk.class('T'));
      return { count: 1, value };
    },
  },
  {
    type: 'shop.Order',
    event: 'shop.Order',
    write: (chunk, { at, thread, stack }, random) => {
      const value = random.below(1e7);
      chunk.event('shop.Order', at, value, thread, stack);
      return { count: 1, value };
    },
  },
];
