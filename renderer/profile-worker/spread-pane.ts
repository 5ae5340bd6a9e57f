import { type MethodSpread, spreadOf, spreads } from '../../shared/engine/comparison/spread.ts';
import { partsWithSamples, type PartSums } from '../../shared/engine/comparison/part-sums.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { type AskedView, DeferredPane, textOfQuery } from './deferred-pane.ts';
import type { ListedSpread } from './pane-messages.ts';
import type { SpreadSpec } from './pane-specs.ts';

/** More methods that differ are no list that somebody reads. */
const MOST_METHODS = 100;

/** The scope without the part that is one of the parts. */
const CHANGES = { range: { range: undefined }, threads: { threads: [] } } as const;

/**
 * The spread of a profile over its parts, in the profile worker: for all methods, and for the one that is shown. Sums of many
 * parts may take a second, so that they are kept for other methods.
 */
export class SpreadPane extends DeferredPane<SpreadSpec> {
  #sums: PartSums | undefined;

  protected *make(view: ProfileView): Iterable<undefined> {
    const { keys, metric } = view.query;
    this.#sums = view.partSums(this.spec.parts, keys, metric);
    this.#post(view, this.#sums);
  }

  protected override keep(view: ProfileView): void {
    if (this.#sums !== undefined) this.#post(view, this.#sums);
  }

  /** The view without its baseline. */
  protected asked(): AskedView {
    const { parts, without } = this.spec;
    const view = this.context.alone(without && CHANGES[without]);
    const values = view.narrowed(view.values);
    const question = [textOfQuery(view.query), values, view.profile, parts];
    return { view, question, version: [values.revision] };
  }

  #post(view: ProfileView, sums: PartSums): void {
    const { isIndependent, by, parts, inOrder, method, isOfCall } = this.spec;
    const { keys: frames, metric } = view.query;
    const keys = view.keys(frames);
    const options = { isIndependent, of: by, inOrder: inOrder || parts === 'time' };
    const all = spreadOf(sums, options);
    const listed = (spread: MethodSpread): ListedSpread => ({
      ...spread,
      method: { of: 'methods', id: view.idOfFrame(keys.firstFrame[spread.key]), label: spread.label },
    });
    const key = method && view.keyOfMethod(method, keys);
    const calls =
      isOfCall && method?.of === 'calls' ? view.callSums(method.id, parts, frames, metric) : undefined;
    this.context.post({
      type: 'spread',
      pane: this.id,
      of: parts,
      parts: sums.names.map((name, part) => {
        const time = sums.times?.[part];
        const range = time && { from: String(time.from), to: String(time.to) };
        return { name, samples: sums.samples[part], range };
      }),
      withSamples: partsWithSamples(sums),
      untimed: sums.untimed,
      methods: all.slice(0, MOST_METHODS).map(listed),
      more: Math.max(0, all.length - MOST_METHODS),
      method:
        calls !== undefined
          ? spreads(calls, options)(0)
          : key === undefined
            ? undefined
            : spreads(sums, options)(key),
    });
  }
}
