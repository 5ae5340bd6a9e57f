import { grown, nextCapacity } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { TimeColumn } from '../profile/time-column.ts';
import type { KeyTable } from '../trees/keys.ts';
import { MarkedNodes } from '../values/marked-nodes.ts';
import type { SampleSum, SelfValues } from '../values/self-values.ts';
import type { ValidSearch } from './search.ts';

/**
 * What matches a search in one grouping: keys, and the samples with a match on their stack. Updated while the profile
 * grows: each label is compared once and each call node visited once, because labels and paths do not change. For another
 * KeyTable create another SearchMatches.
 */
export class SearchMatches {
  readonly search: ValidSearch;
  /** key -> 1 if its label matches. */
  matching = new Uint8Array(0);
  /** Number of names that match. */
  names = 0;

  readonly #profile: LeanProfile;
  readonly #keys: KeyTable;
  #length = 0;
  /** frame -> 1 if its key matches. */
  #isMatch = new Uint8Array(0);
  #frames = 0;
  readonly #nodes = new MarkedNodes();

  constructor(profile: LeanProfile, keys: KeyTable, search: ValidSearch) {
    this.#profile = profile;
    this.#keys = keys;
    this.search = search;
  }

  /** Compares the labels of new keys. */
  update(): void {
    const { labels, length, methodOf } = this.#keys;
    if (length > this.matching.length) {
      this.matching = grown(this.matching, nextCapacity(this.matching.length, length), this.#length);
    }
    for (; this.#length < length; this.#length++) {
      if (!this.search.matches(labels[this.#length])) continue;
      this.matching[this.#length] = 1;
      // The lines of a split method are not counted beside it.
      const method = methodOf[this.#length];
      if (method === this.#length || this.matching[method] === 0) this.names++;
    }
  }

  /**
   * The number and time of the samples with a match anywhere on their stack. `frames`, `nodes`: how much of the profile
   * `values` and the keys cover.
   */
  samplesOf(
    values: SelfValues,
    { frames, nodes }: { readonly frames: number; readonly nodes: number },
  ): SampleSum {
    const isMarked = this.nodesWithMatch({ frames, nodes });
    const time = new TimeColumn(1);
    let samples = 0;
    for (let self = 0; self < values.length; self++) {
      if (isMarked[values.node[self]] === 0) continue;
      samples += values.count[self];
      time.addFrom(0, values.time, self);
    }
    return { samples, time: time.ns[0] };
  }

  /** Node -> 1 if there is a match on its path. Borrowed until the next call. */
  nodesWithMatch({ frames, nodes }: { readonly frames: number; readonly nodes: number }): Uint8Array {
    this.#addFrames(frames);
    this.#nodes.update(this.#profile.nodes, nodes, this.#isMatch);
    return this.#nodes.isMarked;
  }

  #addFrames(end: number): void {
    const { ofFrame } = this.#keys;
    if (end > this.#isMatch.length) {
      this.#isMatch = grown(this.#isMatch, nextCapacity(this.#isMatch.length, end), this.#frames);
    }
    for (; this.#frames < end; this.#frames++)
      this.#isMatch[this.#frames] = this.matching[ofFrame[this.#frames]];
  }
}
