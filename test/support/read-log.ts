import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type AggregatorOptions, ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';

export interface ReadLog {
  readonly profile: LeanProfile;
  readonly decoder: HonestLogDecoder;
  readonly aggregator: ProfileAggregator;
}

/** Decodes a whole log, in chunks of `chunkBytes`. */
export function readLog(bytes: Uint8Array, chunkBytes = 1 << 20, options?: AggregatorOptions): ReadLog {
  const aggregator = new ProfileAggregator(options);
  const decoder = new HonestLogDecoder(aggregator);
  for (let at = 0; at < bytes.length; at += chunkBytes) decoder.append(bytes.subarray(at, at + chunkBytes));
  decoder.emitOpen(true);
  return { profile: aggregator.profile, decoder, aggregator };
}

/** A log recorded for this project. */
export function goldenLog(name: string): Uint8Array {
  return gunzipSync(readFileSync(goldenPath(name)));
}

export function goldenPath(name: string): string {
  return `test/golden/hpl/${name}.hpl.gz`;
}

export const GOLDEN_LOGS = [
  'hello',
  'deeprec',
  'threads',
  'server-small',
  'javac-small',
  'classchurn',
  'control-a',
  'control-b',
  'server-20mb',
] as const;
