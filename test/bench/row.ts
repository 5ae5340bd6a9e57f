/**
 * What `npm run bench` measures: a row of the table is one goal, and a figure is one number that is compared with it.
 */
export interface BenchRow {
  /** Stable, for `npm run bench -- --only ID` and the JSON: 'summary-real'. */
  readonly id: string;
  /** Title in the table: 'summary of 313 MB, 7.7 M nodes'. */
  readonly what: string;
  /** Also measured with `--short`: must then take seconds, on a small input. */
  readonly short: boolean;
  /** Takes hours, at most so many seconds: measured with `--only` and its ID, never in the table. */
  readonly longestSeconds?: number;
  measure(bench: Bench): Promise<readonly Figure[]>;
}

export interface Figure {
  /** Stable within its row: 'time', 'memory', 'painted p95'. */
  readonly id: string;
  /** Smaller is better, always. */
  readonly value: number;
  readonly unit:
    | '× sha256sum'
    | '× file'
    | '× command line'
    | '×'
    | 'ms'
    | 's'
    | '%'
    | 'bytes'
    | 'kB'
    | 'MB'
    | 'B/node'
    | 'frames';
  /** The value to stay at or below; undefined for a figure without a goal. */
  readonly goal: number | undefined;
  /** Details for the JSON: single runs, sizes, other counts. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Context of a row. Every input is made once, in a folder that is removed at the end. */
export interface Bench {
  /** `--short`: inputs of some 20 MB instead of 300, fewer rounds. */
  readonly short: boolean;
  readonly folder: string;
  /** Path of a log of this shape; see `writeLog`. Made at first use, then kept until the end. */
  log(shape: LogShapeName, bytes: number): Promise<string>;
  /**
   * Seconds of `sha256sum` (or `shasum -a 256`) of a file: complete process, warm cache, measured next to the run that
   * it is compared with.
   */
  sha256Seconds(file: string): number;
  /** Executable of a Chromium or Chrome. */
  readonly chromium: string;
  /** Prints a progress line to standard error. */
  say(line: string): void;
}

/**
 * 'real': a recorded log repeated with other ids (7.7 M call nodes in 313 MB). 'skewed': below 200 000 nodes at any
 * size. 'hostile': every stack is new. 'deep': stacks of 1 500 frames. 'bottomless': one stack a million deep among
 * ordinary ones. 'threads': 10 000 threads. 'methods': 100 000 methods.
 */
export type LogShapeName = 'real' | 'skewed' | 'hostile' | 'deep' | 'bottomless' | 'threads' | 'methods';
