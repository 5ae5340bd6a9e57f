import { type FindingsProject, NO_PROJECT } from '../../../shared/findings/finding.ts';
import type { FlameZoom, MethodRef } from '../../../shared/engine/query.ts';
import type { Chosen, MergedThreads } from '../../../shared/facts/choice.ts';
import type { FormatGroup } from '../../../shared/facts/format-list.ts';
import type {
  Capabilities,
  Epoch,
  FileEntry,
  LogId,
  LogStatus,
  SampleId,
} from '../../../shared/protocol/messages.ts';
import type { SourceAnswer, SourceSettings } from '../../../shared/protocol/source-messages.ts';
import type { ClassSource } from '../../../shared/protocol/client-messages.ts';
import { type Conditions, NO_CONDITIONS } from '../../../shared/engine/views/row-conditions.ts';
import {
  type Baseline,
  EMPTY_SCOPE,
  type Scope,
  type TimeRange,
  type Transform,
} from '../../../shared/scope/scope.ts';
import type { SplitMethod } from '../../../shared/engine/trees/grouping.ts';
import type { ConnectionState } from '../../connection/host-client.ts';
import type {
  MirrorEvent,
  ProfileSummary,
  ReadUpTo,
  UnionFacts,
  RunsReport,
} from '../../profile-worker/mirror-messages.ts';
import type { MatchPosition, RowId, Selection } from '../../profile-worker/pane-messages.ts';
import type { TracksView } from '../../../shared/engine/views/time-tracks.ts';
import type { TimelineColumns, TimelineView } from '../../../shared/engine/views/timeline-columns.ts';
import { type JvmsView, NO_JVMS } from './jvms-view.ts';
import { type PaneId } from '../panes/panes.ts';
import { NEW_PANES, type PaneViews } from '../panes/pane-views.ts';
import { DEFAULT_PREFERENCES, type Preferences } from './preferences.ts';

/** One log: `host:3` is log 3 of the host, `file:1` a file that this window reads itself, `merged:2` several in one. */
export type LogKey = string;

type EventOf<Type extends MirrorEvent['type']> = Omit<Extract<MirrorEvent, { type: Type }>, 'type'>;

/** The last answers of the worker that are kept as they came, as of when they were on screen. */
interface Answers
  extends
    Partial<EventOf<'hiding'>>,
    Partial<EventOf<'threads'>>,
    Partial<EventOf<'recent'>>,
    Partial<Omit<EventOf<'timeline'>, 'columns'>> {}

/** The logs that a merged one is made of, in order, and how. */
export interface Merge {
  readonly parts: readonly LogKey[];
  /** Names of the parts, all different: the last part of each path, with folders in front where they are needed. */
  readonly names: readonly string[];
  readonly threads: MergedThreads;
}

/** The choices for a new merged log. */
export interface MergeOptions {
  /** Empty: made of the names of the parts. */
  readonly name: string;
  readonly threads: MergedThreads;
  /** The log whose files it reads as well, with other choices. */
  readonly sameAs?: LogKey | undefined;
}

/** Merged logs that wait for their parts, which are being opened once more. */
export interface AwaitedMerge extends MergeOptions {
  /** `key`: a part that is there; otherwise `again` is the first log of the file that is being opened. */
  readonly parts: readonly { readonly key?: LogKey; readonly again?: LogKey }[];
}

