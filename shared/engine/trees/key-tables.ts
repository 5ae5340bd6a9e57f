import type { LeanProfile } from '../../profile/lean-profile.ts';
import type { FrameGrouping } from './grouping.ts';
import { KeyTable } from './keys.ts';

/** The keys of a profile's frames, in each grouping that is asked for. */
export class KeyTables {
  readonly #profile: LeanProfile;
  readonly #tables = new Map<FrameGrouping, KeyTable>();

  constructor(profile: LeanProfile) {
    this.#profile = profile;
  }

  of(grouping: FrameGrouping): KeyTable {
    const known = this.#tables.get(grouping);
    if (known !== undefined) return known;
    const keys = new KeyTable(this.#profile, grouping);
    this.#tables.set(grouping, keys);
    return keys;
  }

  /** Takes in frames up to this number. False if all must be made again: see `KeyTable.update`. */
  update(frames: number): boolean {
    return [...this.#tables.values()].every((keys) => keys.update(frames));
  }
}
