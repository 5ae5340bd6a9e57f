import type { ComparedWhole, ComparedScale } from './values/row-change.ts';
import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { SampleTable } from '../profile/sample-table.ts';
import { comparedScopes } from '../scope/apart.ts';
import { commonKeys } from '../scope/transforms.ts';
import { type Scope, selectingOf, type TimeRange } from '../scope/scope.ts';
import { isMadeFrame } from '../scope/scope-frames.ts';
import type { ScopedProfile } from '../scope/scoped-profile.ts';
import { secondsIn } from '../scope/time-range.ts';
import type { GrowingTree } from './trees/growing-tree.ts';
import { addedSamples, NO_SAMPLES, type SampleSum, type SelfValues } from './values/self-values.ts';
import type { SelfThreads } from './values/self-threads.ts';
import type { ValuesSnapshot, RecordedProfile, Structure } from './recorded-profile.ts';
import { type ComparedSides, scaleOf, sidesOf } from './comparison/comparison.ts';
import { BY_CONTEXT, CALLS, IN_CONTEXTS, PLACED_CONTEXTS, SAMPLES_BY_THREAD } from './context-steps.ts';
import { hasContexts } from './contexts/context-test.ts';
import type { Contexts } from './contexts/contexts.ts';
import {
  CALL_TREE,
  IN_RANGE,
  OTHER_VALUES,
  PART_VALUES,
  SCOPED,
  SELECTED,
  SELF_THREADS,
  TIME_ORDER,
  UNION,
  WITHOUT_ERRORS,
} from './profile-steps.ts';
import { type ProfileQuery, withoutIdleFolds } from './query.ts';
import type { ProfileUnion } from './comparison/profile-union.ts';
import type { Steps } from './steps.ts';
import type { Search } from './views/search.ts';
import type { ValuesInScope } from '../scope/values-in-scope.ts';
import { type FrameGrouping, partsOf, type TreeThreads, withErrorsApart } from './trees/grouping.ts';
import type { ValuesWithoutErrors } from './values/masked-values.ts';

/** The log of a query, and the engine's parts for it. */
export interface ViewInputs {
  readonly source: RecordedProfile;
  /** The other log of the comparison; undefined until it is here. */
  readonly other: RecordedProfile | undefined;
  readonly query: ProfileQuery;
  /** The search of the query, parsed. */
  readonly search: Search;
  /** The property by which scopes and joins tell threads apart: the id where a pane does. */
  readonly threads: 'name' | 'id';
  /** A scope that changes stacks keeps the lines of frames, at ten times the rows. */
  readonly withLines?: boolean | undefined;
}

/** Samples of a range and of contexts, and those outside of it. */
interface InRange {
  readonly values: SelfValues;
  /** Samples in contexts, whenever they were taken; undefined where times are not known. */
  readonly samples: SampleTable | undefined;
  /** Sample -> 1 if it is in the contexts; undefined where nothing is said about them. */
  readonly isIn?: Uint8Array | undefined;
  readonly outside: SampleSum;
}

/** Parts of the union of two logs that are compared. */
export const NEXT = 0;
const BASE = 1;

/** Values of the baseline over the rows of the view, and by what both sides are divided. */
interface Baseline {
  readonly values: SelfValues;
  readonly outside: SampleSum;
  readonly scale: ComparedScale;
  readonly sides: ComparedSides;
}

/**
 * The samples of a profile that a query is about, and their structure: found out at once.
 *
 *   source ─▶ range ─▶ joined with the other log ─▶ errors, scope ─▶ values
 *                                └─▶ changed stacks ─▶ structure
 */
export class ViewValues {
  readonly source: LeanProfile;
  /** The samples in the contexts of the scope, whenever they were taken; undefined where times are not known. */
  readonly samplesInContexts: SampleTable | undefined;
  /** Sample of the log -> 1 if it is in them; undefined: the scope says nothing about contexts. */
  readonly isInContexts: Uint8Array | undefined;
  readonly query: ProfileQuery;
  /** The profile on screen: all that was read, the part of it in scope, or two logs joined. */
  readonly profile: LeanProfile;
  /** Self values that all views sum. */
  readonly values: SelfValues;
  /** Samples that are outside the scope. */
  readonly outside: SampleSum;
  /** When the samples were taken, without those that they are compared with. */
  readonly range: TimeRange | undefined;

