import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { leanText } from './mirrored-copy.ts';

/** The canonical text of a whole log, read in one piece. */
export function batchLean(log: Uint8Array): string {
  const aggregator = new ProfileAggregator();
  const decoder = new HonestLogDecoder(aggregator);
  decoder.append(log);
  decoder.emitOpen(true);
  return leanText(aggregator.profile);
}
