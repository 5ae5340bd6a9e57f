import { poolOfThreadKey } from '../trees/keys.ts';
import type { ColourBy, StyledFrame } from '../../text/frame-colour.ts';
import { type FlameLayout, kindAt, labelAt, matchesAt } from './flame-columns.ts';

/** The properties of the frames of a layout that their colours depend on. */
export class StyledFrames {
  readonly #layout: FlameLayout;
  /** row -> pool of its thread; undefined unless colours depend on it. */
  readonly #pools: readonly (string | undefined)[] | undefined;
  /** row -> self weight; undefined unless colours depend on it. */
  readonly #selfWeights: Float64Array | undefined;

  /** `thread`: the label of the root's thread; undefined if it stands for several. */
  constructor(layout: FlameLayout, colourBy: ColourBy, thread: string | undefined) {
    this.#layout = layout;
    if (colourBy === 'thread') this.#pools = poolsOf(layout, thread);
    if (colourBy === 'self') this.#selfWeights = selfWeights(layout);
  }

  at(row: number): StyledFrame {
    const layout = this.#layout;
    return {
      label: layout.labels[layout.label[row]],
      kind: kindAt(layout, row),
      match: matchesAt(layout, row),
      pool: this.#pools?.[row],
      selfShare: this.#selfWeights === undefined ? undefined : this.#selfWeights[row] / layout.weight[0],
    };
  }
}

/** row -> pool of its thread; undefined where it stands for several, and for unknown threads. */
function poolsOf(layout: FlameLayout, thread: string | undefined): readonly (string | undefined)[] {
  const ofRoot = thread === undefined ? undefined : poolOfThreadKey(thread);
  const pools: (string | undefined)[] = [];
  for (let row = 0; row < layout.length; row++) {
    const inherited = row === 0 ? ofRoot : pools[layout.parent[row]];
    pools.push(kindAt(layout, row) === 'thread' ? poolOfThreadKey(labelAt(layout, row)) : inherited);
  }
  return pools;
}

/** row -> its weight without that of its children. */
function selfWeights({ length, parent, weight }: FlameLayout): Float64Array {
  const self = weight.slice();
  for (let row = 1; row < length; row++) self[parent[row]] -= weight[row];
  return self;
}
