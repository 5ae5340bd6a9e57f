import type { KeepBytes } from '../../bytes/keep-bytes.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';
import { NATIVE_BCI, NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import type { MethodNames } from '../../profile/method-table.ts';

/** A frame as a record or a line of text describes it. */
export interface FrameSource extends MethodNames {
  /** > 0, or undefined. */
  readonly line: number | undefined;
  readonly isNative: boolean;
}

/** How the cells of stacks refer to frames. */
export interface FrameIds {
  /** Cells have the byte order of the file, which is not that of this machine. */
  readonly isSwapped: boolean;
  /** Id -> row of FrameColumns. Usually called once per id. */
  readonly rowOf: (id: number) => number;
}

/** The cells of stacks are rows of FrameColumns. */
export const ROWS: FrameIds = { isSwapped: false, rowOf: (id) => id };

/** Bytes of a method in the tables, without its names. */
const METHOD_BYTES = 120;

/** Frame -> method number, line and BCI as in a SampleSink. A method is identified by class, method name and file. */
export class FrameColumns {
  method = new Int32Array(FIRST_ROWS);
  line = new Int32Array(FIRST_ROWS);
  bci = new Int32Array(FIRST_ROWS);
  readonly methods: MethodNames[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #keeps: KeepBytes | undefined;

  constructor(keeps?: KeepBytes) {
    this.#keeps = keeps;
  }

  set(frame: number, { className, methodName, file, line, isNative }: FrameSource): void {
    if (frame >= this.method.length) {
      const capacity = nextCapacity(this.method.length, frame + 1);
      this.method = grown(this.method, capacity);
      this.line = grown(this.line, capacity);
      this.bci = grown(this.bci, capacity);
    }
    this.method[frame] = this.methodNumber({ className, methodName, file });
    this.line[frame] = line ?? NO_LINE;
    this.bci[frame] = isNative ? NATIVE_BCI : NO_BCI;
  }

  methodNumber(names: MethodNames): number {
    const key = `${names.className}\n${names.methodName}\n${names.file}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      if (this.#keeps?.(METHOD_BYTES + 2 * key.length) === false && this.methods.length > 0) return 0;
      number = this.methods.length;
      this.methods.push(names);
      this.#numbers.set(key, number);
    }
    return number;
  }
}
