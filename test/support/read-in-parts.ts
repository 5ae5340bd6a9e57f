import { detachPart, type ProfilePart } from '../../shared/aggregate/profile-part.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { type Chosen, NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import { FORMATS } from '../../shared/formats/formats.ts';
import type { ProfileFormat } from '../../shared/formats/profile-format.ts';
import type { ProfileDecoder } from '../../shared/formats/decoder.ts';
import type { ReadInput } from './read-input.ts';

// So that tests can read any format without waiting.
await Promise.all(FORMATS.map(({ code }) => code.load()));

interface PartOptions {
  readonly chosen: Chosen;
  readonly chunkBytes: number;
}

const PART_OPTIONS: PartOptions = { chosen: NOTHING_CHOSEN, chunkBytes: 1 << 16 };

/** Reads input[start … end) as a part, into the messages that a thread would send. */
export function readPart(
  { parts }: Pick<ProfileFormat, 'parts'>,
  input: Uint8Array,
  start: number,
  end: number,
  { chosen, chunkBytes }: PartOptions = PART_OPTIONS,
): { readonly state: unknown; readonly part: ProfilePart } {
  if (parts === undefined) throw new Error('inputs of this format cannot be read in parts');
  const aggregator = new ProfileAggregator();
  const decoder = parts.createDecoder(aggregator, chosen, start);
  append(decoder, input.subarray(start, end), chunkBytes);
  const handed = decoder.handOver();
  const state: unknown = structuredClone(handed.state, { transfer: [...handed.buffers] });
  const { part, buffers } = detachPart(aggregator);
  return { state, part: structuredClone(part, { transfer: [...buffers] }) };
}

/**
 * Reads an input in parts that begin at `starts`, ascending, each by a decoder of its own, and puts them together.
 * `taken` are the starts of the parts that were taken over; the bytes of the others were appended.
 */
export function readInParts(
  format: Pick<ProfileFormat, 'createDecoder' | 'parts'>,
  input: Uint8Array,
  starts: readonly number[],
  options: PartOptions = PART_OPTIONS,
): ReadInput & { readonly taken: readonly number[] } {
  const aggregator = new ProfileAggregator();
  const decoder = format.createDecoder(aggregator, options.chosen);
  append(decoder, input.subarray(0, starts[0]), options.chunkBytes);
  const taken: number[] = [];
  for (const [at, start] of starts.entries()) {
    const end = starts[at + 1] ?? input.length;
    const { state, part } = readPart(format, input, start, end, options);
    if (decoder.takeOver?.(state, part, aggregator)) taken.push(start);
    else append(decoder, input.subarray(start, end), options.chunkBytes);
  }
  decoder.settle(true);
  return { profile: aggregator.profile, aggregator, decoder, taken };
}

function append(decoder: ProfileDecoder, bytes: Uint8Array, chunkBytes: number): void {
  for (let at = 0; at < bytes.length; at += chunkBytes) decoder.append(bytes.subarray(at, at + chunkBytes));
}
