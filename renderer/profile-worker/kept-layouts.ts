import type { FlameLayout } from '../../shared/engine/views/flame-columns.ts';
import type { LayoutRoot } from '../../shared/engine/views/flame-layout.ts';
import type { FlameMeasures } from '../../shared/engine/views/flame-measures.ts';

/** A layout is determined by these, where nothing is searched, filtered or compared. */
interface LayoutOf {
  readonly root: LayoutRoot | undefined;
  readonly pixels: number;
}

/**
 * The last layout of each tree that outlives a state, so that the flame graph of everything is not laid out again when a
 * scope is left. At 7.7 million call nodes that is 22 of 47 ms. A copy is kept, which costs a small part of a layout.
 */
export class KeptLayouts {
  readonly #last = new WeakMap<FlameMeasures, { readonly made: string; readonly layout: FlameLayout }>();

  /** The layout, made only if the measures, the root or the width are others than those of the last one. */
  of(measures: FlameMeasures, { root, pixels }: LayoutOf, make: () => FlameLayout): FlameLayout {
    const made = JSON.stringify([measures.changes, root, pixels]);
    const last = this.#last.get(measures);
    // The window gets the buffers of what is returned, and nothing of what is kept.
    if (last?.made === made) return structuredClone(last.layout);
    const layout = make();
    this.#last.set(measures, { made, layout: structuredClone(layout) });
    return layout;
  }
}
