import { NATIVE_BCI } from '../profile/frame-table.ts';
import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { MethodNames } from '../profile/method-table.ts';
import { int64Text } from '../profile/int64.ts';
import { truncatedAt, EMPTY_STACK_NAME } from '../text/pseudo-frames.ts';

/** A frame as hprof files store it. Frames that are equal in all fields are the same frame. */
export interface HprofFrame extends MethodNames {
  /** Greater than 0, or undefined. */
  readonly line: number | undefined;
  readonly isNative: boolean;
}

export interface HprofFrames {
  readonly frames: readonly HprofFrame[];
  /** Row of the FrameTable -> row of `frames`; NONE for a frame that stands for truncated callers. */
  readonly numberOf: Int32Array;
  /** The depth in the name of such a frame, if there is one. */
  readonly truncatedDepth: number | undefined;
  /** The frame that stands for an empty stack; NONE when there is none. */
  readonly emptyStack: number;
}

/** The frames of a profile as hprof stores them: frames that differ only in their BCI or method id are one. */
export function hprofFrames({ frames: table, methods }: LeanProfile): HprofFrames {
  const frames: HprofFrame[] = [];
  const numbers = new Map<string, number>();
  const numberOf = new Int32Array(table.length);
  let truncatedDepth: number | undefined;
  let emptyStack = NONE;
  for (let row = 0; row < table.length; row++) {
    const method = table.method[row];
    const names = methods.names[method] ?? unidentified(methods.idHi[method], methods.idLo[method]);
    const line = table.line[row] > 0 ? table.line[row] : undefined;
    const isNative = table.bci[row] === NATIVE_BCI;
    const depth = names.className === '' ? truncatedAt(names.methodName) : undefined;
    if (depth !== undefined) {
      truncatedDepth ??= depth;
      numberOf[row] = NONE;
      continue;
    }
    const key = [names.className, names.methodName, names.file, line, isNative].join('\n');
    let number = numbers.get(key);
    if (number === undefined) {
      number = frames.length;
      frames.push({ ...names, line, isNative });
      numbers.set(key, number);
    }
    numberOf[row] = number;
    if (names.className === '' && names.methodName === EMPTY_STACK_NAME) emptyStack = number;
  }
  return { frames, numberOf, truncatedDepth, emptyStack };
}

function unidentified(idHi: number, idLo: number): MethodNames {
  return { file: '', className: '', methodName: `<UNIDENTIFIED : Method Id = ${int64Text(idHi, idLo)}>` };
}