  /** The steps, for the other parts of the view. */
  readonly steps: Steps;
  readonly inputs: ViewInputs;
  /** The log, with its threads apart by the attribute that they are grouped by. */
  readonly recorded: RecordedProfile;
  readonly inRange: SelfValues;
  /** The log, and the one that it is compared with. */
  readonly joined: ProfileUnion | undefined;
  readonly unscoped: Structure;
  /** Values over `unscoped`. */
  readonly side: ScopedValues;
  readonly scoped: ScopedProfile | undefined;
  readonly structure: Structure;
  readonly baseline: Baseline | undefined;

  constructor(steps: Steps, inputs: ViewInputs) {
    const profiles = [inputs.source, inputs.other].flatMap((recorded) => recorded?.profile ?? []);
    const query = inputs.withLines === true ? withoutIdleFolds(inputs.query, profiles) : inputs.query;
    const { scope, comparison, frames, hidesErrors } = query;
    this.steps = steps;
    this.inputs = inputs;
    this.query = query;
    const source = this.#byContext(inputs.source);
    const { samples } = source.profile;
    this.recorded = source;
    this.source = source.profile;
    const next = comparison === undefined ? scope : comparedScopes(scope, comparison.baseline, samples).next;
    this.range = next.range;
    const inRange = this.#inRangeOf(source, next);
    this.samplesInContexts = inRange.samples;
    this.isInContexts = inRange.isIn;
    this.inRange = inRange.values;
    this.joined = this.#unionWithOther();
    this.unscoped = this.joined ?? source;
    const all = this.#partValues(NEXT) ?? this.inRange;
    this.side = new ScopedValues(steps, this.unscoped, all, { scope, frames, hidesErrors });
    this.scoped = this.scopedProfile(this.unscoped, this.side.shown);
    this.structure = this.scoped ?? this.unscoped;
    this.profile = this.structure.profile;
    this.values = this.scoped?.profile.selfValues ?? this.side.values;
    this.outside = addedSamples(inRange.outside, this.scoped?.outside ?? this.side.outside);
    this.baseline = this.#baselineOf();
  }

  /** All that the profile has in this state. */
  get allValues(): ValuesSnapshot {
    return this.recorded.values;
  }

  /** Samples that are left out because of errors. */
  get hidden(): SampleSum {
    return this.side.hidden;
  }

  /** Counts of the samples in scope besides their sums, and the time that they cover. O(rows). */
  get counted(): CountedInScope & { readonly seconds: number | undefined } {
    const { samples } = this.source;
    const seconds =
      samples === undefined || samples.length === 0 ? undefined : secondsIn(this.range, samples);
    // Without a scope these are the threads that the log has.
    const all = this.isJoined || this.outside.samples === 0 ? undefined : this.selfThreads;
    const threads = all && {
      of: (values: SelfValues) => this.recorded.threadsRead(all.of(values)),
      length: this.recorded.read.threads.length,
    };
    return { ...this.side.counted(this.scoped?.isOutside, threads), seconds };
  }

  /** Two logs are joined. */
  get isJoined(): boolean {
    return this.joined !== undefined;
  }

  /** The scope changes stacks, so that the panes show other call nodes than those of the log. */
  get changesStacks(): boolean {
    return this.scoped !== undefined;
  }

  /** Both sides of the comparison; undefined: nothing is compared. */
  get sides(): ComparedSides | undefined {
    return this.baseline?.sides;
  }

  /** The scale and the sums that all changes have in common; undefined: nothing is compared. */
  get comparedWhole(): ComparedWhole | undefined {
    const { comparison } = this.query;
    if (comparison === undefined || this.baseline === undefined) return undefined;
    const { sides, scale } = this.baseline;
    const samples = { base: sides.base.samples, next: sides.next.samples };
    return { ...comparison, samples, scale, seconds: sides.seconds };
  }

