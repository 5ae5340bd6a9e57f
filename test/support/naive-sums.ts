import type { ScopedStacks } from './scoped-stacks.ts';

/** What ended at one stack. */
export interface NaiveStack {
  readonly thread: string;
  /** Root first. */
  readonly keys: readonly string[];
  readonly samples: number;
  readonly ns: bigint;
}

/** Self and total numbers of one row. */
interface NaiveRow {
  self: number;
  total: number;
  selfNs: bigint;
  totalNs: bigint;
  /** It is there whatever its numbers are. */
  isForced: boolean;
}

/** Paths joined by an unlikely character -> their numbers. */
type NaiveRows = Map<string, NaiveRow>;

const BETWEEN = '\u0001';

/** The stacks that a scope leaves, without those that have neither samples nor time. */
export function naiveStacks({ stacks }: ScopedStacks): NaiveStack[] {
  return Array.from(stacks, ([path, numbers]) => {
    const [thread, ...keys] = JSON.parse(path) as string[];
    const [samples, ns] = numbers.split(' ');
    return { thread, keys, samples: Number(samples), ns: BigInt(ns) };
  }).filter(({ samples, ns }) => samples !== 0 || ns !== 0n);
}

/**
 * The exports of the command line as texts, added up stack by stack in bigints and Maps, from the descriptions in the
 * specification alone.
 */
export const NAIVE = {
  tree(stacks: readonly NaiveStack[], roots: readonly string[] = []): string {
    return treeText(treeRows(stacks, roots));
  },

  comparedTree(base: readonly NaiveStack[], next: readonly NaiveStack[], roots: readonly string[]): string {
    return treeText(treeRows(base, roots), treeRows(next, roots));
  },

  bottomUp(stacks: readonly NaiveStack[]): string {
    const rows: NaiveRows = new Map();
    for (const stack of stacks) {
      addPath(rows, [stack.thread, ...stack.keys].reverse(), stack, false);
    }
    for (const [path, row] of rows) {
      if (path.includes(BETWEEN)) continue;
      row.self = row.total;
      row.selfNs = row.totalNs;
    }
    return treeText(rows);
  },

  /** From the outermost occurrence of the method. */
  callees(stacks: readonly NaiveStack[], method: string): string {
    const rows: NaiveRows = new Map();
    rowAt(rows, [method]).isForced = true;
    for (const stack of stacks) {
      const at = stack.keys.indexOf(method);
      if (at >= 0) addPath(rows, stack.keys.slice(at), stack, true);
    }
    return treeText(rows);
  },

  callers(stacks: readonly NaiveStack[], method: string): string {
    const rows: NaiveRows = new Map();
    rowAt(rows, [method]).isForced = true;
    for (const stack of stacks) {
      const at = stack.keys.indexOf(method);
      if (at < 0) continue;
      addPath(rows, [stack.thread, ...stack.keys.slice(0, at + 1)].reverse(), stack, false);
      if (stack.keys.length !== at + 1) continue;
      const root = rowAt(rows, [method]);
      root.self += stack.samples;
      root.selfNs += stack.ns;
    }
    return treeText(rows);
  },

  flat(stacks: readonly NaiveStack[], perLevel = false): string {
    return flatText(flatRows(stacks, perLevel));
  },

  comparedFlat(base: readonly NaiveStack[], next: readonly NaiveStack[]): string {
    return flatText(flatRows(base), flatRows(next));
  },

  /** Lines by their stack, and what no line can have: stacks whose time is not positive, and those without a frame. */
  collapsed(stacks: readonly NaiveStack[], threads: 'all' | 'name', metric: 'samples' | 'time'): string {
    const sums = new Map<string, bigint>();
    for (const { thread, keys, samples, ns } of stacks) {
      // Other tools write no number for an unknown line.
      const frames = keys.map((key, at) => {
        const label = key.replace(/:-\d+$/, '').replaceAll(';', ':');
        // A first frame that is a blank would not be read again, nor would a blank at the end of a name.
        const isFirst = at === 0 && threads === 'all';
        return label.replace(isFirst ? / $/ : /(?<=[^ ]) $/, '\\x20');
      });
      const path = [...(threads === 'all' ? [] : [thread]), ...frames];
      if (path.length === 0) continue;
      const line = path.join(';');
      sums.set(line, (sums.get(line) ?? 0n) + (metric === 'samples' ? BigInt(samples) : ns));
    }
    return [...sums]
      .filter(([, weight]) => weight > 0n)
      .map(([line, weight]) => `${line} ${weight}`)
      .sort((a, b) => (a < b ? -1 : 1))
      .map((line) => `${line}\n`)
      .join('');
  },
};

