import { isSampled } from '../../../profile/profile-units.ts';
import type { SampleType } from '../events/sample-types.ts';

/** The setting of async-profiler that says what it was told to measure: `cpu`, `wall`, `cache-misses`, `Shop.run`. */
const MEASURED = 'event';
/** Names of settings that contain a sampling period, in recordings of the JDK and of async-profiler. */
const PERIODS: ReadonlySet<string> = new Set(['period', 'interval', 'wall']);
/** The events that async-profiler samples at intervals of time. The interval of any other is a number of occurrences. */
const TIMED: ReadonlySet<string> = new Set(['cpu', 'itimer', 'ctimer', 'cpu-clock', 'task-clock']);
/** The intervals of async-profiler where none was given, and the recording says 0. */
const DEFAULT_NS = 10e6;
const DEFAULT_WALL_NS = 50e6;
const EXECUTION_SAMPLE = 'jdk.ExecutionSample';
const WALL_SAMPLE = 'profiler.WallClockSample';

/** Unit -> ns. */
const UNITS: Readonly<Record<string, number | undefined>> = {
  ns: 1,
  us: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
};

/**
 * The value of a setting that is a period, in ns; undefined if it is not a time.
 *
 *   '20 ms'        20 000 000     the JDK
 *   '10000000'     10 000 000     async-profiler, always in ns
 *   'everyChunk'   undefined
 */
export function periodOf(value: string): number | undefined {
  const found = /^(\d{1,15}(?:\.\d{1,9})?) ?(ns|us|ms|s|m)?$/.exec(value.trim());
  if (found === null) return undefined;
  const ns = Math.round(Number(found[1]) * (UNITS[found.at(2) ?? 'ns'] ?? 1));
  return ns > 0 && Number.isSafeInteger(ns) ? ns : undefined;
}

/**
 * The sampling periods of a recording, from its settings, in whatever order they come. The JDK has a setting for each event
 * type. async-profiler has one for execution samples, which is that of wall-clock samples where these are what it was told
 * to take, and `wall` for those that it takes besides:
 *
 *   event   interval     wall         execution samples   wall-clock samples
 *   cpu     10 000 000   –            10 ms               –
 *   wall    20 000 000   –            20 ms               20 ms                async-profiler 3 has execution samples
 *   cpu     0            30 000 000   10 ms               30 ms
 *   wall    0            –            50 ms               50 ms
 */
export class SamplingPeriods {
  /** Event type -> period in ns. */
  readonly #ofEvent = new Map<string, number>();
  /** The event that async-profiler was told to measure; undefined for other profilers. */
  #measured: string | undefined;
  /** In ns; undefined if the recording has no such setting. */
  #wallNs: number | undefined;

  /** Notes a setting of an event type. */
  note(event: string, name: string, value: string): void {
    if (name === MEASURED) {
      if (event === 'jdk.ActiveRecording') this.#measured = value;
      return;
    }
    if (!PERIODS.has(name)) return;
    const ns = periodOf(value);
    if (name === 'wall') {
      if (event === EXECUTION_SAMPLE || event === WALL_SAMPLE)
        this.#wallNs = ns ?? (isZero(value) ? DEFAULT_WALL_NS : undefined);
    } else if (ns !== undefined) {
      this.#ofEvent.set(event, ns);
    } else if (isZero(value)) {
      this.#ofEvent.delete(event);
    }
  }

  /** ns between two samples of an event type in a thread; undefined if the recording does not say it. */
  of(event: string): number | undefined {
    const recorded = this.#ofEvent.get(event);
    const isWall = this.#measured === 'wall';
    if (event === WALL_SAMPLE && this.#wallNs !== undefined) return this.#wallNs;
    if (event === WALL_SAMPLE && isWall)
      return recorded ?? this.#ofEvent.get(EXECUTION_SAMPLE) ?? DEFAULT_WALL_NS;
    if (event !== EXECUTION_SAMPLE || this.#measured === undefined) return recorded;
    if (isWall) return recorded ?? DEFAULT_WALL_NS;
    return TIMED.has(this.#measured) ? (recorded ?? DEFAULT_NS) : undefined;
  }
}

function isZero(value: string): boolean {
  return /^0+$/.test(value.trim());
}

/** Name of the setting that limits how many events of a type are recorded. */
export const THROTTLE_SETTING = 'throttle';

/** `300/s`; `off` and `10ms`, the interval of CPU time samples, leave out nothing that could be counted. */
const RATE = /^\d{1,15} ?\/ ?(?:ns|us|ms|s|m|h|d)$/;

/** The event types of which a recording has only so many a second, although each event could have been recorded. */
export class Throttles {
  /** Event type -> `300/s`, of the first chunk that has a limit. */
  readonly #rates = new Map<string, string>();

  note(event: string, value: string): void {
    const rate = value.trim();
    if (RATE.test(rate) && !this.#rates.has(event)) this.#rates.set(event, rate);
  }

  /**
   * The limits of a type, in the order of its events, as `jdk.FileRead 300/s`. None of events that do not occur, and none
   * where samples are counted anyway. `countOf`: how many of an event type there are.
   */
  of({ events, units }: SampleType, countOf: (event: string) => number): readonly string[] {
    if (isSampled(units)) return [];
    return [...events.keys()].flatMap((event) => {
      const rate = this.#rates.get(event);
      return rate === undefined || countOf(event) === 0 ? [] : [`${event} ${rate}`];
    });
  }
}
