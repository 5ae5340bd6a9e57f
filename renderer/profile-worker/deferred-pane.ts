import type { ProfileView } from '../../shared/engine/profile-view.ts';
import type { ProfileQuery } from '../../shared/engine/query.ts';
import { GrowthPace } from './growth-pace.ts';
import { Pane } from './pane.ts';
import type { PaneSpec } from './pane-specs.ts';

/** While a log grows, a pane is made again so often at most, and in at most one of so many parts of the time. */
const GROWTH_PAUSE_MS = 1_000;
const SHARE_OF_TIME = 10;

/** The view that a pane is made of. */
export interface AskedView {
  readonly view: ProfileView;
  /** Another question is answered at once. Its parts are compared by identity. */
  readonly question: readonly [string, ...unknown[]];
  /** Changes while the profile grows, which may wait. */
  readonly version: string;
}

/** A pane that takes long on a large profile, and is made in a task of its own, after the other panes. */
export abstract class DeferredPane<Spec extends PaneSpec> extends Pane<Spec> {
  #question: readonly unknown[] = [];
  #version = '';
  readonly #pace = new GrowthPace(GROWTH_PAUSE_MS, SHARE_OF_TIME);
  #due: ReturnType<typeof setTimeout> | undefined;

  protected abstract asked(): AskedView;

  /** Makes the pane and posts it. */
  protected abstract make(view: ProfileView): void;

  /** The pane is up to date, though its spec may have changed. */
  protected abstract keep(view: ProfileView): void;

  refresh(): void {
    const { view, question, version } = this.asked();
    const isGrowth = question.every((part, at) => part === this.#question[at]);
    if (isGrowth && version === this.#version) return this.keep(view);
    this.stop();
    this.#due = setTimeout(() => this.finish(), isGrowth ? this.#pace.wait : 0);
  }

  override finish(): void {
    if (this.#due === undefined) return;
    this.stop();
    const began = performance.now();
    const { view, question, version } = this.asked();
    this.make(view);
    [this.#question, this.#version] = [question, version];
    this.#pace.made(began);
  }

  protected override stop(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
  }
}

/** A query as text, without what only tables and drawings depend on. */
export function textOfQuery({
  where: _where,
  search: _search,
  siblings: _siblings,
  ...query
}: ProfileQuery): string {
  return JSON.stringify(query);
}
