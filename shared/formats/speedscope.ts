import { is, isNot, isPossible, type ProfileFormat } from './profile-format.ts';
import { noteOf } from '../facts/losses.ts';
import type { SampleSink } from '../aggregate/sample-sink.ts';
import { type ProfileUnits, SAMPLES, SAMPLES_AND_TIME, SAMPLES_ONLY } from '../profile/profile-units.ts';
import { NO_BCI, NO_LINE } from '../profile/frame-table.ts';
import { nearestInteger } from '../profile/int64.ts';
import type { Choice, Chosen } from '../facts/choice.ts';
import type { Damage } from '../facts/damage.ts';
import { type FormatFacts, NO_FACTS } from '../facts/format-facts.ts';
import {
  elementsOf,
  isObject,
  JsonDecoder,
  type JsonList,
  type JsonObject,
  listOf,
  numberOf,
  textOf,
  unexpectedValue,
} from './json.ts';
import { type NamedFrame, NamedFrames } from './named-frames.ts';

const SCHEMA = 'www.speedscope.app/file-format-schema.json';

/** Some tools leave the name of the schema out. */
const SHARED_FRAMES = /"shared"\s*:\s*\{\s*"frames"\s*:\s*\[/;
const PROFILES = /"profiles"\s*:\s*\[/;
const VALUES = /"(?:startValue|endValue)"\s*:/;

/** speedscope's own format (specs: other formats; https://www.speedscope.app/file-format-schema.json). */
export const SPEEDSCOPE: ProfileFormat = {
  id: 'speedscope',
  name: 'speedscope file',
  listed: { group: 'Exchange formats', entry: 'speedscope' },
  extensions: ['.speedscope.json', '.json'],
  follows: false,
  notRecorded: [
    'when it was recorded',
    'threads, unless each is a profile of its own',
    'whether a stack was truncated',
  ],
  recognise: (head) => {
    const text = new TextDecoder().decode(head);
    if (!/^\ufeff?\s*\{/.test(text)) return isNot(0, 'it is not a JSON object');
    if (text.includes(SCHEMA)) return is('it names the schema of speedscope');
    if (SHARED_FRAMES.test(text) && PROFILES.test(text) && VALUES.test(text))
      return is('it has shared frames and profiles with values, as speedscope does');
    return isPossible(0.2, 'it does not name the schema of speedscope');
  },
  createDecoder: (sink, chosen) => new SpeedscopeDecoder(sink, chosen),
};

/** Unit -> ns, or bytes. */
const FACTORS: Readonly<Record<string, number>> = {
  nanoseconds: 1,
  microseconds: 1e3,
  milliseconds: 1e6,
  seconds: 1e9,
  bytes: 1,
};
const BYTES: ProfileUnits = {
  counted: { ...SAMPLES, isDependent: true },
  value: { name: 'Bytes', unit: 'bytes' },
};

/** The kind of all profiles, known before one is read. */
interface ProfileKind {
  readonly name: string;
  readonly unit: string;
  readonly isEvented: boolean;
  /** It has a stack, or an event. */
  readonly hasSamples: boolean;
}

/**
 * Decodes a speedscope file: a list of frames, and profiles that refer to them. A profile consists of samples with
 * weights, or of events that open and close frames.
 *
 *   sampled   samples [[0, 1], [0]]  weights [2, 5]       frame 0 called 1 for 2, then had 5 of self time
 *   evented   O 0 at 0, O 1 at 0, C 1 at 2, C 0 at 7      the same
 *
 * A sample counts as 1 and its weight is its time or bytes; a weight without a unit is the count. The time between two
 * events is a sample. Profiles with the same unit are shown as threads of one program, unless one of them is chosen.
 */
class SpeedscopeDecoder extends JsonDecoder {
  readonly #frames: NamedFrames;
  readonly #chosen: string | undefined;
  #units: ProfileUnits = SAMPLES_ONLY;
  #choices: readonly Choice[] = [];
  #shared: (NamedFrame | undefined)[] = [];
  #invalid = 0;
  /** Samples with an empty stack. Like the gaps between events, they are no time of the program. */
  #idle = 0;
  /** A sentence, if the profile that the file shows first is empty and another one is shown. */
  #passedOver: string | undefined;
  /** All that was read are events, and their unit is a time. */
  #hasTimes = false;

  constructor(sink: SampleSink, chosen: Chosen) {
    super(sink);
    this.#frames = new NamedFrames(sink);
    this.#chosen = chosen.profile;
  }

  facts(): FormatFacts {
    return {
      ...NO_FACTS,
      units: this.#units,
      choices: this.#choices,
      skips: noteOf([this.#invalid, 'invalid sample or event', 'invalid samples or events'], 'skipped.'),
      notes: [
        ...(this.#passedOver === undefined ? [] : [this.#passedOver]),
        ...noteOf([this.#idle, 'sample'], 'with an empty stack, when nothing ran: not counted.'),
      ],
      hasSampleTimes: this.#hasTimes,
    };
  }

  protected override decodeValue(file: unknown): Damage | undefined {
    const list = isObject(file) ? listOf(file.profiles) : [];
    const profiles = this.#kinds(list);
    if (!isObject(file) || profiles.length === 0)
      return unexpectedValue('profiles', isObject(file) ? file.profiles : file, 'a list of profiles');
    const shared = isObject(file.shared) ? file.shared : file;
    for (const frame of listOf(shared.frames)) {
      if (!this.sink.memory.keepRow()) break;
      this.#shared.push(isObject(frame) ? this.#frame(frame) : undefined);
    }
    const picked = new Set(this.#pick(profiles, numberOf(file.activeProfileIndex) ?? 0));
    this.#hasTimes = [...picked].every((at) => profiles[at].isEvented && isTime(profiles[at].unit));
    let at = 0;
    for (const profile of list) {
      if (this.sink.isFull) break;
      if (!isObject(profile)) continue;
      if (picked.has(at)) this.#read(profile, at);
      at++;
    }
    return undefined;
  }

  #kinds(list: JsonList): ProfileKind[] {
    const kinds: ProfileKind[] = [];
    for (const profile of list) {
      if (!isObject(profile)) continue;
      const name = textOf(profile.name);
      if (!this.sink.memory.keepRow(name.length)) break;
      kinds.push({
        name,
        unit: unitOf(profile),
        isEvented: profile.type === 'evented',
        hasSamples: hasSamples(profile),
      });
    }
    return kinds;
  }

  #frame(frame: JsonObject): NamedFrame {
    return this.#frames.ofText(textOf(frame.name), textOf(frame.file), lineOf(frame));
  }

  /** Indexes of the profiles to read. Sets the choice of profiles. */
  #pick(profiles: readonly ProfileKind[], active: number): number[] {
    const all = profiles.map((_, at) => at);
    if (profiles.length === 1) return all;
    const isOfOneKind = profiles.every(({ unit }) => unit === profiles[0].unit);
    const options = profiles.map(({ name }, at) => ({
      value: String(at + 1),
      text: name || `profile ${at + 1}`,
    }));
    if (isOfOneKind) options.unshift({ value: 'all', text: 'all, as threads' });
    const first = Math.min(Math.max(0, Math.floor(active)), profiles.length - 1);
    const shown = profiles[first].hasSamples ? first : profiles.findIndex(({ hasSamples }) => hasSamples);
    const requested = options.find(({ value }) => value === this.#chosen)?.value;
    if (requested === undefined && !isOfOneKind && shown !== first && shown >= 0)
      this.#passedOver = `${options[first].text} has no samples: ${options[shown].text} is shown.`;
    const chosen = requested ?? (isOfOneKind ? 'all' : options[Math.max(0, shown)].value);
    this.#choices = [
      {
        id: 'profile',
        name: 'Profile',
        hint: 'Which of the profiles in the file is shown',
        kind: 'one',
        options,
        chosen,
      },
    ];
    return chosen === 'all' ? all : [Number(chosen) - 1];
  }

  #read(profile: JsonObject, at: number): void {
    const unit = unitOf(profile);
    this.#units = unit === 'bytes' ? BYTES : unit in FACTORS ? SAMPLES_AND_TIME : SAMPLES_ONLY;
    const thread = this.sink.thread(0, at);
    this.sink.nameThread(thread, textOf(profile.name) || `profile ${at + 1}`);
    const root = this.sink.root(thread);
    if (profile.type === 'evented') this.#readEvents(profile, root, FACTORS[unit]);
    else this.#readSamples(profile, root, FACTORS[unit]);
  }

  #readSamples(profile: JsonObject, root: number, factor: number | undefined): void {
    const nextWeight = elementsOf(profile.weights);
    // Leanscope's own exports by time or bytes have the number of samples besides.
    const nextCount = elementsOf(profile.counts);
    for (const sample of listOf(profile.samples)) {
      if (this.sink.isFull) break;
      const stack = listOf(sample);
      let node = root;
      let depth = 0;
      for (const index of stack) {
        const frame = this.#shared[numberOf(index) ?? -1];
        if (frame === undefined) break;
        node = this.sink.callee(node, ++depth, 0, frame.method, frame.line, NO_BCI);
      }
      const weight = numberOf(nextWeight() ?? 1);
      const count = numberOf(nextCount());
      if (depth < stack.length || weight === undefined) this.#invalid++;
      else if (depth > 0) this.#count(node, weight, factor, count);
      else this.#idle++;
    }
  }

  #readEvents(profile: JsonObject, root: number, factor: number | undefined): void {
    const nodes = [root];
    const open: number[] = [];
    let before = numberOf(profile.startValue) ?? 0;
    for (const event of listOf(profile.events)) {
      if (this.sink.isFull) break;
      const at = isObject(event) ? numberOf(event.at) : undefined;
      const index = isObject(event) ? numberOf(event.frame) : undefined;
      const frame = this.#shared[index ?? -1];
      if (!isObject(event) || at === undefined || index === undefined || frame === undefined) {
        this.#invalid++;
        continue;
      }
      if (at > before) {
        if (this.#hasTimes) this.sink.takenAt(0n, nearestInteger(before * FACTORS[unitOf(profile)]));
        if (open.length > 0) this.#count(nodes[open.length], at - before, factor);
        before = at;
      }
      if (event.type === 'O') {
        // Each is closed by an event of at least as many bytes, so what is held for it is not counted.
        open.push(index);
        nodes.push(
          this.sink.callee(nodes[nodes.length - 1], open.length, 0, frame.method, frame.line, NO_BCI),
        );
      } else if (event.type === 'C' && open.at(-1) === index) {
        open.pop();
        nodes.pop();
      } else {
        this.#invalid++;
      }
    }
  }

  #count(node: number, weight: number, factor: number | undefined, samples = 1): void {
    const value = Math.round(weight * (factor ?? 0));
    // A stack may have time and no sample, as between two snapshots.
    const isValid = samples >= 0 && samples <= Number.MAX_SAFE_INTEGER;
    if (!isValid || weight < 0 || weight > Number.MAX_SAFE_INTEGER || !Number.isSafeInteger(value)) {
      this.#invalid++;
      return;
    }
    this.records++;
    if (factor === undefined) {
      if (weight > 0) this.sink.samplesAt(node, weight, 0);
    } else {
      this.sink.samplesAt(node, samples, value);
    }
  }
}

function hasSamples(profile: JsonObject): boolean {
  if (profile.type === 'evented') return listOf(profile.events).length > 0;
  for (const sample of listOf(profile.samples)) if (listOf(sample).length > 0) return true;
  return false;
}

function isTime(unit: string): boolean {
  return unit in FACTORS && unit !== 'bytes';
}

function unitOf(profile: JsonObject): string {
  return textOf(profile.unit);
}

function lineOf(frame: JsonObject): number | undefined {
  const line = numberOf(frame.line);
  return line !== undefined && line > 0 && line < 2 ** 31
    ? Math.floor(line)
    : textOf(frame.file) === ''
      ? undefined
      : NO_LINE;
}