/** A log as the window shows it: what the host and the mirror sent last, and how the user looks at it. */
export interface LogView extends ScopeStep, Answers {
  readonly key: LogKey;
  /** undefined: read by this window. */
  readonly hostLog: LogId | undefined;
  /** The file that this window reads; undefined for a log of the host. */
  readonly file?: File | undefined;
  /** Name of the file. */
  readonly name: string;
  readonly folder: string;
  /** A flight recording in a JVM; `folder` is where the JVM keeps it while it runs. */
  readonly isRecording: boolean;
  /** The first log of the same files, if it is not this one. */
  readonly sameAs?: LogKey | undefined;
  /** Its logs, if it is several that are merged. */
  readonly merge?: Merge | undefined;
  /** Facts of merged logs besides those of each; undefined until they are known. */
  readonly union?: UnionFacts | undefined;
  /** The user's name for it; '' for that of the file. */
  readonly label: string;
  /** The user's choices for reading it; undefined: it is read by default. */
  readonly chosen?: Chosen | undefined;
  readonly status?: LogStatus | undefined;
  /** Size of the log when last read to its end; the mirror may have less for a moment. */
  readonly readUpTo?: ReadUpTo | undefined;
  /** Samples per second over the last few status messages; undefined until two of them differ in time. */
  readonly rate?: number | undefined;
  /** Start of the measurement of `rate`. */
  readonly pace?: { readonly at: number; readonly samples: number; readonly epoch: Epoch } | undefined;
  /** The file has become longer while the window was open. */
  readonly hasGrown: boolean;
  /** Epoch that the mirror shows; the status may be ahead. */
  readonly shownEpoch?: Epoch | undefined;
  readonly summary?: ProfileSummary | undefined;
  /**
   * The mirror's progress through the host's profile, a few times a second; undefined for a file that this window reads
   * itself. `complete`: it is up to date with the host as of the last delta.
   */
  readonly mirrored?: { readonly at: number; readonly nodes: number; readonly complete: boolean } | undefined;
  readonly panes: PaneViews;
  /** The panes that it had nothing for when it was read first, until the user chooses them; undefined before. */
  readonly late?: readonly PaneId[] | undefined;
  readonly selection?: Selection | undefined;
  /** The methods whose callers and callees were opened one from the other; the last one is shown. */
  readonly detail: readonly MethodRef[];
  /** The selected match, after a search for the next one. */
  readonly match?: MatchPosition | undefined;
  /** The method whose calls are found, until something is typed into the find field. */
  readonly foundMethod?: RowId | undefined;
  /** Counter of the user's selections and requests for one. */
  readonly selectionTurn: number;
  /** The last turn that is answered, or needed no answer. */
  readonly answeredTurn: number;
  readonly searchText: string;
  readonly search?: EventOf<'search'> | undefined;
  /** The names of frames that hide the rest and that the user wants to keep as they are. */
  readonly declinedHints: readonly string[];
  /**
   * The user asked for the hottest lines of methods, although that costs a copy of all call nodes: for these transforms, and
   * this log that is compared with.
   */
  readonly linesAsked?:
    | { readonly transforms: Scope['transforms']; readonly base: LogKey | undefined }
    | undefined;
  /** Samples over time; undefined until they are shown, and for a log whose samples have no times. */
  readonly timeline?: TimelineColumns | undefined;
  /** Threads and times of the frame on which the pointer rested last, and of the method of the callers and callees. */
  readonly about?: Readonly<Partial<Record<'frame' | 'method', Extract<MirrorEvent, { type: 'about' }>>>>;
  /** The part of the time that is shown, ns after the earliest sample; undefined: all. */
  readonly timelineZoom?: TimelineView['zoom'];
  /** Scope and baseline before the range that is being dragged; undefined while none is. */
  readonly beforeDrag?: Pick<LogView, 'scope' | 'baseline'> | undefined;
  /** The range that was just chosen in the tracks: what can be done with it is offered, as long as it is the scope's. */
  readonly offeredRange?: TimeRange | undefined;
  /** The file whose log becomes the baseline as soon as it is open; undefined: none. */
  readonly awaitedBase?: AwaitedBase | undefined;
  /** The last search by typing in a list. */
  readonly sought?: { readonly pane: string; readonly text: string; readonly found: boolean } | undefined;
  /** A baseline of the log's own samples that was chosen, until it is known whether both sides have samples. */
  readonly triedBaseline?: Baseline | undefined;
  readonly hidesErrors: boolean;
  readonly keepsZoom: boolean;
  /** The link that it was opened by, while its regular expressions wait for the user's consent. */
  readonly unapplied?: LinkedScope | undefined;
  /** Earlier scopes, and those undone; the nearest last. */
  readonly scopesBack: readonly ScopeStep[];
  readonly scopesForward: readonly ScopeStep[];
  /**
   * The path to a zoom of the last start, as text, until it is drawn: in another file of that name its row may be another
   * frame. Nothing is narrowed or exported by the zoom until then.
   */
  readonly zoomedPath?: string | undefined;
  /** A log without times of its samples is frozen: its growth is not shown until it is resumed. See `isFrozen`. */
  readonly isHeld: boolean;
  /**
   * The end of a range that froze the view, and the samples that the log had then; `before`: the range after the view is
   * resumed. It is over when the range in scope has another end.
   */
  readonly frozenBy?:
    | { readonly to: string; readonly samples: number; readonly before: TimeRange | undefined }
    | undefined;
  /** The restart banner of this epoch was closed. */
  readonly dismissedRestart?: Epoch | undefined;
  /** The screen has been out of date for a noticeable time, because the mirror is computing. */
  readonly computing: boolean;
}

