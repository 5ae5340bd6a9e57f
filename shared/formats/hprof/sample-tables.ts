import { grown, nextCapacity } from '../../profile/columns.ts';
import { u4 } from './big-endian.ts';
import type { RecordProblem } from './record-stream.ts';

/** One table of samples (specs: hprof, CPU_SAMPLES and `CPU SAMPLES BEGIN`). */
export class SampleTable {
  length = 0;
  /** Sum of the counts according to the table; NaN if it does not have one. */
  total: number;
  /** The table is from `cpu=times` in a text file. Only such tables need the percentages. */
  readonly isTimes: boolean;
  isComplete = false;
  traceHi: Int32Array<ArrayBuffer>;
  traceLo: Int32Array<ArrayBuffer>;
  count: Float64Array<ArrayBuffer>;
  /** The self column, in hundredths of a percent. */
  share: Float64Array<ArrayBuffer>;

  constructor(total: number, isTimes: boolean, rows: number) {
    this.total = total;
    this.isTimes = isTimes;
    this.traceHi = new Int32Array(rows);
    this.traceLo = new Int32Array(rows);
    this.count = new Float64Array(rows);
    this.share = new Float64Array(rows);
  }

  add(traceHi: number, traceLo: number, count: number, share: number): void {
    const row = this.length++;
    if (row === this.count.length) this.#reserve(nextCapacity(row, row + 1));
    this.traceHi[row] = traceHi;
    this.traceLo[row] = traceLo;
    this.count[row] = count;
    this.share[row] = share;
  }

  #reserve(capacity: number): void {
    this.traceHi = grown(this.traceHi, capacity);
    this.traceLo = grown(this.traceLo, capacity);
    this.count = grown(this.count, capacity);
    this.share = grown(this.share, capacity);
  }
}

/**
 * The tables of a file. Only the last complete one counts: an agent that dumps twice repeats the counts of the first
 * table in the second (specs: hprof, section 4). An incomplete table counts only if there is no other.
 */
export class SampleTables {
  /** Number of tables, including an incomplete one. */
  begun = 0;
  #complete: SampleTable | undefined;
  #open: SampleTable | undefined;

  /** `rows`: number of rows that follow, if known. */
  begin(total: number, isTimes: boolean, rows = 64): SampleTable {
    this.begun++;
    this.#open = new SampleTable(total, isTimes, rows);
    return this.#open;
  }

  end(): void {
    if (this.#open === undefined) return;
    this.#open.isComplete = true;
    this.#complete = this.#open;
    this.#open = undefined;
  }

  get open(): SampleTable | undefined {
    return this.#open;
  }

  get last(): SampleTable | undefined {
    return this.#complete ?? this.#open;
  }
}

/** Why bytes[from … to) is not a valid body of CPU_SAMPLES; undefined if it is. */
export function tableProblem(bytes: Uint8Array, from: number, to: number): RecordProblem | undefined {
  const rows = u4(bytes, from + 4);
  if (to - from === 8 + rows * 8) return undefined;
  return { found: `${rows} rows in ${to - from} bytes`, expected: `${(to - from - 8) / 8} rows` };
}
