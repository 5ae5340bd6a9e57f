import type { LogFacts } from '../../../shared/facts/log-facts.ts';
import type { FindingsProject } from '../../../shared/findings/finding.ts';
import type { Scope } from '../../../shared/scope/scope.ts';
import type { ProfileQuery } from '../../../shared/engine/query.ts';
import type { ProfileView } from '../../../shared/engine/profile-view.ts';
import type { FrameKeys, TreeGrouping } from '../../../shared/engine/trees/grouping.ts';
import type { MatchPosition, PaneEvent, PaneId, Reveal, RowId, Selection } from '../pane-messages.ts';
import type { PaneSpec } from '../pane-specs.ts';
import type { RecentMethods } from '../../../shared/engine/views/recent-methods.ts';

/** State shared by all panes of a mirror. */
export interface PaneContext {
  /** The profile as the window looks at it, in the present state. */
  view: ProfileView;
  readonly post: (event: PaneEvent) => void;
  readonly recent: RecentMethods;
  /** The facts of the log, as far as the window has said them, and what is known of findings. */
  known: { readonly facts: LogFacts; readonly project: FindingsProject } | undefined;
  /** The view without what it is compared with; with another part of its scope. */
  readonly alone: (change?: Partial<Scope>) => ProfileView;
  /** More growth is known to follow at once. */
  isReading: boolean;
  /** The selection in the log. */
  selection: Selection | undefined;
}

/** The mirror's part of a pane: computes visible rows from the view. */
export abstract class Pane<Spec extends PaneSpec = PaneSpec> {
  readonly id: PaneId;
  /** As last declared; `kind` and `of` never change. */
  spec: Spec;
  /** The rows keep their order while the profile grows. */
  hold = false;
  protected readonly context: PaneContext;
  #active = false;

  constructor(id: PaneId, spec: Spec, context: PaneContext) {
    this.id = id;
    this.spec = spec;
    this.context = context;
  }

  /** On screen: only then rows are computed. */
  get active(): boolean {
    return this.#active;
  }

  set active(active: boolean) {
    this.#active = active;
    if (!active) this.stop();
  }

  /** The tree that the pane needs; undefined for one that needs none. */
  grouping(_frames: FrameKeys): TreeGrouping | undefined {
    return undefined;
  }

  /**
   * Brings the pane up to the state of the view and posts it. Rows on screen stay where they are, and keep their order
   * while it is held, unless they are to `sort`.
   */
  abstract refresh(query: ProfileQuery, sort: boolean): void;

  /** Makes at once what is made in parts. */
  finish(): void {
    // Most panes make all in `refresh`.
  }

  /** The pane's own row for what is selected in the log; undefined where there is none. */
  selectedRow(): RowId | undefined {
    return undefined;
  }

  /** The selection has changed. */
  selectionChanged(): void {
    // The window itself marks what is selected in most panes.
  }

  /** Ends what is made in parts, because the pane is not on screen any more. */
  protected stop(): void {
    // Most panes make all in `refresh`.
  }
}

/** A request's change of the selection, for its answer. */
export interface Selected {
  readonly selection: Selection;
  readonly reveal: Reveal;
  readonly match?: MatchPosition;
}
