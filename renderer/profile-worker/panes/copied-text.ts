import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { isErrorMethod } from '../../../shared/profile/method-table.ts';
import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import { depthOf, type RowTree } from '../../../shared/engine/trees/row-tree.ts';
import { heaviestBelow } from '../../../shared/engine/views/heaviest-below.ts';
import { formatAmount, formatCount, formatShare } from '../../../shared/text/format-value.ts';
import { printable } from '../../../shared/text/printable.ts';
import type { Row, WholeOfShares } from '../pane-messages.ts';

/** Java's notation for a missing source file. */
const NO_FILE: readonly string[] = ['', 'UnknownFile'];

/**
 * Where a frame is, as Java prints it: `Shop.parse(Shop.java:42)`, without the line where it is not asked for or not
 * known, and without parentheses where no file is known. Undefined for a row that is not a method.
 */
export function frameLocation(
  { frames, methods }: LeanProfile,
  frame: number,
  withLine: boolean,
): string | undefined {
  const names = frame >= 0 && frame < frames.length ? methods.names[frames.method[frame]] : undefined;
  if (names === undefined || isErrorMethod(names)) return undefined;
  const { className, methodName, file } = names;
  const name = className === '' ? methodName : `${className}.${methodName}`;
  if (NO_FILE.includes(file)) return printable(name);
  const line = withLine ? frames.line[frame] : 0;
  return printable(`${name}(${line > 0 ? `${file}:${line}` : file})`);
}

/** The whole that shares refer to. */
export interface Whole extends WholeOfShares {
  readonly byTime: boolean;
}

/**
 * Rows as a text of aligned columns with a header, names indented by their depth below the first row's.
 *
 *   Total % of all  Self % of all  Total samples  Self samples  Method
 *          72.97 %         0.00 %             27             0  Shop.main
 *          67.57 %        67.57 %             25            25    Shop.parse
 */
function rowsText(rows: readonly Row[], whole: Whole, units: ProfileUnits): string {
  const columns: string[][] = [];
  const column = (title: string, cellOf: (row: Row) => string): void =>
    void columns.push([title, ...rows.map(cellOf)]);
  const { value, counted } = units;
  const share = (count: number, time: number): string =>
    whole.byTime ? formatShare(time, whole.time) : formatShare(count, whole.samples);
  column(`Total % of ${whole.of}`, (row) => share(row.totalCount, row.totalTime));
  column(`Self % of ${whole.of}`, (row) => share(row.selfCount, row.selfTime));
  column(`Total ${counted.many}`, ({ totalCount }) => formatCount(totalCount));
  column(`Self ${counted.many}`, ({ selfCount }) => formatCount(selfCount));
  if (value !== undefined) {
    const name = value.name.toLowerCase();
    column(`Total ${name}`, ({ totalTime }) => formatAmount(totalTime, value.unit));
    column(`Self ${name}`, ({ selfTime }) => formatAmount(selfTime, value.unit));
  }
  const widths = columns.map((cells) => cells.reduce((most, { length }) => Math.max(most, length), 0));
  const top = rows.at(0)?.depth ?? 0;
  const names = ['Method', ...rows.map(({ label, depth }) => '  '.repeat(depth - top) + shownLabel(label))];
  return names
    .map((name, line) => [...columns.map((cells, at) => cells[line].padStart(widths[at])), name].join('  '))
    .join('\n');
}

/** Rows of a subtree that are copied as text. */
const MOST_COPIED = 2_000;

/** A text for the clipboard. */
export interface Copy {
  readonly text: string;
  /** A sentence for the user about parts that were left out; undefined where none were. */
  readonly note: string | undefined;
}

/** The rows of a pane. */
interface CopiedTree {
  readonly tree: RowTree;
  /** In display order. */
  readonly below: (row: number) => number[];
  readonly describe: (row: number, depth: number) => Row;
}

/** A row and what is below it, as text: depth first, siblings as they are sorted, and of very many the heaviest. */
export function copiedRows(
  weight: ArrayLike<number>,
  top: number,
  whole: Whole,
  units: ProfileUnits,
  { tree, below, describe }: CopiedTree,
): Copy {
  const taken = heaviestBelow(tree, weight, top, MOST_COPIED + 1);
  // The last one that was taken is the lightest: nothing that was taken is below it.
  const last = [...taken].at(MOST_COPIED);
  const isCut = last !== undefined && taken.delete(last);
  const rows: Row[] = [];
  const waiting = [{ row: top, depth: depthOf(tree, top) }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { row, depth } = next;
    rows.push(describe(row, depth));
    const children = below(row).filter((child) => taken.has(child));
    for (const child of children.reverse()) waiting.push({ row: child, depth: depth + 1 });
  }
  const text = rowsText(rows, whole, units);
  const note = `Only the ${formatCount(MOST_COPIED)} heaviest rows were copied.`;
  return isCut ? { text: `${text}\n${note}`, note } : { text, note: undefined };
}
