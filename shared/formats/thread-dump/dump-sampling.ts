import { type FactTable, factTable } from '../../facts/format-facts.ts';
import { formatQuantity, formatRate, formatShare, formatTime } from '../../text/format-value.ts';

/** The facts that a sampler knows about a dump that it has asked for. Times are in milliseconds. */
export interface SampledDump {
  /** The number of the sampler's run, from 1: a restart begins the next one. */
  readonly run: number;
  /** When the dump was asked for, since the beginning of the run. */
  readonly at: number;
  /** The time until the dump was complete, as seen by the sampler. */
  readonly took: number;
  /** The time for which all threads of the JVM were stopped for it; undefined if the JVM does not tell. */
  readonly stopped: number | undefined;
  /** Time between two dumps as wanted. */
  readonly interval: number;
  /** The largest part of the JVM's time that dumps may take: above 0, at most 1. */
  readonly share: number;
}

const BEGIN = 'Leanscope sampling: ';
const ENDED = 'Leanscope sampling ended: ';
const NUMBER = String.raw`(\d{1,15}(?:\.\d{1,9})?)`;
const DUMP = new RegExp(
  `^${BEGIN}run=(\\d{1,9}) at=${NUMBER} took=${NUMBER}(?: stopped=${NUMBER})? interval=${NUMBER} share=${NUMBER}$`,
);

/**
 * The line that a sampler writes before a dump:
 *
 *   Leanscope sampling: run=1 at=1204.118 took=1.312 stopped=0.801 interval=20.000 share=0.010
 */
export function samplingLine({ run, at, took, stopped, interval, share }: SampledDump): string {
  const known = stopped === undefined ? '' : ` stopped=${stopped.toFixed(3)}`;
  return `${BEGIN}run=${run} at=${at.toFixed(3)} took=${took.toFixed(3)}${known} interval=${interval.toFixed(3)} share=${share.toFixed(6)}`;
}

/** The end of a run whose last dump is incomplete and was not written. */
export const ENDED_IN_DUMP = 'the JVM has ended during a dump';

/** The line that a sampler writes after its last dump. `reason`: a clause, 'the JVM has ended'. */
export function samplingEndLine(reason: string): string {
  return `${ENDED}${reason}`;
}

/** Whether a sampler has written the line. */
export function isOfSampler(line: string): boolean {
  return line.startsWith(BEGIN) || line.startsWith(ENDED);
}

/** Undefined if the line is not `samplingLine`. */
export function readSamplingLine(line: string): SampledDump | undefined {
  const found = DUMP.exec(line);
  if (found === null) return undefined;
  const [, run, at, took, , interval, share] = found;
  const stopped = found.at(4);
  return {
    run: Number(run),
    at: Number(at),
    took: Number(took),
    stopped: stopped === undefined ? undefined : Number(stopped),
    interval: Number(interval),
    share: Number(share),
  };
}

/** One run of a sampler. Times are in milliseconds. */
interface SamplingRun {
  readonly number: number;
  readonly first: SampledDump;
  last: SampledDump;
  dumps: number;
  took: number;
  /** The time for which the JVM was stopped; where that is not known, an upper bound: the time that the dumps took. */
  stopped: number;
  longest: number;
  /** The JVM has told how long it was stopped, for each dump. */
  isMeasured: boolean;
}

/** A run whose dumps came less often than that was slower than wanted. */
const NEARLY_ALL = 0.9;

/** The sampling of the dumps of a series: rate, and cost for the JVM. Empty for dumps that no sampler has taken. */
export class DumpSampling {
  readonly #runs: SamplingRun[] = [];
  #ended: string | undefined;
  /** Dumps that a sampler has begun and not written, because they are incomplete. */
  lostDumps = 0;

  /** Reads a line between dumps; false if no sampler has written it. */
  take(line: string): boolean {
    if (line.startsWith(ENDED)) {
      this.#ended = line.slice(ENDED.length);
      if (this.#ended === ENDED_IN_DUMP) this.lostDumps++;
      return true;
    }
    const dump = line.startsWith(BEGIN) ? readSamplingLine(line) : undefined;
    if (dump === undefined) return false;
    this.#ended = undefined;
    this.#add(dump);
    return true;
  }

  #add(dump: SampledDump): void {
    let run = this.#runs.at(-1);
    if (run?.number !== dump.run) {
      const isMeasured = true;
      run = {
        number: dump.run,
        first: dump,
        last: dump,
        dumps: 0,
        took: 0,
        stopped: 0,
        longest: 0,
        isMeasured,
      };
      this.#runs.push(run);
    }
    const stopped = dump.stopped ?? dump.took;
    run.last = dump;
    run.dumps++;
    run.took += dump.took;
    run.stopped += stopped;
    run.longest = Math.max(run.longest, stopped);
    if (dump.stopped === undefined) run.isMeasured = false;
  }

  /** Sentences for users about the latest run; none if nothing was sampled. */
  notes(): string[] {
    const run = this.#runs.at(-1);
    if (run === undefined) return [];
    const notes = [
      rateNote(run, this.#ended === undefined),
      'All threads stop at a safepoint for a dump. A stack shows where its thread could stop, often the end of a loop or of a method, and not where it was.',
    ];
    if (this.#ended !== undefined) notes.unshift(`Sampling has ended: ${this.#ended}.`);
    return notes;
  }

  /** One row per run; undefined if nothing was sampled. */
  table(): FactTable | undefined {
    if (this.#runs.length === 0) return undefined;
    return factTable(
      'Sampling',
      'Run:count | Dumps:count | Interval wanted:ns | Interval reached:ns | JVM stopped for a dump:ns | Longest:ns | A dump took:ns | Share of the JVM’s time | Share allowed',
      this.#runs.map((run) => [
        run.number,
        run.dumps,
        run.last.interval * 1e6,
        reachedMs(run) === undefined ? undefined : Number(reachedMs(run)) * 1e6,
        (run.stopped / run.dumps) * 1e6,
        run.longest * 1e6,
        (run.took / run.dumps) * 1e6,
        `${run.isMeasured ? '' : 'at most '}${formatShare(run.stopped, elapsedMs(run))}`,
        formatShare(run.last.share, 1),
      ]),
    );
  }
}

/** Mean time between two dumps; undefined for one dump. */
function reachedMs({ first, last, dumps }: SamplingRun): number | undefined {
  return dumps > 1 ? (last.at - first.at) / (dumps - 1) : undefined;
}

function elapsedMs({ last }: SamplingRun): number {
  return last.at + last.took;
}

function rateNote(run: SamplingRun, goesOn: boolean): string {
  const { dumps, stopped, longest, isMeasured } = run;
  const { interval, share } = run.last;
  const reached = reachedMs(run);
  const wanted = formatRate(1000 / interval);
  const isSlow = reached !== undefined && interval / reached < NEARLY_ALL;
  const rate =
    reached === undefined
      ? ''
      : `, ${formatRate(1000 / reached)}${isSlow ? ` instead of ${wanted}` : ' as wanted'}`;
  const each = `${isMeasured ? '' : 'up to '}${formatTime((stopped / dumps) * 1e6)} (longest ${formatTime(longest * 1e6)})`;
  return (
    `${formatQuantity(dumps, 'thread dump')} sampled${rate}. Each stops the JVM for ${each}, ` +
    `${formatShare(stopped, elapsedMs(run))} of its time; ${formatShare(share, 1)} is allowed` +
    (goesOn && stopped > share * elapsedMs(run) ? ', and the next dump waits until that is kept.' : '.')
  );
}
