import { NONE } from '../profile/columns.ts';
import { threadFromText } from '../profile/frame-text.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { hasEnds } from '../engine/values/bottom-up-sums.ts';
import type { RowSums } from '../engine/values/row-sums.ts';
import type { ThreadGrouping } from '../engine/trees/grouping.ts';
import { containsAll, isHidden } from '../engine/views/filter.ts';
import { type Metric, weightName } from '../engine/values/metric.ts';
import { compareKeys, threadKey } from '../engine/trees/keys.ts';
import { int64 } from '../profile/int64.ts';
import { printable } from '../text/printable.ts';
import { countText } from '../text/format-value.ts';
import { type ExportInput, type ExportWriter, notPositive } from './export-input.ts';
import { LineWriter, type TextSink } from './text-sink.ts';
import { callTreeOf, type TreeInput } from './tree.ts';

export type CollapsedInput = TreeInput & Pick<ExportInput, 'metric'>;

/** Losses that collapsed stacks cannot avoid. */
interface CollapsedLosses {
  /** Number of stacks whose time is zero or negative. */
  readonly notPositive: number;
  /** Samples that ended in no frame are left out. */
  readonly withoutFrames: boolean;
}

/** Rows whose stacks are equal when what stacks cannot hold is replaced in names; nearly always one row. */
interface Branch {
  readonly rows: readonly number[];
  readonly label: string;
  /** The frames of the stack, each followed by `;`. */
  readonly path: string;
  readonly passes: boolean;
}

/** A line to write, or a branch below which lines are to be written. `text` is what they are sorted by. */
type Pending =
  | { readonly text: string; readonly line: string }
  | { readonly text: string; readonly branch: Branch };

export const writeCollapsed: ExportWriter = (input, sink, addNote) => {
  const { metric, units } = input;
  const losses = exportCollapsed(input, sink);
  // If the file has no times, they are all zero.
  const isUntimed = metric === 'time' && units.value === undefined;
  addNote(losses.notPositive, notPositive(isUntimed ? 'time' : weightName(metric, units)));
  addNote(losses.withoutFrames ? 1 : 0, () => 'samples without a frame left out');
};

/**
 * Collapsed stacks, as flame graph scripts read them (specs: cli, `collapsed`): equal stacks merged, lines sorted in
 * UTF-16 code units.
 *
 *   frame;frame;frame weight
 *   [thread tid=42];frame;frame weight
 *
 * A stack is kept if none of its frames is an error, where these are hidden, and one of its frames contains every text of
 * the filter. The thread counts as a frame if it is written. Weights are samples or nanoseconds. Lines whose time is not
 * positive are left out, because such a frame has no width.
 * Samples without a frame are left out where threads are no frames. Lines are written while the tree is visited, so the
 * stacks are never all in memory.
 */
export function exportCollapsed(input: CollapsedInput, sink: TextSink): CollapsedLosses {
  const { profile, filter, metric } = input;
  const sums = callTreeOf(profile, input, input.values);
  const { tree } = sums;
  const writer = new LineWriter(sink, rowsWithEnds(sums));
  // Other tools, and other exports, write no number for an unknown line.
  const withLines = input.frames === 'line';
  const cleanLabels = tree.keys.labels.map((label) =>
    clean(withLines ? label.replace(NO_POSITION, '') : label),
  );
  const threads = threadFrames(profile, input.threads);
  const labelOf = (row: number): string => {
    const key = tree.key[row];
    if (key >= 0) return cleanLabels[key];
    const label = tree.label(row);
    const thread = threads.get(label);
    return thread === undefined ? firstFrame(clean(label)) : clean(thread);
  };
  const withoutThreads = input.threads === 'all';
  const firstLabelOf = (row: number): string => firstFrame(labelOf(row));
  let leftOut = 0;

  const pending: Pending[] = [];
  const branchesOf = (rows: number[], path: string, above: boolean): Branch[] =>
    mergeByLabel(
      rows.filter((row) => !isHidden(filter, tree, row)),
      withoutThreads && path === '' ? firstLabelOf : labelOf,
    ).map(({ label, rows: alike }) => ({
      rows: alike,
      label,
      path: `${path}${label};`,
      passes: above || alike.some((row) => containsAll(filter, tree.label(row))),
    }));
  const push = (branches: readonly Branch[], path: string): void => {
    const next: Pending[] = [];
    for (const branch of branches) {
      next.push({ text: `${branch.label};`, branch });
      const weight = branch.passes ? selfWeight(sums, branch.rows, metric) : undefined;
      if (weight === undefined) continue;
      if (weight.startsWith('-') || weight === '0') {
        leftOut++;
        continue;
      }
      const text = `${branch.label} ${weight}`;
      next.push({ text, line: path + text });
    }
    // After the label a line has a blank and a branch has `;`, so sorting these texts sorts all lines.
    next.sort((a, b) => compareKeys(b.text, a.text));
    for (const each of next) pending.push(each);
  };

  const everything = filter.contains.length === 0;
  const roots = tree.roots();
  push(
    withoutThreads
      ? branchesOf(
          roots.flatMap((row) => childrenOf(sums, row)),
          '',
          everything,
        )
      : branchesOf(roots, '', everything),
    '',
  );
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('line' in next) {
      writer.line(next.line);
      continue;
    }
    const { rows, path, passes } = next.branch;
    push(
      branchesOf(
        rows.flatMap((row) => childrenOf(sums, row)),
        path,
        passes,
      ),
      path,
    );
  }
  writer.flush();
  const isWithoutFrame = (root: number): boolean => hasEnds(sums, root) && everything;
  const withoutFrames = withoutThreads && roots.some(isWithoutFrame);
  return { notPositive: leftOut, withoutFrames };
}

