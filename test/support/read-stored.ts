import { openGunzip } from '../../electron/source/read-bytes.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { type Chosen, NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import { ProfileReader } from '../../shared/input/profile-reader.ts';

export interface ReadingOptions {
  readonly pieceBytes?: number;
  readonly mostNodes?: number;
  /** The memory budget, whatever the size of the input; undefined: the one that its size allows. */
  readonly memory?: number;
  readonly aggregator?: ProfileAggregator;
  readonly chosen?: Chosen;
}

/** Reads an input as it is stored. */
export async function readStored(
  stored: Uint8Array,
  {
    pieceBytes = stored.length,
    mostNodes,
    memory,
    aggregator = new ProfileAggregator(),
    chosen = NOTHING_CHOSEN,
  }: ReadingOptions = {},
): Promise<Pick<ProfileReader, 'damage' | 'problem'> & { readonly reader: ProfileReader }> {
  if (memory !== undefined)
    Object.defineProperty(aggregator.memory, 'most', { get: () => memory, set: () => undefined });
  const reader = new ProfileReader(aggregator, chosen, openGunzip);
  if (mostNodes !== undefined) aggregator.limitNodes(mostNodes);
  for (let at = 0; at < stored.length; at += pieceBytes) await reader.push(stored.slice(at, at + pieceBytes));
  await reader.end();
  return { reader, damage: reader.damage, problem: reader.problem };
}
