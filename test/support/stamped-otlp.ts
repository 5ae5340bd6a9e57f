import { message, type MessageField, type OtlpForm, packed } from './small-otlp.ts';

export interface StampedOtlpSample {
  readonly thread: string;
  /** Names of functions, leaf first. */
  readonly stack: readonly string[];
  readonly values: readonly number[];
  /** ns since 1970. */
  readonly stamps: readonly bigint[];
  /** Index of a link; there are 0 and 1. */
  readonly link?: number;
}

/** Field numbers of a version of opentelemetry-proto (profiles/v1development/profiles.proto of its release). */
interface OtlpFields {
  readonly sample: {
    readonly stack?: number;
    readonly range?: readonly [start: number, length: number];
    readonly values: number;
    readonly attributes: number;
    readonly link: number;
    readonly stamps: number;
  };
  readonly profile: {
    readonly locations?: number;
    readonly time: number;
    readonly duration: number;
    readonly periodType: number;
    readonly period: number;
    readonly comments?: number;
    readonly id: number;
  };
}

const STACK_PROFILE = { time: 3, duration: 4, periodType: 5, period: 6 };
const OLD_SAMPLE = { stack: 1, values: 2, attributes: 3, link: 4, stamps: 5 };
const NEW_SAMPLE = { stack: 1, attributes: 2, link: 3, values: 4, stamps: 5 };
export const OTLP_VERSIONS = {
  '1.7': {
    sample: { range: [1, 2], values: 3, attributes: 4, link: 5, stamps: 6 },
    profile: { locations: 3, time: 4, duration: 5, periodType: 6, period: 7, comments: 8, id: 10 },
  },
  '1.8': { sample: OLD_SAMPLE, profile: { ...STACK_PROFILE, comments: 7, id: 8 } },
  '1.9': { sample: OLD_SAMPLE, profile: { ...STACK_PROFILE, id: 7 } },
  '1.10': { sample: NEW_SAMPLE, profile: { ...STACK_PROFILE, id: 7 } },
  '1.11': { sample: NEW_SAMPLE, profile: { ...STACK_PROFILE, id: 7 } },
} satisfies Record<string, OtlpFields>;
export type OtlpVersion = keyof typeof OTLP_VERSIONS;

export interface OtlpEncoding {
  readonly version: OtlpVersion;
  /** Repeated integers are packed, as encoders usually do; readers take both. */
  readonly isPacked: boolean;
  /** Unit of the values, whose type is cpu. */
  readonly unit: string;
  /** Texts of attributes are in the table of texts (since 1.10). */
  readonly sharesTexts?: boolean;
  /** The profile also has its time, its period, an id and, where there are some, a comment. */
  readonly isFull?: boolean;
}

/** One profile of samples with time stamps, of the type cpu. At most 127 functions and threads. */
export function encodeOtlp(
  { version, isPacked, unit, sharesTexts = false, isFull = false }: OtlpEncoding,
  samples: readonly StampedOtlpSample[],
): Uint8Array {
  const fields: OtlpFields = OTLP_VERSIONS[version];
  const { range } = fields.sample;
  const names = [...new Set(samples.flatMap(({ stack }) => stack))];
  const threads = [...new Set(samples.map(({ thread }) => thread))].filter((thread) => thread !== '');
  const texts = ['', 'cpu', unit, 'thread.name', ...names, ...threads];
  const location = (name: string): number => 1 + names.indexOf(name);
  const integers = (field: number, values: readonly number[]): readonly MessageField[] => {
    if (values.length === 0) return [];
    return isPacked ? [[field, packed(...values)]] : values.map((value) => [field, value]);
  };
  const times = (stamps: readonly bigint[]): readonly MessageField[] => {
    const field = fields.sample.stamps;
    if (stamps.length === 0) return [];
    if (range !== undefined)
      return isPacked ? [[field, packed(...stamps)]] : stamps.map((stamp) => [field, Number(stamp)]);
    if (!isPacked) return stamps.map((stamp) => [field, stamp]);
    return [[field, new Uint8Array(BigInt64Array.from(stamps).buffer)]];
  };
  const starts = samples.map((_, at) =>
    samples.slice(0, at).reduce((sum, { stack }) => sum + stack.length, 0),
  );
  const stackOf = ({ stack }: StampedOtlpSample, at: number): readonly MessageField[] =>
    range === undefined
      ? [[1, 1 + at]]
      : [
          [range[0], starts[at]],
          [range[1], stack.length],
        ];
  const written = samples.map((sample, at) =>
    message(
      ...[
        ...stackOf(sample, at),
        ...integers(fields.sample.values, sample.values),
        ...integers(
          fields.sample.attributes,
          sample.thread === '' ? [] : [1 + threads.indexOf(sample.thread)],
        ),
        ...(sample.link === undefined ? [] : [[fields.sample.link, sample.link] as const]),
        ...times(sample.stamps),
      ].sort(([a], [b]) => a - b),
    ),
  );
  const attribute = (name: string): Uint8Array =>
    message(
      [1, version === '1.7' ? 'thread.name' : texts.indexOf('thread.name')],
      [2, sharesTexts ? message([8, texts.indexOf(name)]) : message([1, name])],
    );
  const stacks = samples.map(({ stack }) => stack.map(location));
  const dictionary = message(
    [1, message()],
    [2, message()],
    ...names.map((name) => [2, message([3, message([1, location(name)])])] as const),
    [3, message()],
    ...names.map((name) => [3, message([1, texts.indexOf(name)])] as const),
    [4, message([1, new Uint8Array(16)], [2, new Uint8Array(8)])],
    [4, message([1, new Uint8Array(16).fill(7)], [2, new Uint8Array(8).fill(7)])],
    ...texts.map((text) => [5, text] as const),
    [6, message()],
    ...threads.map((name) => [6, attribute(name)] as const),
    ...(range === undefined ? [message(), ...stacks.map((stack) => message(...integers(1, stack)))] : []).map(
      (each) => [7, each] as const,
    ),
  );
  const { locations, time, duration, periodType, period, comments, id } = fields.profile;
  const type = message([1, 1], [2, 2]);
  const extras: readonly MessageField[] = [
    [time, range === undefined ? 5_000n : 5_000],
    [duration, 100],
    [periodType, type],
    [period, 10],
    ...(comments === undefined ? [] : integers(comments, [1, 2])),
    [id, new Uint8Array(16).fill(9)],
  ];
  const profile = message(
    [1, type],
    ...written.map((sample) => [2, sample] as const),
    ...(locations === undefined ? [] : integers(locations, stacks.flat())),
    ...(isFull ? extras : []),
  );
  const scope = message([1, message([1, 'test'])], [2, profile]);
  return message([1, message([1, message()], [2, scope])], [2, dictionary]);
}

const VERSION_OF: Readonly<Record<OtlpForm, OtlpVersion>> = { range: '1.7', values: '1.9', links: '1.11' };

/** One profile with packed integers in a form of the format. */
export function stampedOtlp(form: OtlpForm, unit: string, samples: readonly StampedOtlpSample[]): Uint8Array {
  return encodeOtlp({ version: VERSION_OF[form], isPacked: true, unit }, samples);
}
