import { keepsKey } from '../../shared/views/filter.ts';
import type { FlatProfile } from '../../shared/views/flat-profile.ts';
import { heldOrder, isSameOrder, rowOrder, type SortOrder } from '../../shared/views/sort-order.ts';
import type { MirroredViews } from './mirrored-views.ts';
import type { FlatRow, MirrorRequest } from './mirror-messages.ts';
import type { Post } from './post.ts';
import { type Anchor, anchorOf, INITIAL_WINDOW, type RowWindow, shiftTo } from './row-window.ts';
import { matchesOf, type SharedView } from './shared-view.ts';

type Move = Extract<MirrorRequest, { type: 'flatMove' }>['to'];

/** The flat list's half in the mirror. A row is known by its label; a search narrows the list to what matches. */
export class FlatPane {
  active = false;
  sort: SortOrder = { by: 'selfCount', descending: true };
  hold = false;

  readonly #views: MirroredViews;
  readonly #post: Post;
  #flat: FlatProfile | undefined;
  /** Keys in display order. */
  #displayed = new Int32Array(0);
  #unfiltered = 0;
  #inOrder = true;
  /** What #displayed was made from: its order may be held as long as this stays. */
  #madeFor = '';
  readonly #window: RowWindow = { ...INITIAL_WINDOW };
  #selected: string | undefined;
  #anchor: Anchor<string> | undefined;

  constructor(views: MirroredViews, post: Post) {
    this.#views = views;
    this.#post = post;
  }

  /** As the tree pane's: rows keep their order while it is held, unless they are to `sort`. */
  refresh(view: SharedView, sort = false): void {
    const flat = this.#views.flat(view.frames);
    const sameKeys = this.#flat?.keys === flat.keys;
    this.#flat = flat;
    const { labels } = flat.keys;
    const matching = matchesOf(view, flat.keys);
    const keys: number[] = [];
    this.#unfiltered = 0;
    for (let key = 0; key < flat.length; key++) {
      if (flat.totalCount[key] === 0 || !keepsKey(view.filter, labels[key])) continue;
      this.#unfiltered++;
      if (matching === undefined || matching[key] === 1) keys.push(key);
    }
    keys.sort(
      rowOrder(
        {
          label: (key) => labels[key],
          selfCount: flat.selfCount,
          totalCount: flat.totalCount,
          selfTime: flat.selfTime,
          totalTime: flat.totalTime,
        },
        this.sort,
      ),
    );
    const madeFor = JSON.stringify([view.search.text, this.sort]);
    const before = this.#displayed;
    const comparable = sameKeys && madeFor === this.#madeFor;
    const held = comparable && !sort && (this.hold || this.#selected !== undefined);
    this.#displayed = Int32Array.from(held ? heldOrder(before, keys) : keys);
    this.#inOrder = isSameOrder(this.#displayed, keys);
    this.#madeFor = madeFor;
    const anchor = comparable ? this.#anchor : undefined;
    const place = anchor === undefined ? -1 : this.#displayed.indexOf(flat.keys.find(anchor.id));
    const shift = shiftTo(this.#window, anchor, place);
    this.#window.from += shift;
    this.#show({ shift });
  }

  setWindow(from: number, count: number, turn: number): void {
    this.#window.from = from;
    this.#window.count = count;
    this.#window.turn = turn;
    this.#show({});
  }

  select(label: string | undefined): void {
    this.#selected = label;
    this.#show({});
  }

  move(to: Move, page: number): void {
    const flat = this.#flat;
    const rows = this.#displayed;
    if (flat === undefined || rows.length === 0) return;
    const at = this.#selectedAt();
    const places: Record<Move, number> = {
      up: at - 1,
      down: at + 1,
      pageUp: at - page,
      pageDown: at + page,
      first: 0,
      last: rows.length - 1,
    };
    const place = Math.max(0, Math.min(rows.length - 1, at < 0 && to !== 'last' ? 0 : places[to]));
    this.#selected = flat.keys.labels[rows[place]];
    this.#show({ reveal: true });
  }

  #selectedAt(): number {
    if (this.#flat === undefined || this.#selected === undefined) return -1;
    return this.#displayed.indexOf(this.#flat.keys.find(this.#selected));
  }

  #show({ shift = 0, reveal = false }: { readonly shift?: number; readonly reveal?: boolean }): void {
    const flat = this.#flat;
    if (!this.active || flat === undefined) return;
    const { from, count, turn } = this.#window;
    const end = Math.min(from + count, this.#displayed.length);
    const selectedAt = this.#selectedAt();
    const { labels, isError } = flat.keys;
    this.#anchor = anchorOf(
      this.#window,
      this.#displayed.length,
      selectedAt,
      (at) => labels[this.#displayed[at]],
    );
    const rows: FlatRow[] = [];
    for (let at = Math.max(from, 0); at < end; at++) {
      const key = this.#displayed[at];
      rows.push({
        label: labels[key],
        kind: isError[key] ? 'error' : 'frame',
        selfCount: flat.selfCount[key],
        totalCount: flat.totalCount[key],
        selfTime: flat.selfTime.ns[key],
        totalTime: flat.totalTime.ns[key],
      });
    }
    this.#post({
      type: 'flatRows',
      total: this.#displayed.length,
      unfiltered: this.#unfiltered,
      from,
      rows,
      turn,
      shift,
      selected: this.#selected,
      selectedAt,
      reveal,
      inOrder: this.#inOrder,
    });
  }
}