/** A line of a method, named as in `MethodLines`. */
export interface SourceLine {
  readonly className: string;
  readonly methodName: string;
  readonly line: number;
}

/** A log that is compared with and not open yet. */
interface AwaitedBase {
  /** Name of the file; see `isLinkName`. */
  readonly name: string;
  /** The part of it. */
  readonly rest: Baseline;
  /** Logs of this name that were open before: none of them is meant, unless the host shows it instead of a new one. */
  readonly known: readonly LogKey[];
  /** It was compared when the window was closed: then no tab is shown for it. */
  readonly isRestored?: boolean;
  /** The sample type of it that is meant; undefined: whichever it has. */
  readonly choice?: ChosenOption;
}

/** One value of a choice of a file. */
export interface ChosenOption {
  readonly id: string;
  readonly value: string;
  /** For people. */
  readonly text: string;
}

/** The scope of a log with everything that can be undone. */
export interface ScopeStep {
  /** The samples that all panes show. */
  readonly scope: Scope;
  /** Only rows that pass are shown in panes of rows. */
  readonly where: Conditions;
  /** Methods whose rows are opened into their lines, where frames are grouped by method. */
  readonly split: readonly SplitMethod[];
  /** The samples that those in scope are compared with; undefined: none. */
  readonly baseline?: Baseline | undefined;
  /** Samples whose stack has an error are left out. */
  readonly hidesErrors?: boolean;
  /** The zoom is a part of the scope: all panes show only what is below it. */
  readonly keepsZoom?: boolean;
  /** The zoom of the flame graph, top-down or bottom-up. Call nodes have the same numbers whenever the file is read. */
  readonly zoom?: FlameZoom | undefined;
}

interface LinkedMerge {
  readonly threads: MergedThreads;
  /** At least two. */
  readonly parts: readonly string[];
}

/** The scope of one log in an address. */
export interface LinkedScope extends ScopeStep {
  /** Name of the log; see `linkName`. */
  readonly name: string;
  /** The logs that it merges, by names that may begin with folders; undefined: it is a single one. */
  readonly merge?: LinkedMerge | undefined;
  /** Name of the other log that is compared with; undefined: another part of this one, or nothing. */
  readonly base?: string | undefined;
  /** Threads of the chart, none for all; undefined: none were chosen. */
  readonly chartThreads?: readonly string[] | undefined;
  /** The text that the find field looks for; undefined: none. */
  readonly search?: string | undefined;
  /** The part of the time that timeline, tracks and chart show, ns after the earliest sample; undefined: all. */
  readonly timeZoom?: TimelineView['zoom'];
}

/** A step of a scope that is written in a dialog. */
export interface EditedStep {
  readonly log: LogKey;
  readonly transform: Transform;
  /** Its place among the transforms; undefined: it is a further one. */
  readonly at: number | undefined;
}

/**
 * The dialog or panel that is open. `details` and `threads` are the panels of the active log, `filter` and
 * `range` its dialogs. `log` is the log that a dialog is opened for.
 */
export type WindowDialog =
  /** `search`: what threads are searched for. */
  | { readonly kind: ActiveDialog; readonly search?: string }
  | { readonly kind: 'rename' | 'merge'; readonly log: LogKey }
  /** `report`: of several runs of each side, once they have been compared. */
  | { readonly kind: 'compare'; readonly log: LogKey; readonly report?: RunsReport }
  | ({ readonly kind: 'step' } & EditedStep)
  /** A page to send, of the active log or of its comparison. */
  | { readonly kind: 'page'; readonly isCompared: boolean }
  /** These logs are closed once the user has said what becomes of their recordings. */
  | { readonly kind: 'closing'; readonly logs: readonly LogKey[] };

/** A dialog or panel of the window, or of its active log. */
export type ActiveDialog =
  | 'palette'
  | 'help'
  | 'sources'
  | 'attach'
  | 'filter'
  | 'range'
  | 'details'
  | 'threads';

