import { assert } from '../../shared/assert.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { commonKeys } from '../../shared/scope/common-keys.ts';
import { NodeSource, type ScopeSource, TreeSource } from '../../shared/scope/scope-source.ts';
import type { Scope } from '../../shared/scope/scope.ts';
import { ScopedProfile } from '../../shared/scope/scoped-profile.ts';
import { CallTree } from '../../shared/trees/call-tree.ts';
import type { FrameGrouping, TreeGrouping } from '../../shared/trees/grouping.ts';
import type { NodeIds, ProfileExtent } from '../../shared/trees/row-tree.ts';
import type { SelfValues } from '../../shared/values/self-values.ts';
import { ProfileViews } from './profile-views.ts';

/** What a scope that changes stacks is made from. */
export interface StackSource {
  readonly structure: LeanProfile;
  /** Of the nodes of two joined logs; undefined: one log, whose nodes are their own identities. */
  readonly ids: NodeIds | undefined;
  readonly scope: Scope;
  /** What transforms of the scope name frames by. */
  readonly frames: FrameGrouping;
  /** By the names of the threads, or by their ids where a pane tells these apart. */
  readonly grouping: TreeGrouping;
}

/** The part of a profile that is in a scope that changes stacks, and its views. */
interface InScope {
  readonly of: LeanProfile;
  readonly madeFor: string;
  readonly scoped: ScopedProfile;
  readonly views: ProfileViews;
}

/** Something whose memory is freed at once by this call. */
interface Left {
  release(): void;
}

/**
 * A scope that changes stacks, while one is in force. Each change of its transforms makes another ScopedProfile; the call
 * tree that these read is made once, because that is a walk over all call nodes, and the rest is of some ten times fewer
 * rows.
 */
export class ChangedStacks {
  #tree: { readonly of: LeanProfile; readonly madeFor: string; readonly tree: CallTree } | undefined;
  #inScope: InScope | undefined;
  /** What is no longer used, and when it is freed. */
  readonly #left: Left[] = [];
  #freeing: ReturnType<typeof setTimeout> | undefined;

  /** undefined: no such scope is in force. */
  get inScope(): InScope | undefined {
    return this.#inScope;
  }

  /** Takes in what the source has gained up to `extent`, and sums `values` of it. */
  update(source: StackSource, values: SelfValues, extent: ProfileExtent): void {
    const known = this.#inScope;
    const isSame = known?.of === source.structure && known.madeFor === madeFor(source);
    const { scoped } = isSame ? known : this.#enter(source);
    scoped.selectThreads(source.scope.threads);
    if (scoped.update(values, extent) === 'grown') return;
    const again = this.#enter(source).scoped.update(values, extent);
    assert(again === 'grown', 'what was just made has all names');
  }

  /** Frees the memory, as soon as what was asked for is answered: it takes longer than what is answered from kept views. */
  leave(): void {
    this.#leaveStacks();
    this.#leaveTree();
  }

  #leaveStacks(): void {
    if (this.#inScope !== undefined) this.#freeLater(this.#inScope.views, this.#inScope.scoped);
    this.#inScope = undefined;
  }

  #leaveTree(): void {
    if (this.#tree !== undefined) this.#freeLater(this.#tree.tree);
    this.#tree = undefined;
  }

  #freeLater(...left: readonly Left[]): void {
    this.#left.push(...left);
    this.#freeing ??= setTimeout(() => this.#free());
  }

  #free(): void {
    clearTimeout(this.#freeing);
    this.#freeing = undefined;
    for (const each of this.#left.splice(0)) each.release();
  }

  #enter(source: StackSource): InScope {
    this.#leaveStacks();
    const scoped = new ScopedProfile(this.#rows(source), source.scope, source.frames);
    const views = new ProfileViews(scoped.profile, {
      idOf: (node) => scoped.idOfNode(node),
      nodeOf: (id) => scoped.nodeOf(id),
    });
    this.#inScope = { of: source.structure, madeFor: madeFor(source), scoped, views };
    // All of them are empty until they are updated: two scopes never take memory at once.
    this.#free();
    return this.#inScope;
  }

  #rows({ structure, ids, scope, frames, grouping }: StackSource): ScopeSource {
    // Folding renames methods, so that the rows of a tree may lack the lines of one that is split by its new name.
    const needsLines =
      typeof grouping.frames !== 'string' && scope.transforms.some(({ kind }) => kind === 'fold');
    const common = commonKeys(grouping.frames, scope.transforms, frames);
    // A joined profile has only what its own keys tell apart.
    const keys = ids !== undefined ? (common ?? grouping.frames) : needsLines ? undefined : common;
    if (keys === undefined) {
      this.#leaveTree();
      return new NodeSource(structure);
    }
    const of: TreeGrouping = { ...grouping, frames: keys };
    const name = JSON.stringify(of);
    if (this.#tree?.of !== structure || this.#tree.madeFor !== name) {
      this.#leaveTree();
      this.#tree = { of: structure, madeFor: name, tree: new CallTree(structure, of, ids) };
    }
    return new TreeSource(structure, this.#tree.tree);
  }
}

function madeFor({ grouping, scope }: StackSource): string {
  return JSON.stringify([grouping, scope.transforms]);
}
