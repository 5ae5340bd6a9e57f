import { assertNever } from '../../shared/assert.ts';
import { applyDelta, deltaFits } from '../../shared/delta/apply-delta.ts';
import { decodeDelta } from '../../shared/delta/delta-codec.ts';
import { type DeltaCursor, NOTHING } from '../../shared/delta/profile-delta.ts';
import { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { countNamedMethods } from '../../shared/profile/method-table.ts';
import { DELTA_PREFIX } from '../../shared/protocol/delta-message.ts';
import type { Epoch, Revision } from '../../shared/protocol/messages.ts';
import { sumSelfValues } from '../../shared/values/self-values.ts';
import { matchedSamples, parseSearch } from '../../shared/views/search.ts';
import { FlamePane } from './flame-pane.ts';
import { FlatPane } from './flat-pane.ts';
import type { ExportJob, ExportSource, MirrorRequest, ReadUpTo } from './mirror-messages.ts';
import { MirroredViews } from './mirrored-views.ts';
import type { Post } from './post.ts';
import { RefreshPace } from './refresh-pace.ts';
import { packProfile } from './profile-copy.ts';
import { INITIAL_VIEW, isSearching, matchesOf, type SharedView } from './shared-view.ts';
import { TreePane } from './tree-pane.ts';

/**
 * One profile and the panes that look at it. Takes the window's requests, answers by events; knows no worker, so that
 * tests drive it directly. A delta of another epoch than the present starts over with an empty profile.
 */
export class Mirror {
  readonly #post: Post;
  readonly #pace = new RefreshPace(() => this.#refresh());
  #epoch = -1;
  #cursor: DeltaCursor = NOTHING;
  /** The log is being read, whether or not the copy keeps up with that. */
  #isReading = false;
  #readUpTo: ReadUpTo | undefined;
  #view: SharedView = INITIAL_VIEW;
  #views!: MirroredViews;
  #tree!: TreePane;
  #flat!: FlatPane;
  #flame!: FlamePane;

  constructor(post: Post) {
    this.#post = post;
    this.show(new LeanProfile());
  }

  /** Looks at another profile from now on, with the panes set as they were but nothing open or selected. */
  show(profile: LeanProfile): void {
    const views = new MirroredViews(profile);
    const tree = new TreePane(views, this.#post);
    const flat = new FlatPane(views, this.#post);
    const flame = new FlamePane(views, this.#post);
    if ((this.#views as MirroredViews | undefined) !== undefined) {
      const { active, threads, sort, hold } = this.#tree;
      Object.assign(tree, { active, threads, sort, hold });
      Object.assign(flat, { active: this.#flat.active, sort: this.#flat.sort, hold: this.#flat.hold });
      Object.assign(flame, {
        active: this.#flame.active,
        request: { ...this.#flame.request, zoom: undefined },
      });
    }
    this.#views = views;
    this.#tree = tree;
    this.#flat = flat;
    this.#flame = flame;
  }

  /** The profile that is shown has grown. `catchingUp`: more is known to come at once. */
  grew(catchingUp: boolean): void {
    this.#pace.grew(catchingUp, this.#views.profile.nodes.length);
  }

  /** `readFile` and `write` are not for the mirror itself: see `mirror-worker`. */
  handle(request: Exclude<MirrorRequest, { type: 'readFile' | 'write' }>): void {
    switch (request.type) {
      case 'delta':
        return this.#apply(request.message);
      case 'reading':
        this.#isReading = request.reading;
        this.#readUpTo = request.upTo;
        if (!this.#isCatchingUp) this.#pace.caughtUp();
        return;
      case 'view':
        this.#view = {
          frames: request.frames,
          metric: request.metric,
          search: parseSearch(request.search),
          filter: { hideErrors: request.hideErrors, contains: [] },
        };
        return this.#pace.now();
      case 'tree':
        this.#tree.active = request.active;
        this.#tree.threads = request.threads;
        this.#tree.sort = request.sort;
        if (setHold(this.#tree, request.hold)) return;
        return this.#refreshPane(this.#tree, true);
      case 'treeWindow':
        return this.#tree.setWindow(request.from, request.count, request.turn);
      case 'treeSelect':
        return this.#tree.select(request.row);
      case 'treeMove':
        return this.#tree.move(request.to, request.page);
      case 'treeExpand':
        return this.#tree.expandRow(request.row, request.how);
      case 'treeReset':
        return this.#tree.reset(request.to === 'closed');
      case 'treeFind':
        return this.#tree.find(request.direction);
      case 'treeReveal':
        return this.#tree.reveal(request.row);
      case 'flat':
        this.#flat.active = request.active;
        this.#flat.sort = request.sort;
        if (setHold(this.#flat, request.hold)) return;
        return this.#refreshPane(this.#flat, true);
      case 'sortNow':
        return this.#refreshPane(request.pane === 'tree' ? this.#tree : this.#flat, true);
      case 'flatWindow':
        return this.#flat.setWindow(request.from, request.count, request.turn);
      case 'flatSelect':
        return this.#flat.select(request.label);
      case 'flatMove':
        return this.#flat.move(request.to, request.page);
      case 'flame':
        this.#flame.active = request.active;
        this.#flame.request = request.request;
        return this.#refreshPane(this.#flame);
      case 'export':
        return this.#post({ type: 'exportSource', source: this.#exportSource(request.job) });
      case 'answer':
        this.#post({ type: 'answered', id: request.id });
        return;
      case 'settle':
        this.#pace.finish();
        this.#post({ type: 'settled', id: request.id });
        return;
      default:
        assertNever(request, 'mirror request');
    }
  }

  /** More is known to come, as far as the window has told. */
  get #isCatchingUp(): boolean {
    if (this.#isReading) return true;
    const upTo = this.#readUpTo;
    return upTo?.epoch === this.#epoch && this.#views.profile.nodes.length < upTo.nodes;
  }

  #exportSource(job: ExportJob): ExportSource {
    const { frames, metric, search, filter } = this.#view;
    return { job, frames, metric, search: search.text, filter, profile: packProfile(this.#views.profile) };
  }

  #apply(message: ArrayBuffer): void {
    const delta = decodeDelta(message, DELTA_PREFIX);
    if (delta.base.nodes === 0 && delta.base.revision === 0 && delta.base.methods === 0) {
      // From nothing: the first delta, another run of the writer, or a fresh start after a gap.
      this.show(new LeanProfile());
      this.#epoch = delta.epoch;
      this.#cursor = NOTHING;
    } else if (!deltaFits(delta, this.#epoch, this.#cursor)) {
      this.#post({ type: 'gap' });
      return;
    }
    applyDelta(this.#views.profile, delta);
    this.#cursor = delta.to;
    this.#post({
      type: 'applied',
      epoch: delta.epoch as Epoch,
      revision: delta.to.revision as Revision,
      nodes: delta.to.nodes,
      complete: delta.complete,
    });
    // The first rows are waited for.
    if (delta.base.nodes === 0) this.#pace.now();
    else {
      const catchingUp = this.#isCatchingUp || !delta.complete;
      this.grew(catchingUp);
      // The mirror would but wait for the next delta, and the last refresh for all that was left to it.
      if (catchingUp) this.#views.takeAhead(delta.base);
    }
  }

  /** Brings everything that is on screen up to what the profile is now. */
  #refresh(): void {
    this.#views.advance();
    const { profile } = this.#views;
    const { samples, time } = sumSelfValues(profile.selfValues);
    this.#post({
      type: 'summary',
      summary: {
        samples,
        totalTime: time,
        threads: profile.threads.length,
        methods: countNamedMethods(profile.methods),
        nodes: profile.nodes.length,
        timed: time !== 0,
      },
    });
    for (const pane of [this.#tree, this.#flat, this.#flame]) this.#refreshPane(pane);
    this.#reportSearch();
  }

  /** Trees in groupings that were left go first, so that no two of them are there at once. */
  #refreshPane(pane: TreePane | FlatPane | FlamePane, sort = false): void {
    const { frames } = this.#view;
    const ofTree = { threads: this.#tree.threads, frames };
    const ofFlame = { threads: this.#flame.request.threads, frames };
    this.#views.keepOnly([ofTree, ofFlame]);
    if (!pane.active) return;
    const isHeldBack = pane !== this.#flat && this.#views.isHeldBack(pane === this.#tree ? ofTree : ofFlame);
    if (isHeldBack) this.#pace.now();
    if (!isHeldBack || sort) pane.refresh(this.#view, sort);
  }

  #reportSearch(): void {
    const { search } = this.#view;
    if (!isSearching(this.#view)) {
      this.#post({
        type: 'search',
        text: search.text,
        problem: search.problem,
        names: 0,
        samples: 0,
        time: 0,
      });
      return;
    }
    const { keys } = this.#views.tree({ threads: this.#tree.threads, frames: this.#view.frames }).tree;
    const matching = matchesOf(this.#view, keys) ?? new Uint8Array(0);
    let names = 0;
    for (const match of matching) names += match;
    const { samples, time } = matchedSamples(
      this.#views.profile,
      this.#views.profile.selfValues,
      keys,
      matching,
    );
    this.#post({ type: 'search', text: search.text, problem: undefined, names, samples, time });
  }
}

/**
 * True when it changed, which takes effect with the next growth: the window takes hold of an order, or lets it go, when
 * the pointer comes or leaves, and changes nothing else with it.
 */
function setHold(pane: { hold: boolean }, hold: boolean): boolean {
  const changed = pane.hold !== hold;
  pane.hold = hold;
  return changed;
}