/** A file that is being written. */
export interface RunningExport {
  readonly id: number;
  readonly log: LogKey;
  readonly fileName: string;
  /** Share of the file's lines that is written, 0 to 1. */
  readonly share: number;
}

export interface Notice {
  readonly id: number;
  readonly tone: 'info' | 'problem';
  readonly text: string;
  /** A button with a name of its own; undefined: none. */
  readonly action: 'showSaved' | undefined;
}

export interface WindowState {
  /** The host's run, from its last `hello`; '' before the first one. */
  readonly hostRun: string;
  readonly connection: ConnectionState;
  readonly version: string;
  readonly capabilities: Capabilities;
  /** Recordings that the host has to show. */
  readonly samples: readonly SampleId[];
  /** The formats that the host reads. */
  readonly formats: readonly FormatGroup[];
  readonly recent: readonly FileEntry[];
  /** The settings of findings in the project file. */
  readonly project: FindingsProject;
  /** Where the host looks for sources; undefined until it has said so, and where there is no host. */
  readonly sources: SourceSettings | undefined;
  /** The source file that was asked for last, and where the host looked for it. */
  readonly sourceSearch:
    | {
        readonly request: number;
        readonly wanted: ClassSource;
        readonly sources: SourceSettings | undefined;
        readonly answer: SourceAnswer | undefined;
      }
    | undefined;
  /** The line at which the source of a method is opened; undefined: its hottest one. */
  readonly sourceLine: SourceLine | undefined;
  readonly jvms: JvmsView;
  /** Tabs, left to right. */
  readonly logs: readonly LogView[];
  readonly active: LogKey | undefined;
  /** Logs without a tab, which merged ones need. */
  readonly background: readonly LogView[];
  readonly awaitedMerges: readonly AwaitedMerge[];
  /** The pane that keys and the thread grouping apply to, when several are on screen. */
  readonly focusedPane: PaneId;
  readonly preferences: Preferences;
  readonly systemIsDark: boolean;
  /** Only one pane fits. */
  readonly isSmall: boolean;
  readonly notices: readonly Notice[];
  /** Never are two open: each opens in the place of the one before. */
  readonly dialog: WindowDialog | undefined;
  /** Files are dragged over the window. */
  readonly dropping: boolean;
  /** Width of the flame graph, device pixels; until it is measured that of the window, 0 if that is unknown. */
  readonly flameWidth: number;
  /** Width of the timeline, CSS pixels; 0 until it is measured. */
  readonly timelineWidth: number;
  /** Tracks of threads that are on screen, or close to it. */
  readonly tracksView: Omit<TracksView, 'holds'>;
  /** The pointer is in this pane: its rows keep their order. */
  readonly heldPane: PaneId | undefined;
  readonly exporting: readonly RunningExport[];
  readonly nextNumber: number;
}

export const INITIAL_STATE: WindowState = {
  hostRun: '',
  connection: { state: 'connecting' },
  version: '',
  capabilities: { openDialog: false, openDropped: false },
  samples: [],
  formats: [],
  recent: [],
  project: NO_PROJECT,
  sources: undefined,
  sourceSearch: undefined,
  sourceLine: undefined,
  jvms: NO_JVMS,
  logs: [],
  background: [],
  awaitedMerges: [],
  active: undefined,
  focusedPane: 'flame',
  preferences: DEFAULT_PREFERENCES,
  systemIsDark: false,
  isSmall: false,
  notices: [],
  dialog: undefined,
  dropping: false,
  flameWidth: 0,
  timelineWidth: 0,
  tracksView: { open: [], from: 0, count: 20 },
  heldPane: undefined,
  exporting: [],
  nextNumber: 1,
};

export function hostKey(log: LogId): LogKey {
  return `host:${log}`;
}

export function newLogView(key: LogKey, hostLog: LogId | undefined, name: string, folder: string): LogView {
  return {
    key,
    hostLog,
    name,
    folder,
    isRecording: false,
    label: '',
    hasGrown: false,
    panes: NEW_PANES,
    detail: [],
    selectionTurn: 0,
    answeredTurn: 0,
    searchText: '',
    declinedHints: [],
    scope: EMPTY_SCOPE,
    scopesBack: [],
    scopesForward: [],
    where: NO_CONDITIONS,
    hidesErrors: true,
    keepsZoom: false,
    split: [],
    isHeld: false,
    computing: false,
  };
}
