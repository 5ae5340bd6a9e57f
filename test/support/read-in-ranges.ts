import { detachRange, type RangeProfile } from '../../shared/aggregate/range-profile.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { type Chosen, NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import { FORMATS } from '../../shared/formats/formats.ts';
import type { ProfileFormat } from '../../shared/formats/profile-format.ts';
import type { ProfileDecoder } from '../../shared/formats/decoder.ts';
import type { ReadInput } from './read-input.ts';

// So that tests can read any format without waiting.
await Promise.all(FORMATS.map(({ code }) => code.load()));

interface RangeOptions {
  readonly chosen: Chosen;
  readonly chunkBytes: number;
}

const RANGE_OPTIONS: RangeOptions = { chosen: NOTHING_CHOSEN, chunkBytes: 1 << 16 };

/** Reads input[start … end) as a range, into the messages that a thread would send. */
export function readRange(
  { byteRanges }: Pick<ProfileFormat, 'byteRanges'>,
  input: Uint8Array,
  start: number,
  end: number,
  { chosen, chunkBytes }: RangeOptions = RANGE_OPTIONS,
): { readonly state: unknown; readonly range: RangeProfile } {
  if (byteRanges === undefined) throw new Error('inputs of this format cannot be read in byte ranges');
  const aggregator = new ProfileAggregator();
  const decoder = byteRanges.createDecoder(aggregator, chosen, start);
  append(decoder, input.subarray(start, end), chunkBytes);
  const handed = decoder.detach();
  const state: unknown = structuredClone(handed.state, { transfer: [...handed.buffers] });
  const { range, buffers } = detachRange(aggregator);
  return { state, range: structuredClone(range, { transfer: [...buffers] }) };
}

/**
 * Reads an input in byte ranges that begin at `starts`, ascending, each by a decoder of its own, and puts them together.
 * `taken` are the starts of the ranges that were taken over; the bytes of the others were appended.
 */
export function readInRanges(
  format: Pick<ProfileFormat, 'createDecoder' | 'byteRanges'>,
  input: Uint8Array,
  starts: readonly number[],
  options: RangeOptions = RANGE_OPTIONS,
): ReadInput & { readonly taken: readonly number[] } {
  const aggregator = new ProfileAggregator();
  const decoder = format.createDecoder(aggregator, options.chosen);
  append(decoder, input.subarray(0, starts[0]), options.chunkBytes);
  const taken: number[] = [];
  for (const [at, start] of starts.entries()) {
    const end = starts[at + 1] ?? input.length;
    const { state, range } = readRange(format, input, start, end, options);
    if (decoder.appendRange?.(state, range, aggregator)) taken.push(start);
    else append(decoder, input.subarray(start, end), options.chunkBytes);
  }
  decoder.settle(true);
  return { profile: aggregator.profile, aggregator, decoder, taken };
}

function append(decoder: ProfileDecoder, bytes: Uint8Array, chunkBytes: number): void {
  for (let at = 0; at < bytes.length; at += chunkBytes) decoder.append(bytes.subarray(at, at + chunkBytes));
}