function treeRows(stacks: readonly NaiveStack[], roots: readonly string[]): NaiveRows {
  const rows: NaiveRows = new Map();
  for (const root of roots) rowAt(rows, [root]).isForced = true;
  for (const stack of stacks) addPath(rows, [stack.thread, ...stack.keys], stack, true);
  return rows;
}

function flatRows(stacks: readonly NaiveStack[], perLevel = false): NaiveRows {
  const rows: NaiveRows = new Map();
  for (const stack of stacks) {
    for (const key of perLevel ? stack.keys : new Set(stack.keys)) addPath(rows, [key], stack, false);
    const leaf = stack.keys.at(-1);
    if (leaf === undefined) continue;
    const row = rowAt(rows, [leaf]);
    row.self += stack.samples;
    row.selfNs += stack.ns;
  }
  return rows;
}

function rowAt(rows: NaiveRows, path: readonly string[]): NaiveRow {
  const key = path.join(BETWEEN);
  let row = rows.get(key);
  if (row === undefined)
    rows.set(key, (row = { self: 0, total: 0, selfNs: 0n, totalNs: 0n, isForced: false }));
  return row;
}

function addPath(
  rows: NaiveRows,
  path: readonly string[],
  { samples, ns }: NaiveStack,
  toSelf: boolean,
): void {
  for (let depth = 1; depth <= path.length; depth++) {
    const row = rowAt(rows, path.slice(0, depth));
    row.total += samples;
    row.totalNs += ns;
    if (!toSelf || depth < path.length) continue;
    row.self += samples;
    row.selfNs += ns;
  }
}

/** Rows with numbers, of one profile or beside each other, by code units. */
function flatText(...sides: readonly NaiveRows[]): string {
  const keys = new Set(
    sides.flatMap((rows) => [...rows].filter(([, row]) => hasNumbers(row)).map(([key]) => key)),
  );
  return [...keys]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((key) => `${[key, ...sides.map((rows) => numbersOf(rows.get(key)))].join('\t')}\n`)
    .join('');
}

/** Rows with numbers and those above them, in pre-order, siblings by code units. */
function treeText(...sides: readonly NaiveRows[]): string {
  const shown = new Set<string>();
  for (const [path, row] of sides.flatMap((rows) => [...rows])) {
    const keys = path.split(BETWEEN);
    const isShown = row.isForced || hasNumbers(row);
    for (let depth = 1; isShown && depth <= keys.length; depth++)
      shown.add(keys.slice(0, depth).join(BETWEEN));
  }
  return Array.from(shown, (path) => path.split(BETWEEN))
    .sort((a, b) => {
      for (let at = 0; at < Math.min(a.length, b.length); at++)
        if (a[at] !== b[at]) return a[at] < b[at] ? -1 : 1;
      return a.length - b.length;
    })
    .map((path) => {
      const numbers = sides.map((rows) => numbersOf(rows.get(path.join(BETWEEN))));
      return `${[path.length - 1, path.at(-1), ...numbers].join('\t')}\n`;
    })
    .join('');
}

function hasNumbers({ self, total, selfNs, totalNs }: NaiveRow): boolean {
  return self !== 0 || total !== 0 || selfNs !== 0n || totalNs !== 0n;
}

function numbersOf(row: NaiveRow | undefined): string {
  return row === undefined ? '0\t0\t0\t0' : [row.self, row.total, row.selfNs, row.totalNs].join('\t');
}
