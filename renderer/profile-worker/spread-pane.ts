import { type MethodSpread, spreadOf, spreads } from '../../shared/engine/comparison/spread.ts';
import { partsWithSamples, type PartSums } from '../../shared/engine/comparison/part-sums.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { Pane } from './pane.ts';
import type { ListedSpread } from './pane-messages.ts';
import type { SpreadSpec } from './pane-specs.ts';

/** More methods that differ are no list that somebody reads. */
const MOST_METHODS = 100;
/** Sums take at most one of so many parts of the time while a log grows. */
const SHARE_OF_TIME = 10;

/** The inputs of sums, to be compared one by one. */
type MadeOf = readonly unknown[];

/** The scope without the part that is one of the parts. */
const CHANGES = { range: { range: undefined }, threads: { threads: [] } } as const;

/**
 * Which parts of the profile differ, in the profile worker: for all methods, and for the one that is shown. Sums of many
 * parts may take a second, so that they are made in a task of their own, and kept for other methods.
 */
export class SpreadPane extends Pane<SpreadSpec> {
  #sums: PartSums | undefined;
  #madeOf: MadeOf = [];
  #madeAt = -Infinity;
  #took = 0;
  #due: ReturnType<typeof setTimeout> | undefined;

  refresh(): void {
    const { view, of } = this.#asked();
    if (this.#sums !== undefined && isSame(of, this.#madeOf)) return this.#post(view, this.#sums);
    clearTimeout(this.#due);
    const isGrowth = isSame(of.slice(1), this.#madeOf.slice(1));
    const wait = isGrowth ? this.#madeAt + this.#took * SHARE_OF_TIME - performance.now() : 0;
    this.#due = setTimeout(() => this.finish(), Math.max(0, wait));
  }

  override finish(): void {
    if (this.#due === undefined) return;
    this.stop();
    const began = performance.now();
    const { view, of } = this.#asked();
    const { keys, metric } = view.query;
    this.#sums = view.partSums(this.spec.parts, keys, metric);
    this.#madeOf = of;
    this.#madeAt = performance.now();
    this.#took = this.#madeAt - began;
    this.#post(view, this.#sums);
  }

  protected override stop(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
  }

  /** The view without its baseline, and the inputs of its sums, of which the first changes while it grows. */
  #asked(): { readonly view: ProfileView; readonly of: MadeOf } {
    const { parts, without } = this.spec;
    const view = this.context.alone(without && CHANGES[without]);
    const { where: _where, search: _search, siblings: _siblings, ...query } = view.query;
    const values = view.narrowed(view.values);
    return { view, of: [values.revision, values, view.profile, parts, JSON.stringify(query)] };
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

function isSame(a: MadeOf, b: MadeOf): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at]);
}
