import { isSampled } from '../../profile/profile-units.ts';
import type { SampleType } from './sample-types.ts';

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
