import { NO_CONTEXT } from '../../text/format-frame.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import {
  attributeOf,
  type FrameGrouping,
  type FrameKeys,
  type SplitMethod,
  type ThreadGrouping,
  type TreeThreads,
  lineLabel,
  NO_STACK,
  partsOf,
} from './grouping.ts';
import { grown, nextCapacity, NONE } from '../../profile/columns.ts';
import { isErrorMethod, MADE_ID_HI, type MethodNames } from '../../profile/method-table.ts';
import { int64Text } from '../../profile/int64.ts';
import { printable } from '../../text/printable.ts';
import { poolOf } from '../../text/thread-pools.ts';

export type RowKind = 'all' | 'thread' | 'frame' | 'error';

/** The key of a frame: frames with equal keys are one row (specs: Honest Profiler FrameGrouping). Names are `printable`. */
export function frameKey({ frames, methods }: LeanProfile, frame: number, grouping: FrameGrouping): string {
  const method = frames.method[frame];
  const name = qualifiedName(methods.namesOf(method));
  switch (grouping) {
    case 'fqmn':
      return name;
    case 'line':
      return `${name}:${frames.line[frame]}`;
    case 'bci':
      return `${name}:${frames.bci[frame]}`;
    case 'method-id':
      // What a transform made has no id of its log: it is the same in every log.
      return methods.idHi[method] === MADE_ID_HI
        ? name
        : `(${int64Text(methods.idHi[method], methods.idLo[method])}) ${name}`;
  }
}

/** The class name is empty for formats without classes, and for frames that stand for missing ones. */
export function qualifiedName({
  className,
  methodName,
}: Pick<MethodNames, 'className' | 'methodName'>): string {
  return printable(className === '' ? methodName : `${className}.${methodName}`);
}

const NAMELESS = 'Unknown';

/** Whether this is the key that the grouping by id gives to a known thread without a name. */
export function isNamelessThreadKey(key: string): boolean {
  return key.startsWith(`${NAMELESS} <`);
}

/** The key of all threads together, and of those that are in no group, as in canonical text (specs: Honest Profiler ThreadGrouping). */
const ALL_THREADS_KEY = 'All Threads';
/** The label of all threads together in the window and in drawings. */
export const ALL_THREADS_LABEL = 'All threads';

/** The key of threads without a name, in groupings by name. */
const UNKNOWN_THREADS = 'Unknown Thread(s)';

/** The key of a thread: threads with equal keys are one root (specs: Honest Profiler ThreadGrouping). */
export function threadKey({ threads }: LeanProfile, thread: number, grouping: TreeThreads): string {
  if (grouping === 'all') return ALL_THREADS_KEY;
  if (grouping === 'each') return String(thread);
  if (attributeOf(grouping) !== undefined) return printable(threads.group[thread] ?? NO_CONTEXT);
  const name = threads.name[thread];
  const group = threads.group[thread];
  if (grouping === 'group') return group === undefined ? ALL_THREADS_KEY : printable(group);
  // A name has the group in front.
  const nameless = group === undefined ? '' : `${printable(group)}: `;
  if (grouping !== 'id') {
    if (name === undefined || name === '') return `${nameless}${UNKNOWN_THREADS}`;
    return grouping === 'pool' ? poolOf(printable(name)) : printable(name);
  }
  if (name === undefined) return `${nameless}Unknown Thread <Unknown ID>`;
  const shown = name === '' ? `${nameless}${NAMELESS}` : printable(name);
  return `${shown} <${int64Text(threads.idHi[thread], threads.idLo[thread])}>`;
}

/** Thread -> its key. */
export function threadKeys(profile: LeanProfile, grouping: ThreadGrouping): readonly string[] {
  return Array.from({ length: profile.threads.length }, (_, thread) => threadKey(profile, thread, grouping));
}

/** The key by name for a key by id: `main` for `main <20458>`. */
export function threadNameOfKey(key: string): string {
  const name = key.replace(/ <[^<>]*>$/, '');
  const nameless = /^(.*: |)Unknown(?: Thread)?$/s.exec(name);
  return nameless === null ? name : `${nameless[1]}${UNKNOWN_THREADS}`;
}

/** The pool of the threads with a key, in any grouping; undefined for threads without a name. */
export function poolOfThreadKey(key: string): string | undefined {
  const name = threadNameOfKey(key);
  return name.endsWith(UNKNOWN_THREADS) ? undefined : poolOf(name);
}

/**
 * frame -> key, for one grouping. Keys are dense indexes in order of first appearance.
 *
 *   frame   0              1                  2                  3
 *   label   Shop.main:12   Shop.parse:40      Shop.main:14       Shop.parse:40
 *   key     0              1                  0 (by method)      1
 *
 * A split method has a key of its own, which is no frame's, and one key for each of its lines:
 *
 *   key        0             1            2                3
 *   label      Shop.parse    Shop.main    Shop.main:12     Shop.main:14
 *   methodOf   0             1            1                1
 */
export class KeyTable {
  readonly grouping: FrameKeys;
  readonly labels: string[] = [];
  /** key -> the first frame with this key, by which a row can be found again in another grouping. */
  readonly firstFrame: number[] = [];
  /** key -> whether it is an AsyncGetCallTrace error. */
  readonly isError: boolean[] = [];
  /** key -> the key of the split method of which it is a line; the key itself for all others. */
  readonly methodOf: number[] = [];
  /** frame -> key. */
  ofFrame = new Int32Array(1024);

