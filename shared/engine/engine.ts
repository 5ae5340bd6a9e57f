import { assert } from '../assert.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { NodeSource } from '../scope/scope-source.ts';
import type { ProfileExtent } from './trees/row-tree.ts';
import { ProfileUnion, type UnionOptions } from './comparison/profile-union.ts';
import { ProfileView } from './profile-view.ts';
import type { ProfileQuery } from './query.ts';
import { parseSearch } from './views/search.ts';
import { RecordedProfile } from './recorded-profile.ts';
import { Steps } from './steps.ts';

/** Memory of all results, in bytes, from which on unused ones are dropped. */
const BUDGET = 384 * 2 ** 20;

/** A profile whose tag tells it from the other ones of a union. */
interface Tagged {
  readonly id: string;
  readonly tag: string;
}

interface Union {
  readonly made: ProfileUnion;
  readonly parts: readonly RecordedProfile[];
  /** Revisions of the parts that it shows. */
  seen: string;
}

interface Added {
  readonly recorded: RecordedProfile;
  /** The union that makes the profile; undefined: the profile was read. */
  readonly union?: Union;
  /** See `MethodKeys`. */
  readonly methods: Map<string, number>;
}

/**
 * Answers queries about profiles that grow. It knows no thread, no socket and no clock: whoever owns a profile adds it, lets
 * it grow, and begins a state whenever its growth is to be seen.
 */
export class Engine {
  readonly #steps: Steps;
  readonly #profiles = new Map<string, Added>();
  /** That of the last query. */
  #search = parseSearch('');

  /** `budget`: see `Steps`. */
  constructor(budget = BUDGET) {
    this.#steps = new Steps(budget);
  }

  /** Adds a profile, in place of another one of this id. Its growth is seen in the next state. */
  add(id: string, profile: LeanProfile): void {
    if (this.#profiles.get(id)?.recorded.profile === profile) return;
    this.remove(id);
    const recorded = new RecordedProfile(profile);
    recorded.begin();
    this.#profiles.set(id, { recorded, methods: new Map() });
  }

  /**
   * Adds the union of some profiles, in place of another profile of this id. It is asked like any other one, and grows in
   * the state in which one of them has grown; a part that is replaced or removed stays in it as it was.
   */
  union(id: string, parts: readonly Tagged[], options: UnionOptions): ProfileUnion {
    const made = new ProfileUnion(options);
    const recorded = parts.map((part) => {
      const added = this.#profiles.get(part.id);
      assert(added !== undefined, 'a union is of profiles that were added');
      made.add(part.tag, new NodeSource(added.recorded.profile));
      return added.recorded;
    });
    this.remove(id);
    const union = { made, parts: recorded, seen: '' };
    const added = { recorded: new RecordedProfile(made.profile), methods: new Map<string, number>(), union };
    this.#profiles.set(id, added);
    takeParts(added);
    return made;
  }

  /** The profile of this id; undefined: there is none. */
  profile(id: string): LeanProfile | undefined {
    return this.#profiles.get(id)?.recorded.profile;
  }

  /** A profile may have gained something: names, samples, or both. */
  grew(id: string): void {
    this.#profiles.get(id)?.recorded.grew();
  }

  remove(id: string): void {
    const known = this.#profiles.get(id);
    if (known === undefined) return;
    this.#profiles.delete(id);
    this.#steps.forget(known.recorded);
  }

  /** Begins a state: views of it show all that the profiles have now. Earlier views must not be used any more. */
  begin(): void {
    this.#steps.begin();
    for (const { recorded, union } of this.#profiles.values()) if (union === undefined) recorded.begin();
    for (const added of this.#profiles.values()) takeParts(added);
  }

  /** Frees large results that were made from a profile and that this state has not used: others are looked at from now on. */
  forgetUnused(id: string): void {
    const added = this.#profiles.get(id);
    if (added !== undefined) this.#steps.forgetUnused(added.recorded);
  }

  /**
   * A profile as a query shows it in this state. `threads`: how scopes and joins tell threads apart. `withLines`: see
   * `ViewInputs`.
   */
  view(id: string, query: ProfileQuery, threads: 'name' | 'id' = 'name', withLines = false): ProfileView {
    const added = this.#profiles.get(id);
    assert(added !== undefined, 'a view is of a profile that was added');
    const log = query.comparison?.baseline.log;
    const other = log === undefined ? undefined : this.#profiles.get(log)?.recorded;
    if (query.search !== this.#search.text) this.#search = parseSearch(query.search);
    const inputs = { source: added.recorded, other, query, search: this.#search, threads, withLines };
    return new ProfileView(this.#steps, inputs, added.methods);
  }

  /** Does part of the next state's work for a profile that is growing: takes in call nodes and frames before these. */
  prefetch(id: string, upTo: ProfileExtent): void {
    const added = this.#profiles.get(id);
    if (added !== undefined) this.#steps.prefetch(added.recorded, upTo);
  }
}

/** Lets a union grow with its parts. A part that is a union itself was added before it. */
function takeParts({ recorded, union }: Added): void {
  if (union === undefined) return;
  const seen = union.parts.map(({ revision }) => revision).join();
  if (seen === union.seen) return;
  union.seen = seen;
  union.made.update(union.parts);
  recorded.grew();
  recorded.begin();
}
