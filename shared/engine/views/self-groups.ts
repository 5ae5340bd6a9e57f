import { grown, nextCapacity, NONE } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import { isErrorMethod, type MethodNames } from '../../profile/method-table.ts';
import { SelfThreads } from '../values/self-threads.ts';
import { FRAME_FAMILIES, frameFamily } from '../../text/frame-colour.ts';

/** The kind of code that ran when a sample was taken, by the frame where it ended: an error, or the family of the code. */
export const SAMPLE_KINDS = ['error', ...FRAME_FAMILIES] as const;
export type SampleKind = (typeof SAMPLE_KINDS)[number];

const UNNAMED = 255;

/**
 * The owners of the rows of a profile's SelfTable: their thread, and the kind of their samples. Rows are only appended
 * and their nodes do not change, so each is looked at once; those of methods whose name arrives late once more.
 */
export class SelfGroups {
  readonly #profile: LeanProfile;
  readonly #selfThreads: SelfThreads;
  #methods = new Int32Array(0);
  length = 0;
  /** Method -> its number in SAMPLE_KINDS. */
  #kinds = new Uint8Array(0);

  constructor(profile: LeanProfile, selfThreads = new SelfThreads(profile.nodes)) {
    this.#profile = profile;
    this.#selfThreads = selfThreads;
  }

  /** Row of the SelfTable -> its thread. */
  threads(): Int32Array {
    return this.#selfThreads.of(this.#profile.selfValues);
  }

  /** Row of the SelfTable -> the number of its kind in SAMPLE_KINDS. */
  kinds(): Int32Array {
    this.#take();
    this.#nameKinds();
    const native = SAMPLE_KINDS.indexOf('native');
    return this.#methods
      .subarray(0, this.length)
      .map((method) => (method === NONE || this.#kinds[method] === UNNAMED ? native : this.#kinds[method]));
  }

  /** Row of the SelfTable -> the method where its samples end; NONE for a thread without frames. */
  methods(): Int32Array {
    this.#take();
    return this.#methods.subarray(0, this.length);
  }

  #take(): void {
    const { nodes, frames, selfValues } = this.#profile;
    const { length, node: nodeOf } = selfValues;
    if (length > this.#methods.length)
      this.#methods = grown(this.#methods, nextCapacity(this.#methods.length, length), this.length);
    for (let row = this.length; row < length; row++) {
      const node = nodeOf[row];
      this.#methods[row] = nodes.isRoot(node) ? NONE : frames.method[nodes.frame[node]];
    }
    this.length = length;
  }

  #nameKinds(): void {
    const { length, names } = this.#profile.methods;
    const known = this.#kinds;
    if (length > known.length) {
      this.#kinds = new Uint8Array(nextCapacity(known.length, length)).fill(UNNAMED);
      this.#kinds.set(known);
    }
    for (let method = 0; method < length; method++) {
      const name = names[method];
      if (this.#kinds[method] === UNNAMED && name !== undefined)
        this.#kinds[method] = SAMPLE_KINDS.indexOf(kindOf(name));
    }
  }
}

function kindOf(names: MethodNames): SampleKind {
  if (isErrorMethod(names)) return 'error';
  const { className, methodName } = names;
  return frameFamily(className === '' ? methodName : `${className}.${methodName}`);
}
