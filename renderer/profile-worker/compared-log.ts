import type { Engine } from '../../shared/engine/engine.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { packProfile, type SharedProfiles, unpackProfile } from './shared-profiles.ts';

/** The other log that a query compares with, in the engine that answers it. It stays when it is closed. */
export class ComparedLog {
  readonly #engine: Engine;
  readonly #profiles: SharedProfiles;
  /** Its key, in the engine too; undefined: no other log is compared with. */
  #log: string | undefined;
  /** Its profile is a copy, which does not grow. */
  #isCopy = false;

  constructor(engine: Engine, profiles: SharedProfiles) {
    this.#engine = engine;
    this.#profiles = profiles;
  }

  get log(): string | undefined {
    return this.#log;
  }

  /** Its profile as it is compared; undefined until the log is there. */
  get profile(): LeanProfile | undefined {
    return this.#log === undefined ? undefined : this.#engine.profile(this.#log);
  }

  /** Compares with this log, as soon as it is there. */
  choose(log: string | undefined): void {
    if (this.#log !== undefined && this.#log !== log) this.#engine.remove(this.#log);
    if (this.#log !== log) this.#isCopy = false;
    this.#log = log;
    this.#take();
  }

  /** Keeps what is here, because the log is about to gain something that is not to be seen. */
  keep(): void {
    const { profile } = this;
    const log = this.#log;
    if (log === undefined || profile === undefined || profile !== this.#present) return;
    if (!this.#profiles.wasComplete(log)) return;
    this.#engine.add(log, unpackProfile(packProfile(profile, true)));
    this.#isCopy = true;
  }

  /** The log has gained something, or has another profile. Returns whether another profile is compared now. */
  grew(): boolean {
    const before = this.profile;
    this.#take();
    if (this.#log !== undefined) this.#engine.grew(this.#log);
    return before !== this.profile;
  }

  /** Compares with the log as it is now instead of the copy that was kept. Returns whether another profile is compared now. */
  resume(): boolean {
    const present = this.#present;
    if (present === undefined || present === this.profile) return false;
    this.#isCopy = false;
    return this.grew();
  }

  /** Its profile as the window has it; undefined: the log is not open. */
  get #present(): LeanProfile | undefined {
    return this.#log === undefined ? undefined : this.#profiles.get(this.#log);
  }

  #take(): void {
    const present = this.#present;
    if (this.#log !== undefined && present !== undefined && !this.#isCopy)
      this.#engine.add(this.#log, present);
  }
}