  readonly #profile: LeanProfile;
  /** The grouping of frames that belong to no split method. */
  readonly #rest: FrameGrouping;
  /** Key of a split method -> how its frames are told apart. */
  readonly #split: ReadonlyMap<string, SplitMethod['by']>;
  readonly #keyOfLabel = new Map<string, number>();
  /** Label of a line of a split method -> its key. It is apart from other labels, because a method may be called so, too. */
  readonly #keyOfLine = new Map<string, number>();
  #frames = 0;
  readonly #joinsErrors: boolean;
  /** The key of all errors; NONE: there is none yet, or each has its own. */
  #keyOfErrors: number = NONE;
  /** method -> its key, in groupings in which all frames of a method have the same key. */
  readonly #keyOfMethod: number[] | undefined;
  /** Frames whose method had no definition when their key was made. */
  #unnamed: number[] = [];

  constructor(profile: LeanProfile, grouping: FrameKeys) {
    this.#profile = profile;
    this.grouping = grouping;
    const { rest, split, joinsErrors = false } = partsOf(grouping);
    this.#rest = rest;
    this.#joinsErrors = joinsErrors;
    this.#split = new Map(split.map(({ key, by }) => [key, by]));
    if (this.#rest === 'fqmn' || this.#rest === 'method-id') this.#keyOfMethod = [];
  }

  get length(): number {
    return this.labels.length;
  }

  /** Some keys are those of lines of split methods. */
  get hasLines(): boolean {
    return this.#keyOfLine.size > 0;
  }

  /** The key with this label, or -1. */
  find(label: string): number {
    return (
      this.#keyOfLabel.get(label) ??
      this.#keyOfLine.get(label) ??
      (label === NO_STACK ? this.#keyOfErrors : NONE)
    );
  }

  /** The key of a frame; undefined if this table does not contain the frame. */
  keyOf(frame: number): number | undefined {
    return frame >= 0 && frame < this.#frames ? this.ofFrame[frame] : undefined;
  }

  /** Whether a key is that of all samples without a stack: its row is the last one in every order. */
  isNoStack(key: number): boolean {
    return key >= 0 && key === this.#keyOfErrors;
  }

  /** Whether the frames of a key have a line or a BCI in common. */
  isPosition(key: number): boolean {
    if (this.isNoStack(key)) return false;
    return this.#rest === 'line' || this.#rest === 'bci' || this.methodOf[key] !== key;
  }

  get #isOutdated(): boolean {
    const { frames, methods } = this.#profile;
    return this.#unnamed.some((frame) => methods.names[frames.method[frame]] !== undefined);
  }

  /**
   * Adds the profile's frames before `end`. Returns false if a method that had no name has one now: then its frames have
   * other keys, and everything that uses the old keys must be built again with a new KeyTable.
   */
  update(end = this.#profile.frames.length): boolean {
    const { methods, frames } = this.#profile;
    if (this.#isOutdated) return false;
    if (end > this.ofFrame.length) {
      this.ofFrame = grown(this.ofFrame, nextCapacity(this.ofFrame.length, end));
    }
    for (; this.#frames < end; this.#frames++) {
      const frame = this.#frames;
      const method = frames.method[frame];
      if (methods.names[method] === undefined) this.#unnamed.push(frame);
      const known = this.#keyOfMethod?.[method];
      const key = known ?? this.#keyOf(frame);
      const by = this.#split.size === 0 ? undefined : this.#split.get(this.labels[key]);
      this.ofFrame[frame] = by === undefined ? key : this.#keyOfLineOf(frame, key, by);
      if (known === undefined && this.#keyOfMethod !== undefined) this.#keyOfMethod[method] = key;
    }
    return true;
  }

  /** Returns the key of a frame's label, and creates it if there is none. */
  #keyOf(frame: number): number {
    if (this.#joinsErrors) {
      const { methods, frames } = this.#profile;
      const names = methods.names[frames.method[frame]];
      if (names !== undefined && isErrorMethod(names)) {
        // It is in no map: a method of this name is another key.
        if (this.#keyOfErrors === NONE) this.#keyOfErrors = this.#append(NO_STACK, frame, NONE);
        return this.#keyOfErrors;
      }
    }
    const label = frameKey(this.#profile, frame, this.#rest);
    return this.#keyOfLabel.get(label) ?? this.#append(label, frame, NONE, this.#keyOfLabel);
  }

  #keyOfLineOf(frame: number, method: number, by: SplitMethod['by']): number {
    const { line, bci } = this.#profile.frames;
    const label = lineLabel(this.labels[method], line[frame], bci[frame], by);
    return this.#keyOfLine.get(label) ?? this.#append(label, frame, method, this.#keyOfLine);
  }

  #append(label: string, frame: number, method: number, keys?: Map<string, number>): number {
    const { methods, frames } = this.#profile;
    const key = this.labels.length;
    this.labels.push(label);
    this.firstFrame.push(frame);
    const names = methods.names[frames.method[frame]];
    this.isError.push(names !== undefined && isErrorMethod(names));
    this.methodOf.push(method === NONE ? key : method);
    keys?.set(label, key);
    return key;
  }
}

/** The order of strings by UTF-16 code units, as in canonical text. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The keys of a profile's frames, in each grouping that is asked for. */
export class KeyTables {
  readonly #profile: LeanProfile;
  readonly #tables = new Map<FrameGrouping, KeyTable>();

  constructor(profile: LeanProfile) {
    this.#profile = profile;
  }

  of(grouping: FrameGrouping): KeyTable {
    const known = this.#tables.get(grouping);
    if (known !== undefined) return known;
    const keys = new KeyTable(this.#profile, grouping);
    this.#tables.set(grouping, keys);
    return keys;
  }

  /** Takes in frames up to this number. False if all must be made again: see `KeyTable.update`. */
  update(frames: number): boolean {
    return [...this.#tables.values()].every((keys) => keys.update(frames));
  }
}
