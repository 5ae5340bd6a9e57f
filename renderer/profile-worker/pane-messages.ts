import type { OperationsData } from '../../shared/answers/schemas.ts';
import type { ComparedDurations } from '../../shared/engine/view-operations.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import type { FlameZoom, MethodLines, MethodRef, RowsOf } from '../../shared/engine/query.ts';
import type { RowTimes } from '../../shared/engine/views/row-times.ts';
import type { FlameKind, FlameLayout } from '../../shared/engine/views/flame-columns.ts';
import type { Interval } from '../../shared/engine/views/timeline-columns.ts';
import type { ThreadGrouping } from '../../shared/engine/trees/grouping.ts';
import type { RowKind } from '../../shared/engine/trees/keys.ts';
import type { ShareReference, Values } from '../../shared/engine/columns/column.ts';
import type { MethodSpread } from '../../shared/engine/comparison/spread.ts';
import type { SpreadParts } from '../../shared/engine/comparison/part-sums.ts';
import type { FindingsAnswer } from '../../shared/findings/finding.ts';
import type { Changes } from '../../shared/summary/changes.ts';
import type { AboutMethod } from '../../shared/summary/about-method.ts';
import type { Summary } from '../../shared/summary/summary.ts';

/**
 * Messages between the window and a mirror about panes. Every message carries the id of its pane, so that another pane is
 * another id and another spec, and no other message. The window declares a pane's spec; the mirror answers with the rows,
 * and again whenever the profile grows: each answer replaces the one before it.
 */

/** Chosen by the window; the mirror only keeps panes apart by it. */
export type PaneId = string;

/**
 * Identity of a row: among calls the first call node that it stands for, among methods the first frame. These are stable
 * while the profile grows, across deltas, regroupings and re-sorting. In the other trees it is the number of the row,
 * stable as long as the tree is of the same method in the same grouping.
 */
export type RowId = number;

/** A step of the path from the root of the profile to the zoomed frame. */
export interface FlameCrumb {
  readonly zoom: FlameZoom | undefined;
  readonly label: string;
  /** As the frames below it: samples or ns. */
  readonly weight: number;
}

/** A part of a profile. */
export interface SpreadPart {
  readonly name: string;
  readonly samples: number;
  /** Its time, as that of a scope; undefined for a part that is threads. */
  readonly range: { readonly from: string; readonly to: string } | undefined;
}

export interface ListedSpread extends MethodSpread {
  readonly method: MethodRef;
}

/** The one thing that is selected in a log; every pane marks its own row for it. */
export interface Selection {
  /** The kind of rows that `id` is one of. */
  readonly of: RowsOf;
  readonly id: RowId;
  /** As rows are grouped now. */
  readonly label: string;
  /** `block`: the block of narrow frames of a flame graph that begins with the row `id`. */
  readonly kind: FlameKind;
}

/** One row of a pane of rows. Methods are all at depth 0, and none of them is expandable. */
export interface Row extends Values {
  readonly id: RowId;
  readonly kind: RowKind;
  readonly label: string;
  /** Label of its thread; undefined for a method, and where all threads are one. */
  readonly thread: string | undefined;
  /** 0 for a thread. */
  readonly depth: number;
  /** Place of a row of a tree among its siblings, from 1 on, and how many these are; only on screen. */
  readonly place?: number | undefined;
  readonly siblings?: number | undefined;
  /** It stands for so many rows, this one first and one with this label last. */
  readonly folded?: number;
  readonly foldedTo?: string;
  readonly expandable: boolean;
  readonly expanded: boolean;
  /** Values of the baseline; undefined where nothing is compared. */
  readonly baseSelfCount?: number;
  readonly baseTotalCount?: number;
  readonly baseSelfTime?: number;
  readonly baseTotalTime?: number;
  /** Its own name matches the search. */
  readonly match: boolean;
  /** The part of its name that matches, [from, to); undefined for none, and for an empty one. */
  readonly markedFrom?: number | undefined;
  readonly markedTo?: number | undefined;
  /** Samples per second of a method in the last half minute; undefined where that is not measured. */
  readonly selfRate?: number;
  readonly totalRate?: number;
  /** Something below it matches, and it is collapsed. */
  readonly matchBelow: boolean;
}

/** Where a key moves the selection. */
export type Move =
  | 'up'
  | 'down'
  | 'pageUp'
  | 'pageDown'
  | 'first'
  | 'last'
  | 'parentOrCollapse'
  | 'childOrExpand';

/** The place to which a move along a list of `total` rows leads; `at`: -1 where none is selected. */
export function placeAfter(to: Move, at: number, page: number, total: number): number {
  if (to === 'last') return total - 1;
  if (to === 'first' || at < 0) return 0;
  const steps: Partial<Record<Move, number>> = { up: -1, down: 1, pageUp: -page, pageDown: page };
  return Math.max(0, Math.min(total - 1, at + (steps[to] ?? 0)));
}

