import { type MethodSpread, spreadOf, spreads } from '../../../shared/engine/comparison/spread.ts';
import { partsWithSamples, type PartSums } from '../../../shared/engine/comparison/part-sums.ts';
import { TooManyParts } from '../../../shared/scope/parts-of-time.ts';
import type { ProfileView } from '../../../shared/engine/profile-view.ts';
import { attributeOf } from '../../../shared/engine/trees/grouping.ts';
import { withoutKey } from '../../../shared/scope/context-condition.ts';
import type { Scope } from '../../../shared/scope/scope.ts';
import { type AskedView, DeferredPane, textOfQuery } from './deferred-pane.ts';
import type { ListedSpread } from '../pane-messages.ts';
import type { SpreadSpec } from '../pane-specs.ts';

/** More methods that differ are no list that somebody reads. */
const MOST_METHODS = 100;

/**
 * The spread of a profile over its parts, in the profile worker: for all methods, and for the one that is shown. Sums of many
 * parts may take a second, so that they are kept for other methods.
 */
export class SpreadPane extends DeferredPane<SpreadSpec> {
  /** Text: why they cannot be counted. */
  #sums: PartSums | string | undefined;

  protected *make(view: ProfileView): Iterable<undefined> {
    const { keys, metric } = view.query;
    try {
      this.#sums = view.partSums(this.spec.parts, keys, metric);
    } catch (error) {
      if (!(error instanceof TooManyParts)) throw error;
      this.#sums = error.message;
    }
    this.#post(view, this.#sums);
  }

  protected override keep(view: ProfileView): void {
    if (this.#sums !== undefined) this.#post(view, this.#sums);
  }

  /** The view without its baseline. */
  protected asked(): AskedView {
    const { parts, isOfAll } = this.spec;
    const view = this.context.alone(isOfAll ? this.#withoutPart() : undefined);
    const values = view.narrowed(view.values);
    const question = [textOfQuery(view.query), values, view.profile, parts];
    return { view, question, version: [values.revision] };
  }

  /** The scope without the part that is one of the parts. */
  #withoutPart(): Partial<Scope> {
    const { parts } = this.spec;
    const key = attributeOf(parts);
    if (key !== undefined) return { contexts: withoutKey(this.context.view.query.scope.contexts, key) };
    return parts === 'time' ? { range: undefined } : { threads: [] };
  }

  #post(view: ProfileView, sums: PartSums | string): void {
    const { isIndependent, by, parts, inOrder, method, isOfCall } = this.spec;
    if (typeof sums === 'string') {
      const none = { parts: [], withSamples: [], untimed: 0, methods: [], more: 0, method: undefined };
      this.context.post({ type: 'spread', pane: this.id, of: parts, problem: sums, ...none });
      return;
    }
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
