/** Tag, time and length of a record. */
export const RECORD_HEADER_BYTES = 9;

export const UTF8 = 0x01;
export const LOAD_CLASS = 0x02;
export const FRAME = 0x04;
export const TRACE = 0x05;
export const START_THREAD = 0x0a;
export const END_THREAD = 0x0b;
export const CPU_SAMPLES = 0x0d;
export const CONTROL_SETTINGS = 0x0e;
const HEAP_TAGS: readonly number[] = [0x0c, 0x1c];

export const TAG_NAMES: Readonly<Record<number, string | undefined>> = {
  [UTF8]: 'string',
  [LOAD_CLASS]: 'class',
  [FRAME]: 'frame',
  [TRACE]: 'stack trace',
  [START_THREAD]: 'thread start',
  [END_THREAD]: 'thread end',
  [CPU_SAMPLES]: 'table of CPU samples',
  [CONTROL_SETTINGS]: 'settings',
};

/** Longer than any stack or name. Only records that are skipped may be longer. */
export const MAX_BODY_BYTES = 256 << 20;

/** Whether records with this tag are read. The others are skipped. */
export function isRead(tag: number): boolean {
  return TAG_NAMES[tag] !== undefined;
}

/** Whether a record is a heap dump or a segment of one. */
export function isHeap(tag: number): boolean {
  return HEAP_TAGS.includes(tag);
}

/** Whether a record that is read can have a body of this length. */
export function isValidLength(tag: number, length: number, idSize: number): boolean {
  switch (tag) {
    case UTF8:
      return length >= idSize;
    case LOAD_CLASS:
      return length === 8 + 2 * idSize;
    case FRAME:
      return length === 8 + 4 * idSize;
    case TRACE:
      return length >= 12;
    case START_THREAD:
      return length === 8 + 4 * idSize;
    case END_THREAD:
      return length === 4;
    case CPU_SAMPLES:
      return length >= 8;
    default:
      return length === 6;
  }
}

/** Whether a record is useful if its end is missing: a table then still has rows. */
export function mayBeIncomplete(tag: number): boolean {
  return tag === CPU_SAMPLES;
}
