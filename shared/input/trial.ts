import { memoryAllowed } from '../aggregate/memory-budget.ts';
import { ProfileAggregator } from '../aggregate/profile-aggregator.ts';
import type { Chosen } from '../facts/choice.ts';
import type { ProfileFormat } from '../formats/profile-format.ts';

/** So many bytes of an entry show whether it decodes. Longer entries are seldom taken for what they are not. */
export const TRIAL_BYTES = 1 << 20;

/**
 * How an entry of an archive decodes by its first TRIAL_BYTES bytes, the better the larger.
 *
 *   0  no sample: it only looks like a profile, or has none
 *   1  samples, and damage
 *   2  samples without damage, or too long to know
 */
export type Trial = 0 | 1 | 2;

/** Decodes the first bytes of an entry into a profile of their own. The code of the format must be loaded. */
export function tryDecoding(format: ProfileFormat, head: Uint8Array, ended: boolean, chosen: Chosen): Trial {
  const aggregator = new ProfileAggregator();
  aggregator.memory.most = memoryAllowed(head.length);
  const decoder = format.createDecoder(aggregator, chosen);
  const isWhole = ended && head.length <= TRIAL_BYTES;
  decoder.append(head.subarray(0, TRIAL_BYTES));
  decoder.emitOpen(isWhole);
  const { damage } = decoder;
  if (damage === undefined && !isWhole) return 2;
  if (aggregator.sampleCount === 0) return 0;
  return damage === undefined ? 2 : 1;
}
