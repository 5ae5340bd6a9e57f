import type { Choice, Chosen } from '../facts/choice.ts';
import type { FormatFacts } from '../facts/format-facts.ts';
import type { InputProblem } from '../facts/log-facts.ts';
import { formatOf } from '../formats/formats.ts';
import type { ProfileFormat } from '../formats/profile-format.ts';
import type { Accepts } from '../read/unpack/zip-entry.ts';
import { detectFormat, type FormatMismatch } from './detect-format.ts';
import { archiveProblem } from './input-problem.ts';
import { memoryAllowed } from '../aggregate/memory-budget.ts';
import { ProfileAggregator } from '../aggregate/profile-aggregator.ts';

/** Entries of an archive that a problem message lists. */
const MAX_ENTRIES = 20;

const ALL = 'all';
const BEST_TRIAL: Trial = 2;

/** An entry that is a profile. */
interface ArchiveProfile {
  readonly name: string;
  readonly format: ProfileFormat;
}

/**
 * The profiles of an archive that are read: the one that is chosen; otherwise the first that decodes, with all others of
 * its format if it allows that. If none decodes without damage, it is the one that decodes best.
 */
export class ArchiveProfiles {
  /** `archive` or `folder`. */
  what = 'archive';
  readonly #profiles: ArchiveProfile[] = [];
  /** Index of the profile that is read, or of the first of those. */
  #shown: number | undefined;
  #joined = 0;
  /** Index of the profile that is read if no other is, and how it decodes. */
  #spare: { readonly at: number; readonly trial: Trial } | undefined;
  readonly #chosen: Chosen;
  /** Number of the profile that is chosen. */
  readonly #entry: string | undefined;
  readonly #begin: (format: ProfileFormat, isFirst: boolean) => void;
  /** Entries of the present file that are not profiles. */
  readonly #others: FormatMismatch[] = [];
  /** Entries of the present file that are profiles -> whether they are read. */
  readonly #known = new Map<string, boolean>();

  /** `begin` is called before the bytes of an entry that is read: it is the first, or continues those before it. */
  constructor(chosen: Chosen, begin: (format: ProfileFormat, isFirst: boolean) => void) {
    this.#chosen = chosen;
    this.#entry = chosen.entry;
    this.#begin = begin;
  }

  /** Detects the format of an entry, and decides whether it is read. */
  readonly accepts: Accepts = (head, ended, name, isLast = false) => {
    const detected = detectFormat(head, ended);
    if (detected === undefined) return undefined;
    if (detected.format === undefined) {
      if (this.#others.length < MAX_ENTRIES)
        this.#others.push({ name, because: `it looks like ${detected.guess}` });
      return false;
    }
    const format = formatOf(detected.format);
    if (isLast && this.#spare !== undefined) {
      this.#show(this.#spare.at);
      return this.#read(name, format, true);
    }
    // An archive that has grown is unpacked again, from its first entry.
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#isOpen && !ended && head.length < TRIAL_BYTES) return undefined;
    const added = this.#add(name, format, () => tryDecoding(format, head, ended, this.#chosen));
    if (added === 'first' || added === 'next') return this.#read(name, format, added === 'first');
    this.#known.set(name, false);
    return added === 'spare' ? added : false;
  };

  /** The archive, or another file, is unpacked from its first entry. `isOther`: it is another file. */
  restart(isOther: boolean): void {
    this.#others.length = 0;
    if (isOther) this.#known.clear();
  }

  #read(name: string, format: ProfileFormat, isFirst: boolean): true {
    this.#begin(format, isFirst);
    this.#known.set(name, true);
    return true;
  }

  /** Whether it matters how the next profile decodes. */
  get #isOpen(): boolean {
    return !this.#isOneChosen && this.#shown === undefined;
  }

  /**
   * Adds an entry that is a profile. 'first': it is read; 'next': it is read, and continues those before it; 'spare': it
   * is read if no other is. `trial`: how it decodes.
   */
  #add(name: string, format: ProfileFormat, trial: () => Trial): 'first' | 'next' | 'spare' | 'skipped' {
    const at = this.#profiles.push({ name, format }) - 1;
    if (this.#isOneChosen) return at + 1 === Number(this.#entry) ? this.#show(at) : 'skipped';
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

  /** The facts of the profile that is read, with the choice of another if the archive has several. */
  addTo(facts: FormatFacts): FormatFacts {
    if (this.#profiles.length < 2) return facts;
    const notes = this.#isOneChosen ? facts.notes : [this.#note(), ...facts.notes];
    return { ...facts, choices: [this.#choice(), ...facts.choices], notes };
  }

  /** Why nothing of the archive is shown. `refusal` describes it, with an article. */
  problem(refusal: string): InputProblem {
    const what = this.what === 'folder' ? 'a folder without a profile' : refusal;
    return archiveProblem(this.#lacksChosen ?? what, this.#others);
  }

  /** Describes the archive if it does not have the profile that is chosen. */
  get #lacksChosen(): string | undefined {
    const count = this.#profiles.length;
    if (!this.#isOneChosen || count === 0 || Number(this.#entry) <= count) return undefined;
    return `${this.what === 'folder' ? 'a folder' : 'an archive'} with ${count} ${count === 1 ? 'profile' : 'profiles'}, so entry cannot be ${this.#entry ?? ''}`;
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
      chosen: options.find(({ value }) => value === this.#entry && this.#isOneChosen)?.value ?? shown,
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

  /** The number of profiles of one format that can be read as one. */
  get #mostJoinable(): number {
    const counts = new Map<ProfileFormat, number>();
    for (const { format } of this.#profiles)
      if (format.joinsEntries !== undefined) counts.set(format, (counts.get(format) ?? 0) + 1);
    return Math.max(0, ...counts.values());
  }

  get #isOneChosen(): boolean {
    return this.#entry !== undefined && /^[1-9]\d{0,8}$/.test(this.#entry);
  }
}

/** So many bytes of an entry show whether it decodes. Longer entries are seldom taken for what they are not. */
const TRIAL_BYTES = 1 << 20;

/**
 * The quality of an entry of an archive, by decoding its first TRIAL_BYTES bytes; the better the larger.
 *
 *   0  no sample: it only looks like a profile, or has none
 *   1  samples, and damage
 *   2  samples without damage, or too long to know
 */
type Trial = 0 | 1 | 2;

/** Decodes the first bytes of an entry into a profile of their own. The code of the format must be loaded. */
function tryDecoding(format: ProfileFormat, head: Uint8Array, ended: boolean, chosen: Chosen): Trial {
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
