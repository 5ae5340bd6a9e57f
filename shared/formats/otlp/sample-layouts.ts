import { Wire } from '../pprof/message-cursor.ts';

/**
 * Numbers of a sample's fields, which differ between versions of opentelemetry-proto, and so do the fields of a profile.
 * A file does not say its version.
 *
 *   1.7          1 first location, 2 number of locations, 3 values, 4 attributes, 5 link, 6 time stamps
 *   1.8 and 1.9  1 stack, 2 values, 3 attributes, 4 link, 5 time stamps
 *   1.10, 1.11   1 stack, 2 attributes, 3 link, 4 values, 5 time stamps
 */
export interface SampleLayout {
  readonly versions: string;
  /** Stacks are ranges of a list of locations, and time stamps varints instead of eight bytes each. */
  readonly isRange: boolean;
  readonly values: number;
  readonly attributes: number;
  readonly link: number;
  readonly times: number;
  /** Field of a profile -> its wire types. */
  readonly profile: readonly (readonly number[])[];
}

const { varint, fixed64, bytes } = Wire;
const INTEGERS = [varint, bytes];

export const LAYOUTS: readonly SampleLayout[] = [
  {
    versions: '1.10 and 1.11',
    ...{ isRange: false, attributes: 2, link: 3, values: 4, times: 5 },
    profile: [
      ...[[], [bytes], [bytes], [fixed64], [varint], [bytes], [varint]],
      ...[[bytes], [varint], [bytes], [bytes], INTEGERS],
    ],
  },
  {
    versions: '1.8 and 1.9',
    ...{ isRange: false, values: 2, attributes: 3, link: 4, times: 5 },
    // In 1.8, comments stand at 7 and move the fields after them.
    profile: [
      ...[[], [bytes], [bytes], [fixed64], [varint], [bytes], [varint]],
      ...[INTEGERS, INTEGERS, INTEGERS, [bytes], INTEGERS, INTEGERS],
    ],
  },
  {
    versions: '1.7',
    ...{ isRange: true, values: 3, attributes: 4, link: 5, times: 6 },
    // A default sample type stands at 9 and moves the fields after it; it was dropped before 1.8.
    profile: [
      ...[[], [bytes], [bytes], INTEGERS, [varint], [varint], [bytes], [varint]],
      ...[INTEGERS, INTEGERS, INTEGERS, INTEGERS, [bytes], INTEGERS, INTEGERS],
    ],
  },
];

/** `1.7, 1.8 and 1.9, or …` */
export const LAYOUT_VERSIONS = LAYOUTS.map(({ versions }) => versions)
  .reverse()
  .join(', or ');
