import type { Chosen } from '../../shared/formats/choice.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import type { Epoch, LogStatus, Revision } from '../../shared/protocol/messages.ts';
import type { FlameRow } from '../../shared/views/flame-layout.ts';
import type { RowFilter } from '../../shared/views/filter.ts';
import type { FrameGrouping, Metric, ThreadGrouping } from '../../shared/views/grouping.ts';
import type { RowKind } from '../../shared/views/keys.ts';
import type { SortColumn, SortOrder } from '../../shared/views/sort-order.ts';

/**
 * What the window and a mirror say to each other. A mirror is a Web Worker that holds one profile, grown by deltas or
 * read from a local file, and computes the rows that can be seen. The window says what it looks at (`view`, `window`),
 * the mirror answers at once and again whenever the profile grows: every message replaces the one of its type before
 * it. Rows are few and small, so they cross as objects; the profile never does.
 */

/**
 * Identity of a row of the call tree or the flame graph: the first call node that it stands for. Stable while the
 * profile grows, across deltas, regroupings and re-sorting.
 */
export type RowId = number;

export type { RowKind };

export interface Values {
  readonly selfCount: number;
  readonly totalCount: number;
  /** Nanoseconds, signed. */
  readonly selfTime: number;
  readonly totalTime: number;
}

export interface TreeRow extends Values {
  readonly id: RowId;
  readonly kind: RowKind;
  readonly label: string;
  /** 0 for a thread. */
  readonly depth: number;
  readonly expandable: boolean;
  readonly expanded: boolean;
  /** Its own name matches the search. */
  readonly match: boolean;
  /** Something below it matches, and it is collapsed. */
  readonly matchBelow: boolean;
}

export interface FlatRow extends Values {
  readonly label: string;
  readonly kind: RowKind;
}

export type { FlameRow };

export type { SortColumn as TreeSort, SortOrder };

export interface FlameRequest {
  readonly threads: ThreadGrouping;
  /** undefined: everything. */
  readonly zoom: RowId | undefined;
  /** Width in CSS pixels; frames narrower than `minPixels` go into a remainder block. */
  readonly width: number;
  readonly minPixels: number;
  /** The widest so many frames are shown; the rest goes into remainder blocks too. */
  readonly maxFrames: number;
}

/** How much there was of a log when it had been read. */
export interface ReadUpTo {
  readonly epoch: Epoch;
  readonly nodes: number;
}

/** window -> mirror */
export type MirrorRequest =
  /** A binary message of the host, transferred. */
  | { readonly type: 'delta'; readonly message: ArrayBuffer }
  /** A file of this machine that the host cannot reach: read and aggregated here. */
  | { readonly type: 'readFile'; readonly file: File; readonly chosen: Chosen }
  /**
   * The host reads on: a delta that brings all there is so far is not the last. When it has read all, deltas may still be
   * under way, by another way than this: `upTo` says how much the copy will then have.
   */
  | { readonly type: 'reading'; readonly reading: boolean; readonly upTo?: ReadUpTo | undefined }
  /** What all panes share. */
  | {
      readonly type: 'view';
      readonly frames: FrameGrouping;
      readonly metric: Metric;
      readonly search: string;
      readonly hideErrors: boolean;
    }
  /** The tree pane: shown or not, how grouped and sorted. `hold`: keep the order of rows that are on screen. */
  | {
      readonly type: 'tree';
      readonly active: boolean;
      readonly threads: ThreadGrouping;
      readonly sort: SortOrder;
      readonly hold: boolean;
    }
  /** Rows [from, from + count) are on screen; `turn` comes back with the rows. */
  | { readonly type: 'treeWindow'; readonly from: number; readonly count: number; readonly turn: number }
  | { readonly type: 'treeSelect'; readonly row: RowId | undefined }
  /** Move the selection as a key does; answered by `treeRows` with `reveal`. `page` rows make a page. */
  | {
      readonly type: 'treeMove';
      readonly to:
        'up' | 'down' | 'pageUp' | 'pageDown' | 'first' | 'last' | 'parentOrCollapse' | 'childOrExpand';
      readonly page: number;
    }
  /** `hot`: expand along the heaviest child down to where the samples are. `all`: at most 100 000 rows more. */
  | {
      readonly type: 'treeExpand';
      /** undefined: the selected row, as the mirror knows it; the window may be a key behind. */
      readonly row: RowId | undefined;
      readonly how: 'toggle' | 'expand' | 'collapse' | 'all' | 'hot' | 'collapseAll';
    }
  /** Sort now, once, though the order is held. */
  | { readonly type: 'sortNow'; readonly pane: 'tree' | 'flat' }
  /** Every row closed but the threads, or every row open down to the second level, as at first. */
  | { readonly type: 'treeReset'; readonly to: 'closed' | 'initial' }
  /** Next or previous match in display order, opening what hides it. */
  | { readonly type: 'treeFind'; readonly direction: 1 | -1 }
  /** Select this row in the tree, opening what hides it (from another pane). */
  | { readonly type: 'treeReveal'; readonly row: RowId }
  | { readonly type: 'flat'; readonly active: boolean; readonly sort: SortOrder; readonly hold: boolean }
  | { readonly type: 'flatWindow'; readonly from: number; readonly count: number; readonly turn: number }
  | { readonly type: 'flatSelect'; readonly label: string | undefined }
  | {
      readonly type: 'flatMove';
      readonly to: 'up' | 'down' | 'pageUp' | 'pageDown' | 'first' | 'last';
      readonly page: number;
    }
  | { readonly type: 'flame'; readonly active: boolean; readonly request: FlameRequest }
  /** Answered by `exportSource`: the mirror itself writes nothing, it has other questions to answer. */
  | { readonly type: 'export'; readonly job: ExportJob }
  /** For a worker that does nothing else, and is ended when nobody wants the file any more. */
  | { readonly type: 'write'; readonly source: ExportSource }
  /** Answered by `answered`: everything before it has been computed. */
  | { readonly type: 'answer'; readonly id: number }
  /** Answered by `settled` when everything asked for before has been answered. For tests, which must not sleep. */
  | { readonly type: 'settle'; readonly id: number };

