import type { Choice, Chosen } from '../facts/choice.ts';
import type { FormatFacts } from '../facts/format-facts.ts';
import type { ProfileFormat } from '../formats/profile-format.ts';
import { memoryAllowed } from '../aggregate/memory-budget.ts';
import { ProfileAggregator } from '../aggregate/profile-aggregator.ts';

const ALL = 'all';
const BEST_TRIAL: Trial = 2;

/** An entry that is a profile. */
interface ArchiveProfile {
  readonly name: string;
  readonly format: ProfileFormat;
}

/**
 * Which profiles of an archive are read: the one that is chosen; otherwise the first that decodes, with all others of its
 * format if it allows that. If none decodes without damage, it is the one that decodes best.
 */
export class ArchiveProfiles {
  /** `archive` or `folder`. */
  what = 'archive';
  readonly #chosen: string | undefined;
  readonly #profiles: ArchiveProfile[] = [];
  /** Index of the profile that is read, or of the first of those. */
  #shown: number | undefined;
  #joined = 0;
  /** Index of the profile that is read if no other is, and how it decodes. */
  #spare: { readonly at: number; readonly trial: Trial } | undefined;

  constructor(chosen: Chosen) {
    this.#chosen = chosen.entry;
  }

  /** Whether it matters how the next profile decodes. */
  get isOpen(): boolean {
    return !this.#isOneChosen && this.#shown === undefined;
  }

  /**
   * Adds an entry that is a profile. 'first': it is read; 'next': it is read, and continues those before it; 'spare': it
   * is read if no other is, after `showSpare`. `trial`: how it decodes.
   */
  add(name: string, format: ProfileFormat, trial: () => Trial): 'first' | 'next' | 'spare' | 'skipped' {
    const at = this.#profiles.push({ name, format }) - 1;
    if (this.#isOneChosen) return at + 1 === Number(this.#chosen) ? this.#show(at) : 'skipped';
    if (this.#shown === undefined) {
      const tried = trial();
      if (tried === BEST_TRIAL) return this.#show(at);
      if (this.#spare !== undefined && this.#spare.trial >= tried) return 'skipped';
      this.#spare = { at, trial: tried };
      return 'spare';
    }
    if (format.joinsEntries === undefined || format !== this.#profiles[this.#shown].format) return 'skipped';
    this.#joined++;
    return 'next';
  }

  showSpare(): void {
    if (this.#spare !== undefined) this.#show(this.#spare.at);
  }

  /** The facts of the profile that is read, with the choice of another if the archive has several. */
  addTo(facts: FormatFacts): FormatFacts {
    if (this.#profiles.length < 2) return facts;
    const notes = this.#isOneChosen ? facts.notes : [this.#note(), ...facts.notes];
    return { ...facts, choices: [this.#choice(), ...facts.choices], notes };
  }

  /** Describes the archive if it does not have the profile that is chosen. */
  get refusal(): string | undefined {
    const count = this.#profiles.length;
    if (!this.#isOneChosen || count === 0 || Number(this.#chosen) <= count) return undefined;
    return `${this.what === 'folder' ? 'a folder' : 'an archive'} with ${count} ${count === 1 ? 'profile' : 'profiles'}, so entry cannot be ${this.#chosen ?? ''}`;
  }

  #show(at: number): 'first' {
    this.#shown = at;
    this.#joined = 1;
    return 'first';
  }

  #choice(): Choice {
    const options = this.#profiles.map(({ name }, at) => ({ value: String(at + 1), text: name }));
    const joined = this.#isOneChosen ? this.#mostJoinable : this.#joined;
    if (joined > 1) {
      const what = joined === this.#profiles.length ? 'all' : `${joined} of one format`;
      options.unshift({ value: ALL, text: `${what}, as one profile` });
    }
    const shown = this.#joined > 1 ? ALL : String((this.#shown ?? 0) + 1);
    return {
      id: 'entry',
      name: `File in the ${this.what}`,
      hint: `Which of the profiles in the ${this.what} is shown.`,
      kind: 'one',
      options,
      chosen: options.find(({ value }) => value === this.#chosen && this.#isOneChosen)?.value ?? shown,
    };
  }

  #note(): string {
    const count = this.#profiles.length;
    const contents = `The ${this.what} contains ${count} profiles`;
    if (this.#joined === count) return `${contents}: they are read as one.`;
    const { name } = this.#profiles[this.#shown ?? 0];
    if (this.#joined > 1)
      return `${contents}: ${name} and ${this.#joined - 1} more of its format are read as one.`;
    return `${contents}: ${name} is shown.`;
  }

  /** How many profiles of one format can be read as one. */
  get #mostJoinable(): number {
    const counts = new Map<ProfileFormat, number>();
    for (const { format } of this.#profiles)
      if (format.joinsEntries !== undefined) counts.set(format, (counts.get(format) ?? 0) + 1);
    return Math.max(0, ...counts.values());
  }

  get #isOneChosen(): boolean {
    return this.#chosen !== undefined && /^[1-9]\d{0,8}$/.test(this.#chosen);
  }
}

/** So many bytes of an entry show whether it decodes. Longer entries are seldom taken for what they are not. */
export const TRIAL_BYTES = 1 << 20;

/**
 * How an entry of an archive decodes by its first TRIAL_BYTES bytes, the better the larger.
 *
 *   0  no sample: it only looks like a profile, or has none
 *   1  samples, and damage
 *   2  samples without damage, or too long to know
 */
type Trial = 0 | 1 | 2;

/** Decodes the first bytes of an entry into a profile of their own. The code of the format must be loaded. */
export function tryDecoding(format: ProfileFormat, head: Uint8Array, ended: boolean, chosen: Chosen): Trial {
  const aggregator = new ProfileAggregator();
  aggregator.memory.most = memoryAllowed(head.length);
  const decoder = format.createDecoder(aggregator, chosen);
  const isWhole = ended && head.length <= TRIAL_BYTES;
  decoder.append(head.subarray(0, TRIAL_BYTES));
  decoder.emitOpen(isWhole);
  const { damage } = decoder;
  if (damage === undefined && !isWhole) return 2;
  if (aggregator.sampleCount === 0) return 0;
  return damage === undefined ? 2 : 1;
}
