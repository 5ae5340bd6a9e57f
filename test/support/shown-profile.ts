import { Engine } from '../../shared/engine/engine.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { INITIAL_QUERY, type ProfileQuery } from '../../shared/engine/query.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';

/** An engine with one profile, or two that are compared. */
export class ShownProfile {
  readonly #engine = new Engine();
  readonly #names = new Map<string, LeanProfile>();

  /** `other`: the baseline of queries that compare with the log of this name. */
  constructor(profile: LeanProfile, other: Readonly<Record<string, LeanProfile>> = {}) {
    for (const [name, each] of Object.entries({ '': profile, ...other })) {
      this.#names.set(name, each);
      this.#engine.add(name, each);
    }
  }

  /** Begins a state, in which all is seen that the profiles have now. */
  at(query: Partial<ProfileQuery> = {}): ProfileView {
    for (const name of this.#names.keys()) this.#engine.grew(name);
    return this.again(query);
  }

  /** Begins a state in which nothing has grown. */
  again(query: Partial<ProfileQuery> = {}): ProfileView {
    this.#engine.begin();
    return this.#engine.view('', { ...INITIAL_QUERY, ...query });
  }
}
