import type { CrowdedPackage } from '../../shared/engine/views/crowded-package.ts';
import type { Post } from './mirror-messages.ts';

/** A view, and how to look for the package that hides the rest in it, which takes O(rows). */
export interface LookedAt {
  /** Views with the same text have the same package. */
  readonly view: string;
  /** The scope is empty. Its package is kept, because this view is what leaving a scope shows. */
  readonly isEverything: boolean;
  readonly find: () => CrowdedPackage | undefined;
}

/**
 * Tells the window of the package that hides the rest. It is looked for when the view changes, after the rows on screen are
 * posted. That of the empty scope is kept: when a scope is left, the package is posted with the rows and drawn in the same
 * frame.
 */
export class CrowdReport {
  readonly #post: Post;
  /** What the window knows, as JSON. */
  #known = '';
  /** The view that was looked at last. */
  #view = '';
  #everything: { readonly view: string; readonly crowd: CrowdedPackage | undefined } | undefined;
  #next: LookedAt | undefined;
  #due: ReturnType<typeof setTimeout> | undefined;

  constructor(post: Post) {
    this.#post = post;
  }

  /** Reports on a view: now what is known of it, and in the next task what has to be looked for. */
  look(at: LookedAt): void {
    this.#next = at;
    if (at.view === this.#view || at.view === this.#everything?.view) return this.finish();
    this.#due ??= setTimeout(() => this.finish());
  }

  /** Reports no more. */
  close(): void {
    clearTimeout(this.#due);
    this.#next = undefined;
  }

  /** Reports what is still to be looked for. */
  finish(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    const next = this.#next;
    this.#next = undefined;
    if (next === undefined || next.view === this.#view) return;
    this.#view = next.view;
    const crowd = next.view === this.#everything?.view ? this.#everything.crowd : next.find();
    if (next.isEverything) this.#everything = { view: next.view, crowd };
    const text = JSON.stringify(crowd ?? null);
    if (text === this.#known) return;
    this.#known = text;
    this.#post({ type: 'crowd', crowd });
  }
}