/**
 * Key of a thread -> the frame that async-profiler writes for it and that is read as a thread again: `[main tid=42]`.
 * Threads that have no positive id, of formats that number from 0 or have no ids, get unused numbers. Threads without a
 * name, or grouped by pools, are written as frames with their key.
 */
function threadFrames(profile: LeanProfile, grouping: ThreadGrouping): ReadonlyMap<string, string> {
  const frames = new Map<string, string>();
  if (grouping !== 'name' && grouping !== 'id') return frames;
  const { threads } = profile;
  const used = new Set<bigint>();
  /** Key -> name, of threads whose ids cannot be written. */
  const unnumbered = new Map<string, string>();
  for (let thread = 0; thread < threads.length; thread++) {
    const name = threads.name[thread];
    if (name === undefined || name === '') continue;
    const key = threadKey(profile, thread, grouping);
    const id = int64(threads.idHi[thread], threads.idLo[thread]);
    if (id > 0n) used.add(id);
    if (id <= 0n) unnumbered.set(key, name);
    else if (!frames.has(key)) frames.set(key, threadFrame(name, id));
  }
  let unused = 1n;
  for (const [key, name] of unnumbered) {
    if (frames.has(key)) continue;
    while (used.has(unused)) unused++;
    frames.set(key, threadFrame(name, unused++));
  }
  return frames;
}

function threadFrame(name: string, id: bigint): string {
  return `[${printable(name)} tid=${id}]`;
}

/** The number for an unknown line, no BCI or a native method. */
const NO_POSITION = /:-\d+$/;

/** The number of rows at which samples or times end, which is the largest possible number of lines. */
function rowsWithEnds(sums: RowSums): number {
  let count = 0;
  for (let row = 0; row < sums.tree.length; row++) if (hasEnds(sums, row)) count++;
  return count;
}

/** A frame without name. */
const NO_NAME = '(no name)';

/** The text of a frame: a semicolon would end it; a blank at the end of a name, or no name, would not be read again. */
function clean(label: string): string {
  if (label === '') return NO_NAME;
  const text = label.replaceAll(';', ':');
  return text.endsWith(' ') && /[^ ]/.test(text) ? text.slice(0, -1) + escaped(' ') : text;
}

/** A first frame that is no thread. As a blank, a comment or a thread, it would not be read again. */
function firstFrame(label: string): string {
  const isReadAgain = !/^(?:#|\/\/| +$)/.test(label) && threadFromText(label) === undefined;
  return isReadAgain ? label : escaped(label) + label.slice(1);
}

/** The first character, as `printable` writes one: `\x20`. */
function escaped(text: string): string {
  return String.raw`\x` + text.charCodeAt(0).toString(16);
}

function childrenOf(sums: RowSums, row: number): number[] {
  const { tree } = sums;
  const children: number[] = [];
  for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child)) {
    if (sums.isShown(child)) children.push(child);
  }
  return children;
}

function mergeByLabel(
  rows: readonly number[],
  labelOf: (row: number) => string,
): { readonly label: string; readonly rows: readonly number[] }[] {
  if (rows.length === 1) return [{ label: labelOf(rows[0]), rows }];
  const alike = new Map<string, number[]>();
  for (const row of rows) {
    const label = labelOf(row);
    const known = alike.get(label);
    if (known === undefined) alike.set(label, [row]);
    else known.push(row);
  }
  return Array.from(alike, ([label, merged]) => ({ label, rows: merged }));
}

/** The self weight of rows in decimal; undefined if they have no samples and no time of their own. */
function selfWeight(
  { selfCount, selfTime }: RowSums,
  rows: readonly number[],
  metric: Metric,
): string | undefined {
  let samples = 0;
  let hasTime = false;
  for (const row of rows) {
    samples += selfCount[row];
    hasTime ||= selfTime.ns[row] !== 0;
  }
  // Time between two snapshots may belong to a stack where no sample ended: see SampleTable.
  if (samples === 0 && (metric === 'samples' || !hasTime)) return undefined;
  if (metric === 'samples') return countText(samples);
  if (rows.length === 1) return selfTime.text(rows[0]);
  return String(rows.reduce((sum, row) => sum + selfTime.exact(row), 0n));
}
