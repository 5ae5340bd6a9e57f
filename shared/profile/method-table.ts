import { FIRST_ROWS, grown, nextCapacity } from './columns.ts';
import { int64Text } from './int64.ts';

/** Row of the MethodTable: methods in order of first appearance, dense from 0. */
export type MethodIndex = number;

export interface MethodNames {
  /** Source file as the class file names it; '' or 'UnknownFile' when it names none. */
  readonly file: string;
  /** Java form with dots: `java.lang.String`. */
  readonly className: string;
  readonly methodName: string;
}

/** Class name of the pseudo methods that stand for AsyncGetCallTrace errors. */
export const ERROR_CLASS = 'AGCT';

/** True for a pseudo method that stands for AsyncGetCallTrace errors; also for one that a transform made of them: `AGCT.*`. */
export function isErrorMethod({ className, methodName }: MethodNames): boolean {
  return className === ERROR_CLASS || (className === '' && methodName.startsWith(`${ERROR_CLASS}.`));
}

/** Upper half of the ids of methods that are of no log, such as `java.util.*`: no JVM gives such an id. */
export const MADE_ID_HI = -0x80000000;

/**
 *   row   idHi,idLo           names
 *   0     -4                  AGCT.UnknownNotJava3      pseudo method of an AsyncGetCallTrace error
 *   1     140392417932496     java.lang.String.length
 *   2     140392417937000     undefined                 has frames, but no definition (yet)
 *
 * Distinct ids with equal names are common (overloads, one class in several loaders) and stay distinct rows.
 */
export class MethodTable {
  length = 0;
  /** Halves of the signed 64-bit method id. */
  idHi = new Int32Array(FIRST_ROWS);
  idLo = new Int32Array(FIRST_ROWS);
  readonly names: (MethodNames | undefined)[] = [];

  append(idHi: number, idLo: number): MethodIndex {
    const row = this.length;
    if (row === this.idHi.length) {
      const capacity = nextCapacity(row, row + 1);
      this.idHi = grown(this.idHi, capacity);
      this.idLo = grown(this.idLo, capacity);
    }
    this.idHi[row] = idHi;
    this.idLo[row] = idLo;
    this.names.push(undefined);
    this.length = row + 1;
    return row;
  }

  /** The names of a method; of one without a definition, those that stand for it. */
  namesOf(row: MethodIndex): MethodNames {
    const known = this.names[row];
    if (known !== undefined) return known;
    const id = int64Text(this.idHi[row], this.idLo[row]);
    return { file: '', className: '', methodName: `<UNIDENTIFIED : Method Id = ${id}>` };
  }
}

/** Number of methods without a definition. */
export function countUnnamedMethods({ names }: MethodTable): number {
  let count = 0;
  for (const each of names) if (each === undefined) count++;
  return count;
}

/** Number of methods that the file defines, without the pseudo methods of errors. */
export function countNamedMethods({ names }: MethodTable): number {
  let count = 0;
  for (const each of names) if (each !== undefined && !isErrorMethod(each)) count++;
  return count;
}
