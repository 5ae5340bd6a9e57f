import type { FlameRow } from '../../shared/views/flame-layout.ts';
import type { MirrorEvent } from './mirror-messages.ts';

/**
 * Rows of a flame graph as they travel from the mirror to the window: a copy of some thousand objects is read on the UI
 * thread property by property, columns of numbers are handed over. Label and kind of a row are numbers of texts that
 * are there once.
 */
export interface FlameColumns {
  readonly labels: readonly string[];
  /** row -> its place in `labels`. */
  readonly label: Int32Array<ArrayBuffer>;
  /** row -> its place in KINDS, 8 more for a match. */
  readonly kind: Uint8Array<ArrayBuffer>;
  readonly id: Int32Array<ArrayBuffer>;
  readonly parent: Int32Array<ArrayBuffer>;
  readonly depth: Int32Array<ArrayBuffer>;
  /** weight, start, selfCount, totalCount, totalTime, smaller of each row. */
  readonly values: Float64Array<ArrayBuffer>;
}

type FlameEvent = Extract<MirrorEvent, { type: 'flame' }>;

/** What the mirror's worker really posts. */
export type WireEvent =
  Exclude<MirrorEvent, FlameEvent> | (Omit<FlameEvent, 'rows'> & { readonly columns: FlameColumns });

const KINDS: readonly FlameRow['kind'][] = ['all', 'thread', 'frame', 'error', 'remainder'];
const MATCH = 8;
const VALUES = 6;

export function toWire(event: MirrorEvent): WireEvent {
  if (event.type !== 'flame') return event;
  const { rows, ...rest } = event;
  return { ...rest, columns: packRows(rows) };
}

export function fromWire(event: WireEvent): MirrorEvent {
  if (event.type !== 'flame') return event;
  const { columns, ...rest } = event;
  return { ...rest, rows: unpackRows(columns) };
}

function packRows(rows: readonly FlameRow[]): FlameColumns {
  const labels = new Map<string, number>();
  const label = new Int32Array(rows.length);
  const kind = new Uint8Array(rows.length);
  const id = new Int32Array(rows.length);
  const parent = new Int32Array(rows.length);
  const depth = new Int32Array(rows.length);
  const values = new Float64Array(rows.length * VALUES);
  rows.forEach((row, at) => {
    let place = labels.get(row.label);
    if (place === undefined) labels.set(row.label, (place = labels.size));
    label[at] = place;
    kind[at] = KINDS.indexOf(row.kind) + (row.match ? MATCH : 0);
    id[at] = row.id;
    parent[at] = row.parent;
    depth[at] = row.depth;
    const { weight, start, selfCount, totalCount, totalTime, smaller } = row;
    values.set([weight, start, selfCount, totalCount, totalTime, smaller], at * VALUES);
  });
  return { labels: [...labels.keys()], label, kind, id, parent, depth, values };
}

function unpackRows({ labels, label, kind, id, parent, depth, values }: FlameColumns): readonly FlameRow[] {
  return Array.from(id, (row, at): FlameRow => {
    const from = at * VALUES;
    return {
      id: row,
      kind: KINDS[kind[at] & (MATCH - 1)],
      label: labels[label[at]],
      parent: parent[at],
      depth: depth[at],
      weight: values[from],
      start: values[from + 1],
      selfCount: values[from + 2],
      totalCount: values[from + 3],
      totalTime: values[from + 4],
      match: kind[at] >= MATCH,
      smaller: values[from + 5],
    };
  });
}
