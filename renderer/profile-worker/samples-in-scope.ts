import { NONE } from '../../shared/profile/columns.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { SampleTable } from '../../shared/profile/sample-table.ts';
import type { ScopedProfile } from '../../shared/scope/scoped-profile.ts';
import type { ProfileExtent } from '../../shared/trees/row-tree.ts';
import { either } from '../../shared/values/masks.ts';
import type { StacksOfKeys } from '../../shared/values/marked-stacks.ts';
import type { SelfThreads } from '../../shared/values/self-threads.ts';
import type { SelfValues } from '../../shared/values/self-values.ts';
import { type ThreadColumns, ThreadSums } from '../../shared/values/thread-sums.ts';
import { TimeOrder } from '../../shared/values/time-order.ts';
import type { SearchMatches } from '../../shared/views/search-matches.ts';
import type { TimelineMarks } from '../../shared/views/timeline-columns.ts';
import { NodesOfKey } from './nodes-of-key.ts';
import { OutsideOfLog } from './outside-of-log.ts';
import type { SharedView } from './shared-view.ts';
import type { SideValues } from './side-values.ts';

/** The samples of a log in one state of its views. */
export interface SamplesOfState {
  readonly look: SharedView;
  /** What of the log belongs to this state. */
  readonly extent: ProfileExtent;
  /** Its self values, and those in the time range. */
  readonly all: SelfValues;
  readonly inRange: SelfValues;
  /** What the panes show of this log: of its own call nodes, or of those of two logs that are joined. */
  readonly side: SideValues;
  /** While two logs are joined: this one; undefined: the nodes of `side` are its own. */
  readonly joined: SideOfJoin | undefined;
  /** For a scope that changes stacks. */
  readonly scoped: ScopedProfile | undefined;
}

/** One of two logs that are joined. `SideValues` has its values over the nodes of both. */
export interface SideOfJoin {
  /** Row of self values of the log -> its row of those over the nodes of both; NONE where it has none. */
  rowsOf(values: SelfValues): Int32Array;
  /** Row of self values of the log -> the node of both where its samples end. */
  nodesOf(values: SelfValues): Int32Array;
}

/** What the search and the selection look for. */
export interface LookedFor {
  /** Of what the panes show. */
  readonly stacks: StacksOfKeys;
  readonly selected: number | undefined;
  readonly matches: SearchMatches | undefined;
}

/** Which samples of a log are in scope, one by one: for what shows when they were taken, and for the list of threads. */
export class SamplesInScope {
  readonly #source: LeanProfile;
  readonly #selfThreads: SelfThreads;
  readonly #selected = new NodesOfKey();
  #state: SamplesOfState;
  /** Revision of the SampleTable when this state began. */
  #revision = 0;
  /** While two logs are joined: what of the samples of this one is in scope, and the state of which it is. */
  #ofLog: { readonly outside: OutsideOfLog; state: SamplesOfState | undefined } | undefined;
  #threadSums: ThreadSums | undefined;
  #timeOrder: TimeOrder | undefined;

  constructor(source: LeanProfile, selfThreads: SelfThreads, state: SamplesOfState) {
    this.#state = state;
    this.#source = source;
    this.#selfThreads = selfThreads;
  }

  /** Begins a state. */
  advance(state: SamplesOfState): void {
    this.#state = state;
    this.#revision = this.#source.samples?.revision ?? 0;
    if (state.joined !== undefined) return;
    this.#ofLog?.outside.release();
    this.#ofLog = undefined;
  }

  /** No samples were added since this state began. */
  get areComplete(): boolean {
    return this.#revision === (this.#source.samples?.revision ?? 0);
  }

  /** The order of all samples in time, also of those that were added since this state began. */
  timeOrder(samples: SampleTable): TimeOrder {
    this.#timeOrder ??= new TimeOrder();
    this.#timeOrder.update(samples);
    return this.#timeOrder;
  }

  /** The threads of this state by name, with their samples in scope, whether they are selected or not. */
  threads(): ThreadColumns {
    this.#threadSums ??= new ThreadSums(this.#source, this.#selfThreads);
    const { shown } = this.#ownSide ?? this.#outsideOfLog();
    return this.#threadSums.of(shown, this.stacksOutside);
  }