  /** Row of self values of the log -> its thread. */
  get selfThreads(): SelfThreads {
    return this.steps.get(SELF_THREADS, this.recorded);
  }

  /** The contexts of a log, and those of its samples that are in each; undefined where it has none. */
  contextsOf(source: RecordedProfile, samples: SampleTable | undefined): Contexts | undefined {
    // A page has samples in scope, and no contexts.
    if (!hasContexts(samples)) return undefined;
    const threads = this.steps.get(SELF_THREADS, source);
    const order = samples.areCalls ? undefined : this.steps.get(TIME_ORDER, samples);
    const byThread = this.steps.get(SAMPLES_BY_THREAD, source, samples, threads, order);
    return samples.areCalls
      ? this.steps.get(CALLS, source, samples, byThread)
      : this.steps.get(PLACED_CONTEXTS, samples.contexts, samples, byThread);
  }

  // ---- Identities of frames, which are equal in every scope ----

  /** The call node of `profile` with this identity; NONE if there is none. */
  nodeWithId(id: number): number {
    const node = this.scoped?.nodeOf(id) ?? this.unscoped.ids.nodeOf(id);
    return node >= 0 && node < this.profile.nodes.length ? node : NONE;
  }

  /** The frame of the call node with this identity, negative for a thread; NONE if there is no such node. */
  frameOfNode(id: number): number {
    const node = this.nodeWithId(id);
    return node === NONE ? NONE : this.profile.nodes.frame[node];
  }

  /** The identity of a frame of `profile`: the same in every scope. */
  idOfFrame(frame: number): number {
    const id = this.scoped === undefined ? frame : this.scoped.idOfFrame(frame);
    return this.joined === undefined || isMadeFrame(id) ? id : this.joined.idOfFrame(id);
  }

  /** The frame of `profile` with this identity; NONE if there is none. */
  frameOf(id: number): number {
    const known = this.joined === undefined || isMadeFrame(id) ? id : this.joined.frameWithId(id);
    return this.scoped === undefined || known === NONE ? known : this.scoped.frameOf(known);
  }

  // ---- Which values ----

