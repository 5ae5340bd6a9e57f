/** Most samples with a time of events that stand for several: 320 MB. */
export const MOST_REPEATED = 1 << 24;

/**
 * Chooses the samples, of events that stand for several, that get times of their own, a row of the SampleTable each. A
 * few bytes may stand for a thousand million.
 */
export class RepeatedTimes {
  #given = 0;
  /** Samples that are too many to have one. */
  withoutTime = 0;

  /** Whether the samples of an event that stands for `count` get times. `most`: rows that there is memory for. */
  allows(count: number, most: number): boolean {
    const isAllowed = count <= most && this.#given + count <= MOST_REPEATED;
    if (isAllowed) this.#given += count;
    else this.withoutTime += count;
    return isAllowed;
  }
}