/**
 * `hot`: along the heaviest child, as far as one child has most of the weight. `all`: at most 100 000 rows more. `heavy`: all
 * rows that have a twentieth of what is shown.
 */
export type Expansion = 'toggle' | 'expand' | 'collapse' | 'all' | 'heavy' | 'hot' | 'collapseAll';

/** `location`: `Class.method(File.java:line)`. `subtree`: the row and what is below it, as a text of columns. */
export type CopiedPart = 'location' | 'subtree';

/** The whole of the percentages of copied rows. */
export interface WholeOfShares {
  readonly of: ShareReference;
  /** All samples or those in scope, and their time in ns. */
  readonly samples: number;
  readonly time: number;
}

/** window -> mirror. `turn` comes back with the answer. */
export type PaneRequest =
  /** The rows of this pane keep their order while the profile grows. undefined: of no pane. */
  | { readonly type: 'hold'; readonly pane: PaneId | undefined }
  /** Rows [from, from + count) are on screen. */
  | {
      readonly type: 'rows';
      readonly pane: PaneId;
      readonly from: number;
      readonly count: number;
      readonly turn: number;
    }
  /**
   * The user selected this in the window. The mirror uses it for anchors and moves, and answers with the corresponding
   * rows of all panes.
   */
  | {
      readonly type: 'select';
      readonly selection: Selection | undefined;
      /** It was selected in this pane, which does not scroll then. */
      readonly pane?: PaneId | undefined;
      readonly turn: number;
    }
  /** Move the selection as a key does, from where the mirror has it. `page` rows make a page. */
  | {
      readonly type: 'move';
      readonly pane: PaneId;
      readonly to: Move;
      readonly page: number;
      readonly turn: number;
    }
  /** undefined: the selected row, as the mirror knows it; the window may be a key behind. */
  | {
      readonly type: 'expand';
      readonly pane: PaneId;
      readonly row: RowId | undefined;
      readonly how: Expansion;
      readonly turn: number;
    }
  /** Sort now, once, though the order is held. */
  | { readonly type: 'sort'; readonly pane: PaneId }
  /** Every row closed, or every row open down to the second level, as at first. */
  | { readonly type: 'reset'; readonly pane: PaneId; readonly to: 'closed' | 'initial' }
  /**
   * Select the next or previous row that matches the search, the heaviest first, opening what hides it; with `method`
   * the next row of this method, whatever is searched.
   */
  | {
      readonly type: 'find';
      readonly pane: PaneId;
      readonly direction: 1 | -1;
      readonly method: RowId | undefined;
      readonly turn: number;
    }
  /**
   * Select a row on display whose name contains the text, in either case: the nearest one from the selection on, which may
   * itself be it for step 0; behind the last row follows the first. Also answered by `sought`.
   */
  | {
      readonly type: 'seek';
      readonly pane: PaneId;
      readonly text: string;
      readonly step: 0 | 1 | -1;
      readonly turn: number;
    }
  /** Answered by `copied`. */
  | {
      readonly type: 'copy';
      readonly pane: PaneId;
      readonly row: RowId;
      readonly what: CopiedPart;
      readonly units: ProfileUnits;
      readonly whole: WholeOfShares;
    }
  /**
   * A request for the threads that have this on their stacks, and the times. `frame`: the pointer rests on it, answered
   * once by `about`. `method`: it is on screen with its callers, `about` comes now, and whenever it changes; undefined:
   * none is.
   */
  | {
      readonly type: 'about';
      readonly of: 'frame' | 'method';
      readonly method: MethodRef | undefined;
      /** Grouping of the tree whose call is asked for; undefined: the method, wherever it is called. */
      readonly threads?: ThreadGrouping;
    }
  /** Select this row of another pane here, opening what hides it. */
  | { readonly type: 'reveal'; readonly pane: PaneId; readonly selection: Selection; readonly turn: number };