  #byContext(source: RecordedProfile): RecordedProfile {
    const { attribute } = this.query;
    const { samples } = source.profile;
    // Each call is a row of the tree already.
    if (attribute === undefined || samples === undefined || samples.areCalls) return source;
    const contexts = this.contextsOf(source, samples);
    if (contexts === undefined) return source;
    return this.steps.get(BY_CONTEXT, source, samples, contexts, attribute);
  }

  /** The property by which scopes and joins tell threads apart: those of one name may be in several contexts. */
  get #threadsApart(): TreeThreads {
    return this.query.attribute === undefined ? this.inputs.threads : 'each';
  }

  #inRangeOf(source: RecordedProfile, { range, contexts }: Pick<Scope, 'range' | 'contexts'>): InRange {
    const { samples } = source.profile;
    if (samples === undefined) return { values: source.values, samples, outside: NO_SAMPLES };
    const all = contexts && this.contextsOf(source, samples);
    const inContexts = all && this.steps.get(IN_CONTEXTS, source, samples, all, contexts);
    const { values, samples: counted, isIn } = inContexts ?? { values: source.values, samples };
    const outside = inContexts?.values.outside ?? NO_SAMPLES;
    if (range === undefined) return { values, samples: counted, isIn, outside };
    const inRange = this.steps.get(IN_RANGE, inContexts ?? source, counted, range);
    return { values: inRange, samples: counted, isIn, outside: addedSamples(outside, inRange.outside) };
  }

  /** Two logs over one structure; undefined while only one is looked at. */
  #unionWithOther(): ProfileUnion | undefined {
    const { withLines } = this.inputs;
    const { query, recorded: source } = this;
    const baseline = query.comparison?.baseline;
    // Rows have the identities of this log where it has them, so that it must have some.
    if (baseline?.log === undefined || this.inputs.other === undefined) return undefined;
    const other = this.#byContext(this.inputs.other);
    const { keys, frames, scope } = query;
    const contexts = baseline.contexts ?? scope.contexts;
    const base = this.#inRangeOf(other, { range: baseline.range, contexts }).values;
    if (withLines === true)
      return this.steps.get(UNION, source, other, undefined, undefined, this.inRange, base);
    if (source.extent.nodes === 0) return undefined;
    // Where some transforms name lines and others BCIs, only those of the keys on screen find their frames.
    const common = commonKeys(keys, scope.transforms, frames) ?? withErrorsApart(keys);
    const treeOf = (of: RecordedProfile): GrowingTree =>
      this.steps.get(CALL_TREE, of, this.#threadsApart, common);
    return this.steps.get(UNION, source, other, treeOf(source), treeOf(other), this.inRange, base);
  }

  /** Values over the union; undefined while only one log is looked at. */
  #partValues(part: typeof NEXT | typeof BASE): SelfValues | undefined {
    return this.joined && this.steps.get(PART_VALUES, this.joined, part);
  }

  /** The scope that changes stacks; undefined for one that changes none. */
  scopedProfile(structure: Structure, shown: SelfValues): ScopedProfile | undefined {
    const { scope, frames } = this.query;
    if (selectingOf(scope) !== undefined) return undefined;
    const tree = this.#treeOfScope(structure);
    return this.steps.get(SCOPED, structure, tree, scope.transforms, frames, shown, scope.threads);
  }

  /** The tree from which a scope that changes stacks is made; undefined: call nodes. */
  #treeOfScope(structure: Structure): GrowingTree | undefined {
    if (this.inputs.withLines === true) return undefined;
    const { keys, frames, scope } = this.query;
    // Folding renames methods, so that the rows of a tree may lack the lines of one that is split by its new name.
    const needsLines = partsOf(keys).split.length > 0 && scope.transforms.some(({ kind }) => kind === 'fold');
    const common = commonKeys(keys, scope.transforms, frames);
    // A joined profile has only what its own keys tell apart.
    const of =
      structure === this.joined ? (common ?? withErrorsApart(keys)) : needsLines ? undefined : common;
    return of && this.steps.get(CALL_TREE, structure, this.#threadsApart, of);
  }

  /** The values of the baseline over the call nodes of the view; undefined: nothing is compared. */
  #baselineOf(): Baseline | undefined {
    const { other } = this.inputs;
    const { query, recorded: source } = this;
    const { scope, comparison, frames, hidesErrors } = query;
    // Until the other log is here, nothing is compared.
    if (comparison === undefined || (comparison.baseline.log !== undefined && this.joined === undefined))
      return undefined;
    const { base } = comparedScopes(scope, comparison.baseline, source.profile.samples);
    const inRange = this.#inRangeOf(
      this.joined === undefined ? source : this.#byContext(other ?? source),
      base,
    );
    const all = this.#partValues(BASE) ?? inRange.values;
    const side = new ScopedValues(this.steps, this.unscoped, all, { scope: base, frames, hidesErrors });
    const scoped = this.scoped && this.steps.get(OTHER_VALUES, this.scoped, side.shown, base.threads);
    const values = scoped ?? side.values;
    const outside = addedSamples(inRange.outside, scoped?.outside ?? side.outside);
    const before = this.joined === undefined ? source : other;
    const sides = sidesOf(
      { profile: (before ?? source).profile, values, range: base.range, threads: base.threads },
      { profile: source.profile, values: this.values, range: this.range, threads: scope.threads },
    );
    return { values, outside, sides, scale: scaleOf(sides, query) };
  }
}

/** The samples of a range that count. The range itself is not looked at. */
interface CountedSamples {
  readonly scope: Scope;
  readonly frames: FrameGrouping;
  readonly hidesErrors: boolean;
}

/** The number of samples in scope with an error on their stack, and of the threads in which they were taken. */
interface CountedInScope {
  readonly errors: number;
  /** The pseudo method that stands for an error -> its samples. */
  readonly errorKinds: Readonly<Record<string, number>>;
  readonly threadsInScope: number | undefined;
}

