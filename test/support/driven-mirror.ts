import type { RowsOf } from '../../shared/engine/query.ts';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { MirrorEvent, MirrorRequest } from '../../renderer/profile-worker/mirror-messages.ts';
import type { Expansion, Move, PaneId, Row, RowId } from '../../renderer/profile-worker/pane-messages.ts';
import type { FlameSpec, RowsSpec } from '../../renderer/profile-worker/pane-specs.ts';
import { NO_CONDITIONS } from '../../shared/engine/views/row-conditions.ts';
import { EMPTY_SCOPE, type Scope } from '../../shared/scope/scope.ts';
import { rowKeys, type SplitMethod } from '../../shared/engine/trees/grouping.ts';
import { Mirror, type MirrorOptions } from '../../renderer/profile-worker/mirror.ts';
import { FollowedLog } from './followed-log.ts';

/** A log of 1,553 samples of a server. */
export const LOG = gunzipSync(readFileSync(new URL('../golden/hpl/server-small.hpl.gz', import.meta.url)));

export type EventOf<Type extends MirrorEvent['type']> = Extract<MirrorEvent, { type: Type }>;
/** What a mirror handles itself; the rest is its worker's. */
export type Handled = Exclude<MirrorRequest, { type: 'readFile' | 'loadWriters' | 'write' | 'runs' }>;

// What a window asks for at first, of each pane.
export const FLAME: FlameSpec = {
  kind: 'flame',
  of: 'calls',
  threads: 'all',
  zoom: undefined,
  pixels: 1200,
};
export const TREE_SPEC = {
  kind: 'rows',
  of: 'calls',
  threads: 'name',
  sort: { by: 'totalCount', descending: true },
} as const satisfies RowsSpec;
export const FLAT_SPEC = {
  kind: 'rows',
  of: 'methods',
  sort: { by: 'selfCount', descending: true },
} as const satisfies RowsSpec;
export const TREE: Handled = { type: 'pane', pane: 'tree', spec: TREE_SPEC };
export const FLAT: Handled = { type: 'pane', pane: 'flat', spec: FLAT_SPEC };

export function tree(change: Partial<RowsSpec>): Handled {
  return { type: 'pane', pane: 'tree', spec: { ...TREE_SPEC, ...change } };
}

export function flame(change: Partial<FlameSpec> = {}): Handled {
  return { type: 'pane', pane: 'flame', spec: { ...FLAME, ...change } };
}

/** As the window asks; turns are of no interest here. */
export function rowsOf(pane: PaneId, from: number, count: number, turn = 1): Handled {
  return { type: 'rows', pane, from, count, turn };
}

export function expand(row: RowId | undefined, how: Expansion): Handled {
  return { type: 'expand', pane: 'tree', row, how, turn: 1 };
}

export function move(pane: PaneId, to: Move, page = 1): Handled {
  return { type: 'move', pane, to, page, turn: 1 };
}

export function find(direction: 1 | -1, method?: RowId, pane: PaneId = 'tree'): Handled {
  return { type: 'find', pane, direction, method, turn: 1 };
}

export function select(of: RowsOf, { id, label, kind }: Pick<Row, 'id' | 'label' | 'kind'>): Handled {
  return { type: 'select', selection: { of, id, label, kind }, turn: 1 };
}

/** A mirror with its events, driven as the window drives it. */
export class Driven {
  readonly events: MirrorEvent[] = [];
  readonly mirror: Mirror;
  #barriers = 0;

  constructor(...requests: readonly (Handled | MirrorOptions)[]) {
    const options = requests.find((each): each is MirrorOptions => !('type' in each));
    this.mirror = new Mirror((event) => this.events.push(event), options);
    for (const request of requests) if ('type' in request) this.mirror.handle(request);
  }

  /** Handles requests together, then waits for everything that they change to be shown. */
  ask(...requests: readonly Handled[]): void {
    for (const request of requests) this.mirror.handle(request);
    this.mirror.handle({ type: 'barrier', id: ++this.#barriers, flush: true });
  }

  /** The latest event of its type. */
  last<Type extends MirrorEvent['type']>(type: Type): EventOf<Type> {
    const found = this.events.findLast((event) => event.type === type);
    if (found === undefined) throw new Error(`no ${type} yet`);
    return found as EventOf<Type>;
  }

  /** The latest rows of a pane. */
  shown(pane: PaneId): EventOf<'rows'> {
    const found = this.events.findLast((event) => event.type === 'rows' && event.pane === pane);
    if (found?.type !== 'rows') throw new Error(`no rows of ${pane} yet`);
    return found;
  }

  /** Those of the tree. */
  rows(): readonly Row[] {
    return this.shown('tree').rows;
  }

  /**
   * The selected row of a pane: its id, its index among all rows (-1 if it is not among the rows that were sent), the
   * row.
   */
  selected(pane: PaneId): { readonly id: RowId | undefined; readonly at: number; readonly row: Row } {
    const { rows, from } = this.shown(pane);
    const id = this.last('selected').rows[pane];
    const at = rows.findIndex((row) => row.id === id);
    return { id, at: at < 0 ? -1 : from + at, row: rows[at] };
  }
}

export const view = (
  search = '',
  frames: 'fqmn' | 'line' = 'fqmn',
  hidesErrors = false,
  scope = EMPTY_SCOPE,
  where = NO_CONDITIONS,
): Handled => ({
  type: 'view',
  frames,
  metric: 'samples',
  keys: frames,
  search,
  hidesErrors,
  siblings: 'name',
  scope,
  where,
});

/** The same with a scope. */
export function scoped(
  scope: Partial<Scope>,
  frames: 'fqmn' | 'line' = 'fqmn',
  hidesErrors = false,
): Handled {
  return view('', frames, hidesErrors, { ...EMPTY_SCOPE, ...scope });
}

/** The same with split methods. */
export function splitInto(split: readonly SplitMethod[], scope: Partial<Scope> = {}): Handled {
  return { ...(scoped(scope) as Extract<Handled, { type: 'view' }>), keys: rowKeys('fqmn', split) };
}

/** A mirror that has received these requests and then the complete LOG. */
export function wholeLog(...requests: readonly (Handled | MirrorOptions)[]): Driven {
  const driven = new Driven(...requests);
  // A mirror keeps what it gets.
  driven.ask({ type: 'delta', message: wholeDelta().slice() });
  return driven;
}

let read: ArrayBuffer | undefined;

/** LOG is decoded once, and not for each of some hundred mirrors. */
function wholeDelta(): ArrayBuffer {
  if (read !== undefined) return read;
  const log = new FollowedLog();
  log.append(LOG, true);
  return (read = log.delta());
}

/** The first rows of a tree: `- open`, `+ closed`, `  nothing below`, with their total counts. */
export function rowTexts(rows: readonly Row[], count: number): string[] {
  return rows.slice(0, count).map((row) => {
    const twisty = row.expandable ? (row.expanded ? '-' : '+') : ' ';
    return `${'  '.repeat(row.depth)}${twisty} ${row.label} ${row.totalCount}`;
  });
}
