import type { LeanProfile } from '../profile/lean-profile.ts';
import { type RowFilter, shownKeys } from '../engine/views/filter.ts';
import { FlatProfile } from '../engine/views/flat-profile.ts';
import { type SortOrder, rowOrder } from '../engine/views/sort-order.ts';
import type { FrameKeys, Recursion } from '../engine/trees/grouping.ts';
import { Chains } from '../engine/trees/chains.ts';
import { ChainSums } from '../engine/values/chain-sums.ts';
import type { SelfValues } from '../engine/values/self-values.ts';
import type { ExportWriter } from './export-input.ts';
import { numbersText, LineWriter, type TextSink } from './text-sink.ts';

export interface FlatExportOptions {
  readonly frames: FrameKeys;
  readonly recursion: Recursion;
  readonly filter: RowFilter;
  /** The values to sum; undefined: all. */
  readonly values?: SelfValues | undefined;
}

export const writeFlat: ExportWriter = (input, sink) => exportFlat(input.profile, input, sink);

/**
 * The flat profile as canonical text (specs: cli, `flat`), sorted by key in UTF-16 code units:
 *
 *   key selfCnt totalCnt selfTime totalTime
 */
export function exportFlat(profile: LeanProfile, options: FlatExportOptions, sink: TextSink): void {
  const flat = flatProfileOf(profile, options);
  const keys = shownKeys(flat, options.filter);
  const writer = new LineWriter(sink, keys.length);
  for (const key of keys) {
    writer.line(`${flat.keys.labels[key]}\t${numbersText(flat, key)}`);
  }
  writer.flush();
}

export function flatProfileOf(
  profile: LeanProfile,
  options: Pick<FlatExportOptions, 'frames' | 'recursion' | 'values'>,
): FlatProfile {
  const flat = new FlatProfile(profile, options.frames, options.recursion);
  const values = options.values ?? profile.selfValues;
  const chains = new Chains(profile);
  chains.update();
  const sums = new ChainSums(chains);
  sums.update(values);
  flat.update(values, () => sums);
  return flat;
}

/** `shownKeys` in another order: methods with their lines behind them, as in the window. */
export function orderedKeys(flat: FlatProfile, filter: RowFilter, order: SortOrder): number[] {
  const { methodOf } = flat.keys;
  const isLast = (key: number): boolean => flat.keys.isNoStack(key);
  const { selfCount, totalCount, selfTime, totalTime } = flat;
  const label = (key: number): string => flat.label(key);
  const compare = rowOrder({ label, isLast, selfCount, totalCount, selfTime, totalTime }, order);
  const isLine = (key: number): number => (methodOf[key] === key ? 0 : 1);
  return shownKeys(flat, filter).sort(
    (a, b) => compare(methodOf[a], methodOf[b]) || isLine(a) - isLine(b) || compare(a, b),
  );
}
