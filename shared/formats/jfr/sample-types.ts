import type { WantedNames } from './field-plan.ts';
import { type ProfileUnits, SAMPLES, SAMPLES_ONLY } from '../../profile/profile-units.ts';

/** What of a recording can be looked at as a profile: some types of events, each with a stack trace. */
export interface SampleType {
  /** For the choice. */
  readonly id: string;
  readonly name: string;
  readonly units: ProfileUnits;
  /** Event -> the field that is summed; undefined where there is none. */
  readonly events: ReadonlyMap<string, string | undefined>;
  /** How that field counts: as it is, or in ticks of the chunk's clock. */
  readonly valueIn: 'own unit' | 'ticks';
  /** Samples are taken at a period, so they stand for a time if it is known. */
  readonly isPeriodic: boolean;
  /** What its class is to the event; undefined where the events have none. */
  readonly classIs: 'allocated' | 'waited for' | 'thrown' | undefined;
}

const bytesOf = (one: string, many: string, name: string): ProfileUnits => ({
  counted: { one, many },
  value: { name, unit: 'bytes' },
});
const timeOf = (one: string, many: string, name: string): ProfileUnits => ({
  counted: { one, many },
  value: { name, unit: 'ns' },
});
const NO_PERIOD = { isPeriodic: false } as const;

/**
 * In the order in which they are looked for: the first one that a recording has is what it opens with. What would count
 * the same twice is apart: JDK 16 and later can write both ObjectAllocationSample and the older pair, JDK 25 both
 * ExecutionSample and CPUTimeSample.
 */
export const SAMPLE_TYPES: readonly SampleType[] = [
  {
    id: 'cpu',
    name: 'Execution samples',
    units: SAMPLES_ONLY,
    events: new Map([
      ['jdk.ExecutionSample', undefined],
      ['jdk.NativeMethodSample', undefined],
    ]),
    valueIn: 'own unit',
    isPeriodic: true,
    classIs: undefined,
  },
  {
    id: 'cpu-time',
    name: 'CPU time samples',
    units: { counted: SAMPLES, value: { name: 'CPU time', unit: 'ns' } },
    events: new Map([['jdk.CPUTimeSample', 'samplingPeriod']]),
    valueIn: 'ticks',
    classIs: undefined,
    ...NO_PERIOD,
  },
  {
    id: 'wall',
    name: 'Wall-clock samples',
    units: SAMPLES_ONLY,
    events: new Map([['profiler.WallClockSample', undefined]]),
    valueIn: 'own unit',
    isPeriodic: true,
    classIs: undefined,
  },
  {
    id: 'alloc',
    name: 'Allocation samples',
    units: bytesOf('allocation sample', 'allocation samples', 'Allocated'),
    events: new Map([['jdk.ObjectAllocationSample', 'weight']]),
    valueIn: 'own unit',
    classIs: 'allocated',
    ...NO_PERIOD,
  },
  {
    id: 'alloc-tlab',
    name: 'Allocations of and outside TLABs',
    units: bytesOf('allocation', 'allocations', 'Allocated'),
    events: new Map([
      ['jdk.ObjectAllocationInNewTLAB', 'tlabSize'],
      ['jdk.ObjectAllocationOutsideTLAB', 'allocationSize'],
    ]),
    valueIn: 'own unit',
    classIs: 'allocated',
    ...NO_PERIOD,
  },
  {
    id: 'live',
    name: 'Live objects',
    units: bytesOf('object', 'objects', 'Size'),
    events: new Map([['profiler.LiveObject', 'allocationSize']]),
    valueIn: 'own unit',
    classIs: 'allocated',
    ...NO_PERIOD,
  },
  {
    id: 'native-alloc',
    name: 'Native allocations',
    units: bytesOf('allocation', 'allocations', 'Allocated'),
    events: new Map([['profiler.Malloc', 'size']]),
    valueIn: 'own unit',
    classIs: undefined,
    ...NO_PERIOD,
  },
  {
    id: 'lock',
    name: 'Locks and parking',
    units: timeOf('wait', 'waits', 'Blocked'),
    events: new Map([
      ['jdk.JavaMonitorEnter', 'duration'],
      ['jdk.ThreadPark', 'duration'],
    ]),
    valueIn: 'ticks',
    classIs: 'waited for',
    ...NO_PERIOD,
  },
  {
    id: 'wait',
    name: 'Object.wait',
    units: timeOf('wait', 'waits', 'Waited'),
    events: new Map([['jdk.JavaMonitorWait', 'duration']]),
    valueIn: 'ticks',
    classIs: 'waited for',
    ...NO_PERIOD,
  },
  {
    id: 'sleep',
    name: 'Thread.sleep',
    units: timeOf('sleep', 'sleeps', 'Slept'),
    events: new Map([['jdk.ThreadSleep', 'duration']]),
    valueIn: 'ticks',
    classIs: undefined,
    ...NO_PERIOD,
  },
  {
    id: 'io',
    name: 'Files and sockets',
    units: timeOf('operation', 'operations', 'Duration'),
    events: new Map([
      ['jdk.FileRead', 'duration'],
      ['jdk.FileWrite', 'duration'],
      ['jdk.FileForce', 'duration'],
      ['jdk.SocketRead', 'duration'],
      ['jdk.SocketWrite', 'duration'],
    ]),
    valueIn: 'ticks',
    classIs: undefined,
    ...NO_PERIOD,
  },
  {
    id: 'exceptions',
    name: 'Exceptions',
    units: { counted: { one: 'exception', many: 'exceptions' }, value: undefined },
    events: new Map([
      ['jdk.JavaExceptionThrow', undefined],
      ['jdk.JavaErrorThrow', undefined],
    ]),
    valueIn: 'own unit',
    classIs: 'thrown',
    ...NO_PERIOD,
  },
];

/** Fields of such events, by what they are to a sample; one of several names, as the age of the JVM has it. */
export const SAMPLE_FIELDS = {
  startTime: 0,
  thread: 1,
  stackTrace: 2,
  state: 3,
  samples: 4,
  class: 5,
  value: 6,
} as const;

/** What to ask the plan of an event for: in the order of SAMPLE_FIELDS. */
export function sampleFields(valueField: string | undefined): WantedNames {
  return [
    'startTime',
    ['sampledThread', 'eventThread'],
    'stackTrace',
    'state',
    'samples',
    ['objectClass', 'monitorClass', 'parkedClass', 'thrownClass'],
    valueField ?? [],
  ];
}