export interface ExportJob {
  readonly id: number;
  readonly format:
    'svg' | 'csv' | 'flat' | 'tree' | 'collapsed' | 'lean' | 'pprof' | 'speedscope' | 'hprof' | 'trcbin';
  readonly threads: ThreadGrouping;
  /** svg: root of what is drawn; undefined: everything. */
  readonly zoom: RowId | undefined;
  readonly theme: 'light' | 'dark';
  readonly orientation: 'flame' | 'icicle';
  readonly title: string;
  readonly units: ProfileUnits;
}

/** All that an export is made of, as it was when it was asked for. */
export interface ExportSource {
  readonly job: ExportJob;
  readonly frames: FrameGrouping;
  readonly metric: Metric;
  readonly search: string;
  readonly filter: RowFilter;
  /** `packProfile`; transferred, and emptied by who reads it. */
  readonly profile: ArrayBuffer[];
}

/** Sums that percentages refer to, and what the header shows about the profile on screen. */
export interface ProfileSummary {
  readonly samples: number;
  readonly totalTime: number;
  readonly threads: number;
  readonly methods: number;
  readonly nodes: number;
  /** False for logs without times: all times are 0. */
  readonly timed: boolean;
}

/** mirror -> window */
export type MirrorEvent =
  /** The delta is applied: acknowledge it to the host. */
  | {
      readonly type: 'applied';
      readonly epoch: Epoch;
      readonly revision: Revision;
      /** Call nodes that the mirror has now. */
      readonly nodes: number;
      /** All that the host had when it sent the delta. */
      readonly complete: boolean;
    }
  /** The delta did not fit: follow anew. */
  | { readonly type: 'gap' }
  | { readonly type: 'summary'; readonly summary: ProfileSummary }
  | {
      readonly type: 'treeRows';
      readonly total: number;
      readonly from: number;
      readonly rows: readonly TreeRow[];
      readonly turn: number;
      /** Rows that growth put above the window since the last message: scroll by as many, and nothing moves. */
      readonly shift: number;
      readonly selected: RowId | undefined;
      /** Position of the selected row, -1 when it is hidden or there is none. */
      readonly selectedAt: number;
      /** Scroll so that the selected row can be seen. */
      readonly reveal: boolean;
      /** False when rows keep an order, because somebody reads them, that is no longer the sort order. */
      readonly inOrder: boolean;
    }
  | {
      readonly type: 'flatRows';
      readonly total: number;
      /** Rows without the search. */
      readonly unfiltered: number;
      readonly from: number;
      readonly rows: readonly FlatRow[];
      readonly turn: number;
      readonly shift: number;
      readonly selected: string | undefined;
      readonly selectedAt: number;
      readonly reveal: boolean;
      readonly inOrder: boolean;
    }
  | {
      readonly type: 'flameRows';
      /** Parents before children; siblings left to right by name, a remainder block last. */
      readonly rows: readonly FlameRow[];
      /** Everything, then the callers nearest to the root of what is shown, then that root. */
      readonly path: readonly { readonly id: RowId | undefined; readonly label: string }[];
      /** Frames of the path between everything and the next one in `path`. */
      readonly pathLeftOut: number;
      /** What is really shown: the zoom asked for, or undefined when it does not exist (any more). */
      readonly zoom: RowId | undefined;
      /** Matches are marked: a search was on when the rows were laid out. */
      readonly searching: boolean;
      /** Frames in remainder blocks, and their weight. */
      readonly smaller: number;
      readonly smallerWeight: number;
      readonly deepest: number;
    }
  | {
      readonly type: 'search';
      readonly text: string;
      /** undefined: the text is no valid expression; `problem` says why. */
      readonly problem: string | undefined;
      /** Distinct names that match. */
      readonly names: number;
      /** Samples with a match anywhere on their stack. */
      readonly samples: number;
      /** ns of those samples. */
      readonly time: number;
    }
  /** Reading a local file: status as a host would give it. */
  | { readonly type: 'status'; readonly status: LogStatus }
  | { readonly type: 'exportSource'; readonly source: ExportSource }
  /** `share` of the file is written, 0 to 1; told at each hundredth. */
  | { readonly type: 'exporting'; readonly id: number; readonly share: number }
  | { readonly type: 'exported'; readonly id: number; readonly name: string; readonly content: Blob }
  | { readonly type: 'answered'; readonly id: number }
  | { readonly type: 'exportFailed'; readonly id: number; readonly text: string }
  | { readonly type: 'settled'; readonly id: number }
  /** Something that the user should know of what was asked for. */
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'failed'; readonly text: string };
