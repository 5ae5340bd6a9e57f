import { message, type OtlpForm } from './small-otlp.ts';

export interface StampedOtlpSample {
  readonly thread: string;
  /** Names of functions, leaf first. */
  readonly stack: readonly string[];
  readonly values: readonly number[];
  /** ns since 1970. */
  readonly stamps: readonly bigint[];
}

/** Integers of a packed field: of eight bytes each, or varints. */
const packedTimes = {
  fixed: (times: readonly bigint[]): Uint8Array => new Uint8Array(BigInt64Array.from(times).buffer),
  varints: (times: readonly bigint[]): Uint8Array =>
    Uint8Array.from(
      times.flatMap((time) => {
        const bytes = [];
        let left = time;
        for (; left >= 0x80n; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
        return [...bytes, Number(left)];
      }),
    ),
};

/** One profile of samples with time stamps, of the type cpu in a unit. At most 127 functions and threads. */
export function stampedOtlp(form: OtlpForm, unit: string, samples: readonly StampedOtlpSample[]): Uint8Array {
  const names = [...new Set(samples.flatMap(({ stack }) => stack))];
  const threads = [...new Set(samples.map(({ thread }) => thread))];
  const texts = ['', 'cpu', unit, 'thread.name', ...names];
  const location = (name: string): number => 1 + names.indexOf(name);
  const attribute = (name: string): Uint8Array =>
    message([1, form === 'range' ? 'thread.name' : 3], [2, message([1, name])]);
  const packed = (...indexes: readonly number[]): Uint8Array => Uint8Array.from(indexes);
  const values = (of: readonly number[]): Uint8Array =>
    Buffer.concat(of.map((value) => message([1, value]).subarray(1)));
  const firsts = samples.map((_, at) =>
    samples.slice(0, at).reduce((sum, { stack }) => sum + stack.length, 0),
  );
  const written = samples.map((sample, at) => {
    const thread = packed(1 + threads.indexOf(sample.thread));
    if (form === 'range')
      return message(
        [1, firsts[at]],
        [2, sample.stack.length],
        [3, values(sample.values)],
        [4, thread],
        [6, packedTimes.varints(sample.stamps)],
      );
    const times = [5, packedTimes.fixed(sample.stamps)] as const;
    return form === 'values'
      ? message([1, 1 + at], [2, values(sample.values)], [3, thread], times)
      : message([1, 1 + at], [2, thread], [3, 0], [4, values(sample.values)], times);
  });
  const stacks = samples.map(({ stack }) => packed(...stack.map(location)));
  const dictionary = message(
    [2, message()],
    ...names.map((name) => [2, message([3, message([1, location(name)])])] as const),
    [3, message()],
    ...names.map((name) => [3, message([1, texts.indexOf(name)])] as const),
    ...texts.map((text) => [5, text] as const),
    [6, message()],
    ...threads.map((name) => [6, attribute(name)] as const),
    ...(form === 'range' ? [] : [message(), ...stacks.map((stack) => message([1, stack]))]).map(
      (each) => [7, each] as const,
    ),
  );
  const profile = message(
    [1, message([1, 1], [2, 2])],
    ...written.map((sample) => [2, sample] as const),
    ...(form === 'range' ? [[3, Buffer.concat(stacks)] as const] : []),
  );
  const scope = message([1, message([1, 'test'])], [2, profile]);
  return message([1, message([1, message()], [2, scope])], [2, dictionary]);
}
