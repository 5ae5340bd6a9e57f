import type { ProfileView } from '../../shared/engine/profile-view.ts';
import type { KeyTable } from '../../shared/engine/trees/keys.ts';
import { RecentGrowth } from '../../shared/engine/values/recent-growth.ts';
import type { FlatProfile } from '../../shared/engine/views/flat-profile.ts';
import type { RecentlyGrown } from './pane-messages.ts';

/** Methods that are sent: so many by their own growth, so many by their total. */
const MOST_METHODS = 20;

/**
 * What the methods of one log gained in the last 30 s, or since it is measured.
 */
export class RecentMethods {
  readonly #growth = new RecentGrowth();
  #keys: KeyTable | undefined;
  #madeFor = '';

  /** Takes the sums if they are due. `madeFor`: the scope of `flat`; growth in another one is not comparable. */
  measure(now: number, flat: FlatProfile, madeFor: string): boolean {
    if (this.#keys !== flat.keys || this.#madeFor !== madeFor) this.#growth.restart();
    this.#keys = flat.keys;
    this.#madeFor = madeFor;
    if (!this.#growth.isDue(now)) return false;
    this.#growth.take(now, flat.whole.samples, flat);
    return true;
  }

  forget(): void {
    this.#growth.restart();
    this.#keys = undefined;
  }

  /** Nothing will change until the sums do. */
  get isQuiet(): boolean {
    return !this.#growth.hasGrowth;
  }

  /** Samples per second of a method; undefined where nothing is measured. */
  ratesOf(keys: KeyTable, method: number): { readonly self: number; readonly total: number } | undefined {
    const { seconds } = this.#growth;
    if (keys !== this.#keys || seconds === 0) return undefined;
    const { self, total } = this.#growth.of(method);
    return { self: self / seconds, total: total / seconds };
  }

  /** The methods that grew most. */
  grown(view: ProfileView): RecentlyGrown {
    const { seconds, samples } = this.#growth;
    const keys = this.#keys;
    if (keys === undefined) return { seconds: 0, samples: 0, methods: [] };
    // The lines of a split method are keys, too.
    const all = this.#growth.grown().filter(({ method }) => keys.methodOf[method] === method);
    const most = (by: 'self' | 'total', other: 'self' | 'total'): readonly number[] =>
      all
        .toSorted((a, b) => b[by] - a[by] || b[other] - a[other] || a.method - b.method)
        .slice(0, MOST_METHODS)
        .filter((growth) => growth[by] > 0)
        .map(({ method }) => method);
    const sent = new Set([...most('self', 'total'), ...most('total', 'self')]);
    return {
      seconds,
      samples,
      methods: Array.from(sent, (method) => {
        const { self, total } = this.#growth.of(method);
        return {
          id: view.idOfFrame(keys.firstFrame[method]),
          label: keys.labels[method],
          kind: keys.isError[method] ? 'error' : 'frame',
          self,
          total,
        };
      }),
    };
  }
}