/** The values of a range without hidden errors, and of these what is in a scope that changes no stack. */
export class ScopedValues {
  /** Values without hidden errors: what a scope that changes stacks is applied to. */
  readonly shown: SelfValues;
  /** Values that the scope leaves of them. */
  readonly values: SelfValues;

  readonly #steps: Steps;
  readonly #structure: Structure;
  readonly #all: SelfValues;
  readonly #hidesErrors: boolean;
  readonly #selected: ValuesInScope | undefined;

  /** `all`: the values of the range, over the call nodes of `structure`. */
  constructor(
    steps: Steps,
    structure: Structure,
    all: SelfValues,
    { scope, frames, hidesErrors }: CountedSamples,
  ) {
    this.#steps = steps;
    this.#structure = structure;
    this.#all = all;
    this.#hidesErrors = hidesErrors;
    this.shown = hidesErrors ? this.#withoutErrors.values : all;
    const { threads, transforms } = scope;
    const isWhole = threads.length === 0 && transforms.length === 0;
    this.#selected =
      isWhole || selectingOf(scope) === undefined
        ? undefined
        : steps.get(SELECTED, structure, transforms, frames, this.shown, threads);
    this.values = this.#selected?.values ?? this.shown;
  }

  /** Samples that are left out because of errors. */
  get hidden(): SampleSum {
    return this.#hidesErrors ? this.#withoutErrors.hidden : NO_SAMPLES;
  }

  /** Samples that the scope leaves out, hidden ones not among them. */
  get outside(): SampleSum {
    return this.#selected?.outside ?? NO_SAMPLES;
  }

  /**
   * The part of the range that is in scope, hidden errors included. `outsideOfStacks`: row of the values -> 1 where a
   * scope that changes stacks leaves it out; undefined: another scope. `threads`: those that were read, and how many
   * these are; undefined where they are not counted. O(rows).
   */
  counted(
    outsideOfStacks: Uint8Array | undefined,
    threads: (Pick<SelfThreads, 'of'> & { readonly length: number }) | undefined,
  ): CountedInScope {
    const { count, length, node } = this.#all;
    const isOutside = outsideOfStacks ?? this.isOutside;
    const { isError } = this;
    const threadOf = threads?.of(this.#all);
    if (isError === undefined && threadOf === undefined)
      return { errors: 0, errorKinds: {}, threadsInScope: undefined };
    const isSeen = new Uint8Array(threads?.length ?? 0);
    let errors = 0;
    const kinds = new Map<number, number>();
    const { nodes, frames, methods } = this.#structure.profile;
    let threadsInScope = 0;
    for (let row = 0; row < length; row++) {
      if (count[row] === 0 || isOutside?.[row] === 1) continue;
      if (isError?.[row] === 1) {
        errors += count[row];
        const frame = nodes.frame[node[row]];
        const kind = frame < 0 ? NONE : frames.method[frame];
        kinds.set(kind, (kinds.get(kind) ?? 0) + count[row]);
      }
      if (threadOf === undefined || isSeen[threadOf[row]] === 1) continue;
      isSeen[threadOf[row]] = 1;
      threadsInScope++;
    }
    const errorKinds = Object.fromEntries(
      Array.from(kinds, ([kind, samples]) => [methods.names[kind]?.methodName ?? '', samples]),
    );
    return { errors, errorKinds, threadsInScope: threadOf === undefined ? undefined : threadsInScope };
  }

  /** Row of the values -> 1 where the scope leaves it out; undefined: it leaves none out. */
  get isOutside(): Uint8Array | undefined {
    return this.#selected?.isOutside;
  }

  /** Row of the values -> 1 where the scope leaves its stack out, whatever its thread; undefined: it leaves none out. */
  get stacksOutside(): Uint8Array | undefined {
    return this.#selected?.stacksOutside;
  }

  /** Row of the values -> 1 where its stack has an error; undefined: none has. */
  get isError(): Uint8Array | undefined {
    return this.#withoutErrors.isError;
  }

  get #withoutErrors(): ValuesWithoutErrors {
    return this.#steps.get(WITHOUT_ERRORS, this.#structure, this.#all);
  }
}
