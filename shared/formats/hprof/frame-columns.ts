import { grown, nextCapacity } from '../../profile/columns.ts';
import { NATIVE_BCI, NO_BCI, NO_LINE } from '../../profile/frame-table.ts';
import type { MethodNames } from '../../profile/method-table.ts';

/** What a frame record or the text of a frame says. */
export interface FrameSource extends MethodNames {
  /** > 0, or undefined. */
  readonly line: number | undefined;
  readonly isNative: boolean;
}

/** How stacks name frames. */
export interface FrameIds {
  /** As they lie in the file, on a machine that has the bytes of a number in the other order. */
  readonly isSwapped: boolean;
  /** The row of FrameColumns; asked once for each id, or nearly. */
  readonly rowOf: (id: number) => number;
}

/** By their rows. */
export const ROWS: FrameIds = { isSwapped: false, rowOf: (id) => id };

/** Frame number -> method number, line and BCI as a sink takes them. Methods are (class, method, file). */
export class FrameColumns {
  method = new Int32Array(256);
  line = new Int32Array(256);
  bci = new Int32Array(256);
  readonly methods: MethodNames[] = [];
  readonly #numbers = new Map<string, number>();

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
      number = this.methods.length;
      this.methods.push(names);
      this.#numbers.set(key, number);
    }
    return number;
  }
}
