import { TimeColumn } from '../../profile/time-column.ts';
import { NO_SAMPLES, OwnValues, type SampleSum, type SelfValues } from './self-values.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import { isErrorMethod } from '../../profile/method-table.ts';
import type { ProfileExtent } from '../trees/row-tree.ts';
import { MarkedNodes, markedRows } from './marked-stacks.ts';

/** A copy of self values in which some rows are set to zero. */
export class MaskedValues extends OwnValues {
  /** Sum of the rows that were set to zero. */
  leftOut = NO_SAMPLES;

  readonly #source: SelfValues;

  constructor(source: SelfValues) {
    super();
    this.#source = source;
  }

  /**
   * Copies the present values of the source, and sets the rows to zero whose entry in `mask` is 1. `isComplete`: these are
   * of another profile. O(rows).
   */
  update(mask: Uint8Array, isComplete = false): void {
    this.isComplete = isComplete;
    const { length, time } = this.#source;
    this.takeRows(this.#source);
    if (time.sumsStayExact(length)) {
      this.time.bigints = undefined;
      this.leftOut = maskDoubles(this.#source, mask, this.count, this.time.ns);
    } else this.leftOut = this.#maskExactly(mask);
    this.revision++;
  }

  #maskExactly(mask: Uint8Array): SampleSum {
    const { length, count, time } = this.#source;
    let samples = 0;
    const timeLeftOut = new TimeColumn(1);
    for (let row = 0; row < length; row++) {
      const isLeftOut = mask[row] === 1;
      this.count[row] = isLeftOut ? 0 : count[row];
      this.time.set(row, isLeftOut ? 0 : (time.bigints?.get(row) ?? time.ns[row]));
      if (!isLeftOut) continue;
      samples += count[row];
      timeLeftOut.addFrom(0, time, row);
    }
    return { samples, time: timeLeftOut.ns[0] };
  }
}

/** The values without the rows whose entry in `mask` is 1. */
export function maskedValues(values: SelfValues, mask: Uint8Array): SelfValues {
  const left = new MaskedValues(values);
  left.update(mask);
  return left;
}

/** A separate function with arrays only, so that V8 compiles the loop early. Returns the sum of what is left out. */
function maskDoubles(
  { length, count, time: { ns } }: SelfValues,
  mask: Uint8Array,
  intoCount: Float64Array,
  intoNs: Float64Array,
): SampleSum {
  let samples = 0;
  let time = 0;
  for (let row = 0; row < length; row++) {
    const isLeftOut = mask[row] === 1;
    intoCount[row] = isLeftOut ? 0 : count[row];
    intoNs[row] = isLeftOut ? 0 : ns[row];
    if (!isLeftOut) continue;
    samples += count[row];
    time += ns[row];
  }
  return { samples, time };
}

/** Row -> 1 where one of the masks has 1; undefined where neither has any. */
export function either(a: Uint8Array | undefined, b: Uint8Array | undefined): Uint8Array | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.map((mark, row) => mark | b[row]);
}

/**
 * Self values without the samples whose stack has an error frame, that is, a stack that the profiler could not walk.
 */
export class ValuesWithoutErrors {
  /** Row of the source -> 1 if it is left out; undefined: none is. */
  isError: Uint8Array | undefined;

  readonly #profile: LeanProfile;
  #source: SelfValues;
  #masked: MaskedValues;
  /** #masked has the present values. */
  #isMasked = false;
  /** frame -> 1 if its method is an error. */
  #isErrorFrame = new Uint8Array(1024);
  #frames = 0;
  #errorFrames = 0;
  /** Frames whose method had no name yet. */
  #unnamed: number[] = [];
  /** Nodes at or below an error frame. Not updated until there is an error frame. */
  readonly #errors = new MarkedNodes();

  constructor(profile: LeanProfile, source: SelfValues) {
    this.#profile = profile;
    this.#source = source;
    this.#masked = new MaskedValues(source);
  }

  /** The source itself if no stack has an error frame. Computed when first needed after an update. */
  get values(): SelfValues {
    return this.#present ?? this.#source;
  }

  /** Sum of the samples that are left out. */
  get hidden(): SampleSum {
    return this.#present?.leftOut ?? NO_SAMPLES;
  }

  /** Updates to the present values of `source`, whose nodes must be within `extent`. O(new nodes + rows). */
  update({ frames, nodes }: ProfileExtent, source: SelfValues = this.#source): void {
    if (source !== this.#source) {
      this.#source = source;
      this.#masked = new MaskedValues(source);
    }
    this.prefetch({ frames, nodes });
    this.#isMasked = false;
    this.isError = this.#errorFrames === 0 ? undefined : markedRows(this.#source, this.#errors.isMarked);
  }

  /** Does part of the next update's work: takes in call nodes and frames before these. */
  prefetch({ frames, nodes }: Pick<ProfileExtent, 'frames' | 'nodes'>): void {
    this.#addFrames(frames);
    if (this.#errorFrames > 0) this.#errors.update(this.#profile.nodes, nodes, this.#isErrorFrame);
  }

  get #present(): MaskedValues | undefined {
    if (this.isError === undefined) return undefined;
    if (!this.#isMasked) this.#masked.update(this.isError);
    this.#isMasked = true;
    return this.#masked;
  }

  #addFrames(end: number): void {
    const { frames, methods } = this.#profile;
    if (end > this.#isErrorFrame.length) {
      this.#isErrorFrame = grown(this.#isErrorFrame, nextCapacity(this.#isErrorFrame.length, end));
    }
    const take = (frame: number): void => {
      const names = methods.names[frames.method[frame]];
      if (names === undefined) this.#unnamed.push(frame);
      else if (isErrorMethod(names)) {
        this.#isErrorFrame[frame] = 1;
        this.#errorFrames++;
      }
    };
    const known = this.#errorFrames;
    const unnamed = this.#unnamed;
    this.#unnamed = [];
    unnamed.forEach(take);
    // A name that arrived late shows that a frame is an error. Nodes that were visited before may be below it.
    if (this.#errorFrames > known) this.#errors.restart();
    for (; this.#frames < end; this.#frames++) take(this.#frames);
  }
}
