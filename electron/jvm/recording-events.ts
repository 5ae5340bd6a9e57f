import type { RecordedType } from '../../shared/facts/recording-choice.ts';
import { majorVersion } from '../../shared/text/java-version.ts';
import { IS_MAC } from './platform.ts';

/** The events of each sample type, as they are called from JDK 17 on. */
const EVENTS: Readonly<Record<RecordedType, readonly string[]>> = {
  cpu: ['ExecutionSample', 'NativeMethodSample'],
  'cpu-time': ['CPUTimeSample'],
  allocations: ['ObjectAllocationSample'],
  locks: ['JavaMonitorEnter', 'JavaMonitorWait', 'ThreadPark', 'ThreadSleep'],
};
/** `JFR.start` has options for single events from this version on. */
const HAS_EVENT_OPTIONS = 17;
const HAS_CPU_TIME = 25;

/**
 * Why nothing would be recorded of these types, as a clause; undefined if something would. A JVM of which types cannot be
 * chosen records all of its settings.
 */
export function noSamplesReason(
  version: string | undefined,
  types: readonly RecordedType[],
): string | undefined {
  const major = majorVersion(version) ?? HAS_CPU_TIME;
  const hasOthers = types.some((type) => type !== 'cpu-time');
  if (hasOthers || !choosesEvents(version)) return undefined;
  if (IS_MAC) return 'CPU time is sampled on Linux only; choose another sample type';
  if (major >= HAS_CPU_TIME) return undefined;
  return `Java ${major} does not sample CPU time, which JDK ${HAS_CPU_TIME} and later do; choose another sample type`;
}

/** Whether sample types can be chosen. Otherwise those of the JDK's settings are recorded. */
export function choosesEvents(version: string | undefined): boolean {
  return (majorVersion(version) ?? HAS_EVENT_OPTIONS) >= HAS_EVENT_OPTIONS;
}

/**
 * Options of `JFR.start` that leave out the other sample types of the JDK's settings. These record all types but
 * CPU time. None for a JVM that does not know such options, or if all types are wanted.
 */
export function eventOptions(version: string | undefined, types: readonly RecordedType[]): readonly string[] {
  if (!choosesEvents(version)) return [];
  const major = majorVersion(version) ?? HAS_EVENT_OPTIONS;
  const options: string[] = [];
  for (const [type, events] of Object.entries(EVENTS) as [RecordedType, readonly string[]][]) {
    const isOnRequest = type === 'cpu-time';
    const isWanted = types.includes(type);
    if (isWanted !== isOnRequest || (isOnRequest && (IS_MAC || major < HAS_CPU_TIME))) continue;
    for (const event of events) options.push(`jdk.${event}#enabled=${isWanted}`);
  }
  return options;
}
