import { grown, nextCapacity } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import { isErrorMethod } from '../../profile/method-table.ts';
import type { ProfileExtent } from '../trees/row-tree.ts';
import { MarkedNodes, markedRows } from './marked-stacks.ts';
import { MaskedValues } from './masked-values.ts';
import { NO_SAMPLES, type SampleSum, type SelfValues } from './self-values.ts';

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
