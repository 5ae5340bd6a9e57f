import { type FactTable, factTable, TIMED_METHODS } from '../../facts/format-facts.ts';

/** The latest numbers of a method that the JVM has timed. */
export interface MethodTiming {
  readonly invocations: number;
  /** ns; undefined if the clock of the JVM was too coarse for it. */
  readonly least: number | undefined;
  readonly average: number | undefined;
  readonly most: number | undefined;
}

const COLUMNS = 'Method | Invocations:count | Minimum:ns | Average:ns | Maximum:ns';
/** Most methods that are kept. */
const MOST_METHODS = 2_000;

/**
 * The methods that a JVM has timed (JEP 520). An event has the sums since the recording began, so that the latest one of a
 * method counts.
 */
export class MethodTimings {
  readonly #methods = new Map<string, MethodTiming>();
  #leftOut = 0;

  note(method: string, timing: MethodTiming): void {
    if (this.#methods.size === MOST_METHODS && !this.#methods.has(method)) this.#leftOut++;
    else this.#methods.set(method, timing);
  }

  /** The methods that took most time come first. No table if the recording has no such events. */
  tables(): readonly FactTable[] {
    if (this.#methods.size === 0) return [];
    const taken = ({ invocations, average = 0 }: MethodTiming): number => invocations * average;
    const rows = [...this.#methods]
      .sort(([, a], [, b]) => taken(b) - taken(a))
      .map(([method, { invocations, least, average, most }]) => [method, invocations, least, average, most]);
    const table = factTable(TIMED_METHODS, COLUMNS, rows);
    return [{ ...table, leftOut: table.leftOut + this.#leftOut }];
  }
}
