import type { FrameGrouping } from '../engine/trees/grouping.ts';

/** Names that a JVM or a library makes up at run time, by what makes them. */
export type MachineName = 'lambda' | 'proxy' | 'reflection' | 'generated';

export const MACHINE_NAMES: readonly MachineName[] = ['lambda', 'proxy', 'reflection', 'generated'];

/** A transform that compares keys. */
interface Keyed {
  /** The grouping that makes its keys; undefined: the frame grouping in use, as on the command line. */
  readonly keys?: FrameGrouping | undefined;
}

/**
 * A change to the stacks of a profile (specs: cli, "Scope"). Keys are those after the transforms before this one. A
 * transform that says what they are made of means the same in every frame grouping.
 *
 *   stack           main  a  b  a  c        prefixes and keys are those of these frames
 *   focus b         b  a  c
 *   merge a         main  b  c
 *   only c          c
 *   collapse a      main  a*  b  a*  c
 *   collapse-recursion all   main  a  c     this is the second `a`
 */
export type Transform =
  /** Only samples with this key on their stack. */
  | ({ readonly kind: 'keep'; readonly key: string } & Keyed)
  /** Only samples without it. */
  | ({ readonly kind: 'drop'; readonly key: string } & Keyed)
  /** Only samples of threads that are not idle: see `IdleFilter`. */
  | { readonly kind: 'leave-out'; readonly of: 'idle' }
  /** Only samples with it, and their stacks begin at its outermost frame. */
  | ({ readonly kind: 'focus'; readonly key: string } & Keyed)
  /** Its frames vanish. What they called, and their own samples, are their callers'. */
  | ({ readonly kind: 'merge'; readonly key: string } & Keyed)
  /** Frames whose key begins with none of these vanish in the same way. */
  | ({ readonly kind: 'only'; readonly prefixes: readonly string[] } & Keyed)
  /** Adjacent frames whose keys begin with the prefix are one frame, `PREFIX*`. */
  | ({ readonly kind: 'collapse'; readonly prefix: string } & Keyed)
  /** Adjacent frames of the class, and of classes nested in it, are one frame, `CLASS.*`. It is named without a key. */
  | { readonly kind: 'collapse-class'; readonly className: string }
  /**
   * `direct`: of adjacent frames of one key the innermost stays. `all`: a frame that occurs again deeper jumps to its last
   * occurrence; what was between vanishes from that stack. Either way the line is that of the innermost call.
   */
  | ({ readonly kind: 'collapse-recursion'; readonly of: 'direct' | 'all' } & Keyed)
  /** Machine-made names become stable: `Foo$$Lambda/0x7f12` becomes `Foo$$Lambda`. */
  | { readonly kind: 'fold'; readonly names: readonly MachineName[] };

/** When the samples were taken that are looked at. Times are those of the SampleTable. */
export type TimeRange =
  /** [from, to) in ns, decimal, so that a scope can be compared and sent as JSON; undefined: unbounded. */
  | {
      readonly kind: 'between';
      readonly from: string | undefined;
      readonly to: string | undefined;
      /** The part of it that is left out. Only of one side of a comparison: see `apart`. */
      readonly except?: { readonly from: string | undefined; readonly to: string | undefined } | undefined;
    }
  /** The last `ns` before the latest sample, and that sample: moves on while a log grows. */
  | { readonly kind: 'latest'; readonly ns: number };

/** [from, to) in whole ns, at most 2^53; undefined: unbounded. */
export interface NsSpan {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * The contexts in which the samples were taken: requests, operations, spans (see ContextTable). A sample counts if one
 * context of its thread, at its time, meets everything that is said here.
 */
export interface ContextScope {
  /**
   * `KEY=VALUE`, or `KEY=/…/` for a regular expression; all hold. The key `operation` is the name of a context. A context has
   * the attributes of those around it, unless it has its own.
   */
  readonly where: readonly string[];
  /** Their durations. */
  readonly took?: NsSpan | undefined;
  /** The times at which they began, after the earliest sample of the log: it means something in another log, too. */
  readonly began?: NsSpan | undefined;
  /** Percent, above 0 and below 100: those that last longest of each operation, with 99 one in a hundred. */
  readonly slower?: number | undefined;
  /** Samples that are left out. Only of one side of a comparison: see `comparedScopes`. */
  readonly except?: Omit<ContextScope, 'except'> | undefined;
}

/** The part of a profile that is looked at, and the changes of its stacks. */
export interface Scope {
  /** When samples were taken; undefined: at any time. Applied first. */
  readonly range?: TimeRange | undefined;
  /** In which contexts they were taken; undefined: in any, or in none. */
  readonly contexts?: ContextScope | undefined;
  /** Threads whose samples count: names, or `/…/` for a regular expression. Empty: all. */
  readonly threads: readonly string[];
  /** Applied in this order. */
  readonly transforms: readonly Transform[];
}

/** The samples with which those in scope are compared: others of an equal scope, but for what is said here. */
export interface Baseline {
  /** Samples of another log, by its key; undefined: of the same one. */
  readonly log?: string | undefined;
  /** When they were taken. undefined: as in the scope, or at any time in another log. */
  readonly range?: TimeRange | undefined;
  /** Threads instead of the scope's; undefined: the same. */
  readonly threads?: readonly string[] | undefined;
  /** Contexts instead of the scope's; undefined: the same. */
  readonly contexts?: ContextScope | undefined;
  /** The other log has another unit than this one's: only samples can be compared. */
  readonly onlySamples?: boolean | undefined;
}

/** The baseline if it is of the same log, so that its range has the times of this log. */
export function ownBaseline(baseline: Baseline | undefined): Baseline | undefined {
  return baseline?.log === undefined ? baseline : undefined;
}

export const EMPTY_SCOPE: Scope = { threads: [], transforms: [] };

export function isEmptyScope({ range, contexts, threads, transforms }: Scope): boolean {
  return range === undefined && contexts === undefined && threads.length === 0 && transforms.length === 0;
}

/** Transforms that leave samples out and change no stack. */
export type Selecting = Extract<Transform, { kind: 'keep' | 'drop' | 'leave-out' }>;

/** The transforms of a scope that changes no stack; undefined for one that does. */
export function selectingOf({ transforms }: Scope): readonly Selecting[] | undefined {
  const selecting = transforms.filter(isSelecting);
  return selecting.length === transforms.length ? selecting : undefined;
}

export function isSelecting(transform: Transform): transform is Selecting {
  return ['keep', 'drop', 'leave-out'].includes(transform.kind);
}
