import { formatBytes, formatQuantity } from '../text/format-value.ts';

/** Where and how an input is damaged. The code that shows it adds advice. */
export interface Damage {
  /** The input is not damaged but exceeds a limit of Leanscope. What comes after that is not counted. */
  readonly isLimit?: true;
  /** The element that was being read: 'record type', 'frame', 'method definition' … */
  readonly what: string;
  /** Offset of the record's first byte in the (unpacked) input; for a limit, of bytes shortly before it. */
  readonly byteOffset: number;
  /** Number of complete records before it. */
  readonly record: number;
  readonly found: string;
  readonly expected: string;
}

/** Where an input is damaged, or which limit it exceeds, with what was found and expected: a clause. */
export function damageText({ isLimit, what, byteOffset, record, found, expected }: Damage): string {
  const place = isLimit === true ? `after byte ${byteOffset}` : `at byte ${byteOffset} (record ${record})`;
  return `${what} ${place}: ${found}, expected ${expected}`;
}

type Place = Pick<Damage, 'byteOffset' | 'record'>;

/** The input has a stack of more than `mostFrames` frames. */
export function tooManyFrames(place: Place, mostFrames: number): Damage {
  const found = `more than ${formatQuantity(mostFrames, 'frame')}`;
  return { isLimit: true, what: 'stack', ...place, found, expected: 'fewer' };
}

/** The profile of an input takes more bytes than the limit for an input of its size. */
export function tooMuchMemory(place: Place, mostBytes: number): Damage {
  const found = `more than ${formatBytes(mostBytes)} of memory`;
  return { isLimit: true, what: 'profile', ...place, found, expected: 'less in an input of this size' };
}

/** The values of a JSON text would need more memory than its limit by its size. */
export function tooManyValues(place: Place): Damage {
  const found = 'more values than there is memory for';
  return { isLimit: true, what: 'JSON', ...place, found, expected: 'fewer in an input of this size' };
}

/** Samples refer to the same frames so often that reading them would take hours. */
export function tooManyReferences(place: Place): Damage {
  const found = 'more frames in all samples together than an input of this size can describe once';
  return { isLimit: true, what: 'sample', ...place, found, expected: 'fewer' };
}

/** `FormatFacts.skips` for lines that were skipped because of their length. */
export function tooLongLines(lines: number, mostBytes: number): readonly string[] {
  return lines === 0
    ? []
    : [`${formatQuantity(lines, 'line')} of more than ${formatBytes(mostBytes)} skipped.`];
}
