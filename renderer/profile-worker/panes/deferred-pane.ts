import type { ProfileView } from '../../../shared/engine/profile-view.ts';
import type { ProfileQuery } from '../../../shared/engine/query.ts';
import { GrowthPace } from './growth-pace.ts';
import { Pane, type PaneContext } from './pane.ts';
import type { PaneId } from '../pane-messages.ts';
import type { PaneSpec } from '../pane-specs.ts';

/** While a log grows, a pane is made in at most one of so many parts of the time. */
const SHARE_OF_TIME = 10;
/** A pane that growth has interrupted so often is made at once. */
const MOST_INTERRUPTIONS = 3;

/** The view that a pane is made of. Parts of question and version are compared by identity. */
export interface AskedView {
  readonly view: ProfileView;
  /** Another question is answered at once. */
  readonly question: readonly unknown[];
  /** Changes while the profile grows, which may wait. */
  readonly version: readonly unknown[];
}

/**
 * A pane that takes long on a large profile. It is made after the other panes, in parts, each a task of its own, so that what
 * the user asks for meanwhile is answered between them. Growth and another question begin it anew, and nothing else does.
 */
export abstract class DeferredPane<Spec extends PaneSpec> extends Pane<Spec> {
  /** The pane is made of these, or is being made. */
  #question: readonly unknown[] = [];
  #version: readonly unknown[] = [];
  readonly #pace: GrowthPace;
  #due: ReturnType<typeof setTimeout> | undefined;
  #parts: Iterator<undefined> | undefined;
  #interruptions = 0;
  /** Milliseconds that the parts have taken. */
  #tookMs = 0;
  /** Call nodes of the profile that it was made of last. */
  #nodes = 0;
  #isOfPart = false;

  /** `pauseMs`: while a log grows, the pane is made again so often at most. */
  constructor(id: PaneId, spec: Spec, context: PaneContext, pauseMs = 2_000) {
    super(id, spec, context);
    this.#pace = new GrowthPace(pauseMs, SHARE_OF_TIME);
  }

  protected abstract asked(): AskedView;

  /** Makes the pane and posts it. Other panes may be asked for another view at each `yield`. */
  protected abstract make(view: ProfileView): Iterable<undefined>;

  /** The pane is up to date, though its spec may have changed. */
  protected keep(_view: ProfileView): void {
    // The window has it.
  }

  /** Another question was asked, which what is on screen does not answer. */
  protected outdated(): void {
    // It is answered soon.
  }

  /** It was made, or is being made, while the log was still being read. */
  protected get isOfPart(): boolean {
    return this.#isOfPart;
  }

  refresh(): void {
    const { view, question, version } = this.asked();
    const isGrowth = areEqual(question, this.#question);
    const isAllRead = this.#isOfPart && !this.context.isReading;
    if (isGrowth && areEqual(version, this.#version) && !(isAllRead && this.isDue)) {
      if (isAllRead) this.#isOfPart = false;
      return this.isDue ? undefined : this.keep(view);
    }
    const interrupts = this.#parts !== undefined;
    this.stop();
    [this.#question, this.#version] = [question, version];
    this.#interruptions = isGrowth ? this.#interruptions + Number(interrupts) : 0;
    this.#due = setTimeout(() => this.#work(), isGrowth && !isAllRead ? this.#wait : 0);
    if (!isGrowth) this.outdated();
    else if (this.#interruptions >= MOST_INTERRUPTIONS) this.finish();
  }

  override finish(): void {
    while (this.isDue) this.#work();
  }

  protected get isDue(): boolean {
    return this.#due !== undefined;
  }

  protected override stop(): void {
    if (!this.isDue) return;
    clearTimeout(this.#due);
    this.#due = undefined;
    this.#parts = undefined;
    this.#question = [];
  }

  /**
   * Milliseconds that growth waits. What was made of a small part of a log may be wrong for the rest: it is made again when
   * the profile has twice the size, and all of these together take about as long as the last one.
   */
  get #wait(): number {
    const isTwice = this.context.view.source.nodes.length >= 2 * this.#nodes;
    return isTwice ? this.#pace.leastWait : this.#pace.wait;
  }

  #work(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    if (this.#parts === undefined) this.#tookMs = 0;
    this.#parts ??= this.#make();
    const began = performance.now();
    const isMade = this.#parts.next().done === true;
    this.#tookMs += performance.now() - began;
    if (!isMade) {
      this.#due = setTimeout(() => this.#work(), 0);
      return;
    }
    this.#parts = undefined;
    this.#interruptions = 0;
    this.#pace.made(this.#tookMs);
  }

  *#make(): Generator<undefined> {
    this.#isOfPart = this.context.isReading;
    this.#nodes = this.context.view.source.nodes.length;
    yield* this.make(this.asked().view);
  }
}

/** Whether two questions have the same parts, by identity. */
export function areEqual(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((part, at) => part === others[at]);
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