  /** Frees what `threads` keeps. */
  forgetThreads(): void {
    this.#threadSums = undefined;
  }

  /**
   * Row of the SelfTable -> 1 where its stack is outside of the scope or a hidden error, whatever its thread and time;
   * undefined: none.
   */
  get stacksOutside(): Uint8Array | undefined {
    const { scoped, look } = this.#state;
    const side = this.#ownSide;
    const { stacksOutside, isError } = side ?? this.#outsideOfLog();
    const outside = side === undefined ? stacksOutside : (scoped?.stacksOutside(side.shown) ?? stacksOutside);
    return look.hidesErrors ? either(outside, isError) : outside;
  }

  /**
   * Which samples of this state are outside of the scope, whatever their time, or hidden errors, and which of the others
   * have a match or the selected method on their stack, as the scope makes it.
   */
  marks({ stacks, selected, matches }: LookedFor): TimelineMarks {
    const { scoped, look } = this.#state;
    const side = this.#ownSide;
    const { isOutside: outside, isError } = side ?? this.#outsideOfLog();
    const outsideOfScope = scoped !== undefined && side !== undefined ? scoped.isOutside : outside;
    const isOutside = look.hidesErrors ? either(outsideOfScope, isError) : outsideOfScope;
    if (selected === undefined) this.#selected.forget();
    if (selected === undefined && matches === undefined)
      return { isOutside, isError, isMatch: undefined, isSelected: undefined };
    const leaves = this.#shownNodes();
    const isMatch = matches?.ofNodes(leaves, stacks);
    const isSelected = selected === undefined ? undefined : this.#selected.of(selected, stacks, leaves);
    return { isOutside, isError, isMatch, isSelected };
  }

  /**
   * Row of the log's SelfTable -> the call node of the panes where its samples end, whenever they were taken; NONE where
   * the scope leaves their stack out. O(rows).
   */
  #shownNodes(): Int32Array {
    const { scoped, all, joined } = this.#state;
    const nodes = joined?.nodesOf(all) ?? all.node.subarray(0, all.length);
    return scoped?.leavesOfNodes(nodes, all.length) ?? nodes;
  }

  /**
   * Row of the log's SelfTable -> the call node of the panes where its samples end; NONE where `values`, which the panes
   * sum, leave them out. O(rows).
   */
  leaves(values: SelfValues): Int32Array {
    const leaves = this.#leavesOfSide(values);
    const { joined, all } = this.#state;
    return joined?.rowsOf(all).map((row) => (row === NONE ? NONE : leaves[row])) ?? leaves;
  }

  /** The same for rows of the values that are shown. */
  #leavesOfSide({ count, node, length }: SelfValues): Int32Array {
    const { side, scoped } = this.#state;
    if (scoped === undefined)
      return Int32Array.from({ length }, (_, row) => (count[row] === 0 ? NONE : node[row]));
    const { selfValues } = scoped.profile;
    const source = side.shown;
    return scoped.leaves().map((leaf, row) => {
      const self = leaf === NONE ? NONE : selfValues.find(leaf);
      return self === NONE || source.count[row] === 0 || count[self] === 0 ? NONE : leaf;
    });
  }

  /** What is shown of the log's own call nodes; undefined while two logs are joined. */
  get #ownSide(): SideValues | undefined {
    return this.#state.joined === undefined ? this.#state.side : undefined;
  }

  #outsideOfLog(): OutsideOfLog {
    this.#ofLog ??= { outside: new OutsideOfLog(this.#source), state: undefined };
    if (this.#ofLog.state === this.#state) return this.#ofLog.outside;
    this.#ofLog.state = this.#state;
    const { look, inRange, extent } = this.#state;
    const { frames, keys, hidesErrors, scope } = look;
    const side = { scope, frames, hidesErrors, findsErrors: true };
    this.#ofLog.outside.update(inRange, extent, side, { threads: 'name', frames: keys });
    return this.#ofLog.outside;
  }
}
