import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type {
  FlameRequest,
  MirrorEvent,
  MirrorRequest,
  TreeRow,
} from '../../renderer/profile-worker/mirror-messages.ts';
import { Mirror } from '../../renderer/profile-worker/mirror.ts';
import { FollowedLog } from './followed-log.ts';

/** A log of 1,553 samples of a server. */
export const LOG = gunzipSync(readFileSync(new URL('../golden/hpl/server-small.hpl.gz', import.meta.url)));

export type EventOf<Type extends MirrorEvent['type']> = Extract<MirrorEvent, { type: Type }>;
/** What a mirror handles itself; the rest is its worker's. */
export type Handled = Exclude<MirrorRequest, { type: 'readFile' | 'write' }>;

// What a window asks for at first, of each pane.
export const FLAME: FlameRequest = {
  threads: 'all',
  zoom: undefined,
  width: 1200,
  minPixels: 1,
  maxFrames: 700,
};
export const TREE = {
  type: 'tree',
  active: true,
  threads: 'name',
  sort: { by: 'totalCount', descending: true },
  hold: false,
} as const satisfies Handled;
export const FLAT = {
  type: 'flat',
  active: true,
  sort: { by: 'selfCount', descending: true },
  hold: false,
} as const satisfies Handled;

/** A mirror with its events, driven as the window drives it. */
export class Driven {
  readonly events: MirrorEvent[] = [];
  readonly mirror = new Mirror((event) => this.events.push(event));
  #settled = 0;

  constructor(...requests: readonly Handled[]) {
    for (const request of requests) this.mirror.handle(request);
  }

  /** All at once, and everything shown that they change. */
  ask(...requests: readonly Handled[]): void {
    for (const request of requests) this.mirror.handle(request);
    this.mirror.handle({ type: 'settle', id: ++this.#settled });
  }

  /** The latest event of its type. */
  last<Type extends MirrorEvent['type']>(type: Type): EventOf<Type> {
    const found = this.events.findLast((event) => event.type === type);
    if (found === undefined) throw new Error(`no ${type} yet`);
    return found as EventOf<Type>;
  }

  rows(): readonly TreeRow[] {
    return this.last('treeRows').rows;
  }
}

export const view = (search = '', frames: 'fqmn' | 'line' = 'fqmn'): Handled => ({
  type: 'view',
  frames,
  metric: 'samples',
  search,
  hideErrors: false,
});

/** A mirror that has all of LOG, and was asked for this before it came. */
export function wholeLog(...requests: readonly Handled[]): Driven {
  const log = new FollowedLog();
  log.append(LOG, true);
  const driven = new Driven(...requests);
  driven.ask({ type: 'delta', message: log.delta() });
  return driven;
}

/** The first rows of a tree: `- open`, `+ closed`, `  nothing below`, with their total counts. */
export function picture(rows: readonly TreeRow[], count: number): string[] {
  return rows.slice(0, count).map((row) => {
    const twisty = row.expandable ? (row.expanded ? '-' : '+') : ' ';
    return `${'  '.repeat(row.depth)}${twisty} ${row.label} ${row.totalCount}`;
  });
}
