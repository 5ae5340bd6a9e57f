import { openGunzip } from '../../electron/source/read-bytes.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { type Chosen, NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import type { ProfileDecoder } from '../../shared/formats/decoder.ts';
import { ProfileReader } from '../../shared/input/profile-reader.ts';
import type { FormatId } from '../../shared/facts/format-list.ts';
import type { ProfileFormat } from '../../shared/formats/profile-format.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';

export interface ReadInput {
  readonly profile: LeanProfile;
  readonly aggregator: ProfileAggregator;
  readonly decoder: ProfileDecoder;
}

/** Decodes an input of a known format to its end, in chunks of `chunkBytes`; `samples`: with the time of each sample. */
export function decodeInput(
  format: Pick<ProfileFormat, 'createDecoder'>,
  input: Uint8Array,
  chosen: Chosen = NOTHING_CHOSEN,
  chunkBytes = 1 << 17,
  samples = false,
): ReadInput {
  return decodeInto(new ProfileAggregator({ samples }), format, input, chosen, chunkBytes);
}

/** The same into an aggregator. */
export function decodeInto(
  aggregator: ProfileAggregator,
  { createDecoder }: Pick<ProfileFormat, 'createDecoder'>,
  input: Uint8Array,
  chosen: Chosen,
  chunkBytes = 1 << 17,
): ReadInput {
  const decoder = createDecoder(aggregator, chosen);
  for (let at = 0; at < input.length; at += chunkBytes) decoder.append(input.subarray(at, at + chunkBytes));
  decoder.emitOpen(true);
  return { profile: aggregator.profile, aggregator, decoder };
}

/** The same for an unpacked input whose format is detected as in the program. Throws if it has no known format. */
export function readInput(
  input: Uint8Array,
  chosen: Chosen = NOTHING_CHOSEN,
  samples = false,
): ReadInput & { format: FormatId } {
  const aggregator = new ProfileAggregator({ samples });
  const reader = new ProfileReader(aggregator, chosen, openGunzip);
  for (let at = 0; at < input.length; at += 1 << 17) void reader.push(input.subarray(at, at + (1 << 17)));
  void reader.end();
  if (reader.decoder === undefined || reader.format === undefined)
    throw new Error(`no format: ${JSON.stringify(reader.unrecognised)}`);
  return { profile: aggregator.profile, aggregator, decoder: reader.decoder, format: reader.format.id };
}
