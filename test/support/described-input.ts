import { profileTables } from './profile-tables.ts';
import type { ReadInput } from './read-input.ts';

/** Everything observable about an input that was read. */
export function describedInput({ profile, aggregator, decoder }: ReadInput): unknown {
  const { bytes, damage, records } = decoder;
  const { sampleCount, deepestStack } = aggregator;
  return {
    tables: profileTables(profile),
    facts: decoder.facts(),
    bytes,
    damage,
    records,
    sampleCount,
    deepestStack,
  };
}
