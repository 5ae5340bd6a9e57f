import { assert } from '../../shared/assert.ts';
import { type JoinGrouping, JoinedProfile, type SideState } from '../../shared/compare/joined-profile.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { TreeSource } from '../../shared/scope/scope-source.ts';
import { CallTree } from '../../shared/trees/call-tree.ts';
import { ProfileViews } from './profile-views.ts';
import { SideValues } from './side-values.ts';

/** A log joined with the one that it is compared with, and the views of both together. It grows with either. */
export class JoinedLogs {
  readonly views: ProfileViews;
  readonly next: SideValues;
  readonly base: SideValues;

  readonly #grouping: JoinGrouping;
  readonly #madeFor: string;
  readonly #log: LeanProfile;
  readonly #other: LeanProfile;
  readonly #trees: readonly CallTree[];
  readonly #joined: JoinedProfile;

  constructor(log: LeanProfile, other: LeanProfile, grouping: JoinGrouping) {
    this.#grouping = grouping;
    this.#madeFor = JSON.stringify(grouping);
    this.#log = log;
    this.#other = other;
    // The rows of a call tree are far fewer than its nodes.
    const ofOther = new CallTree(other, grouping);
    const ofLog = new CallTree(log, grouping);
    this.#trees = [ofOther, ofLog];
    this.#joined = new JoinedProfile(new TreeSource(other, ofOther), new TreeSource(log, ofLog), grouping);
    this.views = new ProfileViews(this.#joined.profile, this.#joined.ids);
    this.next = new SideValues(this.#joined.profile);
    this.base = new SideValues(this.#joined.profile);
  }

  get joined(): JoinedProfile {
    return this.#joined;
  }

  /** Whether these are the two logs, joined by this grouping. */
  isOf(log: LeanProfile, other: LeanProfile, grouping: JoinGrouping): boolean {
    return log === this.#log && other === this.#other && JSON.stringify(grouping) === this.#madeFor;
  }

  /** Takes in what both have gained: the same object, or one that replaces it where names came late. */
  updated(base: SideState, next: SideState): JoinedLogs {
    if (this.#joined.update(base, next) === 'grown') return this;
    this.release();
    const made = new JoinedLogs(this.#log, this.#other, this.#grouping);
    const result = made.#joined.update(base, next);
    assert(result === 'grown', 'what was just joined has all names');
    return made;
  }

  /** Frees the memory at once. */
  release(): void {
    this.views.release();
    for (const tree of this.#trees) tree.release();
  }
}