/** mirror -> window */
export type PaneEvent =
  /** A notice for the user about a request. */
  | { readonly type: 'notice'; readonly text: string }
  | {
      readonly type: 'rows';
      readonly pane: PaneId;
      readonly total: number;
      readonly from: number;
      readonly rows: readonly Row[];
      /** The largest of each value in all rows, on screen or not: the length of bars refers to it. */
      readonly largest: Values;
      /** `turn` of the last `rows` request. */
      readonly turn: number;
      /** Rows that growth put above the window since the last message: scroll by as many, and nothing moves. */
      readonly shift: number;
      /** Rows that keep their places, because somebody reads them, and would have others in the sort order. */
      readonly displaced: number;
    }
  /** When the rows of the last message have their samples; sent after it. */
  | {
      readonly type: 'times';
      readonly pane: PaneId;
      readonly ids: readonly RowId[];
      readonly counts: RowTimes;
    }
  | {
      readonly type: 'flame';
      readonly pane: PaneId;
      readonly layout: FlameLayout;
      /** Everything, then the callers nearest to the root of what is shown, then that root. */
      readonly path: readonly FlameCrumb[];
      /** Frames of the path between everything and the next one in `path`. */
      readonly pathLeftOut: number;
      /** The zoom in effect: the one asked for, or undefined when it does not exist (any more). */
      readonly zoom: FlameZoom | undefined;
      /** Counts how often the rows got other ids: earlier zooms name none of them. */
      readonly numbering: number;
      /** Label of the thread that the root is in; undefined where it stands for several. */
      readonly thread: string | undefined;
      /** Matches of this search are marked; empty: none are. */
      readonly searched: string;
    }
  | {
      readonly type: 'spread';
      readonly pane: PaneId;
      readonly of: SpreadParts;
      /** Why the parts cannot be counted, in words. */
      readonly problem?: string;
      readonly parts: readonly SpreadPart[];
      /** The places of those with samples: shares are in their order. */
      readonly withSamples: readonly number[];
      /** Samples in no part of the time, because they have none. */
      readonly untimed: number;
      /** Methods, those that differ most first. */
      readonly methods: readonly ListedSpread[];
      /** Further methods. */
      readonly more: number;
      /** undefined: no method was chosen, or it is not in scope. */
      readonly method: MethodSpread | undefined;
    }
  | {
      readonly type: 'lines';
      readonly pane: PaneId;
      /** undefined: the profile has no such method, or not in scope. */
      readonly lines: MethodLines | undefined;
    }
  | {
      readonly type: 'chart';
      readonly pane: PaneId;
      /** `start` and `weight` are counted in cells. */
      readonly layout: FlameLayout;
      /** The threads that are shown: as `Scope.threads`. */
      readonly only: readonly string[];
      /** Their samples in scope, and which of them are on screen: [from, to). */
      readonly count: number;
      readonly from: number;
      readonly to: number;
      /** Time of the earliest sample of the log, ns, decimal; all other times are relative to it. */
      readonly first: string;
      /** The part of the time on screen. */
      readonly shown: Interval;
      /** Cell -> when it begins; one more than there are cells. */
      readonly times: Float64Array;
      /** All samples are equally wide, instead of as wide as their time. */
      readonly isEqual: boolean;
    }
  | {
      readonly type: 'answer';
      readonly pane: PaneId;
      /** Undefined where nothing is compared. */
      readonly changes: Changes | undefined;
      readonly summary: Summary;
      /** undefined: not looked for yet. */
      readonly findings: FindingsAnswer | undefined;
      /** Name of a method in a finding -> its row, as far as it is in scope. */
      readonly targets: Readonly<Record<string, MethodRef>>;
      /** A newer one is being made. */
      readonly isPending: boolean;
      /** It was made while the log was still being read. */
      readonly isOfPart: boolean;
      /** Counts what was asked for: growth leaves it as it is. */
      readonly asked: number;
    }
  | {
      readonly type: 'operations';
      readonly pane: PaneId;
      readonly data: OperationsData;
      /** Both sides of a comparison; undefined: nothing is compared. */
      readonly compared: readonly ComparedDurations[] | undefined;
      /** Sentences about what is not in the numbers. */
      readonly hints: readonly string[];
    }
  /** `about` undefined: it has no samples in scope. */
  | {
      readonly type: 'about';
      readonly of: 'frame' | 'method';
      readonly method: MethodRef;
      readonly about: AboutMethod | undefined;
    }
  /** Whether a row was found for a `seek`. */
  | { readonly type: 'sought'; readonly pane: PaneId; readonly text: string; readonly found: boolean }
  /** For the clipboard; `note` says what was left out. */
  | { readonly type: 'copied'; readonly text: string; readonly note: string | undefined }
  /**
   * The selection after the request of this turn, and the row of each pane on screen that stands for it. Sent again when
   * growth or another grouping gives it other rows or another label.
   */
  | {
      readonly type: 'selected';
      readonly turn: number;
      readonly selection: Selection | undefined;
      readonly rows: Readonly<Record<PaneId, RowId | undefined>>;
      readonly reveals: readonly Reveal[];
      /** The match that `find` has found. */
      readonly match: MatchPosition | undefined;
    };

/** Number of the match, heaviest first, from 1. */
export interface MatchPosition {
  readonly position: number;
  readonly total: number;
}

/** The target of a pane that is to scroll. */
export type Reveal = RowsReveal | FlameReveal;

/** Row `at`, and row `start` above it if both fit. */
export interface RowsReveal {
  readonly kind: 'rows';
  readonly pane: PaneId;
  readonly at: number;
  readonly start: number;
}

/** The selected frame, in a zoom that draws it. */
export interface FlameReveal {
  readonly kind: 'flame';
  readonly pane: PaneId;
  readonly zoom: FlameZoom | undefined;
}
