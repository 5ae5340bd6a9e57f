import type { ProfileUnion } from '../../shared/engine/comparison/profile-union.ts';
import type { Engine } from '../../shared/engine/engine.ts';
import type { MirrorRequest } from './mirror-messages.ts';
import type { SharedProfiles } from './shared-profiles.ts';

/** The logs that are merged in one, and their union as soon as all of them are there. */
export class MergedParts {
  readonly #engine: Engine;
  readonly #profiles: SharedProfiles;
  readonly #merge: Extract<MirrorRequest, { type: 'union' }>;
  #union: ProfileUnion | undefined;
  /** Something of a part waits for the next state. */
  #hasGrown = false;

  constructor(engine: Engine, profiles: SharedProfiles, merge: Extract<MirrorRequest, { type: 'union' }>) {
    this.#engine = engine;
    this.#profiles = profiles;
    this.#merge = merge;
  }

  get logs(): readonly string[] {
    return this.#merge.parts.map(({ log }) => log);
  }

  /** Call nodes that the parts have, though the union may not have them yet. */
  get nodes(): number {
    return this.logs.reduce((sum, log) => sum + (this.#profiles.get(log)?.nodes.length ?? 0), 0);
  }

  /** Makes the union of the profiles that the parts have now, as this profile of the engine. undefined: a part is missing. */
  unite(id: string, mostNodes: number): ProfileUnion | undefined {
    const { parts, threads } = this.#merge;
    const tagged = parts.map(({ log, tag }) => ({ id: partId(log), tag }));
    const profiles = this.logs.flatMap((log) => this.#profiles.get(log) ?? []);
    if (profiles.length < parts.length) return undefined;
    for (const [at, profile] of profiles.entries()) this.#engine.add(tagged[at].id, profile);
    this.#hasGrown = true;
    return (this.#union = this.#engine.union(id, tagged, { threads, samples: true, mostNodes }));
  }

  /** Lets the union gain what this part has gained. False: the union must be made again. */
  grew(log: string): boolean {
    if (this.#union === undefined || this.#engine.profile(partId(log)) !== this.#profiles.get(log))
      return false;
    this.#engine.grew(partId(log));
    return (this.#hasGrown = true);
  }

  /** The union if the state that begins next shows more of it. */
  takeGrown(): ProfileUnion | undefined {
    const union = this.#hasGrown ? this.#union : undefined;
    this.#hasGrown = false;
    return union;
  }
}

/** The key of a part in the engine: the log may be compared with it, too. */
function partId(log: string): string {
  return `part ${log}`;
}
