import type { Choice, Chosen } from '../facts/choice.ts';
import type { FormatFacts } from '../facts/format-facts.ts';
import type { ProfileFormat } from '../formats/profile-format.ts';

const ALL = 'all';

/**
 * Which profiles of an archive are read: all as one profile, if their format allows it; otherwise the first, or the one
 * that is chosen.
 */
export class ArchiveProfiles {
  readonly #chosen: string | undefined;
  readonly #names: string[] = [];
  #first: ProfileFormat | undefined;
  #joined = 0;

  constructor(chosen: Chosen) {
    this.#chosen = chosen.entry;
  }

  /** Adds an entry that is a profile. 'first': it is read; 'next': it is read, and continues those before it. */
  add(name: string, format: ProfileFormat): 'first' | 'next' | 'skipped' {
    const number = this.#names.push(name);
    this.#first ??= format;
    if (this.#isOneChosen) return number === Number(this.#chosen) ? 'first' : 'skipped';
    if (number === 1) {
      this.#joined = 1;
      return 'first';
    }
    if (format.joinsEntries === undefined || format !== this.#first) return 'skipped';
    this.#joined++;
    return 'next';
  }

  /** The facts of the profile that is read, with the choice of another if the archive has several. */
  addTo(facts: FormatFacts): FormatFacts {
    if (this.#names.length < 2) return facts;
    const notes = this.#isOneChosen ? facts.notes : [this.#note(), ...facts.notes];
    return { ...facts, choices: [this.#choice(), ...facts.choices], notes };
  }

  /** Describes the archive if it does not have the profile that is chosen. */
  get refusal(): string | undefined {
    const count = this.#names.length;
    if (!this.#isOneChosen || count === 0 || Number(this.#chosen) <= count) return undefined;
    return `an archive with ${count} ${count === 1 ? 'profile' : 'profiles'}, so entry cannot be ${this.#chosen ?? ''}`;
  }

  #choice(): Choice {
    const options = this.#names.map((name, at) => ({ value: String(at + 1), text: name }));
    const isJoined = this.#first?.joinsEntries !== undefined;
    if (isJoined) options.unshift({ value: ALL, text: 'all, as one profile' });
    return {
      id: 'entry',
      name: 'File in the archive',
      hint: 'Which of the profiles in the archive is shown.',
      kind: 'one',
      options,
      chosen: options.find(({ value }) => value === this.#chosen)?.value ?? options[0].value,
    };
  }

  #note(): string {
    const count = this.#names.length;
    if (this.#joined === count) return `The archive contains ${count} profiles: they are read as one.`;
    if (this.#joined === 1) return `The archive contains ${count} profiles: the first is shown.`;
    return `The archive contains ${count} profiles: ${this.#joined} of one format are read as one.`;
  }

  get #isOneChosen(): boolean {
    return this.#chosen !== undefined && /^[1-9]\d{0,8}$/.test(this.#chosen);
  }
}
